import { isLow } from '#shared/lib/articles/stockLevels.ts';
import type { MovementKind } from '#shared/api/stock.ts';
import type { ArticlePlaceRow } from '../../db/repositories/stock.ts';
import type { Transaction } from '../../db/writer.ts';
import type { TablesOf } from '../../core.ts';
import type { TaskRecords } from './taskRecords.ts';
import type { PlaceChange } from './types.ts';

type Stocked = Pick<ArticlePlaceRow, 'onHand' | 'minimum' | 'maximum'>;

/** Kinds of movements that set the stock to a counted quantity, so that no count is needed. */
const COUNTED: ReadonlySet<MovementKind> = new Set(['count', 'import']);

/** Opens and ends a place's tasks in the same commit that changes its stock or limits. */
export function createPlaceTasks({ tables, records }: { tables: TablesOf<'articles'>; records: TaskRecords }) {
  function open(tx: Transaction, kind: 'replenish' | 'count', place: ArticlePlaceRow, by: string): void {
    const article = tables.articles.find(place.articleId);
    if (article === undefined || !article.isActive) return;
    records.open(tx, { kind, article, place: place.place, quantity: kind === 'count' ? null : toBring(place), by });
  }

  function end(tx: Transaction, kind: 'replenish' | 'count', { articleId, placeKey }: ArticlePlaceRow): void {
    const task = tables.tasks.findOpen(articleId, placeKey, kind);
    if (task !== undefined) records.end(tx, task, { state: 'ended' });
  }

  return {
    /**
     * Handles a changed place. `kind` is the kind of the movement, or undefined if the limits changed or the article no longer has the
     * place.
     */
    changed(tx: Transaction, { before, after, by }: PlaceChange, kind: MovementKind | undefined): void {
      if (after === undefined) {
        for (const each of ['replenish', 'count'] as const) if (before !== undefined) end(tx, each, before);
        return;
      }
      const isLow = isBelowMinimum(after);
      const wasLow = before !== undefined && isBelowMinimum(before);
      if (isLow && !wasLow) open(tx, 'replenish', after, by);
      else if (isLow) {
        const task = tables.tasks.findOpen(after.articleId, after.placeKey, 'replenish');
        if (task !== undefined) records.setQuantity(tx, task, toBring(after));
      } else if (wasLow || before?.minimum !== after.minimum) end(tx, 'replenish', after);
      if (kind === undefined) return;
      if (COUNTED.has(kind)) end(tx, 'count', after);
      else if (isNegative(after) && !(before !== undefined && isNegative(before))) open(tx, 'count', after, by);
    },
    /** Opens a task to count the stock at the place. */
    askToCount(tx: Transaction, place: ArticlePlaceRow, by: string): void {
      open(tx, 'count', place, by);
    },
    /**
     * Opens a replenishment task for the place that is furthest below its minimum, and returns the place, or undefined if no place is below
     * its minimum.
     */
    replenishLowest(tx: Transaction, places: readonly ArticlePlaceRow[], by: string): ArticlePlaceRow | undefined {
      const isActive = ({ articleId }: ArticlePlaceRow): boolean => tables.articles.find(articleId)?.isActive ?? false;
      const [lowest] = places
        .filter((place) => isBelowMinimum(place) && isActive(place))
        .toSorted((one, other) => aboveMinimum(one) - aboveMinimum(other));
      if (lowest !== undefined) open(tx, 'replenish', lowest, by);
      return lowest;
    },
  };
}

export type PlaceTasks = ReturnType<typeof createPlaceTasks>;

function isBelowMinimum({ onHand, minimum }: Stocked): boolean {
  return isLow({ on_hand: onHand, minimum });
}

function aboveMinimum({ onHand, minimum }: Stocked): number {
  return (onHand ?? 0) - (minimum ?? 0);
}

function isNegative({ onHand }: Stocked): boolean {
  return onHand !== null && onHand < 0;
}

/** Returns the quantity that fills the place to its maximum, or null if the place has no maximum. */
function toBring({ onHand, maximum }: Stocked): number | null {
  return maximum === null ? null : Math.max(0, maximum - Math.max(0, onHand ?? 0));
}
