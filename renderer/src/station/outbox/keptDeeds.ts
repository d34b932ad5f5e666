import type { Remembered } from '../../storage.ts';
import { type Kept, type KeptDeed, readKept, writeKept } from './deeds.ts';

/** One person's unsent and refused actions, in memory and in this browser's storage. */
export type KeptDeeds = {
  now(): Kept;
  /** Adopts the stored actions of a closed tab. If that tab still sends them, their keys prevent double booking. */
  adoptStored(): void;
  /** Whether no actions are waiting, either in memory or in storage. */
  isEmpty(): boolean;
  /** Adds an action. `replaced` contains the keys of the actions that it replaces. */
  add(deed: KeptDeed, replaced: ReadonlySet<string>): void;
  remove(key: string): void;
  /** Counts an attempt to send an action that got no answer. */
  countTry(key: string): void;
  /** Moves an action to the refused ones. */
  refuse(deed: KeptDeed, why: string): void;
  /** Discards a refused action. */
  forget(key: string): void;
};

/** Loads a person's stored actions. `changed` is called after each change. */
export function createKeptDeeds(storage: Remembered, person: string, changed: () => void): KeptDeeds {
  let kept: Kept = readKept(storage, person);

  /** Applies a change to the stored actions, which other tabs may also have changed. */
  function change(apply: (kept: Kept) => Kept): void {
    writeKept(storage, person, apply(readKept(storage, person)));
    kept = apply(kept);
    changed();
  }

  return {
    now: () => kept,
    adoptStored() {
      const known = new Set(kept.deeds.map(({ key }) => key));
      const stored = readKept(storage, person);
      const others = stored.deeds.filter(({ key, kind }) => !known.has(key) && kind !== 'adjust');
      kept = { deeds: [...kept.deeds, ...others], refused: stored.refused };
    },
    isEmpty: () => kept.deeds.length + readKept(storage, person).deeds.length === 0,
    add: (deed, replaced) =>
      change((list) => ({ ...list, deeds: [...list.deeds.filter(({ key }) => !replaced.has(key)), deed] })),
    remove: (key) => change((list) => without(list, key)),
    countTry: (key) =>
      change((list) => ({ ...list, deeds: list.deeds.map((each) => (each.key === key ? tried(each) : each)) })),
    refuse: (deed, why) =>
      change((list) => ({ ...without(list, deed.key), refused: [...list.refused, { deed, why }] })),
    forget: (key) => change((list) => ({ ...list, refused: list.refused.filter(({ deed }) => deed.key !== key) })),
  };
}

function without(list: Kept, key: string): Kept {
  return { ...list, deeds: list.deeds.filter((each) => each.key !== key) };
}

function tried(deed: KeptDeed): KeptDeed {
  return { ...deed, tries: deed.tries + 1 };
}
