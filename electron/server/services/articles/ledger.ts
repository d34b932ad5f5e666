import type { MovementKind } from '#shared/api/stock.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { ArticleRow } from '../../db/repositories/articles.ts';
import type { ArticlePlaceRow, MovementRow } from '../../db/repositories/stock.ts';
import type { Transaction } from '../../db/writer.ts';
import { personOf } from '../base/index.ts';
import { movementAnswer, publishArticle } from './answers.ts';
import type { Books } from './types.ts';

/** The item of a movement, with its quantities after the movement. */
export type MovementItem = {
  orderNumber: string;
  shipmentNumber: string;
  itemId: number;
  ordered: number;
  fulfilled: number;
  nonce: string;
};

/** Who or what caused a movement. Without a `picker`, the movement names `by` if that is a person. */
export type MovementCause = {
  by: string;
  picker?: string;
  reason?: string;
  deviceId?: string;
  item?: MovementItem | undefined;
  keyed?: MovementKey | undefined;
  /** Whether the movement is half of a pair that leaves the stock unchanged, so that it opens and ends no tasks. */
  isInterim?: boolean;
};

/** The key of a posted movement. `keyCaller` and `asked` are null for a movement that only shows the key. */
export type MovementKey = { key: string; keyCaller: string | null; asked: string | null };

/** A change to stock: a difference, or the new quantity `to`, which is null if the place is not counted. */
type Change = { delta: number } | { to: number | null; isEmpty: boolean };

/** Kinds of movements that also set the stock at a place that was not counted. */
const COUNTING: ReadonlySet<MovementKind> = new Set(['count', 'import']);

/**
 * Writes a movement and the resulting stock. Only this function changes `on_hand`. Call inside the transaction of the cause. A place that
 * is not counted stays uncounted, except after a count or an import. Does not create places.
 */
export function move(
  { accounts, articles, stock, following }: Books,
  tx: Transaction,
  { article, place: name, kind, change }: { article: ArticleRow; place: string; kind: MovementKind; change: Change },
  { by, picker = '', reason = '', deviceId = '', item, keyed, isInterim = false }: MovementCause,
): MovementRow {
  const placeKey = nameKey(name);
  const place = stock.findPlace(article.id, placeKey);
  const { onHand, isEmpty, delta } = changed(place, change, COUNTING.has(kind));
  const row = {
    at: tx.now,
    kind,
    articleId: article.id,
    place: place?.place ?? name,
    placeKey,
    deviceId,
    delta,
    onHand,
    sku: article.sku,
    orderNumber: item?.orderNumber ?? null,
    shipmentNumber: item?.shipmentNumber ?? null,
    itemId: item?.itemId ?? null,
    ordered: item?.ordered ?? null,
    fulfilled: item?.fulfilled ?? null,
    reason,
    picker: picker || personOf({ accounts }, by),
    doneBy: by,
    nonce: item?.nonce ?? '',
    key: keyed?.key ?? null,
  };
  const { keyCaller = null, asked = null } = keyed ?? {};
  const movement = { id: stock.insertMovement({ ...row, keyCaller, asked }), ...row };
  // A short without a reason moves nothing, so it does not prevent undoing an earlier short.
  const hasMoved = kind !== 'short' || !('delta' in change);
  const after =
    place === undefined
      ? undefined
      : {
          ...place,
          onHand,
          isEmpty,
          movementId: hasMoved ? movement.id : place.movementId,
          countedAt: isCount(kind, change) ? tx.now : place.countedAt,
        };
  if (after !== undefined) stock.setStock(after);
  articles.touch(tx, article.id);
  tx.emit({ type: 'movement', movement: movementAnswer(movement) });
  publishArticle({ articles, stock }, tx, article.id);
  const isChanged = after !== undefined && !isInterim;
  following.moved(tx, movement, isChanged ? { before: place, after, by } : undefined);
  return movement;
}

/** Whether somebody looked at the whole place: a count, or a short that found it empty. */
function isCount(kind: MovementKind, change: Change): boolean {
  return COUNTING.has(kind) || (kind === 'short' && 'to' in change && (change.to === 0 || change.isEmpty));
}

function changed(
  place: ArticlePlaceRow | undefined,
  change: Change,
  isCount: boolean,
): { onHand: number | null; isEmpty: boolean; delta: number } {
  const before = place?.onHand ?? null;
  if ('delta' in change) {
    const { delta } = change;
    // Pieces put or picked at a place prove that it is not empty.
    const isEmpty = (place?.isEmpty ?? false) && delta === 0;
    return { onHand: before === null ? null : before + delta, isEmpty, delta };
  }
  const { to, isEmpty } = change;
  if (place === undefined || (before === null && !isCount)) return { onHand: null, isEmpty, delta: 0 };
  return { onHand: to, isEmpty, delta: (to ?? 0) - (before ?? 0) };
}
