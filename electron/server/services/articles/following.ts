import type { LeftAsked } from '#shared/api/stock.ts';
import type { MovementRow } from '../../db/repositories/stock.ts';
import type { Transaction } from '../../db/writer.ts';
import type { Callbacks } from '../callbacks/index.ts';
import type { SettingsService } from '../settings/index.ts';
import { movementAnswer } from './answers.ts';
import type { PlaceTasks } from './placeTasks.ts';
import type { PutBacks } from './putBacks.ts';
import type { ArticleTables, Following } from './types.ts';

/** Handles the effects of each movement in the same commit, so that all of them are stored or none. */
export function createFollowing({
  callbacks,
  placeTasks,
  putBacks,
  stock,
  settings,
}: {
  callbacks: Callbacks;
  placeTasks: PlaceTasks;
  putBacks: PutBacks;
  stock: Pick<ArticleTables['stock'], 'countVisit' | 'setQuestion'>;
  settings: Pick<SettingsService, 'current'>;
}): Following {
  return {
    moved(tx, movement, change) {
      const { by: _, ...payload } = movementAnswer(movement);
      callbacks.add(tx, { family: 'movement', historyId: null, at: movement.at, payload });
      if (change !== undefined) placeTasks.changed(tx, change, movement.kind);
    },
    picked(tx, movement, isLast) {
      const { zero_check: isChecked, count_every: every } = settings.current();
      if (isChecked && movement.onHand === 0) return askWhatIsLeft(stock, tx, movement, 'empty');
      if (every === 0 || !isLast) return;
      const visits = stock.countVisit(movement.articleId, movement.placeKey);
      if (visits !== undefined && visits % every === 0) askWhatIsLeft(stock, tx, movement, 'count');
    },
    limited: (tx, change) => placeTasks.changed(tx, change, undefined),
    doubted: (tx, place, by) => placeTasks.askToCount(tx, place, by),
    booked: (tx, itemId, line) => putBacks.booked(tx, itemId, line),
  };
}

/**
 * Asks on the page and on the picker's device how many pieces are left at the place. Stores the question with the movement of the pick,
 * because it gives the person the right to answer. Without an answer, nothing changes.
 */
function askWhatIsLeft(
  stock: Pick<ArticleTables['stock'], 'setQuestion'>,
  tx: Transaction,
  movement: MovementRow,
  what: LeftAsked['what'],
): void {
  stock.setQuestion(what, movement.id);
  const { id, sku: SKU, place: location, deviceId: deviceid, orderNumber: order, itemId: item, picker } = movement;
  tx.emit({ type: 'stock.asked', asked: { what, movement_id: id, SKU, location, deviceid, order, item, picker } });
}
