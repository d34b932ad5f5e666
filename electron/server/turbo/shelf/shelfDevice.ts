import { isLit, type LedMode } from '#shared/led/blink.ts';
import { seenLed } from '#shared/led/seen.ts';
import type { Button, Clock, Hold, Timer } from '../../ports.ts';
import type { AckStatus, Body } from '../frames/protocol/messages.ts';
import { unpackBits } from '../frames/protocol/packBits.ts';
import type { HeldReport } from './outbox.ts';

const BITMAP_BYTES = 4_736;
const HIGHEST_COUNT = 999;
/**
 * How long a device refuses a command that it has ended, counted from when the station received the report of the end. A late show for this
 * command may still be in transit.
 */
const ENDED_MS = 60_000;

type ShowBody = Body<'show'>;

/** Screen on which a device draws one image after another. */
export type DevicePaper = {
  /** The quantity in the last drawn image, or in the image that is being drawn. */
  readonly count: number | undefined;
  /** Draws a show with this quantity, or a blank screen if the show is undefined. Calls the device's `drawn` afterwards. */
  draw(show: ShowBody | undefined, count: number | undefined): void;
  /** Marks the content of the screen as unknown. */
  forget(): void;
  stop(): void;
};

export type DeviceHost = {
  clock: Clock;
  /** Returns a random number that identifies one run of the device. */
  newEpoch(): number;
  /** Holds a report and sends it when possible. */
  report(report: HeldReport): void;
  /** Whether no more reports can be held. */
  isFull(): boolean;
  /** Whether the LED lights for a command before its image is drawn, if the screen shows no other command. See docs/decisions/0101. */
  lightsFirst: boolean;
  /** Whether `press` is called at the moment of a press, so that the times between presses are exact. */
  feelsPresses: boolean;
  paper: DevicePaper;
};

/** What a worker sees apart from the image on the e-paper: token, count and LED. */
type Seen = {
  token: number;
  show: ShowBody | undefined;
  count: number | undefined;
  led: LedMode;
  sinceMs: number;
  endsAtMs: number;
};

/** Fields of a show that a background does not have: no command, LED off. */
const DARK = {
  token: 0,
  seconds: 0,
  quantity: undefined,
  led: 'off',
  color: 0,
  brightness: 0,
  fixedBrightness: false,
  sound: '',
} as const;

const NOTHING: Seen = { token: 0, show: undefined, count: undefined, led: 'off', sinceMs: 0, endsAtMs: Infinity };

/** Maximum timer delay. The end of a command is checked at least every hour, because timers over 24.8 days fire immediately. */
const MAX_TIMER_MS = 3_600_000;

/**
 * One device, either simulated or on a connection that keeps the device's state. LED and token change when the e-paper has finished drawing
 * the next command, so that a press belongs to what the worker saw. A front press or the time limit ends a command, and the device returns
 * to its background.
 */
export class ShelfDevice {
  readonly deviceId: string;
  batteryMv = 3_000;
  pressAfterMs: number | undefined;
  /** Number of presses refused because too many reports were held. The LED flickers white for them. */
  refusedPresses = 0;
  epoch: number;

  private readonly buttons: 1 | 3;
  private readonly host: DeviceHost;
  private poweredMs: number;
  private counter = 0;
  /** Monotonic time of the last press; undefined before the first. */
  private pressedMs: number | undefined;
  private seen: Seen = NOTHING;
  private background: ShowBody | undefined;
  /** Content that was accepted but is not being drawn yet. `blank` is an empty screen, if there is no background. */
  private next: ShowBody | 'blank' | undefined;
  private drawing: ShowBody | 'blank' | 'count' | undefined;
  /** The token whose image is on the screen; undefined if unknown. */
  private onScreen: number | undefined;
  /** Command whose LED was lit before its image was drawn. */
  private early: ShowBody | undefined;
  private readonly paper: DevicePaper;
  /**
   * Tokens of ended commands, each with the monotonic time until which the device refuses it: Infinity while the report of the end is held.
   */
  private readonly ended = new Map<number, number>();
  private worker: Timer | undefined;
  private endTimer: Timer | undefined;
  private endTimerDueMs = Infinity;

  constructor(options: { deviceId: string; buttons: 1 | 3; host: DeviceHost }) {
    this.deviceId = options.deviceId;
    this.buttons = options.buttons;
    this.host = options.host;
    this.paper = options.host.paper;
    this.epoch = options.host.newEpoch();
    this.poweredMs = options.host.clock.monotonic();
  }

  /** Checks whether a show can be accepted. Call `take` if the result is `ok`. */
  check(show: ShowBody): AckStatus {
    if (this.hasEnded(show.token)) return 'alreadyEnded';
    return this.host.isFull() ? 'busy' : this.checkScreen(show);
  }

  /**
   * Checks whether the device has or can draw this content. For a background, this check is sufficient, because a background is accepted
   * even if no more reports can be held.
   */
  checkScreen({ checksum, screen }: Pick<ShowBody, 'checksum' | 'screen'>): AckStatus {
    if (screen.form === 'same' && !this.has(checksum)) return 'contentMissing';
    if (screen.form === 'bitmap') {
      const bytes = screen.packing === 'raw' ? screen.pixels : unpackBits(screen.pixels, BITMAP_BYTES);
      if (bytes?.length !== BITMAP_BYTES) return 'malformed';
    }
    return 'ok';
  }

  take(show: ShowBody): void {
    // Ignore a command that ended while this message was in transit.
    if (this.hasEnded(show.token)) return;
    if (show.token === 0) this.background = show;
    this.next = show;
    this.drawNext();
  }

  /** Sets a different background. Draws it immediately if a background is shown or comes next. */
  keep({ device, checksum, screen }: Body<'keep'>): void {
    this.background = { ...DARK, device, checksum, screen };
    const coming = this.pending();
    const isSeen = coming === undefined ? !this.isActive() : coming === 'blank' || coming.token === 0;
    if (!isSeen) return;
    this.next = this.background;
    this.drawNext();
  }

  /** Presses a button. Returns false if the device does not have this button. */
  press(button: Button, hold: Hold): boolean {
    if (button !== 'front' && this.buttons === 1) return false;
    if (this.host.isFull()) {
      this.refusedPresses++;
      return true;
    }
    const { seen } = this;
    const active = this.isActive();
    if (active && button !== 'front' && seen.count !== undefined) {
      // A command may request more than HIGHEST_COUNT, so that a worker who removed a piece can add it again.
      const highest = Math.max(HIGHEST_COUNT, seen.show?.quantity ?? 0);
      seen.count = Math.min(Math.max(seen.count + (button === 'plus' ? 1 : -1), 0), highest);
    }
    const { token, count: quantity } = seen;
    const sinceMs = this.sinceLastPress();
    this.host.report({ name: 'button', ...this.reportId(), token, button, hold, quantity, sinceMs });
    if (active && button === 'front') this.end();
    else this.drawNext();
    return true;
  }

  /** Records that the station has received this report. */
  acknowledged(report: HeldReport): void {
    if (report.name === 'shown' || (report.name === 'button' && report.button !== 'front')) return;
    if (this.ended.get(report.token) !== Infinity) return;
    const nowMs = this.nowMs();
    for (const [token, untilMs] of this.ended) if (untilMs <= nowMs) this.ended.delete(token);
    this.ended.set(report.token, nowMs + ENDED_MS);
  }

  /** Simulates that the battery is removed and reinserted: the image stays, and everything else is lost. */
  restart(): void {
    this.stop();
    this.paper.forget();
    this.epoch = this.host.newEpoch();
    this.counter = 0;
    this.pressedMs = undefined;
    this.poweredMs = this.host.clock.monotonic();
    this.seen = NOTHING;
    this.background = undefined;
    this.next = undefined;
    this.drawing = undefined;
    this.onScreen = undefined;
    this.early = undefined;
    this.ended.clear();
  }

  stop(): void {
    this.paper.stop();
    this.worker?.cancel();
    this.endTimer?.cancel();
    this.endTimerDueMs = Infinity;
  }

  /** Starts the timer of the simulated worker, who presses the front button of a lit device. */
  watch(): void {
    this.worker?.cancel();
    const { token, led } = this.seen;
    if (this.pressAfterMs === undefined || led === 'off') return;
    const press = (): void => {
      if (this.seen.token === token && this.isActive()) this.press('front', 'short');
    };
    if (this.pressAfterMs <= 0) press();
    else this.worker = this.host.clock.setTimer(this.pressAfterMs, press);
  }

  /** Returns what the device displays now and what it will display next. */
  look(): Pick<
    Body<'deviceStatus'>,
    'shownToken' | 'shownChecksum' | 'remainingMs' | 'pendingToken' | 'pendingChecksum' | 'backgroundChecksum'
  > & { active: boolean; led: LedMode; lit: boolean; count: number | undefined } {
    const { seen } = this;
    const pending = this.pending();
    const picture = pending === this.early ? undefined : pending;
    const coming = picture === 'blank' ? { token: 0, checksum: undefined } : picture;
    return {
      shownToken: seen.token,
      shownChecksum: seen.show?.checksum,
      remainingMs: Number.isFinite(seen.endsAtMs) ? Math.max(0, Math.round(seen.endsAtMs - this.nowMs())) : undefined,
      pendingToken: coming?.token,
      pendingChecksum: coming?.checksum,
      backgroundChecksum: this.background?.checksum,
      active: this.isActive(),
      led: seen.led,
      lit: isLit(seen.led, this.nowMs() - seen.sinceMs),
      count: seen.count,
    };
  }

  uptimeS(): number {
    return Math.floor((this.nowMs() - this.poweredMs) / 1_000);
  }

  /** Draws again after drawing failed: the same content, or newer content if there is any. */
  undrawn(): void {
    const { drawing } = this;
    this.drawing = undefined;
    if (this.next === undefined && drawing === 'count') return this.redraw();
    if (drawing !== 'count') this.next ??= drawing;
    this.drawNext();
  }

  /** Draws the current content again, unless other content comes next. */
  redraw(): void {
    if (this.drawing !== undefined || this.next !== undefined || this.seen.show === undefined) return;
    this.drawing = 'count';
    this.paper.draw(this.seen.show, this.seen.count);
  }

  /** Returns the screen with this checksum, or undefined if the device does not have it. */
  screenOf(checksum: number): ShowBody['screen'] | undefined {
    const pending = this.pending();
    const shows = [this.seen.show, this.background, pending === 'blank' ? undefined : pending];
    return shows.find((show) => show?.checksum === checksum)?.screen;
  }

  private pending(): ShowBody | 'blank' | undefined {
    return this.next ?? (this.drawing === 'count' ? undefined : this.drawing);
  }

  private isActive(): boolean {
    return this.seen.token !== 0;
  }

  private hasEnded(token: number): boolean {
    return (this.ended.get(token) ?? 0) > this.nowMs();
  }

  private has(checksum: number): boolean {
    return this.screenOf(checksum) !== undefined;
  }

  /** Whether the LED and the screen show no command, and no command's image is being drawn. */
  private isDark(): boolean {
    const { drawing } = this;
    const isComing = typeof drawing === 'object' && drawing.token !== 0;
    return !this.isActive() && this.onScreen === 0 && !isComing;
  }

  private drawNext(): void {
    const { next } = this;
    if (this.host.lightsFirst && typeof next === 'object' && next.token !== 0 && this.isDark()) {
      this.early = next;
      this.see(next);
    }
    if (this.drawing !== undefined) return;
    if (next !== undefined) {
      this.next = undefined;
      this.drawing = next;
      this.paper.draw(next === 'blank' ? undefined : next, next === 'blank' ? undefined : this.countOf(next));
    } else if (this.isActive() && this.seen.count !== this.paper.count) {
      this.drawing = 'count';
      this.paper.draw(this.seen.show, this.seen.count);
    }
  }

  /** Handles the end of drawing. Must be called once the image is on the screen. */
  drawn(): void {
    const { drawing } = this;
    this.drawing = undefined;
    if (drawing !== undefined && drawing !== 'count') this.drew(drawing);
    this.drawNext();
  }

  private drew(drawing: ShowBody | 'blank'): void {
    this.onScreen = drawing === 'blank' ? 0 : drawing.token;
    const isLitFirst = this.early !== undefined && (this.next === this.early || drawing === this.early);
    if (drawing !== 'blank' && this.hasEnded(drawing.token)) return this.goBack(drawing.token);
    if (isLitFirst) return;
    if (drawing === 'blank') this.seen = NOTHING;
    else this.see(drawing);
  }

  private see(show: ShowBody): void {
    const nowMs = this.nowMs();
    this.seen = {
      token: show.token,
      show,
      count: this.countOf(show),
      led: show.token === 0 ? 'off' : ledOf(show),
      sinceMs: nowMs,
      endsAtMs: show.token !== 0 && show.seconds > 0 ? nowMs + show.seconds * 1_000 : Infinity,
    };
    this.host.report({ name: 'shown', madeMs: nowMs, token: show.token, checksum: show.checksum });
    this.watchEnd();
    this.watch();
  }

  /**
   * Returns the count for a show. A command that is already displayed keeps its count, because the station may not know the worker's last
   * presses.
   */
  private countOf(show: ShowBody): number | undefined {
    if (show.token === 0) return undefined;
    return show.token === this.seen.token ? (this.seen.count ?? show.quantity) : show.quantity;
  }

  private end(): void {
    const { token } = this.seen;
    this.ended.set(token, Infinity);
    // Until the next picture is drawn, the visible picture no longer belongs to a command.
    this.seen = { ...this.seen, token: 0, led: 'off', count: undefined, endsAtMs: Infinity };
    this.worker?.cancel();
    this.goBack(token);
  }

  /** Returns to the background, unless newer content comes next. */
  private goBack(ended: number): void {
    const pending = this.pending();
    if (pending === undefined || (pending !== 'blank' && pending.token === ended)) {
      this.next = this.background ?? 'blank';
    }
    this.drawNext();
  }

  /**
   * Sets the timer for the end of the command. Keeps a timer that fires earlier, which then sets the next one, so that not every command
   * needs a new timer.
   */
  private watchEnd(): void {
    const dueMs = this.seen.endsAtMs;
    if (dueMs >= this.endTimerDueMs) return;
    this.endTimer?.cancel();
    this.endTimerDueMs = dueMs;
    this.endTimer = this.host.clock.setTimer(Math.min(dueMs - this.nowMs(), MAX_TIMER_MS), () => {
      this.endTimerDueMs = Infinity;
      if (this.isActive() && this.seen.endsAtMs <= this.nowMs()) this.runOut();
      else this.watchEnd();
    });
  }

  private runOut(): void {
    this.host.report({ name: 'ended', ...this.reportId(), token: this.seen.token, quantity: this.seen.count });
    this.end();
  }

  private reportId(): { madeMs: number; epoch: number; counter: number } {
    return { madeMs: this.nowMs(), epoch: this.epoch, counter: ++this.counter };
  }

  private sinceLastPress(): number | undefined {
    const { pressedMs } = this;
    this.pressedMs = this.nowMs();
    return pressedMs === undefined || !this.host.feelsPresses ? undefined : Math.round(this.pressedMs - pressedMs);
  }

  private nowMs(): number {
    return this.host.clock.monotonic();
  }
}

/** Returns the visible LED state. A color that is too dark to see counts as off. */
function ledOf({ led, color, brightness, fixedBrightness }: ShowBody): LedMode {
  const hex = `#${color.toString(16).padStart(6, '0')}`;
  return seenLed({ mode: led, hex, letter: '', fixedBrightness }, brightness).mode;
}
