import type { ItemState, OrderChange } from '#shared/api/order.ts';
import { PICKER_COLORS } from '#shared/led/color.ts';
import { byWalk, walkRanks } from '#shared/lib/picking/walk.ts';
import type { Assignment, OpenLine } from '../../db/repositories/items.ts';
import type { OrderPickerRow } from '../../db/repositories/orderPickers.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { labelOf } from '../commands/index.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { checkLaunch, hasPlaced, launchOrder, type LaunchFor, releaseWithoutPlace } from './launch.ts';
import type { OrderContext } from './types.ts';
import { turnOff } from './turnOff.ts';
import { doneBy } from './work/history.ts';
import { continueOrder } from './endedElsewhere.ts';
import { contentOfOrder } from './light.ts';
import { storedAddress } from './address.ts';
import { momentOrNull, wordsOrNull } from './newOrder.ts';

type PickerEvent = 'order_joined' | 'order_left' | 'order_paused';
/** Request to pick an order. `isTaken` tells whether the person took the order with a scan. */
type Ask = Pick<LaunchFor, 'by' | 'color'> & { picker: string; isTaken?: boolean | undefined };
/** Caller, and the person for whom the caller acts. */
export type Acting = { by: string; picker: string };
/** Lines to assign to a picker who joins: those of the picker `from` (null for lines without a picker), or only the ones in `ids`. */
type Share = Pick<Assignment, 'from' | 'ids'>;

/** Fields of an order that `changeOrder` can change, each with its name in the API. */
const CHANGEABLE = [
  ['priority', 'priority'],
  ['dueAt', 'due_time'],
  ['customer', 'customer'],
  ['note', 'note'],
  ['orderedAt', 'ordered_at'],
  ['isPaid', 'paid'],
  ['color', 'color'],
] as const;

const TO_PICK: readonly ItemState[] = ['open', 'active'];

/**
 * Assigns an order's lines to a picker and lights them. If somebody else assigns the order to a busy picker, the order waits instead,
 * unless `isTaken` is set. Throws `conflict` if other people pick the order.
 */
export function takeOrder(context: OrderContext, tx: Transaction, order: OrderRow, ask: Ask): void {
  const own = findPicker(context, order, ask.picker);
  if (own === undefined && order.pickers.length > 0 && order.state !== 'fulfilled') throw takenBy(context, order);
  const picker = enlist(context, tx, order, ask);
  if (picker.waits) {
    if (order.state === 'fulfilled' || order.state === 'aborted') throw isBusy(picker.name, order);
    checkLaunch(context, order, { ...ask, picker });
  }
  const states: ItemState[] = picker.waits ? [...TO_PICK, 'cancelled'] : ['active'];
  const taken = assign(context, tx, order, { from: null, states }, { picker, by: ask.by });
  if (taken > 0) record(context, tx, order, { kind: 'order_joined', by: ask.by, forWhom: picker.name, qty: taken });
  begin(context, tx, { order, picker, by: ask.by }, () =>
    launchOrder(context, tx, again(context, order), { ...ask, picker, isContinued: own?.isPaused && !own.waits }),
  );
}

/**
 * Lights a picker's lines and pauses the picker's other orders and batches. If the order has to wait for the picker, turns the lines off
 * instead.
 */
function begin(
  context: OrderContext,
  tx: Transaction,
  taken: { order: OrderRow; picker: OrderPickerRow; by: string },
  light: () => void,
): void {
  const { picker, by } = taken;
  const { orderPickers, orders } = context.repositories;
  const order = again(context, taken.order);
  if (picker.waits) return void darken(context, tx, order, picker, by);
  for (const id of orderPickers.listPicking(picker.name)) {
    const other = id === order.id ? undefined : orders.find(id);
    if (other !== undefined) pauseOrder(context, tx, other, { by, picker: picker.name });
  }
  context.holds.paused(tx, picker.name, by);
  light();
}

/**
 * Adds another picker to an order. The new picker gets the lines without a picker or, if there are none, the second half of the longest
 * list.
 */
export function joinOrder(context: OrderContext, tx: Transaction, order: OrderRow, ask: Ask): void {
  refuseOver(order);
  const picker = enlist(context, tx, order, ask);
  const share = findShare(context.repositories, order, picker.name);
  const qty = assign(context, tx, order, { states: TO_PICK, ...share }, { picker, by: ask.by });
  record(context, tx, order, { kind: 'order_joined', by: ask.by, forWhom: picker.name, qty });
  begin(context, tx, { order, picker, by: ask.by }, () => relight(context, tx, order, { ...ask, picker }));
}

function findShare(repositories: OrderContext['repositories'], order: OrderRow, name: string): Share {
  const lists = repositories.items.countOpenLines(order.id);
  if (lists.some(({ picker }) => picker === null || picker === name)) return { from: null };
  const most = Math.max(0, ...lists.map(({ lines }) => lines));
  const longest = new Set(lists.filter(({ lines }) => lines === most).map(({ picker }) => picker));
  const open = repositories.items.listOpenLines(order.id).filter(({ picker }) => longest.has(picker));
  const lines = inWalkingOrder(repositories, open);
  // If two lists are equally long, take the one that begins first.
  const from = lines[0]?.picker ?? null;
  const list = lines.filter(({ picker }) => picker === from).map(({ id }) => id);
  return { from, ids: list.slice(Math.ceil(list.length / 2)) };
}

/** Gives the picker's lines to the order's next active picker or, if there is none, to nobody. The lines stay lit. */
export function leaveOrder(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  { by, picker, reason }: Acting & { reason?: string },
): void {
  const leaving = pickerOf(context, order, picker);
  const next = order.pickers.find(({ name, isPaused }) => name !== leaving.name && !isPaused);
  giveAway(context, tx, order, { from: leaving.name, to: next, by });
  if (next === undefined && order.state === 'in_progress') releaseWithoutPlace(context, tx, again(context, order), by);
  // Lines that only waited stay unlit, unless an active picker gets them.
  if (leaving.isPaused && (!leaving.waits || next !== undefined))
    lightAgain(context, tx, order, { by, picker: next ?? null });
  const left = again(context, order);
  if (left.isStalled && left.counts.active === 0) {
    const settled = { before: left, after: { ...left, isStalled: false } };
    context.work.settle(tx, settled, [], { historyId: 0, by });
  }
  record(context, tx, order, { kind: 'order_left', by, forWhom: leaving.name, qty: 0, reason });
}

/** Gives the lines of `from` to another person, who joins the order. If `from` is undefined, gives the lines of all pickers. */
export function handOver(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  { from, to, by }: { from: string | undefined; to: string; by: string },
): void {
  refuseOver(order);
  const picker = enlist(context, tx, order, { picker: to, by });
  if (from !== undefined && nameOf(context.repositories.accounts, from) === picker.name) {
    throw new StationError('conflict', `${picker.name} already has these lines. Name somebody else.`);
  }
  const leaving = from === undefined ? order.pickers.map(({ name }) => name) : [pickerOf(context, order, from).name];
  for (const name of leaving) {
    if (name !== picker.name) giveAway(context, tx, again(context, order), { from: name, to: picker, by });
  }
  if (from === undefined) assign(context, tx, order, { from: null, states: TO_PICK }, { picker, by });
  record(context, tx, order, { kind: 'order_joined', by, forWhom: picker.name, qty: 0 });
  begin(context, tx, { order, picker, by }, () => relight(context, tx, order, { by, picker }));
}

/** Turns off the picker's lines, which stay assigned to the picker. */
export function pauseOrder(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  { by, picker: typed }: Acting,
): void {
  refuseOver(order);
  const picker = pickerOf(context, order, typed);
  context.repositories.orderPickers.save(order.id, { ...picker, isPaused: true });
  const qty = darken(context, tx, order, picker, by);
  record(context, tx, order, { kind: 'order_paused', by, forWhom: picker.name, qty });
}

/** Turns off a picker's lines. Returns the number of lines that were lit. */
function darken(context: OrderContext, tx: Transaction, order: OrderRow, { name }: OrderPickerRow, by: string): number {
  const { items } = context.repositories;
  const lit = items.listOf(order.id).filter((item) => item.picker === name && item.state === 'active');
  const { counts, shipments } = turnOff(context, tx, order, lit, { kind: 'killed', by });
  const dark = { before: order, after: { ...order, counts, isStalled: false } };
  context.work.settle(tx, dark, shipments, { historyId: 0, by });
  return lit.length;
}

/** Adds or updates a person as a picker of the order. Throws `invalid` for an unknown name. */
function enlist(
  { repositories, holds }: OrderContext,
  tx: Transaction,
  order: OrderRow,
  { picker: name, color, by, isTaken = false }: Ask,
): OrderPickerRow {
  const person = getPerson(repositories.accounts, name);
  const before = order.pickers.find((each) => each.name === person.name);
  const { deviceId = null, joinedAt = tx.now } = before ?? {};
  const isInIt = before !== undefined && !before.isPaused;
  const isOwn = isTaken || nameKey(by) === nameKey(person.name);
  const isBusy =
    repositories.orderPickers.listPicking(person.name).some((id) => id !== order.id) || holds.isPicking(person.name);
  const waits = !isInIt && !isOwn && isBusy;
  // Restart the clock for the picker's first line, and for the first line after a pause.
  const confirmedAt = before === undefined || before.isPaused ? tx.now : before.confirmedAt;
  const picker = {
    name: person.name,
    color: color ?? person.color,
    isPaused: waits,
    waits,
    deviceId,
    confirmedAt,
    joinedAt,
    awayAt: null,
  };
  repositories.orderPickers.save(order.id, picker);
  return picker;
}

/** Finds a person by name. A person without a color gets the color that the fewest people have. Throws `invalid` for an unknown name. */
export function getPerson(accounts: Repositories['accounts'], typed: string): { name: string; color: string } {
  const user = accounts.findUser(typed);
  if (user === undefined) {
    const message = noPerson(typed);
    throw new StationError('invalid', message, [{ path: '/picker', message }]);
  }
  const { username: name } = user;
  if (user.color !== null) return { name, color: user.color };
  const color = leastUsed(accounts.listUsers().flatMap((each) => each.color ?? []));
  accounts.setColor(name, color);
  return { name, color };
}

function leastUsed(used: readonly string[]): string {
  const times = (color: string) => used.filter((each) => each === color).length;
  return PICKER_COLORS.toSorted((a, b) => times(a) - times(b))[0] ?? 'blue';
}

/**
 * Assigns lines to a picker and changes their lights to the picker's color. Without a picker, the lines get the order's color. Returns the
 * number of lines.
 */
function assign(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  lines: Omit<Assignment, 'orderId' | 'to' | 'now'>,
  { picker, by }: { picker: OrderPickerRow | undefined; by: string },
): number {
  const { repositories, commands, work } = context;
  const color = colorFor(context, order, picker);
  const given = new Set(
    repositories.items.assign({ ...lines, orderId: order.id, to: picker?.name ?? null, now: tx.now }),
  );
  const items = given.size === 0 ? [] : repositories.items.listOf(order.id).filter(({ id }) => given.has(id));
  for (const { id, commandId } of items) {
    work.publishItemChange(tx, id, order.orderNumber);
    const command = commandId === null ? undefined : repositories.commands.find(commandId);
    if (command !== undefined) commands.setColor(tx, command, { color, by });
  }
  work.publishOrderChange(tx, order.id);
  return given.size;
}

function colorFor({ settings }: OrderContext, order: OrderRow, picker: OrderPickerRow | undefined): string {
  return contentOfOrder({ ...order, color: picker?.color ?? order.color }, settings.current()).color;
}

/**
 * Changes fields of an order and records their names in the history. Lit lines without a picker get the new color. Throws `invalid` for an
 * unknown color.
 */
export function changeOrder(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  { change, by }: { change: OrderChange; by: string },
): void {
  const {
    priority = order.priority,
    due_time: due,
    customer,
    note,
    ordered_at: orderedAt,
    paid = order.isPaid,
    address,
    color = order.color,
    continue: isContinued = false,
  } = change;
  if (isContinued) continueOrder(context, tx, order, by);
  const after: OrderRow = {
    ...order,
    priority,
    dueAt: due === undefined ? order.dueAt : momentOrNull(due),
    customer: customer === undefined ? order.customer : wordsOrNull(customer),
    note: note === undefined ? order.note : wordsOrNull(note),
    orderedAt: orderedAt === undefined ? order.orderedAt : momentOrNull(orderedAt),
    isPaid: paid,
    color,
    updatedAt: tx.now,
    revision: tx.revision,
  };
  const { orders } = context.repositories;
  const before = orders.findAddress(order.id) ?? null;
  const stored = address === undefined ? before : storedAddress(address);
  const changed: string[] = CHANGEABLE.filter(([key]) => after[key] !== order[key]).map(([, name]) => name);
  if (stored !== before) changed.push('address');
  if (changed.length === 0) return;
  orders.saveDetails(after);
  if (stored !== before) orders.saveAddress(stored, order.id);
  const historyId = context.work.record(tx, order, { kind: 'order_changed', qty: 0, detail: { by, changed } });
  context.work.tellOrder(tx, after, { event: 'changed', historyId, picker: by });
  if (color === order.color) context.work.publishOrderChange(tx, order.id);
  else assign(context, tx, after, { from: null, states: ['active'] }, { picker: undefined, by });
}

function giveAway(
  context: OrderContext,
  tx: Transaction,
  order: OrderRow,
  { from, to, by }: { from: string; to: OrderPickerRow | undefined; by: string },
): void {
  context.repositories.orderPickers.remove(order.id, from);
  // Include unlit lines, which a later launch lights.
  assign(context, tx, order, { from, states: [...TO_PICK, 'cancelled'] }, { picker: to, by });
}

/** Like `relight`, but does nothing if the launch has no picker, no line has a place, and nothing of the order is active. */
function lightAgain(context: OrderContext, tx: Transaction, order: OrderRow, launch: LaunchFor): void {
  const isWork = launch.picker !== null || again(context, order).counts.active > 0;
  if (isWork || hasPlaced(context, order, launch)) relight(context, tx, order, launch);
}

/** Lights the lines of a launched order that are not lit. */
function relight(context: OrderContext, tx: Transaction, order: OrderRow, launch: LaunchFor): void {
  const isDark = context.repositories.items.hasDark(order.id, launch.picker?.name ?? null) > 0;
  if (isDark) launchOrder(context, tx, again(context, order), { ...launch, isContinued: true });
  else context.work.publishOrderChange(tx, order.id);
}

function inWalkingOrder(repositories: OrderContext['repositories'], lines: readonly OpenLine[]): OpenLine[] {
  const labeled = lines.map((line) => ({ ...line, label: labelOf(repositories.devices, line.deviceId) }));
  return labeled.sort(byWalk(walkRanks(repositories.map.get())));
}

/** Rereads an order, which may have changed in this transaction. */
function again({ repositories }: OrderContext, order: OrderRow): OrderRow {
  return repositories.orders.find(order.id) ?? order;
}

function nameOf(accounts: Repositories['accounts'], typed: string): string {
  return accounts.findUser(typed)?.username ?? typed;
}

function findPicker({ repositories }: OrderContext, order: OrderRow, typed: string): OrderPickerRow | undefined {
  const name = nameOf(repositories.accounts, typed);
  return order.pickers.find((picker) => picker.name === name);
}

function pickerOf(context: OrderContext, order: OrderRow, typed: string): OrderPickerRow {
  const picker = findPicker(context, order, typed);
  if (picker !== undefined) return picker;
  const user = context.repositories.accounts.findUser(typed);
  if (user === undefined) throw new StationError('conflict', noPerson(typed));
  throw new StationError(
    'conflict',
    `${user.username} does not pick order ${order.orderNumber}. POST .../join/ joins it.`,
  );
}

function noPerson(name: string): string {
  return `There is no person ${name} at this station: picker has to name one. An admin adds people on the page People.`;
}

function isBusy(name: string, { orderNumber, state }: OrderRow): StationError {
  return new StationError(
    'conflict',
    `${name} picks another order, and order ${orderNumber} is ${state}: ${name} can take it later, or launch it for nobody.`,
  );
}

function refuseOver({ orderNumber, state }: OrderRow): void {
  if (state === 'fulfilled') throw new StationError('conflict', `Order ${orderNumber} is already fulfilled.`);
}

function takenBy(context: OrderContext, order: OrderRow): StationError {
  const linesOf = new Map(
    context.repositories.items.countOpenLines(order.id).map(({ picker, lines }) => [picker, lines]),
  );
  const parts = order.pickers.map(
    ({ name, awayAt }) => `${name}${awayAt === null ? '' : ' (signed out)'} has ${linesOf.get(name) ?? 0}`,
  );
  const { items } = order.counts;
  const lines = `${items} ${items === 1 ? 'line' : 'lines'}`;
  return new StationError(
    'conflict',
    `${parts.join(' and ')} of ${lines} of order ${order.orderNumber}. POST .../join/ shares it.`,
  );
}

type PickerAction = { kind: PickerEvent; by: string; forWhom: string; qty: number; reason?: string | undefined };

function record(
  { work }: OrderContext,
  tx: Transaction,
  order: OrderRow,
  { kind, by, forWhom, qty, reason }: PickerAction,
): void {
  work.record(tx, order, {
    kind,
    qty,
    detail: { ...doneBy(by, forWhom), ...(reason === undefined ? {} : { reason }) },
  });
}
