import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import { isOver } from '../../domain/orders/order.ts';
import { linesOfPicks } from '../batches/index.ts';
import { findById, findByLocation, type Target } from '../devices/index.ts';
import {
  type CodeMeaning,
  inScope,
  itemOf,
  namedOf,
  NOTHING,
  ofLines,
  ordersOf,
  type AskedScan,
  type ScanTables,
  unlitInScope,
} from './scanLines.ts';
import { darkPlaceOf, type Lit, listLitAt } from './work.ts';

/** Place that a code names. `here` lists everything that is lit there. */
type Place = { target: Target; deviceIds: readonly string[]; here: readonly Lit[] };

/** Matches a place with a line to pick, by alias, label or DeviceID. */
export function asLitPlace(tables: ScanTables, ask: AskedScan): CodeMeaning | undefined {
  const place = findPlace(tables, ask.code);
  return place && litAt(tables, place, ask);
}

/**
 * Matches any place. If there is nothing to pick for the person, the response tells why: nothing is lit, the place is lit for somebody
 * else, its line is done, or it is the wrong place.
 */
export function asPlace(tables: ScanTables, ask: AskedScan): CodeMeaning | undefined {
  const place = findPlace(tables, ask.code);
  if (place === undefined) return undefined;
  const meaning = litAt(tables, place, ask);
  if (meaning !== undefined) return meaning;
  const { order_number: orderNumber, batch } = ask;
  const { target, deviceIds, here } = place;
  const name = nameOf(target);
  const answer = { ...NOTHING, deviceid: target.deviceId, location: name };
  if (orderNumber === undefined && batch === undefined) {
    const [other] = here;
    const whose = other?.item?.picker ?? null;
    const says =
      other === undefined
        ? `Nothing is lit at ${name}.`
        : `${name} is lit for ${whose ?? `order ${other.command.owner?.of ?? ''}`}.`;
    return { answer: { ...answer, result: 'place', says } };
  }
  const order = orderNumber === undefined ? undefined : tables.orders.findByNumber(orderNumber);
  const done = order && tables.items.findDoneAt(order.id, deviceIds);
  if (done !== undefined && orderNumber !== undefined) {
    const says = `${name} is already done.`;
    return { answer: { ...answer, result: 'already_done', says, ...itemOf(done), order_number: orderNumber } };
  }
  return wrongPlace(tables, ask, answer);
}

/**
 * Matches a place of articles that has no device. Unless the scan names an order or a batch, the response tells only that the place has no
 * light.
 */
export function asPlaceOfArticles(tables: ScanTables, ask: AskedScan): CodeMeaning | undefined {
  const [found] = tables.stock.listAt(nameKey(ask.code));
  if (found === undefined) return undefined;
  const { place: location } = found;
  if (ask.order_number !== undefined || ask.batch !== undefined)
    return wrongPlace(tables, ask, { ...NOTHING, location });
  return { answer: { ...NOTHING, result: 'place', location, says: `${location} has no light.` } };
}

/** Matches the place of a line without a light in the batch that the scan names. */
export function asPlaceInBatch(tables: ScanTables, { batch, code, picker }: AskedScan): CodeMeaning | undefined {
  if (batch === undefined) return undefined;
  const key = nameKey(code);
  const line = linesOfPicks(tables, () => false)
    .listDark(picker)
    .find((each) => each.batch === batch && nameKey(each.location) === key);
  if (line === undefined) return undefined;
  const { location, text, quantity } = line;
  const says = `${location} has no light. Confirm its line.`;
  return { answer: { ...NOTHING, result: 'place', location, text, quantity, says } };
}

/**
 * Returns the meaning of a place where nothing is to be picked. Names the person's line without a light whose article has this place too,
 * because its pieces can be taken here.
 */
function wrongPlace(tables: ScanTables, ask: AskedScan, answer: CodeMeaning['answer']): CodeMeaning {
  const { location } = answer;
  const articles = tables.stock.listAt(nameKey(location));
  const here = ordersOf(tables, ask)
    .flatMap(({ id: orderId }) =>
      articles.flatMap(({ articleId }) => tables.items.listOfArticle({ orderId, articleId })),
    )
    .toSorted((a, b) => a.id - b.id)
    .flatMap(({ id }) => tables.items.find(id) ?? []);
  const [line] = unlitInScope(tables, here, ask);
  const known = { ...answer, result: 'wrong_place' as const, order_number: ask.order_number ?? null };
  return {
    answer: { ...known, item_id: line?.id ?? null, says: `Wrong place: that was ${location}.` },
    isWrong: true,
  };
}

/** Matches the place that the page shows for a line without a light: that of the order, otherwise that of the article. */
export function asUnlitPlace(tables: ScanTables, ask: AskedScan): CodeMeaning | undefined {
  const unlit = unlitInScope(tables, itemsAt(tables, ask), ask);
  return unlit.length === 0 ? undefined : ofLines(tables, namedOf({ lit: [], unlit }, ask.item_id), false);
}

/** Matches the same lines as `asUnlitPlace`, and lines that are already picked. */
export function asPrintedPlace(tables: ScanTables, ask: AskedScan): CodeMeaning | undefined {
  const meaning = asUnlitPlace(tables, ask);
  const { order_number: orderNumber, code } = ask;
  if (meaning !== undefined || orderNumber === undefined) return meaning;
  const done = itemsAt(tables, ask).find((item) => isOver(item) && item.foundDeviceId === null);
  if (done === undefined) return undefined;
  const known = { ...itemOf(done), location: darkPlaceOf(done), order_number: orderNumber };
  return { answer: { ...NOTHING, ...known, result: 'already_done', says: `${code} is already done.` } };
}

function itemsAt(tables: ScanTables, ask: AskedScan): LitItemRow[] {
  const key = nameKey(ask.code);
  return ordersOf(tables, ask)
    .flatMap(({ id: orderId }) => tables.items.listAtText({ orderId, key }))
    .filter((item) => nameKey(darkPlaceOf(item)) === key)
    .flatMap(({ id }) => tables.items.find(id) ?? []);
}

function findPlace(tables: ScanTables, code: string): Place | undefined {
  const target = findByLocation(tables, code);
  if (target === undefined) return undefined;
  const labeled = tables.devices.listByLabel(code).flatMap((id) => findById(tables, id) ?? []);
  const places = target.alias === '' && labeled.length > 1 ? labeled : [target];
  const placeOf = new Map(places.map((place) => [place.deviceId, place]));
  const deviceIds = [...placeOf.keys()];
  const here = listLitAt(tables, deviceIds).filter((line) => {
    const place = placeOf.get(line.command.deviceId);
    return place !== undefined && isAt(line, place);
  });
  return { target, deviceIds, here };
}

/**
 * Returns the meaning of a scanned place: the line in the request, otherwise the line that the place's device shows first. If several
 * devices match, returns a choice of lines.
 */
function litAt(tables: ScanTables, { here }: Place, ask: AskedScan): CodeMeaning | undefined {
  const { lit: mine } = namedOf({ lit: inScope(tables, here, ask), unlit: [] }, ask.item_id);
  const lit = new Set(mine.map(({ command }) => command.deviceId)).size > 1 ? mine : mine.slice(0, 1);
  return lit.length === 0 ? undefined : ofLines(tables, { lit, unlit: [] }, false);
}

/** Whether the line is at this place. A line with another alias is not, even if its device is the same. */
function isAt({ command }: Lit, { deviceId, alias }: Target): boolean {
  return (
    command.deviceId === deviceId && (alias === '' || command.alias === '' || nameKey(command.alias) === nameKey(alias))
  );
}

function nameOf({ alias, label, deviceId }: Target): string {
  return [alias, label].find((name) => name !== '') ?? deviceId;
}
