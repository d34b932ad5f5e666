import type { PickAsk } from './journal.ts';
import type { Oracle } from './oracle.ts';
import { handTo, isOver, isToLight, itemsOf, type ModelItem, type ModelOrder } from './orderState.ts';
import type { ModelLaunch } from './orders.ts';
import { colorOf, isFor, type ModelPerson, type ModelPicker } from './people.ts';
import { recolor, type Moment } from './reports.ts';
import { inWalkingOrder } from './walk.ts';

type Ask<What> = Omit<Extract<PickAsk, { what: What }>, 'what'>;
type Taking = Ask<'launch' | 'join'>;
type Stopping = Ask<'leave' | 'pause'>;

/** The pickers of orders (contract, section 16). The public methods return the status. */
export class ModelPickers {
  private readonly oracle: Oracle;

  constructor(oracle: Oracle) {
    this.oracle = oracle;
  }

  /** Finds a person by name, ignoring case. */
  person(typed: string): ModelPerson | undefined {
    return this.oracle.people.find(({ name }) => name.toLowerCase() === typed.toLowerCase());
  }

  /** Launches an order for a picker. `isTaken` is true if the picker took the order by a scan. */
  launch({ name, picker, color }: Taking, by: string, now: Moment, isTaken = false): number {
    const { orders } = this.oracle;
    const wanted = picker ?? this.person(by)?.name;
    if (wanted === undefined) return orders.launch(name, { by, color }, now);
    const order = orders.all.get(name);
    if (order === undefined) return 404;
    const person = this.person(wanted);
    const isOthers = order.pickers.length > 0 && order.pickers.every((each) => each.name !== person?.name);
    if (isOthers && order.state !== 'fulfilled') return 409;
    if (person === undefined) return 400;
    const meant = itemsOf(order).filter((item) => isToLight(item) && isFor(item, person));
    if (!orders.hasLeft(order, meant)) return 409;
    if (meant.length === 0 && itemsOf(order).every(({ state }) => state !== 'active')) return 409;
    const waits = !isTaken && this.isToWait(order, person, by);
    if (waits && (order.state === 'fulfilled' || order.state === 'aborted')) return 409;
    const wasPaused = order.pickers.some((each) => each.name === person.name && each.paused && !each.waits);
    const taker = this.enlist(order, person, { color, waits }, now);
    const open = itemsOf(order).filter((item) => item.picker === null && !isOver(item));
    const free = waits ? open : open.filter(({ state }) => state === 'active');
    this.assign(order, free, taker, by, now);
    if (free.length > 0) this.joined(order, { qty: free.length, by }, now);
    this.begin(order, taker, by, now, () => {
      orders.lightUp(order, { by, color, picker: taker, isGoingOn: wasPaused }, now);
    });
    return 200;
  }

  join({ name, picker: typed, color }: Taking, by: string, now: Moment): number {
    const order = this.oracle.orders.all.get(name);
    if (order === undefined) return 404;
    if (order.state === 'fulfilled') return 409;
    const person = this.person(typed ?? by);
    if (person === undefined) return 400;
    const open = inWalkingOrder(this.oracle, unfinished(order));
    const free = open.filter(({ picker }) => picker === null);
    const hasOwn = open.some(({ picker }) => picker === person.name);
    const ofOthers = open.filter(({ picker }) => picker !== null && picker !== person.name);
    const lists = [...Map.groupBy(ofOthers, ({ picker }) => picker).values()];
    const longest = lists.reduce((long, list) => (list.length > long.length ? list : long), []);
    const given = free.length > 0 || hasOwn ? free : longest.slice(Math.ceil(longest.length / 2));
    const joining = this.enlist(order, person, { color, waits: this.isToWait(order, person, by) }, now);
    const inOrder = itemsOf(order).filter((item) => given.includes(item));
    this.assign(order, inOrder, joining, by, now);
    this.joined(order, { qty: given.length, by }, now);
    this.begin(order, joining, by, now, () => this.relight(order, { by, color, picker: joining }, now));
    return 200;
  }

  leave({ name, picker }: Stopping, by: string, now: Moment): number {
    const order = this.oracle.orders.all.get(name);
    if (order === undefined) return 404;
    const leaving = this.pickerOf(order, picker ?? by);
    if (leaving === undefined) return 409;
    const next = order.pickers.find((each) => each !== leaving && !each.paused);
    this.giveAway(order, leaving, next, by, now);
    if (next === undefined && order.state === 'in_progress') this.oracle.orders.release(order);
    if (leaving.paused && (!leaving.waits || next !== undefined))
      this.relight(order, { by, picker: next ?? null }, now);
    this.oracle.orders.tell(order, { kind: 'order_left', qty: 0, by }, now);
    return 200;
  }

  pause({ name, picker }: Stopping, by: string, now: Moment): number {
    const order = this.oracle.orders.all.get(name);
    if (order === undefined) return 404;
    if (order.state === 'fulfilled') return 409;
    const pausing = this.pickerOf(order, picker ?? by);
    if (pausing === undefined) return 409;
    this.stop(order, pausing, by, now);
    return 200;
  }

  private stop(order: ModelOrder, pausing: ModelPicker, by: string, now: Moment): void {
    pausing.paused = true;
    const qty = this.darken(order, pausing, by, now);
    this.oracle.orders.tell(order, { kind: 'order_paused', qty, by }, now);
  }

  private darken(order: ModelOrder, { name }: ModelPicker, by: string, now: Moment): number {
    const lit = itemsOf(order).filter((item) => item.picker === name && item.state === 'active');
    this.oracle.orders.takeBack(lit, by, now);
    for (const item of lit) Object.assign(item, { state: 'open', timedOut: false, noLight: false });
    return lit.length;
  }

  /** Lists the orders that this person is picking and in which they still have lines. */
  private pickedBy(name: string): { order: ModelOrder; picker: ModelPicker }[] {
    return [...this.oracle.orders.all.values()].flatMap((order) => {
      const picker = order.pickers.find((each) => each.name === name && !each.paused);
      const isUnderWay = order.state === 'open' || order.state === 'in_progress';
      const hasLines = unfinished(order).some((item) => item.picker === name);
      return picker !== undefined && isUnderWay && hasLines ? [{ order, picker }] : [];
    });
  }

  /** Returns whether the order has to wait, because the person is picking a different one and did not send the request. */
  private isToWait(order: ModelOrder, { name }: ModelPerson, by: string): boolean {
    const isInIt = order.pickers.some((each) => each.name === name && !each.paused);
    if (isInIt || by.toLowerCase() === name.toLowerCase()) return false;
    return this.pickedBy(name).some((each) => each.order !== order);
  }

  /** Makes a reopened line wait if its picker is picking a different order. */
  waitIfBusy(order: ModelOrder, name: string | null): void {
    const picker = order.pickers.find((each) => each.name === name);
    if (picker === undefined || picker.paused) return;
    const isBusy = this.pickedBy(picker.name).some((each) => each.order !== order);
    if (isBusy) Object.assign(picker, { paused: true, waits: true });
  }

  /** Lights the order and pauses the person's other orders. A waiting order is not lit. */
  private begin(order: ModelOrder, picker: ModelPicker, by: string, now: Moment, light: () => void): void {
    if (picker.waits) return void this.darken(order, picker, by, now);
    const others = this.pickedBy(picker.name).filter((each) => each.order !== order);
    others.sort((a, b) => a.picker.joinedAt - b.picker.joinedAt || a.order.id - b.order.id);
    for (const each of others) this.stop(each.order, each.picker, by, now);
    light();
  }

  handOver({ name, picker }: Ask<'handover'>, by: string, now: Moment): number {
    const order = this.oracle.orders.all.get(name);
    if (order === undefined) return 404;
    if (order.state === 'fulfilled') return 409;
    const person = this.person(picker);
    if (person === undefined) return 400;
    const from = this.pickerOf(order, by);
    if (from?.name === person.name || (from === undefined && this.person(by) !== undefined)) return 409;
    const leaving = from === undefined ? order.pickers.filter((each) => each.name !== person.name) : [from];
    const waits = this.isToWait(order, person, by);
    const taking = this.enlist(order, person, { color: undefined, waits }, now);
    for (const each of leaving) this.giveAway(order, each, taking, by, now);
    const free = from === undefined ? unfinished(order).filter((item) => item.picker === null) : [];
    this.assign(order, free, taking, by, now);
    this.joined(order, { qty: 0, by }, now);
    this.begin(order, taking, by, now, () => this.relight(order, { by, picker: taking }, now));
    return 200;
  }

  private pickerOf(order: ModelOrder, typed: string): ModelPicker | undefined {
    return order.pickers.find(({ name }) => name === this.person(typed)?.name);
  }

  /** Adds a picker to the order. A picker who has already joined keeps the time of joining and resumes, unless the order waits. */
  private enlist(
    order: ModelOrder,
    { name, color: own }: ModelPerson,
    { color, waits }: { color: string | undefined; waits: boolean },
    now: Moment,
  ): ModelPicker {
    const before = order.pickers.find((each) => each.name === name);
    const picker = before ?? { name, color: own, paused: false, waits, deviceid: null, joinedAt: now.wallMs };
    Object.assign(picker, { color: color ?? own, paused: waits, waits });
    if (before === undefined) order.pickers = [...order.pickers, picker].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return picker;
  }

  /** Assigns lines to a picker. Lines that are lit change to the picker's color. */
  private assign(
    order: ModelOrder,
    items: readonly ModelItem[],
    picker: ModelPicker | undefined,
    by: string,
    now: Moment,
  ): void {
    for (const item of items) {
      handTo(item, picker?.name ?? null, now.wallMs);
      const color = colorOf(order, item) ?? this.oracle.settings.orderColor;
      if (item.command !== null)
        recolor(this.oracle, this.oracle.device(item.deviceId ?? ''), item.command, color, by, now);
    }
  }

  private giveAway(order: ModelOrder, from: ModelPicker, to: ModelPicker | undefined, by: string, now: Moment): void {
    order.pickers = order.pickers.filter((each) => each !== from);
    const lines = itemsOf(order).filter((item) => !isOver(item) && item.picker === from.name);
    this.assign(order, lines, to, by, now);
  }

  /** Lights the picker's lines that are not lit. Lines without a picker are lit only if the order can be lit. */
  private relight(order: ModelOrder, launch: ModelLaunch, now: Moment): void {
    const isDark = unfinished(order).some((item) => item.state === 'open' && isFor(item, launch.picker));
    const isNobodys = launch.picker === null;
    if (isDark && (!isNobodys || this.oracle.orders.canLight(order, (item) => isFor(item, launch.picker))))
      this.oracle.orders.lightUp(order, { ...launch, isGoingOn: true }, now);
  }

  private joined(order: ModelOrder, { qty, by }: { qty: number; by: string }, now: Moment): void {
    this.oracle.orders.tell(order, { kind: 'order_joined', qty, by }, now);
  }
}

function unfinished(order: ModelOrder): ModelItem[] {
  return itemsOf(order).filter((item) => !isOver(item) && item.state !== 'cancelled');
}
