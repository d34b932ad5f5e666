import type { Oracle } from './oracle.ts';
import type { ModelItem } from './orderState.ts';
import type { Moment } from './reports.ts';
import { nothingShown, type ModelCommand, type ModelDevice } from './state.ts';

/** The line that a picker's page shows. `arrivedMono` is the time of the picker's last scan or touch there. */
type Current = {
  picker: string;
  item: ModelItem;
  /** The device that lights the line, or null. */
  deviceId: string | null;
  sinceMono: number;
  namedMono: number;
  arrivedMono: number;
};

/** The fact `line.booked`: a press counted for the line of `picker` at a device where the pickers in `waiting` also have a current line. */
export type BookedLine = { deviceid: string; item_id: number; picker: string | null; waiting: { picker: string }[] };
type WantedBooking = Omit<BookedLine, 'waiting'> & { waiting: string[] };

/** Time for which a picker counts as arrived, and time for which a line stays current (contract, section 16). */
const ARRIVED_MS = 60_000;
const CURRENT_MS = 15 * 60_000;

/** Current and arrived lines of the pickers (contract, section 16). A restart clears them. */
export class ModelCurrents {
  /** Presses that the station must still report to other pickers. */
  readonly booked: WantedBooking[] = [];
  private readonly oracle: Oracle;
  /** Current lines by picker. */
  private readonly all = new Map<string, Current>();
  private passedMono = 0;

  constructor(oracle: Oracle) {
    this.oracle = oracle;
  }

  restarted(): void {
    this.all.clear();
  }

  /** Returns the picker's current line. */
  of(picker: string, nowMono: number): ModelItem | undefined {
    return this.valid(nowMono).find((current) => current.picker === picker)?.item;
  }

  isCurrent(item: ModelItem, nowMono: number): boolean {
    return this.valid(nowMono).some((current) => current.item === item);
  }

  /** Sets the line that the picker's page shows, or removes it if `item` is undefined. */
  set(picker: string, item: ModelItem | undefined, nowMono: number): void {
    if (item === undefined) this.all.delete(picker);
    else this.name(picker, item, nowMono);
  }

  /**
   * Records the picker's scan or touch at this device: the picker has arrived at the current line there, or else at the picker's first line
   * there.
   */
  arrive(picker: string, device: ModelDevice, nowMono: number): void {
    const known = this.valid(nowMono).find((current) => current.picker === picker);
    const own = device.queue.flatMap(({ owner }) => (owner?.kind === 'item' ? [owner.item] : []));
    const item = known?.deviceId === device.id ? known.item : own.find((each) => each.picker === picker);
    if (item !== undefined) this.name(picker, item, nowMono).arrivedMono = nowMono;
  }

  /** Makes a line that timed out or was replaced no longer current, even if the line is lit again immediately. */
  over(item: ModelItem): void {
    for (const [picker, current] of this.all) if (current.item === item) this.all.delete(picker);
  }

  /** A current line that gets a light, or whose light moves to another device with its name, stays current. */
  lit(item: ModelItem, { id }: Pick<ModelDevice, 'id'>): void {
    for (const current of this.all.values()) if (current.item === item) current.deviceId = id;
  }

  private name(picker: string, item: ModelItem, nowMono: number): Current {
    const before = this.valid(nowMono).find((current) => current.picker === picker && current.item === item);
    const deviceId = item.command === null ? null : item.deviceId;
    const current = before ?? {
      picker,
      item,
      deviceId,
      sinceMono: nowMono,
      namedMono: nowMono,
      arrivedMono: -Infinity,
    };
    current.namedMono = nowMono;
    this.all.set(picker, current);
    return current;
  }

  /**
   * Returns the command that this device should show: that of a line whose picker has arrived, otherwise that of a current line, otherwise
   * the first in the queue.
   */
  wanted({ id, queue }: ModelDevice, nowMono: number): ModelCommand | undefined {
    const [first] = queue;
    const here = this.valid(nowMono).filter(({ deviceId, item }) => deviceId === id && item.command !== null);
    const arrived = here.filter((current) => hasArrived(current, nowMono));
    const among = arrived.length > 0 ? arrived : here;
    if (among.some(({ item }) => item.command === first)) return first;
    const since = (current: Current) => (arrived.length > 0 ? current.arrivedMono : current.sinceMono);
    const [earliest] = among.toSorted((a, b) => since(a) - since(b));
    return earliest?.item.command ?? first;
  }

  /** Rearranges the devices each time a line stops being current or its picker stops counting as arrived. */
  passes(nowMono: number): void {
    for (let atMono = this.nextEnd(nowMono); atMono !== undefined; atMono = this.nextEnd(nowMono)) {
      this.passedMono = atMono;
      const before = this.oracle.lines.cases.moved;
      this.arrange({ monoMs: atMono, wallMs: atMono + this.oracle.times.offsetMs });
      this.oracle.lines.cases.expired += this.oracle.lines.cases.moved - before;
    }
    this.passedMono = nowMono;
  }

  private nextEnd(untilMono: number): number | undefined {
    const ends = [...this.all.values()].flatMap(({ arrivedMono, namedMono }) => [
      arrivedMono + ARRIVED_MS,
      namedMono + CURRENT_MS,
    ]);
    const next = Math.min(...ends.filter((atMono) => atMono > this.passedMono));
    return next <= untilMono ? next : undefined;
  }

  /** Makes every device show the command that it should show. Never replaces commands from callers or steps. */
  arrange(now: Moment): void {
    for (const [picker, current] of this.all) if (!isValid(current, now.monoMs)) this.all.delete(picker);
    for (const device of this.oracle.devices.values()) {
      const [first] = device.queue;
      const wanted = this.wanted(device, now.monoMs);
      if (first?.owner?.kind !== 'item' || wanted === undefined || wanted === first) continue;
      Object.assign(first, nothingShown());
      this.oracle.shows.putBack(first.id);
      this.lead(device, wanted, now);
      this.oracle.lines.cases.moved += 1;
    }
  }

  /** Moves a command to the front of the device's queue. */
  lead(device: ModelDevice, command: ModelCommand, { wallMs, monoMs }: Moment): void {
    device.queue = [command, ...device.queue.filter((other) => other !== command)];
    command.firstAt ??= wallMs;
    command.firstMono ??= monoMs;
  }

  /**
   * Expects a fact if another picker is at the device or on the way there. Must be called before the press counts for this line.
   */
  press(device: ModelDevice, item: ModelItem, nowMono: number): void {
    const here = this.valid(nowMono).filter(({ deviceId }) => deviceId === device.id);
    const waiting = here.filter((current) => current.picker !== item.picker);
    if (waiting.length === 0) return;
    const names = waiting.map(({ picker }) => picker).toSorted();
    this.oracle.lines.cases.others += 1;
    this.booked.push({ deviceid: device.id, item_id: item.id, picker: item.picker, waiting: names });
  }

  /** Checks a fact that the station reported against the next expected one. */
  told(fact: BookedLine): void {
    const { deviceid, item_id, picker } = fact;
    const told = { deviceid, item_id, picker, waiting: fact.waiting.map((each) => each.picker).toSorted() };
    const wanted = this.booked.shift();
    if (JSON.stringify(told) === JSON.stringify(wanted)) return;
    throw new Error(`The station reports ${JSON.stringify(told)}, and should report ${JSON.stringify(wanted)}`);
  }

  private valid(nowMono: number): Current[] {
    return [...this.all.values()].filter((current) => isValid(current, nowMono));
  }
}

/** Returns whether the line is still current: lit, not paused or handed over, and named less than 15 minutes ago. */
function isValid({ picker, item, deviceId, namedMono }: Current, nowMono: number): boolean {
  if (item.picker !== picker || nowMono - namedMono >= CURRENT_MS) return false;
  return deviceId === null
    ? item.state === 'active' && item.noLight
    : item.command !== null && item.deviceId === deviceId;
}

function hasArrived({ arrivedMono }: Current, nowMono: number): boolean {
  return nowMono - arrivedMono < ARRIVED_MS;
}
