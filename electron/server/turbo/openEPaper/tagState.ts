import type { ScreenContent } from '#shared/screen/content.ts';
import { deviceIdOf, type TagRecord, type TagType } from './accessPointAnswers.ts';
import { hashOfProgram } from '../controllers/ledProgram.ts';

/** What a screen shows: a token, the checksum of its content, and the id of its pixels; undefined: unknown. */
export type Face = { token: number; checksum: number | undefined; picture: number | undefined };

/** A picture that the access point has for the tag. */
export type QueuedFace = Face & {
  checksum: number;
  /** Of the record before it. */
  countBefore: number;
  /** When it was handed over, monotonic. */
  sinceMs: number;
  /** Whether the access point has since reported that something is queued. */
  wasPending: boolean;
  session: number;
};

/** What a tag is to show, with its LED program. */
export type TagTask = { token: number; checksum: number; content: ScreenContent; program: string | undefined };

/** All that a tag does not know itself. */
export type TagState = {
  readonly mac: string;
  readonly deviceId: string;
  type: TagType;
  record: TagRecord;
  /** The session in which the record was heard. */
  session: number;
  shown: Face;
  queued: QueuedFace | undefined;
  /** `lastseen` of the last press that was reported, and of the last boot. */
  pressedAt: number;
  bootedAt: number;
  current: TagTask | undefined;
  background: TagTask | undefined;
  /** The LED program that is renewed at each check-in. */
  program: string | undefined;
  /** Something was queued since the record. */
  isTouched: boolean;
  /** As last reported to the station in this session; undefined: not reported yet. */
  isReachable: boolean | undefined;
  /** The remembered state as last saved. */
  kept: string;
  /** `lastseen` of the press that is being reported. */
  pressing: number | undefined;
};

/** What a new record says. */
export type TagNews = {
  isShown: boolean;
  isPressed: boolean;
  hasBooted: boolean;
  hasCheckedIn: boolean;
  /** Something has arrived, a LED program or a picture. */
  hasReceived: boolean;
  /** Its picture is not queued any more, and has not arrived. */
  isLost: boolean;
};

const NOTHING_KNOWN: Face = { token: 0, checksum: undefined, picture: undefined };

/** The first of the reasons to wake up that mean a start: the screen is empty. */
const FIRST_BOOT_REASON = 0xe0;
const [FIRST_BUTTON, LAST_BUTTON] = [4, 6];
/** An access point queues a picture within a second or two; after this time it has not. */
const QUEUED_WITHIN_MS = 15_000;
const QUEUED_SURELY_MS = 5_000;

/** `remembered`: from an earlier run. `isLive`: the record is an event, and not read of a list. */
export function createTag(
  { record, type, session }: { record: TagRecord; type: TagType; session: number },
  remembered: RememberedTag | undefined,
  { isLive, nowMs }: { isLive: boolean; nowMs: number },
): TagState {
  // What was pressed before the station knew the tag is not its business.
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

/** Takes a record, and says what is new. A press stays news until `pressedAt` is its `lastseen`. */
export function takeRecord(tag: TagState, record: TagRecord, session: number, nowMs: number): TagNews {
  const news: TagNews = {
    isShown: false,
    isPressed: false,
    hasBooted: false,
    hasCheckedIn: false,
    hasReceived: false,
    isLost: false,
  };
  // Two ways lead from an access point: the list may be older than what its socket said.
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

/** The transfer has ended: nothing is queued, and the tag received something else than an LED program last. */
function isDelivered({ record, program }: TagState, { countBefore }: QueuedFace): boolean {
  const isProgram = program !== undefined && record.hash.startsWith(hashOfProgram(program));
  return record.pending === 0 && record.updateCount > countBefore && !isProgram;
}

function isGone({ record, session }: TagState, queued: QueuedFace, nowMs: number): boolean {
  if (record.pending > 0) return false;
  const ageMs = nowMs - queued.sinceMs;
  // What was pending may have been the LED program, before the picture was queued behind it.
  return queued.session !== session || ageMs > (queued.wasPending ? QUEUED_SURELY_MS : QUEUED_WITHIN_MS);
}

export function faceOf({ token, checksum, picture }: Face): Face {
  return { token, checksum, picture };
}

/** What must outlive the station: with it a press is reported once, and no picture is sent again. */
export type RememberedTag = Pick<TagState, 'shown' | 'queued' | 'pressedAt' | 'bootedAt' | 'program'>;

export function rememberTag({ shown, queued, pressedAt, bootedAt, program }: TagState): RememberedTag {
  return { shown, queued, pressedAt, bootedAt, program };
}

/** Identifies a press forever: seconds of the access point's clock, in spans that a wrong clock does not share. */
export function reportIdOf({ deviceId }: TagState, lastseen: number) {
  return { device: deviceId, epoch: Math.floor(lastseen / 2 ** 24), counter: lastseen };
}
