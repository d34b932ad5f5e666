import { isDeepStrictEqual } from 'node:util';
import { BLINK_PERIOD_MS, isLit } from '#shared/led/blink.ts';
import { wledDeviceId, wledSerialNumber } from '#shared/lib/devices/wledNames.ts';
import { createAlarm, type Alarm } from '../../scheduling/alarm.ts';
import type { Clock, HttpClient, Ids, NetworkWish } from '../../ports.ts';
import type { Greeting, TurboConnection, ConnectionHost, Controller, ControllerParts } from '../types.ts';
import type { Outgoing } from '../frames/protocol/exchange.ts';
import { PROTOCOL_VERSION, type Body } from '../frames/protocol/messages.ts';
import { askJson } from '../controllers/ask.ts';
import { reply } from '../controllers/reply.ts';
import { type BrightnessId, dimmedIds, KnownBrightness } from './brightness.ts';
import { fitting, stateChange } from './stateChange.ts';
import type { StripSegment } from './pixels.ts';
import { coverageOf, type LedRange, type StripRange } from './strip.ts';
import { linkProblems, placeProblem } from './stripProblems.ts';
import {
  coloredRanges,
  colorOf,
  freeOf,
  hasLight,
  isBlinking,
  isIn,
  isOverwritten,
  statusOf,
  type StripPlace,
} from './stripPlaces.ts';
import {
  busyProblem,
  isAccepted,
  layoutText,
  MAX_ANSWER_BYTES,
  readAnswer,
  segmentsIn,
  versionNumber,
  type WledAnswer,
} from './wledAnswer.ts';

/** How long a change waits for more changes, because a large number of commands arrives in several bursts. */
const COLLECT_MS = 10;
/** Pause between requests, and maximum time that a change waits for other changes. */
const BETWEEN_MS = 50;
const POLL_MS = 5_000;
/** Number of consecutive failed requests that end the connection. */
const MAX_FAILURES = 3;
const RETRY_MS = 250;

type WledParts = ControllerParts & { http: HttpClient; clock: Clock; ids: Ids };

/** Creates a controller for WLED firmware: one strip, on which each place is a range of LEDs. */
export function createWled(parts: WledParts): Controller {
  let { wish } = parts;
  let connection: WledConnection | undefined;
  return {
    connect(host) {
      connection = new WledConnection(parts, wish, host);
      return connection;
    },
    change(changed) {
      wish = changed;
      connection?.change(changed.places);
    },
    problems: () => connection?.problems ?? [],
  };
}

class WledConnection implements TurboConnection {
  readonly transport: TurboConnection['transport'];
  state: TurboConnection['state'] = 'connecting';
  turbo: Greeting | undefined;
  problem: string | undefined;
  problems: readonly string[] = [];
  lastSeenAt = 0;
  synced = false;
  readonly firstSync: Promise<void>;

  private readonly parts: WledParts;
  private readonly host: ConnectionHost;
  private readonly epoch: number;
  private readonly endFirstSync: () => void;
  private readonly painting: Alarm;
  /** When the oldest unsent change was made. */
  private waitingSinceMs: number | undefined;
  private readonly polling: Alarm;
  private wanted: NetworkWish['places'];
  private answer: WledAnswer | undefined;
  private segments: readonly StripSegment[] = [];
  private places: StripPlace[] = [];
  /** LEDs that no longer belong to a place and still have to be turned off. */
  private vacated: LedRange[] = [];
  /** Ids of the segments that the owner has set up differently, so that their pixels may now be at other LEDs. */
  private cleared: ReadonlySet<number> = new Set();
  private isBusy = false;
  private failures = 0;
  private paintedMs = -Infinity;
  private blinkSinceMs = 0;
  private readonly brightness = new KnownBrightness();
  /** Whether all places are being painted, which may take several requests. */
  private isRepainting = true;

  constructor(parts: WledParts, { url, places }: NetworkWish, host: ConnectionHost) {
    this.parts = parts;
    this.host = host;
    this.wanted = places;
    this.transport = { kind: 'wled', port: url, canPress: false };
    this.epoch = Buffer.from(parts.ids.bytes(4)).readUInt32LE();
    const first = Promise.withResolvers<void>();
    this.firstSync = first.promise;
    this.endFirstSync = first.resolve;
    this.painting = createAlarm(parts.clock, () => void this.paint());
    this.polling = createAlarm(parts.clock, () => void this.poll());
    void this.open();
  }

  get uptimeS(): number {
    return Math.floor(this.answer?.info.uptime ?? 0);
  }

  send(outgoing: Outgoing): void {
    const request = outgoing.request(1);
    if (request === undefined) return;
    // A light has no background, so there is nothing to keep.
    if (request.name === 'keep') return reply(outgoing, 'ok');
    if (request.name !== 'show') return reply(outgoing, 'unsupported');
    const place = this.places.find(({ deviceId }) => deviceId === request.body.device);
    if (place === undefined) return reply(outgoing, 'unknownDevice');
    this.take(place, request.body, outgoing);
  }

  withdraw(outgoing: Outgoing): void {
    for (const place of this.places) if (place.waiting === outgoing) place.waiting = undefined;
  }

  /** Resolves once the controller is connected, because everything is reported then. */
  sync(): Promise<void> {
    return this.firstSync;
  }

  close(reason: string): void {
    if (this.state === 'closed') return;
    this.state = 'closed';
    this.painting.stop();
    this.polling.stop();
    this.endFirstSync();
    this.host.closed(this, reason);
  }

  /** Sets the places of the strip. Lights move with their places. */
  change(wanted: NetworkWish['places']): void {
    this.wanted = wanted;
    if (this.state === 'online') this.layOut();
  }

  private async open(): Promise<void> {
    try {
      const answer = await this.look();
      // oxlint-disable-next-line typescript/no-unnecessary-condition -- it may have been closed in the meantime
      if (this.state === 'closed') return;
      const { info } = answer;
      const serialNumber = wledSerialNumber(info.mac);
      const taken = this.parts.claim(serialNumber);
      if (taken !== undefined) return this.close(taken);
      const bootId = this.epoch;
      const firmware = versionNumber(info.ver);
      const identity = { serialNumber, name: info.name, firmware, bootId, uptimeS: this.uptimeS };
      this.turbo = { protocol: PROTOCOL_VERSION, ...identity, window: 1 };
      this.state = 'online';
      this.host.online(this, this.turbo);
      this.layOut();
      this.synced = true;
      this.endFirstSync();
      this.host.synced(this);
      this.polling.in(POLL_MS);
    } catch (error) {
      this.close(sentenceOf(error));
    }
  }

  /** Reads the information and the state of the controller. Rejects with an Error for the user. */
  private async look(): Promise<WledAnswer> {
    const { status, json } = await askJson(this.parts, { url: this.urlOf('json/si'), maxBytes: MAX_ANSWER_BYTES });
    if (status === 503) throw new Error(busyProblem(status));
    const answer = readAnswer(json);
    if (answer === undefined) {
      throw new Error(`What answers at ${this.transport.port} is no WLED controller. Check the address.`);
    }
    this.answer = answer;
    this.brightness.note(answer);
    this.lastSeenAt = this.parts.clock.now();
    return answer;
  }

  private urlOf(path: string): string {
    return new URL(path, this.transport.port).href;
  }

  /** Applies new settings of segments: clears the segments with places, and paints all places again. */
  private layOutAnew(): void {
    const before = this.places;
    this.layOut();
    const ours = [...before, ...this.places];
    const ids = this.segments.filter((segment) => ours.some(({ ranges }) => isIn(segment, ranges))).map(({ id }) => id);
    this.cleared = new Set([...this.cleared, ...ids]);
    for (const place of this.places) place.painted = undefined;
    this.paintSoon();
  }

  private layOut(): void {
    const { answer } = this;
    if (answer === undefined) return;
    const former = new Map(this.places.map((place) => [place.deviceId, place]));
    const problems = linkProblems(answer);
    this.segments = segmentsIn(answer);
    this.places = this.wanted.flatMap((wanted) => {
      const { label, ranges } = wanted;
      const covered = coverageOf(ranges, this.segments);
      problems.push(...placeProblem(wanted, covered, answer));
      if (covered.lit.length === 0 || covered.shared.length > 0) return [];
      const deviceId = wledDeviceId(answer.info.mac, wanted.number);
      const known = former.get(deviceId);
      former.delete(deviceId);
      const empty = { show: undefined, waiting: undefined, painted: undefined, isEarly: false, isUnsure: false };
      if (known === undefined) return [{ deviceId, ranges, label, ...empty }];
      if (isDeepStrictEqual(known.ranges, ranges)) return [Object.assign(known, { label })];
      this.vacate(known);
      return [Object.assign(known, { ranges, label, painted: undefined })];
    });
    this.problems = problems;
    this.parts.changed();
    for (const place of former.values()) {
      this.vacate(place);
      this.sendStatus(place, false);
    }
    for (const place of this.places) this.sendStatus(place, true);
    this.paintSoon();
  }

  private vacate({ ranges, waiting }: StripPlace): void {
    this.vacated.push(...ranges);
    if (waiting !== undefined) reply(waiting, 'unreachable');
  }

  private sendStatus(place: StripPlace, reachable: boolean): void {
    const { epoch, answer, turbo, uptimeS } = this;
    const rssiDbm = Math.round(answer?.info.wifi.rssi ?? 0);
    this.host.status(this, statusOf(place, { epoch, firmware: turbo?.firmware ?? 0, rssiDbm, uptimeS, reachable }));
  }

  private take(place: StripPlace, show: Body<'show'>, outgoing: Outgoing): void {
    const { clock } = this.parts;
    if (show.led === 'blink') {
      if (!isBlinking(this.places)) this.blinkSinceMs = clock.monotonic();
      // Light the place immediately, even during the dark half of a blink cycle.
      place.isEarly = !this.isBright();
    }
    place.show = show;
    place.waiting = outgoing;
    this.paintSoon();
  }

  /** Lists the strip and the segments that are too dim for their lights. */
  private dimmed(): BrightnessId[] {
    return this.answer === undefined ? [] : dimmedIds(this.answer, this.places);
  }

  /**
   * Reports a problem if the brightness has been too low since the connection began, so that somebody raises it. If the brightness was
   * lowered later, `sendRanges` restores it.
   */
  private watchBrightness(): void {
    const unknown = this.dimmed().some((id) => !this.brightness.has(id));
    const name = this.answer?.info.name ?? '';
    const problem = unknown
      ? `${name} is too dim for its lights to be seen clearly. Raise its brightness in WLED.`
      : undefined;
    if (problem === this.problem) return;
    this.problem = problem;
    if (problem === undefined) this.parts.changed();
    else this.host.troubled(this);
  }

  /** Whether blinking lights are in the bright half of their cycle. */
  private isBright(): boolean {
    return isLit('blink', this.parts.clock.monotonic() - this.blinkSinceMs);
  }

  private paintSoon(): void {
    const now = this.parts.clock.monotonic();
    this.waitingSinceMs ??= now;
    const earliestMs = Math.max(now + COLLECT_MS, this.paintedMs + BETWEEN_MS);
    const latestMs = Math.max(this.waitingSinceMs, this.paintedMs) + BETWEEN_MS;
    this.painting.in(Math.min(earliestMs, latestMs) - now);
  }

  /** Sends as much of the wanted state as fits into one request, and reports what the strip shows afterwards. */
  private async paint(): Promise<void> {
    if (this.isBusy || this.answer === undefined) return;
    this.waitingSinceMs = undefined;
    const isBright = this.isBright();
    if (isBright) for (const place of this.places) place.isEarly = false;
    const all = this.places.map((place) => ({ place, color: colorOf(place, isBright), outgoing: place.waiting }));
    const due = all.filter(({ place, color, outgoing }) => color !== place.painted || outgoing !== undefined);
    const { segments } = this;
    // LEDs of a removed place may already belong to another place.
    const free = freeOf(this.places, this.vacated.splice(0));
    const darkened = fitting(free, (range) => [range], segments);
    const taken = fitting(due, ({ place }) => place.ranges, segments, darkened);
    const ranges = [...darkened, ...taken.flatMap(coloredRanges)];
    this.vacated = free.slice(darkened.length);
    if (ranges.length > 0 || this.cleared.size > 0) {
      this.isBusy = true;
      const isDone = await this.sendRanges(ranges);
      this.isBusy = false;
      if (this.state === 'closed') return;
      if (isDone && !this.isRepainting) for (const place of this.places) place.isUnsure = true;
      // If settings or places changed in the meantime, other LEDs may have the colors, so send everything again.
      if (isDone && this.segments === segments) {
        for (const done of taken) this.painted(done);
        this.isRepainting &&= this.places.some(({ painted }) => painted === undefined);
      } else this.vacated.push(...darkened);
    }
    if (this.failures > 0) return this.painting.within(RETRY_MS);
    if (this.isDue()) this.paintSoon();
    if (isBlinking(this.places)) this.painting.within(this.untilNextHalf());
  }

  /** Whether the strip does not show the wanted state yet. */
  private isDue(): boolean {
    const isBright = this.isBright();
    const isOther = (place: StripPlace): boolean =>
      place.waiting !== undefined || colorOf(place, isBright) !== place.painted;
    return this.vacated.length > 0 || this.cleared.size > 0 || this.places.some(isOther);
  }

  private untilNextHalf(): number {
    const half = BLINK_PERIOD_MS / 2;
    return half - ((this.parts.clock.monotonic() - this.blinkSinceMs) % half);
  }

  /** Sends ranges to the strip. Returns false after a failure; the caller then retries. */
  private async sendRanges(ranges: readonly StripRange[]): Promise<boolean> {
    const { cleared } = this;
    this.paintedMs = this.parts.clock.monotonic();
    const body = stateChange(ranges, this.segments, {
      isLit: hasLight(this.places),
      cleared,
      brightness: new Map(this.dimmed().map((id) => [id, this.brightness.find(id)])),
    });
    try {
      const { status, json } = await askJson(this.parts, {
        url: this.urlOf('json/state'),
        body,
        maxBytes: MAX_ANSWER_BYTES,
      });
      if (status !== 200 || !isAccepted(json)) throw new Error(busyProblem(status));
      this.failures = 0;
      if (this.cleared === cleared) this.cleared = new Set();
      this.lastSeenAt = this.parts.clock.now();
      return true;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  private failed(error: unknown): void {
    this.failures += 1;
    if (this.failures >= MAX_FAILURES) this.close(sentenceOf(error));
  }

  private painted({
    place,
    color,
    outgoing,
  }: {
    place: StripPlace;
    color: number;
    outgoing: Outgoing | undefined;
  }): void {
    place.painted = color;
    place.isUnsure = false;
    if (outgoing === undefined || place.waiting !== outgoing || place.show === undefined) return;
    place.waiting = undefined;
    const { device, token, checksum } = place.show;
    outgoing.replied({ name: 'ack', body: { status: 'ok' } });
    // Ignore a failure: the report is repeated with the next status.
    this.host.report(this, { name: 'shown', body: { device, token, checksum, ageMs: 0 } }).catch(() => undefined);
  }

  /**
   * Lists places that may show an effect of another program, because painting part of a segment freezes all of it. Returns an empty list if
   * something was painted after `paintedMs`; in that case, the next answer decides.
   */
  private unsure(freed: readonly StripPlace[], paintedMs: number): readonly StripPlace[] {
    if (this.paintedMs !== paintedMs) return [];
    const frozen = this.places.filter((place) => !freed.includes(place));
    const isUnsure = frozen.some((place) => place.isUnsure);
    for (const place of this.places) place.isUnsure = false;
    return isUnsure ? frozen : [];
  }

  /** Detects that the controller restarted or that somebody else changed the strip. */
  private async poll(): Promise<void> {
    const { answer: before, paintedMs } = this;
    try {
      const answer = await this.look();
      const { info, state } = answer;
      // oxlint-disable-next-line typescript/no-unnecessary-condition -- it may have been closed in the meantime
      if (this.state === 'closed') return;
      if (before !== undefined && info.mac !== before.info.mac)
        return this.close('Another controller has this address.');
      this.failures = 0;
      const isAnew = before !== undefined && info.uptime < before.info.uptime;
      // A segment that is off or no longer frozen does not show our colors.
      const freed = this.places.filter((place) => state.seg.some((segment) => isOverwritten(segment, place)));
      this.watchBrightness();
      const isDimmed = this.dimmed().some((id) => this.brightness.has(id));
      const isHidden = hasLight(this.places) && (!state.on || freed.length > 0 || isDimmed);
      const stale = isAnew || isHidden ? this.places : this.unsure(freed, paintedMs);
      for (const place of stale) place.painted = undefined;
      if (stale.length > 0) this.isRepainting = true;
      if (before !== undefined && layoutText(answer) !== layoutText(before)) this.layOutAnew();
      else if (stale.length > 0) this.paintSoon();
    } catch (error) {
      this.failed(error);
    }
    this.polling.in(this.failures === 0 ? POLL_MS : RETRY_MS);
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
