import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { LitItemRow, NamedItem } from '../../db/repositories/items.ts';
import { isOver } from '../../domain/orders/order.ts';
import { ARTICLE_FIELDS, type ArticleField, FIND_CODE, itemsOfArticle } from './articleCodes.ts';
import { titleOfItem } from '../orders/index.ts';
import {
  type CodeMeaning,
  type FindMeaning,
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
import { litItems } from './work.ts';

/** Matches the article of a line that has to be picked or is waiting for a scan. `fields` are the article fields to compare with the code. */
export const asOpenArticle =
  (...fields: readonly ArticleField[]): FindMeaning =>
  (tables, ask) =>
    firstOf(tables, ask, fields, (items) => openAmong(tables, items, ask));

/** Matches the same lines as `asOpenArticle`, and lines of the order in the request that are done or not lit. */
export const asArticle =
  (...fields: readonly ArticleField[]): FindMeaning =>
  (tables, ask) =>
    firstOf(tables, ask, fields, (items) => openAmong(tables, items, ask) ?? closedAmong(items, ask));

function firstOf(
  tables: ScanTables,
  ask: AskedScan,
  fields: readonly ArticleField[],
  read: (items: readonly LitItemRow[]) => CodeMeaning | undefined,
): CodeMeaning | undefined {
  const alike = itemsAlike(tables, ask);
  const key = nameKey(ask.code);
  for (const field of fields) {
    const found = FIND_CODE[field](tables, ask.code);
    const ofArticle = found === undefined ? [] : itemsOfArticle(tables, found.article, ask);
    const named = [...alike.filter((item) => isKey(item[field], key)), ...ofArticle];
    const ids = new Set(named.map(({ id }) => id));
    const meaning = read([...ids].flatMap((id) => tables.items.find(id) ?? []));
    if (meaning !== undefined) return found?.pack === undefined ? meaning : { ...meaning, pack: found.pack };
  }
  return undefined;
}

function openAmong(tables: ScanTables, items: readonly LitItemRow[], ask: AskedScan): CodeMeaning | undefined {
  // Prefer a line that waits for this scan to other lines of the article.
  const awaited = items.find((item) => isAwaited(item, ask.picker));
  if (awaited !== undefined) return closedAmong([awaited], { order_number: tables.orders.findNumber(awaited.orderId) });
  const lit = inScope(tables, litItems(tables, items), ask);
  const unlit = unlitInScope(tables, items, ask);
  return lit.length + unlit.length === 0 ? undefined : ofLines(tables, namedOf({ lit, unlit }, ask.item_id), true);
}

function closedAmong(
  items: readonly LitItemRow[],
  { order_number: number }: Pick<AskedScan, 'order_number'>,
): CodeMeaning | undefined {
  const item = items.find(({ awaitsScan }) => awaitsScan) ?? items[0];
  if (item === undefined || number === undefined) return undefined;
  const known = { ...NOTHING, ...itemOf(item), order_number: number, verified: true };
  const article = titleOfItem(item);
  if (!isOver(item)) {
    return { answer: { ...known, result: 'place', says: `${article} is not lit. Launch the order again.` } };
  }
  if (item.isVerified) return { answer: { ...known, result: 'already_done', says: `${article} is already done.` } };
  return {
    answer: { ...known, result: 'acknowledged', says: `${article} is the right article.` },
    verified: item,
  };
}

/** Matches an article that is known but does not have to be picked here. */
export function asKnownArticle(tables: ScanTables, ask: AskedScan): CodeMeaning | undefined {
  const { code, order_number: orderNumber } = ask;
  const others = itemsAlike(tables, ask)
    .map(({ id }) => tables.items.find(id))
    .find((item) => typeof item?.commandId === 'number');
  const article = ARTICLE_FIELDS.map((field) => FIND_CODE[field](tables, code)?.article).find(
    (each) => each !== undefined,
  );
  if (others === undefined && article === undefined && !tables.items.knowsArticle(code)) return undefined;
  const known = { ...NOTHING, text: article === undefined ? code : article.name || article.sku };
  if (orderNumber === undefined) {
    const says = others === undefined ? `${code} is not lit anywhere.` : `${code} is lit for ${others.picker}.`;
    return { answer: { ...known, result: 'place', says }, isWrong: true };
  }
  const isKnown = tables.orders.findByNumber(orderNumber) !== undefined;
  const says = isKnown ? `${code} is not in this order.` : `There is no order ${orderNumber}.`;
  return { answer: { ...known, result: 'wrong_item', says, order_number: orderNumber }, isWrong: true };
}

/**
 * Returns the items with this code: all items of the order that the scan names or, if it names none, lit items and items in the person's
 * own orders.
 */
function itemsAlike(tables: ScanTables, ask: AskedScan): NamedItem[] {
  const key = nameKey(ask.code);
  const within = ordersOf(tables, ask).flatMap(({ id: orderId }) => tables.items.listAlike({ orderId, key }));
  const found = ask.order_number === undefined ? [...tables.items.listLitAlike({ key }), ...within] : within;
  const distinct = new Map(found.map((item) => [item.id, item]));
  return [...distinct.values()].filter(({ upc, sku, name }) => [upc, sku, name].some((text) => isKey(text, key)));
}

function isKey(text: string | null, key: string): boolean {
  return text !== null && nameKey(text) === key;
}

/** Whether the item waits for a scan, and either belongs to this person or has no picker. */
function isAwaited({ awaitsScan, picker }: LitItemRow, name: string): boolean {
  return awaitsScan && (picker === null || nameKey(picker) === nameKey(name));
}
