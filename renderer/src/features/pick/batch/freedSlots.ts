import type { Batch } from '#shared/api/batch.ts';
import type { BatchSession, FreedSlots } from './batchTypes.ts';
import type { BatchView } from './batchView.ts';

/** How long the page offers to undo that a slot of a running batch was freed, in milliseconds. The pack page offers it longer. */
const OFFERED_MS = 600_000;

/** Returns the slots of a batch that were freed last, all at one time. */
export function freedIn({ id, slots }: Pick<Batch, 'id' | 'slots'>): FreedSlots | undefined {
  const freed = freedSlots(slots);
  const last = freed.toSorted((a, b) => b.at - a.at)[0];
  if (last === undefined) return undefined;
  const together = freed.filter(({ at, by }) => at === last.at && by === last.by);
  return { batch: id, slots: together.map(({ slot }) => slot), by: last.by };
}

/** Returns the slots that were freed last, in the batch that is shown or in the one that ended before. */
export function lastFreed({ freed }: BatchSession, view: BatchView | undefined): FreedSlots | undefined {
  return view === undefined ? freed : freedIn(view.batch);
}

/** Whether the page still offers to undo that slots were freed. A batch that is done offers it until there is another one. */
export function isOffered(view: BatchView | undefined, stationNow: number): boolean {
  return view === undefined || freedSlots(view.batch.slots).some(({ at }) => at > stationNow - OFFERED_MS);
}

const freedSlots = (slots: Batch['slots']): { slot: string; by: string; at: number }[] =>
  slots.flatMap(({ slot, freed }) => (freed === null ? [] : [{ slot, by: freed.by, at: Date.parse(freed.at) }]));
