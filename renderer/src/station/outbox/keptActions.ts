import type { Remembered } from '../../remembered.ts';
import { type Kept, type KeptAction, type Remedy, readKept, writeKept } from './actions.ts';

/** One person's unsent and refused actions, in memory and in this browser's storage. */
export type KeptActions = {
  now(): Kept;
  /** Adopts the stored actions of a closed tab. If that tab still sends them, their keys prevent double booking. */
  adoptStored(): void;
  /** Whether no actions are waiting, either in memory or in storage. */
  isEmpty(): boolean;
  /** Adds an action. `replaced` contains the keys of the actions that it replaces. */
  add(action: KeptAction, replaced: ReadonlySet<string>): void;
  remove(key: string): void;
  /** Stores another content of an action. */
  replace(action: KeptAction): void;
  /** Counts an attempt to send an action that got no answer. */
  countTry(key: string): void;
  /** Moves an action to the refused ones. */
  refuse(action: KeptAction, why: string): void;
  /** Stores what can still be done about a refused action. */
  setRemedy(key: string, remedy: Remedy): void;
  /** Discards a refused action. */
  forget(key: string): void;
};

/** Loads a person's stored actions. `changed` is called after each change. */
export function createKeptActions(storage: Remembered, person: string, changed: () => void): KeptActions {
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
      const known = new Set(kept.actions.map(({ key }) => key));
      const stored = readKept(storage, person);
      const others = stored.actions.filter(({ key, kind }) => !known.has(key) && kind !== 'adjust');
      kept = { actions: [...kept.actions, ...others], refused: stored.refused };
    },
    isEmpty: () => kept.actions.length + readKept(storage, person).actions.length === 0,
    add: (action, replaced) =>
      change((list) => ({ ...list, actions: [...list.actions.filter(({ key }) => !replaced.has(key)), action] })),
    remove: (key) => change((list) => without(list, key)),
    replace: (action) =>
      change((list) => ({ ...list, actions: list.actions.map((each) => (each.key === action.key ? action : each)) })),
    countTry: (key) =>
      change((list) => ({ ...list, actions: list.actions.map((each) => (each.key === key ? tried(each) : each)) })),
    refuse: (action, why) =>
      change((list) => ({ ...without(list, action.key), refused: [...list.refused, { action, why }] })),
    setRemedy: (key, remedy) =>
      change((list) => ({
        ...list,
        refused: list.refused.map((each) => (each.action.key === key ? { ...each, remedy } : each)),
      })),
    forget: (key) => change((list) => ({ ...list, refused: list.refused.filter(({ action }) => action.key !== key) })),
  };
}

function without(list: Kept, key: string): Kept {
  return { ...list, actions: list.actions.filter((each) => each.key !== key) };
}

function tried(action: KeptAction): KeptAction {
  return { ...action, tries: action.tries + 1 };
}
