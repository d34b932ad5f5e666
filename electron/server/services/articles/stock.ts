import type { ErrorCode } from '#shared/api/problem.ts';
import type { Movement, MovementQuery, MovementResult, NewMovement, StockQuery, StockRow } from '#shared/api/stock.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import type { ArticlePlaceRow, MovementRow } from '../../db/repositories/stock.ts';
import type { Transaction } from '../../db/writer.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { StationError } from '../../errors.ts';
import { callerIdOf } from '../base/index.ts';
import { getRow, textKey } from './articles.ts';
import { movementAnswer, stockAnswers } from './answers.ts';
import { move, type MovementKey } from './ledger.ts';
import type { ArticlesContext } from './types.ts';

const PAGE = 1_000;
const DAY_MS = 24 * 60 * 60_000;
const NOTHING = -1;
/** Separates SKU and place in the `after` parameter of stock pages. Neither can contain control characters. */
const BETWEEN = '\t';

/** One movement in a bulk request, with its fields or the reason why they are invalid. `warnings` are about unknown fields. */
export type MovementElement = ({ wanted: NewMovement } | { error: StationError }) & { warnings: string[] };

/** Who posts movements. `isRepeatable` tells whether the request has an idempotency key, so that a repetition within 24 hours books nothing. */
type Poster = { by: string; isRepeatable: boolean };

/** Creates the use cases for stock. */
export function createStock(context: ArticlesContext) {
  return {
    list: (query: StockQuery): StockRow[] => list(context, query),
    listMovements: (query: MovementQuery): Movement[] => listMovements(context, query),
    /** Posts each movement separately, in order. */
    post: (elements: readonly MovementElement[], poster: Poster) => post(context, elements, poster),
    /** Returns the `after` parameter for the next page. The argument is the last row of this page. */
    pageAfter: ({ sku, location }: Pick<StockRow, 'sku' | 'location'>): string => `${sku}${BETWEEN}${location}`,
  };
}

export type StockService = ReturnType<typeof createStock>;

/**
 * Returns the id of the article in a filter, or null without such a filter. For an unknown article, returns an id that matches nothing.
 * Throws `invalid` if the filter names two different articles.
 */
function idOf({ reads }: ArticlesContext, { sku, SKU }: { sku?: string | undefined; SKU?: string | undefined }) {
  if (sku !== undefined && SKU !== undefined && nameKey(sku) !== nameKey(SKU)) {
    const message = 'sku and SKU are the same filter, but their values differ. Send only one of them.';
    throw new StationError('invalid', message, [{ path: '/SKU', message }]);
  }
  const given = sku ?? SKU;
  return given === undefined ? null : (reads.articles.findBySku(nameKey(given))?.id ?? NOTHING);
}

function list(context: ArticlesContext, query: StockQuery): StockRow[] {
  const { location, q, below_minimum: isBelow, to_reorder: isToReorder, negative, limit = PAGE, after = '' } = query;
  const [sku = '', place = ''] = after.split(BETWEEN);
  const rows = context.reads.stock.listStock({
    articleId: idOf(context, query),
    placeKey: location === undefined ? null : nameKey(location),
    q: textKey(q),
    isBelowMinimum: isBelow === undefined ? 0 : 1,
    isToReorder: isToReorder === undefined ? 0 : 1,
    isNegative: negative === undefined ? 0 : 1,
    afterSku: nameKey(sku),
    afterPlace: nameKey(place),
    limit,
  });
  return stockAnswers(context.reads, rows);
}

function listMovements(context: ArticlesContext, query: MovementQuery): Movement[] {
  const { location, order_number: orderNumber, kind, from, to, limit = PAGE, after = '0' } = query;
  const rows = context.reads.stock.listMovements({
    after: Number(after),
    limit,
    articleId: idOf(context, query),
    placeKey: location === undefined ? null : nameKey(location),
    orderNumber: orderNumber ?? null,
    kind: kind ?? null,
    from: from === undefined ? null : Date.parse(from),
    to: to === undefined ? null : Date.parse(to),
  });
  return rows.map(movementAnswer);
}

function post(
  context: ArticlesContext,
  elements: readonly MovementElement[],
  poster: Poster,
): Promise<MovementResult[]> {
  return context.writer.writeEach(
    elements,
    (tx, element): MovementResult =>
      'error' in element ? refused(element.error, element) : one(context, tx, element, poster),
    (error, element) => {
      if (!(error instanceof StationError) || STATUS[error.code] === undefined) throw error;
      return refused(error, element);
    },
  );
}

const STATUS: Readonly<Partial<Record<ErrorCode, 400 | 404 | 409>>> = {
  invalid: 400,
  not_found: 404,
  conflict: 409,
  outdated: 409,
  key_reused: 409,
};

function refused({ code, message, errors }: StationError, { warnings }: MovementElement): MovementResult {
  const why = { code, detail: message, errors: [...errors] };
  return { status: STATUS[code] ?? 400, movement_id: null, on_hand: null, ...why, ...withWarnings(warnings) };
}

function withWarnings(warnings: readonly string[]): Pick<MovementResult, 'warnings'> {
  return warnings.length === 0 ? {} : { warnings: [...warnings] };
}

/** Posts one movement. Throws `not_found`, `outdated` or `key_reused`, and `invalid` for a transfer from a place to itself. */
function one(
  context: ArticlesContext,
  tx: Transaction,
  { wanted, warnings }: Exclude<MovementElement, { error: StationError }>,
  { by, isRepeatable }: Poster,
): MovementResult {
  const { repositories } = context;
  const { key, ...rest } = wanted;
  const asked = JSON.stringify(rest);
  const keyCaller = callerIdOf(repositories, by);
  const known = key === undefined ? undefined : repositories.stock.findKeyed(keyCaller, key);
  if (known !== undefined) return repeated(tx, known, asked, warnings);
  const movement = carryOut(context, tx, wanted, {
    by,
    keyed: key === undefined ? undefined : { key, keyCaller, asked },
  });
  const { id, onHand } = movement;
  const counts =
    wanted.delta === undefined || key !== undefined ? [] : [isRepeatable ? COUNTS_TWICE_LATER : COUNTS_TWICE];
  const doubts = doubtsOf(context, wanted, movement);
  return { status: 200, movement_id: id, on_hand: onHand, ...withWarnings([...warnings, ...counts, ...doubts]) };
}

const COUNTS_TWICE = 'A delta without a key counts twice if it is sent again.';
const COUNTS_TWICE_LATER =
  'The key of the request is kept for 24 hours. A delta without its own key counts twice if it is sent again after that.';

/** Answers a repeated movement with the first one. Throws `key_reused` if the contents differ. */
function repeated(
  tx: Transaction,
  first: MovementRow & { asked: string },
  asked: string,
  warnings: readonly string[],
): MovementResult {
  const { id, key, onHand } = first;
  const at = isoTime(first.at);
  if (first.asked !== asked) {
    const { kind, delta, sku, place } = first;
    throw new StationError(
      'key_reused',
      `The key ${key} belongs to movement ${id} of ${at}: ${kind} of ${sku} at ${place}, ${delta > 0 ? '+' : ''}${delta}. Nothing was done. Use a new key for each movement.`,
    );
  }
  const old =
    tx.now - first.at > DAY_MS
      ? [
          `The key ${key} was already used for movement ${id} on ${at}. Nothing was done. Use a new key for a new movement.`,
        ]
      : [];
  const result = { status: 200, movement_id: id, on_hand: onHand, replayed: true, at } as const;
  return { ...result, ...withWarnings([...warnings, ...old]) };
}

/** Returns warnings about a booked movement that may not have the intended effect. */
function doubtsOf({ repositories }: ArticlesContext, wanted: NewMovement, { articleId }: MovementRow): string[] {
  const { delta, count, from, to, location, quantity } = wanted;
  const changed = [location, from, to].flatMap((name) => {
    const place = name === undefined ? undefined : repositories.stock.findPlace(articleId, nameKey(name));
    return place === undefined || (name === location && quantity !== undefined) ? [] : [place];
  });
  const notCounted = count === undefined ? changed.filter(({ onHand }) => onHand === null) : [];
  const below = changed.filter(({ onHand }) => onHand !== null && onHand < 0);
  return [
    ...(delta === 0 ? ['/delta: It is 0, so the stock does not change.'] : []),
    ...(location !== undefined && quantity !== undefined
      ? ['/location is ignored: a transfer has its places in from and to.']
      : []),
    ...notCounted.map(({ place }) => `${place} is not counted. Its stock stays unknown until you count it.`),
    ...below.map(({ place, onHand }) => `${place} now has ${onHand}, which is below 0. Count it.`),
  ];
}

function carryOut(
  { repositories }: ArticlesContext,
  tx: Transaction,
  wanted: NewMovement,
  { by, keyed }: { by: string; keyed: MovementKey | undefined },
): MovementRow {
  const { sku, location = '', delta, count, from = '', to = '', quantity, was, reason = '' } = wanted;
  const article = getRow(repositories, sku);
  const placeAt = (name: string): ArticlePlaceRow => getPlace(repositories.stock, article, name);
  const cause = { by, reason, keyed };
  if (quantity !== undefined) {
    if (nameKey(from) === nameKey(to))
      throw new StationError('invalid', `From and to are the same place, ${to}. Name another one.`);
    const [source, target] = [placeAt(from), placeAt(to)];
    refuseOutdated(source, was);
    const kind = 'transfer';
    const shown = { ...cause, keyed: keyed && { ...keyed, keyCaller: null, asked: null } };
    move(repositories, tx, { article, place: source.place, kind, change: { delta: -quantity } }, shown);
    return move(repositories, tx, { article, place: target.place, kind, change: { delta: quantity } }, cause);
  }
  const place = placeAt(location);
  refuseOutdated(place, was);
  return count === undefined
    ? move(repositories, tx, { article, place: place.place, kind: 'adjust', change: { delta: delta ?? 0 } }, cause)
    : move(
        repositories,
        tx,
        { article, place: place.place, kind: 'count', change: { to: count, isEmpty: false } },
        cause,
      );
}

function getPlace(stock: ArticlesContext['repositories']['stock'], { id, sku }: ArticleRow, name: string) {
  const place = stock.findPlace(id, nameKey(name));
  if (place !== undefined) return place;
  throw new StationError(
    'not_found',
    `Article ${sku} has no place ${name}. Add it to the places of the article first.`,
  );
}

/** Throws `outdated` if the stock at the place has changed. `was` is the stock that the person saw before the count. */
export function refuseOutdated(
  { place, onHand }: Pick<ArticlePlaceRow, 'place' | 'onHand'>,
  was: number | null | undefined,
): void {
  if (was === undefined || was === onHand) return;
  const shown = was ?? 'not counted';
  throw new StationError(
    'outdated',
    `The stock at ${place} is now ${onHand ?? 'not counted'} instead of ${shown}. Read it again.`,
  );
}
