import type { ScanRequest, ScanCandidate, ScanResult } from '#shared/api/picking.ts';
import { type InParts, whole } from '#shared/lib/inParts.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import { readScan } from '#shared/lib/scanCode.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import type { OrderRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import { quantityOf } from '../../domain/commandQueue.ts';
import { isOver } from '../../domain/order.ts';
import { findById, findByLocation, type Target } from '../devices/index.ts';
import { type Lit, inWalkingOrder, isOf, listLitAt, listLitWork, litItems } from './work.ts';

/** The tables that a scan is looked for in. */
export type ScanTables = Pick<
  Repositories,
  'aliases' | 'commands' | 'devices' | 'items' | 'map' | 'orders' | 'placeNames'
>;

/**
 * What a code means here. `line`: what a scan that acts acknowledges; `order`: what it takes; `verified`: what it verifies;
 * `isWrong`: the answer is still to say where to go instead.
 */
export type CodeMeaning = {
  answer: ScanResult;
  line?: Lit;
  order?: OrderRow;
  verified?: LitItemRow;
  isWrong?: true;
};

/** `scanRequired`: of the settings, for orders that do not say it themselves. */
type Ask = Pick<ScanRequest, 'code' | 'order_number'> & { picker: string; scanRequired: boolean };

const NOTHING: ScanResult = {
  result: 'unknown',
  says: '',
  deviceid: null,
  location: '',
  text: '',
  quantity: null,
  order_number: null,
  item_id: null,
  command_id: null,
  verified: false,
  taken: false,
  pickers: [],
  expected: [],
  candidates: [],
  repeated: false,
};

/**
 * What a code means: an order number, the name of a place, or an article, the first that it is. Contract, section 16. Changes
 * nothing.
 */
export function readMeaning(tables: ScanTables, ask: Ask): CodeMeaning {
  const { candidates, checkDigit, expectedDigit } = readScan(ask.code);
  for (const find of [asOrder, asPlace, asArticle]) {
    for (const code of candidates) {
      const meaning = find(tables, { ...ask, code });
      if (meaning !== undefined) return meaning;
    }
  }
  const code = candidates[0] ?? '';
  const hint = checkDigit === 'wrong' ? ` Its check digit should be ${expectedDigit}: scan it again.` : '';
  return { answer: { ...NOTHING, says: `${code} is not known here.${hint}` } };
}

function asOrder(tables: ScanTables, { code }: Ask): CodeMeaning | undefined {
  const order = tables.orders.findByNumber(code) ?? tables.orders.findByNumberInAnyCase(code);
  if (order === undefined) return undefined;
  const { orderNumber, counts } = order;
  const says = `Order ${orderNumber}: ${counts.items - counts.done} of ${counts.items} lines to pick.`;
  return { answer: { ...NOTHING, result: 'order', says, order_number: orderNumber }, order };
}

function asPlace(tables: ScanTables, ask: Ask): CodeMeaning | undefined {
  const { code, order_number: orderNumber } = ask;
  const target = findByLocation(tables, code);
  if (target === undefined) return undefined;
  const labelled = tables.devices.listByLabel(code).flatMap((id) => findById(tables, id) ?? []);
  const places = target.alias === '' && labelled.length > 1 ? labelled : [target];
  const placeOf = new Map(places.map((place) => [place.deviceId, place]));
  const here = listLitAt(tables, [...placeOf.keys()]).filter((line) => {
    const place = placeOf.get(line.command.deviceId);
    return place !== undefined && isAt(line, place);
  });
  const mine = inScope(tables, here, ask);
  const lines = new Set(mine.map(({ command }) => command.deviceId)).size > 1 ? mine : mine.slice(0, 1);
  if (lines.length > 0) return ofLines(tables, lines, false);
  const name = nameOf(target);
  const answer = { ...NOTHING, deviceid: target.deviceId, location: name };
  if (orderNumber === undefined) {
    const [other] = here;
    const whose = other?.item?.picker ?? null;
    const says =
      other === undefined
        ? `Nothing is lit at ${name}.`
        : `${name} is lit for ${whose ?? `order ${other.command.owner?.of ?? ''}`}.`;
    return { answer: { ...answer, result: 'place', says } };
  }
  const order = tables.orders.findByNumber(orderNumber);
  const done = order && tables.items.findDoneAt(order.id, [...placeOf.keys()]);
  if (done !== undefined) {
    const says = `${name} is already done.`;
    return { answer: { ...answer, result: 'already_done', says, ...itemOf(done), order_number: orderNumber } };
  }
  const says = `Wrong place: that was ${name}.`;
  return { answer: { ...answer, result: 'wrong_place', says, order_number: orderNumber }, isWrong: true };
}

function asArticle(tables: ScanTables, ask: Ask): CodeMeaning | undefined {
  const { code, order_number: orderNumber, picker } = ask;
  const order = orderNumber === undefined ? undefined : tables.orders.findByNumber(orderNumber);
  const isRequired = order !== undefined && (order.scanRequired ?? ask.scanRequired);
  const key = nameKey(code);
  const alike =
    orderNumber === undefined
      ? tables.items.listLitAlike({ key })
      : order === undefined
        ? []
        : tables.items.listAlike({ orderId: order.id, key });
  let others: LitItemRow | undefined;
  for (const field of ['upc', 'sku', 'name'] as const) {
    const named = alike.filter((item) => nameKey(item[field] ?? '') === key);
    const items = named.flatMap(({ id }) => tables.items.find(id) ?? []);
    // The scan that a line waits for comes before another line of the same article.
    const awaited = isRequired ? items.find((item) => isAwaited(item, picker)) : undefined;
    const lines = awaited === undefined ? inScope(tables, litItems(tables, items), ask) : [];
    if (lines.length > 0) return ofLines(tables, lines, true);
    others ??= items[0];
    if (orderNumber === undefined) continue;
    const item = awaited ?? items[0];
    if (item === undefined) continue;
    const known = { ...NOTHING, ...itemOf(item), order_number: orderNumber, verified: true };
    if (!isOver(item)) {
      return { answer: { ...known, result: 'place', says: `${articleOf(item)} is not lit. Launch the order again.` } };
    }
    if (item.isVerified)
      return { answer: { ...known, result: 'already_done', says: `${articleOf(item)} is already done.` } };
    return {
      answer: { ...known, result: 'acknowledged', says: `${articleOf(item)} is the right article.` },
      verified: item,
    };
  }
  if (others === undefined && !tables.items.knowsArticle(code)) return undefined;
  if (orderNumber === undefined) {
    const says = others === undefined ? `${code} is not lit anywhere.` : `${code} is lit for ${others.picker}.`;
    return { answer: { ...NOTHING, result: 'place', says, text: code }, isWrong: true };
  }
  const says = `${code} is not in this order.`;
  return {
    answer: { ...NOTHING, result: 'wrong_item', says, text: code, order_number: orderNumber },
    isWrong: true,
  };
}

function ofLines(tables: ScanTables, lines: readonly Lit[], verified: boolean): CodeMeaning {
  const [line] = lines;
  if (line === undefined || lines.length > 1) {
    const says = `That means ${lines.length} lines. Choose one.`;
    return {
      answer: {
        ...NOTHING,
        result: 'ambiguous',
        says,
        verified,
        candidates: whole(inWalkingOrder(tables, lines)).map(candidateOf),
      },
    };
  }
  const { text, quantity, ...candidate } = candidateOf(line);
  const says = `${candidate.location}: ${quantity === null ? '' : `${quantity} `}${text}`.trim();
  const { deviceid, location, order_number, command_id } = candidate;
  const item_id = line.item?.id ?? null;
  const of = { deviceid, location, order_number, command_id, text, quantity, item_id, verified };
  return { answer: { ...NOTHING, ...of, result: 'lit', says }, line };
}

function candidateOf({ command, location }: Lit): ScanCandidate {
  const { owner, deviceId, content } = command;
  return {
    kind: 'line',
    deviceid: deviceId,
    location,
    text: content.lines[0] ?? '',
    quantity: quantityOf(command),
    order_number: owner?.kind === 'item' ? owner.of : null,
    command_id: String(command.id),
  };
}

/**
 * Without an order: what is lit for this person, or for nobody in particular. Of an order: the own lines; those of others only
 * if nothing in the order is lit for this person.
 */
function inScope(
  tables: ScanTables,
  lit: readonly Lit[],
  { order_number: order, picker }: Pick<Ask, 'order_number' | 'picker'>,
): Lit[] {
  const isOwn = (line: Lit) => isOf(line, picker);
  if (order === undefined) return lit.filter((line) => isOwn(line) || (line.item?.picker ?? null) === null);
  const lines = lit.filter(({ command: { owner } }) => owner?.kind === 'item' && owner.of === order);
  const hasOwn = lines.some(isOwn) || (lines.length > 0 && hasLit(tables, order, picker));
  return hasOwn ? lines.filter(isOwn) : lines;
}

/** Whether a line of this person is lit. */
function hasLit({ items, orders }: ScanTables, orderNumber: string, picker: string): boolean {
  const order = orders.findByNumber(orderNumber);
  const own = order?.pickers.find(({ name }) => nameKey(name) === nameKey(picker));
  return order !== undefined && own !== undefined && items.hasLit(order.id, own.name) > 0;
}

/** A place that was named by an alias is only that one, unless the line does not name any. */
function isAt({ command }: Lit, { deviceId, alias }: Target): boolean {
  return (
    command.deviceId === deviceId && (alias === '' || command.alias === '' || nameKey(command.alias) === nameKey(alias))
  );
}

/** The places that are lit for the person, the nearest first. */
export function* listExpected(tables: ScanTables, ask: Pick<Ask, 'order_number' | 'picker'>): InParts<string[]> {
  const lit = yield* listLitWork(tables, ask.order_number);
  const lines = yield* inWalkingOrder(tables, inScope(tables, lit, ask));
  return [...new Set(lines.map(({ location, command }) => location || command.deviceId))];
}

/** The answer, with the places where to go instead of a wrong one. */
export function withExpected({ answer }: CodeMeaning, expected: readonly string[]): ScanResult {
  const [next] = answer.result === 'place' ? [] : expected;
  return { ...answer, expected: [...expected], says: `${answer.says}${next === undefined ? '' : ` Scan ${next}.`}` };
}

/** Whether this person picked it and its article is still to be scanned. */
function isAwaited({ state, isVerified, picker }: LitItemRow, name: string): boolean {
  return state === 'done' && !isVerified && picker === name;
}

function itemOf(item: LitItemRow) {
  return { item_id: item.id, text: articleOf(item), deviceid: item.litDeviceId ?? item.foundDeviceId };
}

function articleOf({ name, sku, upc }: LitItemRow): string {
  return name ?? sku ?? upc ?? '';
}

function nameOf({ alias, label, deviceId }: Target): string {
  return [alias, label].find((name) => name !== '') ?? deviceId;
}
