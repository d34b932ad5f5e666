import type { Callbacks } from '../callbacks/index.ts';
import { movementAnswer } from './answers.ts';
import type { Following } from './types.ts';

/** Reports each movement in its own commit, so that none is told without being booked, or booked without being told. */
export function createFollowing({ callbacks }: { callbacks: Callbacks }): Following {
  return {
    moved(tx, movement) {
      const { by: _, ...payload } = movementAnswer(movement);
      callbacks.add(tx, { family: 'movement', historyId: null, at: movement.at, payload });
    },
  };
}
