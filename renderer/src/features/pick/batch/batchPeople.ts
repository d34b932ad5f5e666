import type { Batch } from '#shared/api/batch.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import { cartPick as words } from '../../../words/cartPick.ts';
import type { PickLine } from '../sessionTypes.ts';

type Picked = Pick<Batch, 'pickers' | 'state'>;

export const isSame = (one: string, other: string): boolean => nameKey(one) === nameKey(other);

/** Who else picks it, its picker first. */
export const othersIn = (me: string, { pickers }: Pick<Picked, 'pickers'>): string[] =>
  pickers.map(({ name }) => name).filter((name) => !isSame(name, me));

export const picksIt = (me: string, { pickers }: Pick<Picked, 'pickers'>): boolean =>
  pickers.some(({ name }) => isSame(name, me));

/** Whether others pick it now, and I do not. */
export const isOfOthers = (me: string, batch: Picked): boolean =>
  batch.state === 'picking' && batch.pickers.length > 0 && !picksIt(me, batch);

/** A line of nobody in particular is everybody's. */
export const isMine = (me: string, { picker }: PickLine): boolean => picker === null || isSame(picker, me);

/** How many of these lines each other person has, the most first. */
export function placesOfOthers(me: string, lines: readonly PickLine[]): { name: string; count: number }[] {
  const theirs = Map.groupBy(
    lines.filter((line) => !isMine(me, line)),
    ({ picker }) => picker ?? '',
  );
  return [...theirs].map(([name, { length }]) => ({ name, count: length })).toSorted((a, b) => b.count - a.count);
}

/** Who else picks it, in words. */
export function peopleWords(me: string, batch: Pick<Picked, 'pickers'>): string {
  const others = othersIn(me, batch);
  if (others.length === 0) return '';
  return picksIt(me, batch) ? words.with(others) : words.by(others);
}
