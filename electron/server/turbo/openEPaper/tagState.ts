import type { ScreenContent } from '#shared/screen/content.ts';
import { deviceIdOf, type TagRecord, type TagType } from './accessPointAnswers.ts';
import { hashOfProgram } from '../controllers/ledProgram.ts';

/** Content of a screen. `checksum` identifies the content and `picture` identifies the pixels; both are undefined if unknown. */
export type Face = { token: number; checksum: number | undefined; picture: number | undefined };

/** An image that waits at the access point for the tag. */
export type QueuedFace = Face & {
  checksum: number;
  /** The tag's `updateCount` when the station sent the image to the access point. */
  countBefore: number;
  /** Monotonic time when the station sent the image to the access point. */
  sinceMs: number;
  /** Whether the access point has reported a queued item since then. */
  wasPending: boolean;
  session: number;
};

/** Content for a tag to show, with its LED program. */
export type TagTask = { token: number; checksum: number; content: ScreenContent; program: string | undefined };

/** What the station knows about a tag. The tag itself does not store most of it. */
export type TagState = {
  readonly mac: string;
  readonly deviceId: string;
  type: TagType;
  record: TagRecord;
  /** The session in which the record was received. */
  session: number;
  shown: Face;
  queued: QueuedFace | undefined;
  /** `lastseen` of the last reported press, and of the last boot. */
  pressedAt: number;
  bootedAt: number;
  current: TagTask | undefined;
  background: TagTask | undefined;
  /** The LED program that is renewed at each check-in. */
  program: string | undefined;
  /** Whether the station has queued something for the tag since the last record. */
  isTouched: boolean;
  /** Reachability as last reported to the station in this session; undefined if not reported yet. */
  isReachable: boolean | undefined;
  /** The state as last saved, as text. */
  kept: string;
  /** `lastseen` of the press that is being reported. */
  pressing: number | undefined;
};

/** What changed between two records of a tag. */
export type TagNews = {
  isShown: boolean;
  isPressed: boolean;
  hasBooted: boolean;
  hasCheckedIn: boolean;
  /** Whether the tag received an LED program or an image. */
  hasReceived: boolean;
  /** Whether the tag's image is no longer queued but has not arrived. */
  isLost: boolean;
};

const NOTHING_KNOWN: Face = { token: 0, checksum: undefined, picture: undefined };

/** Lowest wake-up reason of a tag that has started with an empty screen. */
const FIRST_BOOT_REASON = 0xe0;
const [FIRST_BUTTON, LAST_BUTTON] = [4, 6];
/** An image counts as lost if it is still not in the queue after this time. An access point queues an image within two seconds. */
const QUEUED_WITHIN_MS = 15_000;
const QUEUED_SURELY_MS = 5_000;

/**
 * Creates the state of a tag. `remembered` is the state from an earlier run. `isLive` tells whether the record comes from an event rather
 * than from the tag list.
 */
export function createTag(
  { record, type, session }: { record: TagRecord; type: TagType; session: number },
  remembered: RememberedTag | undefined,
  { isLive, nowMs }: { isLive: boolean; nowMs: number },
): TagState {
  // Ignore a press that happened before the station knew the tag.
  const before = isLive ? 0 : record.lastseen;
  const queued = remembered?.queued;
  return {
    mac: record.mac,
    deviceId: deviceIdOf(record.mac),
    type,
    record: { ...record, lastseen: 0 },
    session,
    shown: remembered?.shown ?? NOTHING_KNOWN,
    queued: queued && { ...queued, sinceMs: nowMs, session: session - 1 },
    pressedAt: remembered?.pressedAt ?? before,
    bootedAt: remembered?.bootedAt ?? before,
    current: undefined,
    background: undefined,
    program: remembered?.program,
    isTouched: false,
    isReachable: undefined,
    kept: '',
    pressing: undefined,
  };
}

/** Updates the state from a record, and returns what changed. A press counts as new until `pressedAt` is set to its `lastseen`. */
export function takeRecord(tag: TagState, record: TagRecord, session: number, nowMs: number): TagNews {
  const news: TagNews = {
    isShown: false,
    isPressed: false,
    hasBooted: false,
    hasCheckedIn: false,
    hasReceived: false,
    isLost: false,
  };
  // The list may be older than an event received in the meantime.
  if (session === tag.session && record.lastseen < tag.record.lastseen) return news;
  news.hasCheckedIn = record.lastseen !== tag.record.lastseen;
  news.hasReceived = record.updateCount > tag.record.updateCount;
  tag.record = record;
  tag.session = session;
  tag.isTouched = false;
  const { queued } = tag;
  if (queued !== undefined) {
    queued.wasPending ||= record.pending > 0;
    if (isDelivered(tag, queued)) {
      tag.shown = faceOf(queued);
      tag.queued = undefined;
      news.isShown = true;
    } else if (isGone(tag, queued, nowMs)) {
      tag.queued = undefined;
      news.isLost = true;
    }
  }
  if (record.wakeupReason >= FIRST_BOOT_REASON && record.lastseen !== tag.bootedAt) {
    tag.bootedAt = record.lastseen;
    tag.shown = NOTHING_KNOWN;
    news.hasBooted = true;
  }
  const isButton = record.wakeupReason >= FIRST_BUTTON && record.wakeupReason <= LAST_BUTTON;
  news.isPressed = isButton && record.lastseen !== tag.pressedAt && record.lastseen !== tag.pressing;
  return news;
}

/** Whether the image has arrived: nothing is queued, and the last item that the tag received was not its LED program. */
function isDelivered({ record, program }: TagState, { countBefore }: QueuedFace): boolean {
  const isProgram = program !== undefined && record.hash.startsWith(hashOfProgram(program));
  return record.pending === 0 && record.updateCount > countBefore && !isProgram;
}

function isGone({ record, session }: TagState, queued: QueuedFace, nowMs: number): boolean {
  if (record.pending > 0) return false;
  const ageMs = nowMs - queued.sinceMs;
  // The pending item may have been the LED program, with the picture queued behind it.
  return queued.session !== session || ageMs > (queued.wasPending ? QUEUED_SURELY_MS : QUEUED_WITHIN_MS);
}

export function faceOf({ token, checksum, picture }: Face): Face {
  return { token, checksum, picture };
}

/** State to save across restarts, so that a press is reported once and no image is sent again. */
export type RememberedTag = Pick<TagState, 'shown' | 'queued' | 'pressedAt' | 'bootedAt' | 'program'>;

export function rememberTag({ shown, queued, pressedAt, bootedAt, program }: TagState): RememberedTag {
  return { shown, queued, pressedAt, bootedAt, program };
}

/**
 * Returns a permanent id for a press, from the seconds of the access point's clock. A clock that is far off results in a different epoch.
 */
export function reportIdOf({ deviceId }: TagState, lastseen: number) {
  return { device: deviceId, epoch: Math.floor(lastseen / 2 ** 24), counter: lastseen };
}
