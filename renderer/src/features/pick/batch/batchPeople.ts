import type { Batch } from '#shared/api/batch.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { cartPick as words } from '../../../words/cartPick.ts';
import type { PickLine } from '../session/sessionTypes.ts';

type Picked = Pick<Batch, 'pickers' | 'state'>;

export const isSame = (one: string, other: string): boolean => nameKey(one) === nameKey(other);

/** Returns the names of the other pickers of the batch. */
export const othersIn = (me: string, { pickers }: Pick<Picked, 'pickers'>): string[] =>
  pickers.map(({ name }) => name).filter((name) => !isSame(name, me));

export const picksIt = (me: string, { pickers }: Pick<Picked, 'pickers'>): boolean =>
  pickers.some(({ name }) => isSame(name, me));

/** Whether only others pick the batch now. */
export const isOfOthers = (me: string, batch: Picked): boolean =>
  batch.state === 'picking' && batch.pickers.length > 0 && !picksIt(me, batch);

/** Whether a line belongs to this person. Lines without a picker belong to everybody. */
export const isMine = (me: string, { picker }: PickLine): boolean => picker === null || isSame(picker, me);

/** Returns how many lines each other person has, largest number first. */
export function placesOfOthers(me: string, lines: readonly PickLine[]): { name: string; count: number }[] {
  const theirs = Map.groupBy(
    lines.filter((line) => !isMine(me, line)),
    ({ picker }) => picker ?? '',
  );
  return [...theirs].map(([name, { length }]) => ({ name, count: length })).toSorted((a, b) => b.count - a.count);
}

/** Describes who else picks the batch. Empty if nobody does. */
export function peopleWords(me: string, batch: Pick<Picked, 'pickers'>): string {
  const others = othersIn(me, batch);
  if (others.length === 0) return '';
  return picksIt(me, batch) ? words.with(others) : words.by(others);
}

/**
 * Returns the people to whom this person can hand over places: the other pickers, or nobody if the person has no
 * places.
 */
export function receiversOf(me: string, { batch, lines }: { batch: Picked; lines: readonly PickLine[] }): string[] {
  const hasOwn = lines.some(({ picker }) => picker !== null && isSame(picker, me));
  return batch.state === 'picking' && hasOwn ? othersIn(me, batch) : [];
}
