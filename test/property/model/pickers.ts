import type { PickAsk } from './journal.ts';
import type { Oracle } from './oracle.ts';
import { isOver, isToLight, itemsOf, type ModelItem, type ModelOrder } from './orderState.ts';
import type { ModelLaunch } from './orders.ts';
import { colorOf, isFor, type ModelPerson, type ModelPicker } from './people.ts';
import { recolor, type Moment } from './reports.ts';
import { inWalkingOrder } from './walk.ts';

type Ask<What> = Omit<Extract<PickAsk, { what: What }>, 'what'>;
type Taking = Ask<'launch' | 'join'>;
type Stopping = Ask<'leave' | 'pause'>;

/** The pickers of orders: contract, section 16. Each method returns the status. */
export class ModelPickers {
  private readonly oracle: Oracle;

  constructor(oracle: Oracle) {
    this.oracle = oracle;
  }

  /** Finds a person, ignoring case. */
  person(typed: string): ModelPerson | undefined {
    return this.oracle.people.find(({ name }) => name.toLowerCase() === typed.toLowerCase());
  }

  launch({ name, picker, color }: Taking, by: string, now: Moment): number {
    const { orders } = this.oracle;
    const wanted = picker ?? this.person(by)?.name;
    if (wanted === undefined) return orders.launch(name, { by, color }, now);
    const order = orders.all.get(name);
    if (order === undefined) return 404;
    const person = this.person(wanted);
    const isOthers = order.pickers.length > 0 && order.pickers.every((each) => each.name !== person?.name);
    if (isOthers && order.state !== 'fulfilled') return 409;
    if (person === undefined) return 400;
    if (order.state === 'fulfilled' || !orders.canLight(order, (item) => isFor(item, person))) return 409;
    const taker = this.enlist(order, person, color, now);
    const free = unfinished(order).filter((item) => item.picker === null && item.state === 'active');
    this.assign(order, free, taker, by, now);
    if (free.length > 0) this.joined(order, taker, free.length, now);
    orders.lightUp(order, { by, color, picker: taker }, now);
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
    if (!this.canLight(order, (item) => isFor(item, person) || given.includes(item))) return 409;
    const joining = this.enlist(order, person, color, now);
    const inOrder = itemsOf(order).filter((item) => given.includes(item));
    this.assign(order, inOrder, joining, by, now);
    this.joined(order, joining, given.length, now);
    this.relight(order, { by, color, picker: joining }, now);
    return 200;
  }

  leave({ name, picker }: Stopping, by: string, now: Moment): number {
    const order = this.oracle.orders.all.get(name);
    if (order === undefined) return 404;
    const leaving = this.pickerOf(order, picker ?? by);
    if (leaving === undefined) return 409;
    const next = order.pickers.find((each) => each !== leaving && !each.paused);
    this.giveAway(order, leaving, next, leaving.name, now);
    if (leaving.paused) this.relight(order, { by: leaving.name, picker: next ?? null }, now);
    this.oracle.orders.tell(order, { kind: 'order_left', qty: 0, by: leaving.name }, now);
    return 200;
  }

  pause({ name, picker }: Stopping, by: string, now: Moment): number {
    const order = this.oracle.orders.all.get(name);
    if (order === undefined) return 404;
    if (order.state === 'fulfilled') return 409;
    const pausing = this.pickerOf(order, picker ?? by);
    if (pausing === undefined) return 409;
    pausing.paused = true;
    const lit = itemsOf(order).filter((item) => item.picker === pausing.name && item.state === 'active');
    this.oracle.orders.takeBack(lit, pausing.name, now);
    for (const item of lit) Object.assign(item, { state: 'open', timedOut: false });
    this.oracle.orders.tell(order, { kind: 'order_paused', qty: lit.length, by: pausing.name }, now);
    return 200;
  }

  handOver({ name, picker }: Ask<'handover'>, by: string, now: Moment): number {
    const order = this.oracle.orders.all.get(name);
    if (order === undefined) return 404;
    if (order.state === 'fulfilled') return 409;
    const person = this.person(picker);
    if (person === undefined) return 400;
    const from = this.pickerOf(order, by);
    if (from?.name === person.name) return 409;
    const leaving = from === undefined ? order.pickers.filter((each) => each.name !== person.name) : [from];
    const names = leaving.map((each) => each.name);
    if (!this.canLight(order, (item) => isFor(item, person) || names.some((each) => each === item.picker))) return 409;
    const taking = this.enlist(order, person, undefined, now);
    for (const each of leaving) this.giveAway(order, each, taking, by, now);
    const free = from === undefined ? unfinished(order).filter((item) => item.picker === null) : [];
    this.assign(order, free, taking, by, now);
    this.joined(order, taking, 0, now);
    this.relight(order, { by, picker: taking }, now);
    return 200;
  }

  private pickerOf(order: ModelOrder, typed: string): ModelPicker | undefined {
    return order.pickers.find(({ name }) => name === this.person(typed)?.name);
  }

  /** A picker who has already joined keeps the place in the list and resumes. */
  private enlist(
    order: ModelOrder,
    { name, color: own }: ModelPerson,
    color: string | undefined,
    now: Moment,
  ): ModelPicker {
    const before = order.pickers.find((each) => each.name === name);
    const picker = before ?? { name, color: own, paused: false, deviceid: null, joinedAt: now.wallMs };
    Object.assign(picker, { color: color ?? own, paused: false });
    if (before === undefined) order.pickers = [...order.pickers, picker].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return picker;
  }

  /** Lit lines take the color of their new picker. */
  private assign(
    order: ModelOrder,
    items: readonly ModelItem[],
    picker: ModelPicker | undefined,
    by: string,
    now: Moment,
  ): void {
    for (const item of items) {
      item.picker = picker?.name ?? null;
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

  /** Whether nothing of these lines is dark, or else something is lit or has a place. */
  private canLight(order: ModelOrder, isMeant: (item: ModelItem) => boolean): boolean {
    const isDark = unfinished(order).some((item) => isToLight(item) && isMeant(item));
    return !isDark || this.oracle.orders.canLight(order, isMeant);
  }

  /** Lights the dark ones of these lines if any of them has a place. */
  private relight(order: ModelOrder, launch: ModelLaunch, now: Moment): void {
    const isDark = unfinished(order).some((item) => isToLight(item) && isFor(item, launch.picker));
    if (isDark && this.oracle.orders.canLight(order, (item) => isFor(item, launch.picker)))
      this.oracle.orders.lightUp(order, launch, now);
  }

  private joined(order: ModelOrder, { name }: ModelPicker, qty: number, now: Moment): void {
    this.oracle.orders.tell(order, { kind: 'order_joined', qty, by: name }, now);
  }
}

function unfinished(order: ModelOrder): ModelItem[] {
  return itemsOf(order).filter((item) => !isOver(item) && item.state !== 'cancelled');
}
