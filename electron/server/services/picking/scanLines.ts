import type { ScanCandidate, ScanRequest, ScanResult } from '#shared/api/picking.ts';
import { whole } from '#shared/lib/station/inParts.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { TablesOf } from '../../core.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import { quantityOf } from '../../domain/commands/commandQueue.ts';
import { remainingOf } from '../../domain/orders/order.ts';
import { titleOfItem } from '../orders/index.ts';
import { darkPlaceOf, type Lit, inWalkingOrder, isOf } from './work.ts';

export type ScanTables = TablesOf<'picking'>;

/**
 * Meaning of a code, with what a scan with `act` does. `line` or `unlit` is the line to pick, `order` the order to take, and `verified` the
 * item to verify. `isWrong` adds the expected places to the response.
 */
export type CodeMeaning = {
  answer: ScanResult;
  line?: Lit;
  unlit?: LitItemRow;
  order?: OrderRow;
  verified?: LitItemRow;
  /** Ids of the items in a batch that the scan verifies. */
  verifies?: readonly number[];
  isWrong?: true;
  /** Slot of a launched batch to put pieces into. */
  slot?: { batch: number; name: string };
  /** Number of pieces in the scanned pack. */
  pack?: number;
};

/** Scan and its picker. `currentOrder` is the order of the picker's current line. */
export type AskedScan = Pick<ScanRequest, 'code' | 'order_number' | 'batch' | 'item_id'> & {
  picker: string;
  currentOrder?: string | undefined;
};

/** Checks whether a code has one particular meaning. Returns undefined if it does not. */
export type FindMeaning = (tables: ScanTables, ask: AskedScan) => CodeMeaning | undefined;

export const NOTHING: ScanResult = {
  result: 'unknown',
  says: '',
  deviceid: null,
  location: '',
  text: '',
  quantity: null,
  pack: null,
  remaining: null,
  order_number: null,
  item_id: null,
  command_id: null,
  verified: false,
  taken: false,
  launched: false,
  command: null,
  pickers: [],
  expected: [],
  candidates: [],
  repeated: false,
};

type Lines = { lit: readonly Lit[]; unlit: readonly LitItemRow[] };

/** Returns only the line of `itemId` if it is among these lines, otherwise all of them. */
export function namedOf(lines: Lines, itemId: number | undefined): Lines {
  const lit = lines.lit.filter(({ item }) => item !== undefined && item.id === itemId);
  const unlit = lines.unlit.filter(({ id }) => id === itemId);
  return lit.length + unlit.length === 0 ? lines : { lit, unlit };
}

/** Returns the meaning of a code that stands for these lines: the only line, or a choice among several. */
export function ofLines(tables: ScanTables, { lit, unlit }: Lines, verified: boolean): CodeMeaning {
  const count = lit.length + unlit.length;
  if (count !== 1) {
    const walked = whole(inWalkingOrder(tables, lit)).map(candidateOf);
    const candidates = [...walked, ...unlit.map((item) => unlitCandidate(tables, item))];
    const says = `This code matches ${count} lines. Choose one.`;
    return { answer: { ...NOTHING, result: 'ambiguous', says, verified, candidates } };
  }
  const [line] = lit;
  const [item] = unlit;
  const of = line !== undefined ? candidateOf(line) : item !== undefined ? unlitCandidate(tables, item) : undefined;
  if (of === undefined) throw new Error('One line is lit or not.');
  const { kind: _, ...known } = of;
  const answer = { ...NOTHING, ...known, result: 'lit', says: saysLine(of), verified } as const;
  return line === undefined ? { answer, ...(item && { unlit: item }) } : { answer, line };
}

/** Describes a line to pick, such as `A3: 2 Mugs`. */
export function saysLine({ location, text, quantity }: Pick<ScanCandidate, 'location' | 'text' | 'quantity'>): string {
  return `${location}: ${quantity === null ? '' : `${quantity} `}${text}`.replace(/^: /, '').trim();
}

function candidateOf({ command, item, location }: Lit): ScanCandidate {
  const { owner, deviceId, content } = command;
  return {
    kind: 'line',
    deviceid: deviceId,
    location,
    text: content.lines[0] ?? '',
    quantity: quantityOf(command),
    order_number: owner?.kind === 'item' ? owner.of : null,
    item_id: item?.id ?? null,
    command_id: String(command.id),
  };
}

/** Describes a line without a light, for a choice among several lines. */
export function unlitCandidate({ orders }: ScanTables, item: LitItemRow): ScanCandidate {
  return {
    kind: 'line',
    deviceid: null,
    location: darkPlaceOf(item),
    text: titleOfItem(item),
    quantity: remainingOf(item),
    order_number: orders.findNumber(item.orderId) ?? null,
    item_id: item.id,
    command_id: null,
  };
}

/**
 * Selects the lit work to which a scan can refer. Within an order, these are the person's own lines or, if the person has no lit lines
 * there, all lines. Within a batch, they are its lines of this person or of nobody. Otherwise, they are the lines of this person and those
 * without a picker.
 */
export function inScope(
  tables: ScanTables,
  lit: readonly Lit[],
  { order_number: order, batch, picker }: Pick<AskedScan, 'order_number' | 'batch' | 'picker'>,
): Lit[] {
  const isOwn = (line: Lit) => isOf(line, picker);
  if (batch !== undefined) return lit.filter((line) => isInBatch(tables, line, { batch, picker }));
  if (order === undefined) return lit.filter((line) => isOwn(line) || (line.item?.picker ?? null) === null);
  const lines = lit.filter(({ command: { owner } }) => owner?.kind === 'item' && owner.of === order);
  const hasOwn = lines.some(isOwn) || (lines.length > 0 && hasLit(tables, order, picker));
  return hasOwn ? lines.filter(isOwn) : lines;
}

function isInBatch(
  { batches }: ScanTables,
  { command: { owner } }: Lit,
  { batch, picker }: { batch: number; picker: string },
): boolean {
  const pick = owner?.kind === 'pick' ? batches.findPick(owner.id) : undefined;
  if (pick?.batchId !== batch) return false;
  const whose = pick.picker ?? batches.find(batch)?.picker ?? null;
  return whose === null || nameKey(whose) === nameKey(picker);
}

/** Selects the open lines without a device to which a scan can refer, as `inScope` does for lit lines. */
export function unlitInScope(
  tables: ScanTables,
  items: readonly LitItemRow[],
  { order_number: order, picker }: Pick<AskedScan, 'order_number' | 'picker'>,
): LitItemRow[] {
  const lines = items.filter(isUnlit);
  const own = lines.filter((item) => item.picker === null || nameKey(item.picker) === nameKey(picker));
  if (own.length > 0 || order === undefined || lines.length === 0 || hasLit(tables, order, picker)) return own;
  return lines;
}

/** Whether the line has to be picked without a light because no device serves it. Paused lines, which have a device, do not count. */
function isUnlit({ commandId, state, trouble }: LitItemRow): boolean {
  return commandId === null && (state === 'active' || (state === 'open' && trouble === 'unassigned'));
}

/**
 * Returns the orders in which to search for lines without a light: the order in the request, or, if there is none, the person's own orders.
 */
export function ordersOf(
  { orderPickers, orders }: ScanTables,
  { order_number: number, picker }: AskedScan,
): OrderRow[] {
  const numbers = number === undefined ? orderPickers.listNumbersOf(picker) : [number];
  return numbers.flatMap((each) => orders.findByNumber(each) ?? []);
}

/** Whether a line of this person is lit in the order. */
function hasLit({ items, orders }: ScanTables, orderNumber: string, picker: string): boolean {
  const order = orders.findByNumber(orderNumber);
  const own = order?.pickers.find(({ name }) => nameKey(name) === nameKey(picker));
  return order !== undefined && own !== undefined && items.hasLit(order.id, own.name) > 0;
}

export function itemOf(item: LitItemRow) {
  return { item_id: item.id, text: titleOfItem(item), deviceid: item.litDeviceId ?? item.foundDeviceId };
}
