import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { findByLocation, type Target } from './targets.ts';
import type { TargetTables } from './types.ts';

/** The light that a name had before a change; undefined if it had none. */
export type FormerLight = { name: string; light: Target | undefined };

/** Names whose lights may have changed, and devices that got another label. */
export type ChangedLights = { former: readonly FormerLight[]; labeled: readonly string[]; by: string };

/**
 * What a change to lights causes. `lost` says which places with goods have lost their last light, which strict callers refuse; `warnings`
 * says what else a person should know.
 */
export type SaidOfLights = { lost: string[]; warnings: string[] };

/** Moves work to the lights that its names have now. */
export type LightFollower = (tx: Transaction, changed: ChangedLights) => SaidOfLights;

const NOTHING_SAID: SaidOfLights = { lost: [], warnings: [] };

/**
 * Follows the lights of names. Goods belong to a name; its light is the device with this alias or label. Each change to an alias or a label
 * reads the lights with `of` before it, and calls `changed` after it, in the same transaction.
 */
export function createPlaceLights(tables: TargetTables) {
  let follower: LightFollower | undefined;
  let together: { former: Map<string, FormerLight>; labeled: Set<string> } | undefined;
  const follow: LightFollower = (tx, changed) => follower?.(tx, changed) ?? NOTHING_SAID;

  return {
    /** Registers the follower. Called when the station starts. */
    follow: (by: LightFollower): void => void (follower = by),
    /** Returns the lights of these names. */
    of: (...names: readonly string[]): FormerLight[] =>
      names.flatMap((name) => (name === '' ? [] : [{ name, light: findByLocation(tables, name) }])),
    /** Moves work to the new lights. `labeled` is the device that got another label, if any. */
    changed(
      tx: Transaction,
      former: readonly FormerLight[],
      { by, labeled }: { by: string; labeled?: string },
    ): SaidOfLights {
      if (together === undefined) return follow(tx, { former, labeled: labeled === undefined ? [] : [labeled], by });
      for (const each of former)
        if (!together.former.has(nameKey(each.name))) together.former.set(nameKey(each.name), each);
      if (labeled !== undefined) together.labeled.add(labeled);
      return NOTHING_SAID;
    },
    /** Makes changes whose work the caller moves. */
    silently(work: () => void): void {
      const outer = together;
      together = { former: new Map(), labeled: new Set() };
      try {
        work();
      } finally {
        together = outer;
      }
    },
    /** Makes several changes as one, so that work for names that devices exchange moves once. */
    together<T>(tx: Transaction, by: string, work: () => T): { result: T; said: SaidOfLights } {
      if (together !== undefined) return { result: work(), said: NOTHING_SAID };
      const gathered = { former: new Map<string, FormerLight>(), labeled: new Set<string>() };
      together = gathered;
      let result: T;
      try {
        result = work();
      } finally {
        together = undefined;
      }
      const changed = { former: [...gathered.former.values()], labeled: [...gathered.labeled], by };
      return { result, said: changed.former.length === 0 ? NOTHING_SAID : follow(tx, changed) };
    },
  };
}

export type PlaceLights = ReturnType<typeof createPlaceLights>;

/** Throws `invalid` for the field at `path` if places with goods would lose their last light. */
export function refuseLost(lost: readonly string[], path = ''): void {
  const [first] = lost;
  if (first === undefined) return;
  throw new StationError(
    'invalid',
    first,
    lost.map((message) => ({ path, message })),
  );
}
