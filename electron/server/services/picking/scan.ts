import type { ScanResult } from '#shared/api/picking.ts';
import type { InParts } from '#shared/lib/station/inParts.ts';
import { readScan } from '#shared/lib/picking/scanCode.ts';
import { readCommandCode } from '#shared/lib/picking/scanCommands.ts';
import { findScannedCarrier } from '../batches/index.ts';
import { fallbacksOf } from './articleCodes.ts';
import { withPack } from './actOnScan.ts';
import { asArticle, asKnownArticle, asOpenArticle } from './scanArticles.ts';
import { type CodeMeaning, type FindMeaning, inScope, NOTHING, type AskedScan, type ScanTables } from './scanLines.ts';
import { asLitPlace, asPlace, asPlaceInBatch, asPlaceOfArticles, asPrintedPlace, asUnlitPlace } from './scanPlaces.ts';
import { darkPlaceOf, inWalkingOrder, listLitWork, withoutLight } from './work.ts';

/**
 * Possible meanings of a code within an order, which is the order in the request or the order of the current line. Finds open lines only.
 * An article takes precedence over a place with the same name.
 */
const IN_ORDER: readonly FindMeaning[] = [asOpenArticle('upc', 'sku'), asLitPlace, asUnlitPlace, asOpenArticle('name')];

const ANYWHERE: readonly FindMeaning[] = [
  asCarrier,
  asOrder,
  asArticle('upc', 'sku'),
  asPlace,
  asPrintedPlace,
  asArticle('name'),
  asPlaceOfArticles,
  asKnownArticle,
];

/** Meanings of a text without its data identifier, which can only be an article. */
const AS_ARTICLE: readonly FindMeaning[] = [asArticle('upc', 'sku'), asKnownArticle];

/** Meanings of a known place, in order of precedence. */
const AT_PLACE: readonly FindMeaning[] = [asPlaceInBatch, asPlace, asPrintedPlace, asPlaceOfArticles];

/** Returns the first of these meanings that a code has. Changes nothing. Contract, section 16. */
export function readMeaning(tables: ScanTables, ask: AskedScan): CodeMeaning {
  return withPack(firstMeaning(tables, ask));
}

function firstMeaning(tables: ScanTables, ask: AskedScan): CodeMeaning {
  const scan = readScan(ask.code);
  const { candidates, checkDigit, expectedDigit } = scan;
  const within = ask.order_number ?? ask.currentOrder;
  const attempts: (readonly [FindMeaning, string | undefined])[] = [
    [asCommand, undefined],
    ...(within === undefined ? [] : IN_ORDER.map((find) => [find, within] as const)),
    ...(within === undefined && ask.batch === undefined ? [] : inHand(ask.order_number, within)),
    ...ANYWHERE.map((find) => [find, ask.order_number] as const),
  ];
  const articles: typeof attempts = [
    ...(within === undefined ? [] : [[asOpenArticle('upc', 'sku'), within] as const]),
    ...AS_ARTICLE.map((find) => [find, ask.order_number] as const),
  ];
  const among = (finds: typeof attempts, texts: readonly string[]): CodeMeaning | undefined => {
    for (const [find, order_number] of finds) {
      for (const code of texts) {
        const meaning = find(tables, { ...ask, code, order_number });
        if (meaning !== undefined) return meaning;
      }
    }
    return undefined;
  };
  const found = among(attempts, candidates) ?? among(articles, fallbacksOf(tables, scan));
  if (found !== undefined) return found;
  const code = candidates[0] ?? '';
  const hint = checkDigit === 'wrong' ? ` Its check digit should be ${expectedDigit}: scan it again.` : '';
  return { answer: { ...NOTHING, says: `${code} is unknown.${hint}` } };
}

/** With work in hand, known places take precedence over order numbers, because a wrong shelf must not open another order. */
function inHand(named: string | undefined, within: string | undefined): (readonly [FindMeaning, string | undefined])[] {
  return [
    [asCarrier, named],
    // Lines outside the order of the current line, such as direct commands.
    ...(named === within ? [] : ([[asLitPlace, named]] as const)),
    [asKnownPlace, within],
  ];
}

/** Matches a known place, unless the code is that of an article in the order in hand. */
function asKnownPlace(tables: ScanTables, ask: AskedScan): CodeMeaning | undefined {
  if (asArticle('upc', 'sku')(tables, ask) !== undefined) return undefined;
  for (const find of AT_PLACE) {
    const meaning = find(tables, ask);
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

function asCommand(_tables: ScanTables, { code }: AskedScan): CodeMeaning | undefined {
  const command = readCommandCode(code);
  if (command === undefined) return undefined;
  return { answer: { ...NOTHING, result: 'command', says: `Command: ${command}.`, command } };
}

/** Matches the code of a cart, a wall, a slot or a tote. */
function asCarrier(tables: ScanTables, { code }: AskedScan): CodeMeaning | undefined {
  const found = findScannedCarrier(tables, code);
  if (found === undefined) return undefined;
  const { kind, says, batch, slot, orderNumber: order_number = null } = found;
  const named = { ...(batch === undefined ? {} : { batch }), ...(slot === undefined ? {} : { slot }) };
  const answer = { ...NOTHING, result: kind, says, order_number, ...named };
  return batch === undefined || slot === undefined ? { answer } : { answer, slot: { batch, name: slot } };
}

/** Matches an order number. A leading `#` is optional, because shops print order numbers with or without it. */
function asOrder({ orders }: ScanTables, { code }: AskedScan): CodeMeaning | undefined {
  const spellings = [code, code.startsWith('#') ? code.slice(1) : `#${code}`];
  for (const number of spellings) {
    const order = orders.findByNumber(number) ?? orders.findByNumberInAnyCase(number);
    if (order === undefined) continue;
    const { orderNumber, counts } = order;
    const says = `Order ${orderNumber}: ${counts.items - counts.done} of ${counts.items} lines to pick.`;
    return { answer: { ...NOTHING, result: 'order', says, order_number: orderNumber }, order };
  }
  return undefined;
}

/** Lists the places of the person's open lines, in walking order, with those that have no light last. */
export function* listExpected(
  tables: ScanTables,
  ask: Pick<AskedScan, 'order_number' | 'batch' | 'picker' | 'currentOrder'>,
): InParts<string[]> {
  const order_number = ask.order_number ?? (ask.batch === undefined ? ask.currentOrder : undefined);
  const lit = yield* listLitWork(tables, order_number);
  const lines = yield* inWalkingOrder(tables, inScope(tables, lit, { ...ask, order_number }));
  const dark =
    order_number === undefined ? [] : yield* withoutLight(tables, { picker: ask.picker, order: order_number });
  const places = lines.map(({ location, command }) => location || command.deviceId);
  return [...new Set([...places, ...dark.map(({ item }) => darkPlaceOf(item)).filter((place) => place !== '')])];
}

/** Adds the expected places to the response, and tells the person to scan the first of them if the scanned place was wrong. */
export function withExpected({ answer }: CodeMeaning, expected: readonly string[]): ScanResult {
  const [next] = answer.result === 'place' ? [] : expected;
  return { ...answer, expected: [...expected], says: `${answer.says}${next === undefined ? '' : ` Scan ${next}.`}` };
}
