import type { Oracle } from './oracle.ts';
import { isOver, itemsOf, type ModelItem } from './orderState.ts';
import type { Moment } from './reports.ts';
import type { ModelCommand, ModelDevice } from './state.ts';

/**
 * A line as a device showed it under one token. A press sets the item to `base` plus the reported quantity. `ordered` is the
 * number of pieces that the item needed, and `round` the number of times that it had ended by then; once the item ends again, presses under this token no longer count.
 */
export type ShownLine = { item: ModelItem; base: number; round: number; ordered: number };

/**
 * Counts of special presses on lines. A `bounce` comes too soon after the previous press, an `early` press too soon after the line
 * appeared. For `held` and `dark`, the light was off, and the line had another light or none. For `late`, the line was closed. For
 * `otherBase`, pieces were counted since the line was shown. For `others`, another picker had a current line there. Also counts rearranged
 * devices: `moved` if a current line replaced another line, `expired` if the time of a current line had passed.
 */
export type LineCases = Record<
  'bounce' | 'early' | 'held' | 'dark' | 'late' | 'otherBase' | 'others' | 'moved' | 'expired',
  number
>;

/**
 * The content of a device according to its reports. `line` is undefined for content that is not a line of an order. `endedMs` is the time
 * at which the device ended the line by a press or a timeout, `goneMs` the time at which the background replaced the line.
 */
type Screen = {
  token: number;
  line: ModelItem | undefined;
  picker: string | null;
  sinceMs: number;
  sinceMono: number;
  endedMs: number;
  goneMs: number;
  /** Whether the previously shown line had the same picker when this line first appeared, or undefined if there was no previous line. */
  before: 'same' | 'other' | undefined;
};

/** A press within this time after a counted press is a bounce (contract, section 16). */
const BOUNCE_MS = 220;
/** Minimum time in which a person can read the next line. Reading another picker's line takes longer. */
const NEXT_LINE_MS = 100;
const OTHERS_LINE_MS = 250;
/** Time after the end of a line in which a different line counts as the next line (decision 0069). */
const NEXT_WITHIN_MS = 3_000;

/** When a press was made, by both clocks. `epoch` is undefined if the station has restarted since. */
type Made = { atMs: number; monoMs: number; epoch: number | undefined };

/** The lines that tokens showed, and the presses that come too early for them (contract, section 16). */
export class ModelLines {
  /** How often each case occurred. */
  readonly cases: LineCases = {
    bounce: 0,
    early: 0,
    held: 0,
    dark: 0,
    late: 0,
    otherBase: 0,
    others: 0,
    moved: 0,
    expired: 0,
  };
  private readonly oracle: Oracle;
  private readonly lines = new Map<number, ShownLine>();
  private readonly screens = new Map<string, Screen>();
  /** Time of each device's last front press that counted. */
  private readonly pressed = new Map<string, Made>();

  constructor(oracle: Oracle) {
    this.oracle = oracle;
  }

  /** Records the state of a line whose command got a new id. */
  frozen({ id, owner }: Pick<ModelCommand, 'id' | 'owner'>): void {
    if (owner?.kind !== 'item') return;
    const { item } = owner;
    this.lines.set(id, { item, base: item.fulfilled, round: item.round, ordered: item.given.ordered_quantity });
  }

  /** Records that the command of a line moved to another device under a new id. It keeps the quantity to which a press adds. */
  moved(from: number, to: number): void {
    const line = this.lines.get(from);
    if (line !== undefined) this.lines.set(to, line);
  }

  /** Returns whether the line's counted quantity has not changed since its command got its id. */
  isCurrent({ id }: Pick<ModelCommand, 'id'>): boolean {
    const line = this.lines.get(id);
    return line === undefined || line.base === line.item.fulfilled;
  }

  of(token: number): ShownLine | undefined {
    return this.lines.get(token);
  }

  /** Returns whether a press under this token can still count. */
  isOpen({ item, round }: ShownLine): boolean {
    return this.isThere(item) && round === item.round && !isOver(item) && item.state !== 'cancelled';
  }

  private isThere(item: ModelItem): boolean {
    const { of: order } = item.of;
    return this.oracle.orders.all.get(order.number) === order && itemsOf(order).includes(item);
  }

  /**
   * Handles a report of what a device shows, which can be late. The same line in a different color, with a different number or lit again is
   * not a new line. A line stays on the screen until the device shows something else, even if the station has ended it.
   */
  shown(device: ModelDevice, token: number, { wallMs, monoMs }: Moment): void {
    const last = this.screens.get(device.id);
    if (token === 0) {
      if (last !== undefined) last.goneMs = Math.min(last.goneMs, wallMs);
      return;
    }
    if (monoMs < (last?.sinceMono ?? 0)) return;
    const { item: line } = this.lines.get(token) ?? {};
    // A line of a removed order has no picker.
    const picker = line !== undefined && this.isThere(line) ? line.picker : null;
    if (line !== undefined && last?.line === line && last.endedMs === Infinity) {
      Object.assign(last, { token, picker, goneMs: Infinity });
      return;
    }
    const goneMs = Math.min(last?.endedMs ?? Infinity, last?.goneMs ?? Infinity);
    // A time in the future means that the clock was set back.
    const isNext = last?.line !== undefined && (goneMs === Infinity || Math.abs(wallMs - goneMs) <= NEXT_WITHIN_MS);
    const before = isNext ? (last.picker === picker ? 'same' : 'other') : undefined;
    const since = { sinceMs: wallMs, sinceMono: monoMs };
    this.screens.set(device.id, { token, line, picker, ...since, endedMs: Infinity, goneMs: Infinity, before });
  }

  /** Records that the device itself ended a line. */
  ended(device: ModelDevice, { owner }: Pick<ModelCommand, 'owner'>, atMs: number): void {
    const last = this.screens.get(device.id);
    if (owner?.kind === 'item' && last?.line === owner.item) last.endedMs = atMs;
  }

  counted(device: ModelDevice, made: Made): void {
    this.pressed.set(device.id, made);
  }

  /** Counts the special cases of a press on this line. */
  count({ item, base }: ShownLine, { isDark, isHeld }: { isDark: boolean; isHeld: boolean }): void {
    if (isDark) this.cases.dark += 1;
    else if (isHeld) this.cases.held += 1;
    if (base !== item.fulfilled) this.cases.otherBase += 1;
  }

  /** Forgets what devices showed, as a restart of the station does. */
  restarted(): void {
    this.screens.clear();
    // The station stores when a press was made, but not the times that devices measure between presses.
    for (const [deviceId, made] of this.pressed) this.pressed.set(deviceId, { ...made, epoch: undefined });
  }

  isEarly(device: ModelDevice, token: number, made: Made): boolean {
    const shown = this.lines.get(token);
    if (shown === undefined) return false;
    const last = this.pressed.get(device.id);
    // Devices measure the time between two presses, which a jump of the wall clock does not change.
    const isMeasured = last !== undefined && last.epoch === made.epoch;
    const isBounce = isMeasured ? made.monoMs - last.monoMs < BOUNCE_MS : isWithin(made.atMs, last?.atMs, BOUNCE_MS);
    const isEarly = isBounce || this.isUnread(device, shown, made.atMs);
    if (isEarly) this.cases[isBounce ? 'bounce' : 'early'] += 1;
    return isEarly;
  }

  /** Returns whether a press comes before anybody can have read the line. */
  private isUnread(device: ModelDevice, shown: ShownLine, atMs: number): boolean {
    const screen = this.screens.get(device.id);
    if (screen?.line !== shown.item || screen.before === undefined) return false;
    return isWithin(atMs, screen.sinceMs, screen.before === 'same' ? NEXT_LINE_MS : OTHERS_LINE_MS);
  }
}

/** Returns whether `atMs` is less than `ms` after `sinceMs`. These are wall times, so the clock may have been set back between them. */
function isWithin(atMs: number, sinceMs: number | undefined, ms: number): boolean {
  return sinceMs !== undefined && atMs >= sinceMs && atMs - sinceMs < ms;
}
