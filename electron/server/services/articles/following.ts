import type { Callbacks } from '../callbacks/index.ts';
import { movementAnswer } from './answers.ts';
import type { PlaceTasks } from './placeTasks.ts';
import type { PutBacks } from './putBacks.ts';
import type { Following } from './types.ts';

/** Reports each movement in its own commit, so that none is told without being booked, or booked without being told. */
export function createFollowing({
  callbacks,
  placeTasks,
  putBacks,
}: {
  callbacks: Callbacks;
  placeTasks: PlaceTasks;
  putBacks: PutBacks;
}): Following {
  return {
    moved(tx, movement, change) {
      const { by: _, ...payload } = movementAnswer(movement);
      callbacks.add(tx, { family: 'movement', historyId: null, at: movement.at, payload });
      if (change !== undefined) placeTasks.changed(tx, change, movement.kind);
    },
    limited: (tx, change) => placeTasks.changed(tx, change, undefined),
    doubted: (tx, place, by) => placeTasks.askToCount(tx, place, by),
    booked: (tx, itemId, fulfilled) => putBacks.booked(tx, itemId, fulfilled),
  };
}
