import type { LitItemRow, OrderPickerRow, OrderRow } from '../../db/repositories/orders.ts';
import type { Transaction } from '../../db/writer.ts';
import { isOver, isToLight, nextItem } from '../../domain/order.ts';
import { byWalk, walkRanks } from '#shared/lib/walk.ts';
import { StationError } from '../../errors.ts';
import { labelOf } from '../commands/index.ts';
import { deviceOf } from './answers.ts';
import { isFor, launchOrder, type LaunchFor, type OrderContext, takeBack } from './launch.ts';
import { contentOfOrder, findItemTarget } from './light.ts';

/** Colors of pickers, in the order in which they are given out; green is that of orders without a picker. */
const PICKER_COLORS = ['blue', 'yellow', 'magenta', 'cyan', 'orange', 'white', 'red', 'green'];

type PickerEvent = 'order_joined' | 'order_left' | 'order_paused';
type Ask = Pick<LaunchFor, 'by' | 'color' | 'placed'> & { picker: string };

/** Gives an order to a picker: what of it is lit or to be lit. Throws `conflict` if others pick it. */
export function takeOrder(context: OrderContext, tx: Transaction, order: OrderRow, ask: Ask): void {
  const isOwn = order.pickers.some(({ name }) => name === nameOf(context, ask.picker));
  if (!isOwn && order.pickers.length > 0 && order.state !== 'fulfilled') throw taken(context, order);
  const picker = enlist(context, tx, order, ask);
  const free = unfinished(context, order).filter((item) => item.picker === null && item.state === 'active');
  assign(context, tx, order, free, { picker, by: ask.by });
  if (free.length > 0) record(context, tx, order, { kind: 'order_joined', by: picker.name, qty: free.length });
  launchOrder(context, tx, again(context, order), { ...ask, picker });
}

/** Shares an order: the picker gets the lines of nobody or, if there are none, half of the longest list. */
export function joinOrder(context: OrderContext, tx: Transaction, order: OrderRow, ask: Ask): void {
  refuseOver(order);
  const picker = enlist(context, tx, order, ask);
  const open = inWalkingOrder(context, unfinished(context, order));
  const ownersOf = Map.groupBy(open, (item) => item.picker);
  const free = ownersOf.get(null) ?? [];
  const longest = [...ownersOf]
    .filter(([name]) => name !== null && name !== picker.name)
    .map(([, lines]) => lines)
    .toSorted((a, b) => b.length - a.length)[0];
  const hasOwn = ownersOf.has(picker.name);
  const given = free.length > 0 || hasOwn ? free : (longest ?? []).slice(Math.ceil((longest ?? []).length / 2));
  assign(context, tx, order, given, { picker, by: ask.by });
  record(context, tx, order, { kind: 'order_joined', by: picker.name, qty: given.length });
  relight(context, tx, order, { ...ask, picker });
}

/** The lines of the picker go to the next picker of the order or, if there is none, to nobody; they stay lit. */
export function leaveOrder(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  { by, reason }: { by: string; reason?: string },
): void {
  const leaving = pickerOf(context, order, by);
  const next = order.pickers.find(({ name, isPaused }) => name !== leaving.name && !isPaused);
  giveAway(context, tx, order, { from: leaving.name, to: next, by: leaving.name });
  if (leaving.isPaused) lightAgain(context, tx, order, { by: leaving.name, picker: next ?? null });
  record(context, tx, order, { kind: 'order_left', by: leaving.name, qty: 0, reason });
}

/** The lines of `from`, or of everybody, go to another person, who joins the order. */
export function handOver(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  { from, to, by }: { from: string | undefined; to: string; by: string },
): void {
  refuseOver(order);
  const picker = enlist(context, tx, order, { picker: to });
  if (from !== undefined && nameOf(context, from) === picker.name) {
    throw new StationError('conflict', `${picker.name} has these lines already. Name somebody else.`);
  }
  const leaving = from === undefined ? order.pickers.map(({ name }) => name) : [pickerOf(context, order, from).name];
  for (const name of leaving) {
    if (name !== picker.name) giveAway(context, tx, again(context, order), { from: name, to: picker, by });
  }
  if (from === undefined) {
    const free = unfinished(context, order).filter((item) => item.picker === null);
    assign(context, tx, order, free, { picker, by });
  }
  record(context, tx, order, { kind: 'order_joined', by: picker.name, qty: 0 });
  relight(context, tx, order, { by, picker });
}

/** Turns off the lines of the picker, who keeps them. */
export function pauseOrder(context: OrderContext, tx: Transaction, order: OrderRow, by: string): void {
  refuseOver(order);
  const { repositories, work } = context;
  const picker = pickerOf(context, order, by);
  repositories.orders.savePicker(order.id, { ...picker, isPaused: true });
  const lit = unfinished(context, order).filter((item) => item.picker === picker.name && item.state === 'active');
  takeBack(context, tx, lit, picker.name);
  for (const item of lit) {
    const whole = again(context, order);
    const shipment = repositories.orders.findShipment(item.shipmentId);
    if (shipment === undefined) continue;
    const place = { deviceId: deviceOf(item) ?? '', location: '' };
    const cause = { historyId: 0, by: picker.name };
    const after = nextItem(item, { kind: 'killed' });
    work.changeItem(tx, { order: whole, shipment, item }, { after, place, events: [], cause });
  }
  record(context, tx, order, { kind: 'order_paused', by: picker.name, qty: lit.length });
}

/** A person as a picker of an order, with the color of that person. Throws `invalid` if the station has no person of that name. */
function enlist(
  { repositories }: OrderContext,
  tx: Transaction,
  order: OrderRow,
  { picker: name, color }: Omit<Ask, 'by'>,
): OrderPickerRow {
  const user = repositories.accounts.findUser(name);
  if (user === undefined) {
    const message = `There is no person ${name} at this station. An admin adds people on the page Users.`;
    throw new StationError('invalid', message, [{ path: '/picker', message }]);
  }
  const before = order.pickers.find((each) => each.name === user.username);
  const own = user.color ?? leastUsed(repositories.accounts.listUsers().flatMap((each) => each.color ?? []));
  if (user.color === null) repositories.accounts.setColor(user.username, own);
  const { deviceId = null, joinedAt = tx.now } = before ?? {};
  // The first line of an order, and one after a pause, counts from here.
  const confirmedAt = before === undefined || before.isPaused ? tx.now : before.confirmedAt;
  const picker = {
    name: user.username,
    color: color ?? own,
    isPaused: false,
    deviceId,
    confirmedAt,
    joinedAt,
    awayAt: null,
  };
  repositories.orders.savePicker(order.id, picker);
  return picker;
}

function leastUsed(used: readonly string[]): string {
  const times = (color: string) => used.filter((each) => each === color).length;
  return PICKER_COLORS.reduce((least, color) => (times(color) < times(least) ? color : least));
}

/** Gives lines to a picker, in that picker's color; without one they are nobody's, in the order's color. */
function assign(
  { repositories, commands, work, defaults }: OrderContext,
  tx: Transaction,
  order: OrderRow,
  items: readonly LitItemRow[],
  { picker, by }: { picker: OrderPickerRow | undefined; by: string },
): void {
  const { color } = contentOfOrder({ ...order, color: picker?.color ?? order.color }, defaults());
  for (const item of items) {
    repositories.orders.saveItem(item, { ...item, picker: picker?.name ?? null });
    work.tellItem(tx, item.id);
    const command = repositories.commands.findByOwner({ kind: 'item', id: item.id });
    if (command !== undefined) commands.setColor(tx, command, { color, by });
  }
  work.tellOrder(tx, order.id);
}

function giveAway(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  { from, to, by }: { from: string; to: OrderPickerRow | undefined; by: string },
): void {
  const { orders } = context.repositories;
  orders.removePicker(order.id, from);
  // Dark lines go along: a later launch lights them.
  const lines = orders.listItems(order.id).filter((item) => !isOver(item) && item.picker === from);
  assign(context, tx, order, lines, { picker: to, by });
}

/** The same, but of what has lost its place the rest stays dark. */
function lightAgain(context: OrderContext, tx: Transaction, order: OrderRow, launch: LaunchFor): void {
  const items = context.repositories.orders.listItems(order.id);
  const isLightable = items.some(
    (item) =>
      item.state === 'active' ||
      (isToLight(item) && isFor(item, launch.picker) && findItemTarget(context.repositories, item) !== undefined),
  );
  if (isLightable) relight(context, tx, order, launch);
}

/** Lights what is dark of a launched order, if there is anything. */
function relight(context: OrderContext, tx: Transaction, order: OrderRow, launch: LaunchFor): void {
  const now = again(context, order);
  const dark = unfinished(context, now).some((item) => isToLight(item) && isFor(item, launch.picker));
  if (dark) launchOrder(context, tx, now, launch);
  else context.work.tellOrder(tx, now.id);
}

function inWalkingOrder({ repositories }: OrderContext, items: readonly LitItemRow[]): LitItemRow[] {
  const compare = byWalk(walkRanks(repositories.map.get()));
  const place = (item: LitItemRow) => {
    const deviceId = deviceOf(item) ?? '';
    return { deviceId, label: labelOf(repositories, deviceId) };
  };
  return items
    .map((item) => ({ item, ...place(item) }))
    .toSorted(compare)
    .map(({ item }) => item);
}

function unfinished({ repositories }: OrderContext, { id }: OrderRow): LitItemRow[] {
  return repositories.orders.listItems(id).filter((item) => !isOver(item) && item.state !== 'cancelled');
}

/** The order as it is now in this use-case. */
function again({ repositories }: OrderContext, order: OrderRow): OrderRow {
  return repositories.orders.find(order.id) ?? order;
}

function nameOf({ repositories }: OrderContext, typed: string): string {
  return repositories.accounts.findUser(typed)?.username ?? typed;
}

function pickerOf(context: OrderContext, order: OrderRow, typed: string): OrderPickerRow {
  const name = nameOf(context, typed);
  const picker = order.pickers.find((each) => each.name === name);
  if (picker !== undefined) return picker;
  throw new StationError('conflict', `${name} does not pick order ${order.orderNumber}. POST .../join/ joins it.`);
}

function refuseOver({ orderNumber, state }: OrderRow): void {
  if (state === 'fulfilled') throw new StationError('conflict', `Order ${orderNumber} is fulfilled already.`);
}

function taken(context: OrderContext, order: OrderRow): StationError {
  const lines = unfinished(context, order);
  const parts = order.pickers.map(
    ({ name, awayAt }) =>
      `${name}${awayAt === null ? '' : ' (signed out)'} has ${lines.filter((item) => item.picker === name).length}`,
  );
  return new StationError(
    'conflict',
    `${parts.join(' and ')} of the ${order.counts.items} lines of order ${order.orderNumber}. POST .../join/ shares it.`,
  );
}

function record(
  { work }: OrderContext,
  tx: Transaction,
  order: OrderRow,
  { kind, by, qty, reason }: { kind: PickerEvent; by: string; qty: number; reason?: string | undefined },
): void {
  work.record(tx, order, { kind, qty, detail: { by, ...(reason === undefined ? {} : { reason }) } });
}
