import type { WorkLine, WorkQuery } from '#shared/api/picking.ts';
import { createPace, type InParts, sortedInParts } from '#shared/lib/station/inParts.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { OrderRow, OrderWords } from '../../db/repositories/orders.ts';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import type { TablesOf } from '../../core.ts';
import { isFirst, locationOf, quantityOf, type QueuedCommand } from '../../domain/commands/commandQueue.ts';
import type { LineOwner } from '../../domain/orders/currentLines.ts';
import { isWithoutLight, remainingOf } from '../../domain/orders/order.ts';
import { lasts } from '../../domain/devices/outage.ts';
import { byName, byWalk, walkRanks } from '#shared/lib/picking/walk.ts';
import { isoOrNull } from '../base/index.ts';
import { isWork } from '../commands/index.ts';
import { stockOfLines } from '../articles/index.ts';
import { linesOfPicks } from '../batches/index.ts';
import { descriptionOfItem, elsewhereIn, titleOfItem } from '../orders/index.ts';

type Tables = TablesOf<'picking'>;

/** Number of lines to read at once. Fewer are not read in parts. */
const LINES_AT_ONCE = 100;

/** Open command with its item, if it lights one. */
export type Lit = { command: QueuedCommand; item: LitItemRow | undefined; label: string; location: string };

/** Whether the page of this picker shows this line now. */
export type IsCurrent = (owner: LineOwner, picker: string | null) => boolean;

/** Returns all lit work, unsorted. */
function* listLit(tables: Tables): InParts<Lit[]> {
  const lit: Lit[] = [];
  for (let after = 0; ;) {
    const page = tables.commands.listAfter(after, LINES_AT_ONCE);
    lit.push(...described(tables, page));
    const last = page.at(-1);
    if (last === undefined) return lit;
    after = last.id;
    yield;
  }
}

/** Returns all lit work of one order, unsorted. */
function* listLitOf(tables: Tables, orderNumber: string): InParts<Lit[]> {
  const order = tables.orders.findByNumber(orderNumber);
  const lit: Lit[] = [];
  if (order === undefined) return lit;
  for (let after = 0; ;) {
    const page = tables.items.listAfter(order.id, after, LINES_AT_ONCE);
    lit.push(...litItems(tables, page));
    const last = page.at(-1);
    if (last === undefined) return lit;
    after = last.id;
    yield;
  }
}

/** Returns all lit work of one order, or of all orders, unsorted. */
export function listLitWork(tables: Tables, orderNumber: string | undefined): InParts<Lit[]> {
  return orderNumber === undefined ? listLit(tables) : listLitOf(tables, orderNumber);
}

/** Whether lit work has to be read in parts, because many items are lit or the order has many lines. */
export function isMuch({ commands, orders }: Tables, order: string | undefined): boolean {
  const count = order === undefined ? commands.countAll() : (orders.findByNumber(order)?.counts.items ?? 0);
  return count > LINES_AT_ONCE;
}

/** Returns the lit work for these items. */
export function litItems(tables: Tables, items: readonly LitItemRow[]): Lit[] {
  const lit = items.flatMap((item) => {
    const command = item.commandId === null ? undefined : tables.commands.find(item.commandId);
    return command === undefined ? [] : [{ command, item }];
  });
  return placed(tables, lit);
}

/** Returns the lit work at these devices. For each device, the command that it shows comes first. */
export function listLitAt(tables: Tables, deviceIds: readonly string[]): Lit[] {
  return described(
    tables,
    deviceIds.flatMap((id) => tables.commands.list(id)),
  );
}

/** Converts open commands to lit work. */
export function litCommands(tables: Tables, commands: readonly QueuedCommand[]): Lit[] {
  return described(tables, commands);
}

/** Sorts lit work by walking order and, at the same device, by queue position. */
export function* inWalkingOrder(tables: Tables, lit: readonly Lit[]): InParts<Lit[]> {
  if (lit.length < 2) return [...lit];
  const compare = byWalk(walkRanks(tables.map.get()));
  const lines = lit.map((line) => ({ line, deviceId: line.command.deviceId, label: line.label }));
  const sorted = yield* sortedInParts(
    lines,
    (a, b) => compare(a, b) || a.line.command.position - b.line.command.position,
  );
  return sorted.map(({ line }) => line);
}

function described(tables: Tables, commands: readonly QueuedCommand[]): Lit[] {
  const lit = commands
    .filter(({ target, owner }) => isWork(target) && owner?.kind !== 'slot')
    .map((command) => {
      const { owner } = command;
      return { command, item: owner?.kind === 'item' ? tables.items.find(owner.id) : undefined };
    });
  return placed(tables, lit);
}

function placed({ devices }: Tables, lit: readonly Pick<Lit, 'command' | 'item'>[]): Lit[] {
  const labels = new Map<string, string>();
  return lit.map(({ command, item }) => {
    const { deviceId } = command;
    const label = labels.get(deviceId) ?? devices.find(deviceId)?.label ?? '';
    labels.set(deviceId, label);
    return { command, item, label, location: locationOf(command, label) };
  });
}

/** Whether the line belongs to this picker. */
export function isOf({ item }: Lit, picker: string): boolean {
  return nameKey(item?.picker ?? '') === nameKey(picker);
}

export function* listWork(tables: Tables, { picker, order }: WorkQuery, isCurrent: IsCurrent): InParts<WorkLine[]> {
  const all = yield* listLitWork(tables, order);
  const picks = linesOfPicks(tables, isCurrent);
  const ofBatch = ({ command: { owner } }: Lit): WorkLine | undefined =>
    owner?.kind === 'pick' ? picks.find(owner.id) : undefined;
  const isTheirs = (lit: Lit, whose: string): boolean =>
    isOf(lit, whose) || nameKey(ofBatch(lit)?.picker ?? '') === nameKey(whose);
  const own = all.filter((lit) => picker === undefined || isTheirs(lit, picker));
  const lines = yield* inWalkingOrder(tables, own);
  const unlit = yield* withoutLight(tables, { picker, order });
  const stock = stockOfLines(
    tables,
    [...lines, ...unlit].map(({ item }) => item),
  );
  const needs = { elsewhere: elsewhereIn(tables), words: wordsIn(tables), stock, isCurrent };
  const pace = createPace();
  const answer: WorkLine[] = [];
  for (const lit of fromWhere(tables, lines, { picker, order })) {
    answer.push(ofBatch(lit) ?? workLine(lit, needs));
    if (pace.isDue()) yield* pace.rest();
  }
  for (const dark of unlit) {
    answer.push(darkLine(dark, needs));
    if (pace.isDue()) yield* pace.rest();
  }
  if (order === undefined) answer.push(...picks.listDark(picker));
  const isHopeful = ({ found_empty: found }: WorkLine): boolean => found === null;
  return [...answer.filter(isHopeful), ...answer.filter((line) => !isHopeful(line))];
}

type LineNeeds = {
  elsewhere: ReturnType<typeof elsewhereIn>;
  words: ReturnType<typeof wordsIn>;
  stock: ReturnType<typeof stockOfLines>;
  isCurrent: IsCurrent;
};

/** Creates a function that returns customer and note of an item's order. Each order is read only once. */
function wordsIn({ orders }: Tables): (item: LitItemRow | undefined) => Words {
  const known = new Map<number, Words>();
  return (item) => {
    if (item === undefined) return NO_WORDS;
    const { orderId } = item;
    const words = known.get(orderId) ?? wordsOf(orders.findWords(orderId));
    known.set(orderId, words);
    return words;
  };
}

type Words = Pick<WorkLine, 'customer' | 'note'>;
const NO_WORDS: Words = { customer: '', note: '' };

function wordsOf(order: OrderWords | undefined): Words {
  return { customer: order?.customer ?? '', note: order?.note ?? '' };
}

type Dark = { item: LitItemRow; orderRow: OrderRow };

/** Returns the work that no device serves, sorted by place. */
export function* withoutLight(
  { batches, items, orders }: Tables,
  { picker, order: orderNumber }: WorkQuery,
): InParts<Dark[]> {
  const pace = createPace();
  const found = new Map<number, OrderRow | undefined>();
  const orderOf = (id: number): OrderRow | undefined => {
    if (!found.has(id)) found.set(id, orders.find(id));
    return found.get(id);
  };
  const dark: Dark[] = [];
  for (const item of items.listWithoutLight()) {
    if (pace.isDue()) yield* pace.rest();
    if (picker !== undefined && nameKey(item.picker ?? '') !== nameKey(picker)) continue;
    // Leave out lines in batches, because batches list their own lines.
    if (batches.findOf(item.orderId) !== undefined) continue;
    const orderRow = orderOf(item.orderId);
    if (orderRow === undefined || (orderNumber !== undefined && orderRow.orderNumber !== orderNumber)) continue;
    dark.push({ item, orderRow });
  }
  return yield* sortedInParts(dark, (a, b) => byPlace(a.item, b.item));
}

function byPlace(a: LitItemRow, b: LitItemRow): number {
  return byName(darkPlaceOf(a), darkPlaceOf(b)) || a.id - b.id;
}

/** Returns the place that the order names or, if it names none, the place of the article. */
export function darkPlaceOf({ warehouseLocation, place }: Pick<LitItemRow, 'warehouseLocation' | 'place'>): string {
  return warehouseLocation ?? place ?? '';
}

function darkLine(
  { item, orderRow: order }: Dark,
  { elsewhere, stock, isCurrent }: Omit<LineNeeds, 'words'>,
): WorkLine {
  const own = order.pickers.find(({ name }) => name === item.picker)?.color ?? order.color;
  return {
    deviceid: null,
    location: darkPlaceOf(item),
    light: false,
    text: titleOfItem(item),
    description: descriptionOfItem(item) ?? '',
    SKU: item.sku ?? '',
    UPC: item.upc ?? '',
    quantity: remainingOf(item),
    ordered_quantity: item.ordered,
    quantity_fulfilled: item.fulfilled,
    order_number: order.orderNumber,
    item_id: item.id,
    ...wordsOf(order),
    color: own ?? DEFAULT_SETTINGS.order_color,
    picker: item.picker,
    command_id: null,
    waiting: false,
    current: isCurrent({ kind: 'item', id: item.id }, item.picker),
    unreachable: false,
    shown_at: null,
    ...stock(item),
    elsewhere: elsewhere(item, null),
  };
}

/** Returns the work for one item, or undefined if the item does not have to be picked now. */
export function lineOf(tables: Tables, item: LitItemRow, isCurrent: IsCurrent): WorkLine | undefined {
  const [lit] = litItems(tables, [item]);
  const needs = { elsewhere: elsewhereIn(tables), stock: stockOfLines(tables, [item]), isCurrent };
  if (lit !== undefined) return workLine(lit, { ...needs, words: wordsIn(tables) });
  const orderRow = isWithoutLight(item) ? tables.orders.find(item.orderId) : undefined;
  return orderRow && darkLine({ item, orderRow }, needs);
}

/** Rotates the lines so that they start at the place where the picker last confirmed a line, or at the next place with a line. */
function fromWhere(reads: Tables, lines: readonly Lit[], { picker, order }: WorkQuery): readonly Lit[] {
  if (picker === undefined || order === undefined) return lines;
  const pickers = reads.orders.findByNumber(order)?.pickers ?? [];
  const deviceId = pickers.find(({ name }) => nameKey(name) === nameKey(picker))?.deviceId ?? null;
  if (deviceId === null) return lines;
  const last = { deviceId, label: reads.devices.find(deviceId)?.label ?? '' };
  const compare = byWalk(walkRanks(reads.map.get()));
  const start = lines.findIndex(({ command, label }) => compare({ deviceId: command.deviceId, label }, last) >= 0);
  return start < 0 ? lines : [...lines.slice(start), ...lines.slice(0, start)];
}

function workLine({ command, item, location }: Lit, { elsewhere, words, stock, isCurrent }: LineNeeds): WorkLine {
  const { state, content, owner, deviceId } = command;
  const [text = '', description = ''] = content.lines;
  return {
    deviceid: deviceId,
    location,
    light: true,
    // Use the full text, because the display shows only what fits.
    text: item?.name ?? item?.articleName ?? text,
    description: (item && descriptionOfItem(item)) ?? description,
    SKU: item?.sku ?? '',
    UPC: item?.upc ?? '',
    quantity: quantityOf(command),
    ordered_quantity: item?.ordered ?? null,
    quantity_fulfilled: item?.fulfilled ?? null,
    order_number: owner?.kind === 'item' ? owner.of : null,
    item_id: item?.id ?? null,
    ...words(item),
    color: content.color,
    picker: item?.picker ?? null,
    command_id: String(command.id),
    waiting: !isFirst(command),
    current: item !== undefined && isCurrent({ kind: 'item', id: item.id }, item.picker),
    unreachable: lasts(command.outage),
    shown_at: isoOrNull(state.kind === 'shown' ? state.shownAt : null),
    ...stock(item),
    elsewhere: item === undefined ? [] : elsewhere(item, deviceId),
  };
}
