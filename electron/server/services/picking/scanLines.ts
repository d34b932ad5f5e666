import type { ScanCandidate, ScanRequest, ScanResult } from '#shared/api/picking.ts';
import { whole } from '#shared/lib/inParts.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import type { TablesOf } from '../../core.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import { quantityOf } from '../../domain/commandQueue.ts';
import { remainingOf } from '../../domain/order.ts';
import { titleOfItem } from '../orders/index.ts';
import { type Lit, inWalkingOrder, isOf } from './work.ts';

/** The tables that a scan is looked for in. */
export type ScanTables = TablesOf<'picking'>;

/**
 * What a code means here. `line`, `unlit`: what a scan that acts picks; `order`: what it takes; `verified`: what it verifies;
 * `isWrong`: the answer is still to say where to go instead.
 */
export type CodeMeaning = {
  answer: ScanResult;
  line?: Lit;
  unlit?: LitItemRow;
  order?: OrderRow;
  verified?: LitItemRow;
  isWrong?: true;
  /** Of a live batch: a scan that acts puts pieces into it. */
  slot?: { batch: number; name: string };
  /** Pieces of the pack whose code was scanned. */
  pack?: number;
};

/** `currentOrder`: the order of the picker's current line. */
export type AskedScan = Pick<ScanRequest, 'code' | 'order_number' | 'item_id'> & {
  picker: string;
  currentOrder?: string | undefined;
};

/** Looks a code up as one thing. */
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

/** The line that the scan names, if the code can mean it; otherwise all lines. */
export function namedOf(lines: Lines, itemId: number | undefined): Lines {
  const lit = lines.lit.filter(({ item }) => item !== undefined && item.id === itemId);
  const unlit = lines.unlit.filter(({ id }) => id === itemId);
  return lit.length + unlit.length === 0 ? lines : { lit, unlit };
}

/** One line, or the choice among several. */
export function ofLines(tables: ScanTables, { lit, unlit }: Lines, verified: boolean): CodeMeaning {
  const count = lit.length + unlit.length;
  if (count !== 1) {
    const walked = whole(inWalkingOrder(tables, lit)).map(candidateOf);
    const candidates = [...walked, ...unlit.map((item) => unlitCandidate(tables, item))];
    const says = `That means ${count} lines. Choose one.`;
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

/** What is to be picked at a place. */
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

function unlitCandidate({ orders }: ScanTables, item: LitItemRow): ScanCandidate {
  return {
    kind: 'line',
    deviceid: null,
    location: item.warehouseLocation ?? '',
    text: titleOfItem(item),
    quantity: remainingOf(item),
    order_number: orders.findNumber(item.orderId) ?? null,
    item_id: item.id,
    command_id: null,
  };
}

/**
 * Without an order: what is lit for this person, or for nobody in particular. Of an order: the own lines; those of others only
 * if nothing in the order is lit for this person.
 */
export function inScope(
  tables: ScanTables,
  lit: readonly Lit[],
  { order_number: order, picker }: Pick<AskedScan, 'order_number' | 'picker'>,
): Lit[] {
  const isOwn = (line: Lit) => isOf(line, picker);
  if (order === undefined) return lit.filter((line) => isOwn(line) || (line.item?.picker ?? null) === null);
  const lines = lit.filter(({ command: { owner } }) => owner?.kind === 'item' && owner.of === order);
  const hasOwn = lines.some(isOwn) || (lines.length > 0 && hasLit(tables, order, picker));
  return hasOwn ? lines.filter(isOwn) : lines;
}

/** Of these items, the open lines that no device serves, for this person as above. */
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

/** Under way, and no device was found for it: unlike a paused line, which has none for now. */
function isUnlit({ commandId, state, trouble }: LitItemRow): boolean {
  return commandId === null && (state === 'active' || (state === 'open' && trouble === 'unassigned'));
}

/** Orders where lines without a light are looked for: the named one, else those that the person picks. */
export function ordersOf({ orders }: ScanTables, { order_number: number, picker }: AskedScan): OrderRow[] {
  const numbers = number === undefined ? orders.listNumbersOf(picker) : [number];
  return numbers.flatMap((each) => orders.findByNumber(each) ?? []);
}

/** Whether a line of this person is lit. */
function hasLit({ items, orders }: ScanTables, orderNumber: string, picker: string): boolean {
  const order = orders.findByNumber(orderNumber);
  const own = order?.pickers.find(({ name }) => nameKey(name) === nameKey(picker));
  return order !== undefined && own !== undefined && items.hasLit(order.id, own.name) > 0;
}

export function itemOf(item: LitItemRow) {
  return { item_id: item.id, text: titleOfItem(item), deviceid: item.litDeviceId ?? item.foundDeviceId };
}
