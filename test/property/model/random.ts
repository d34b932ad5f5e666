import { seededFraction } from '../../helpers/seeded.ts';

/** Random choices, determined by the seed. */
export type Random = {
  fraction(): number;
  /** Returns an integer from 0 to `count` - 1. */
  below(count: number): number;
  chance(probability: number): boolean;
  one<T>(choices: readonly [T, ...T[]]): T;
};

export function createRandom(seed: number): Random {
  const fraction = seededFraction(seed);
  const below = (count: number): number => Math.floor(fraction() * count);
  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    one: (choices) => choices[below(choices.length)] ?? choices[0],
  };
}
