import { createContext, use, useEffect } from 'react';
import { useLatest } from '../kit/useLatest.ts';

/** An action in the search palette (Ctrl+K). */
export type PaletteAction = {
  /** Id of the action among the recent actions. Stays the same across visits. */
  id: string;
  /** The action's text, as a person would type it, such as `Identify A-3-2`. */
  words: string;
  /** The subject of the action, shown at the end of its line. */
  hint?: string;
  run(): void;
};

/** Actions that the open pages offer in the palette. */
export type PaletteActions = {
  /** Adds actions. `list` is called whenever the palette opens. Returns a function that removes the actions. */
  add(list: () => readonly PaletteAction[]): () => void;
  all(): readonly PaletteAction[];
};

export function createPaletteActions(): PaletteActions {
  const lists = new Set<() => readonly PaletteAction[]>();
  return {
    add(list) {
      lists.add(list);
      return () => lists.delete(list);
    },
    all: () => [...lists].flatMap((list) => list()),
  };
}

const Context = createContext<PaletteActions | null>(null);

export const PaletteActionsProvider = Context.Provider;

export function usePaletteRegistry(): PaletteActions {
  const registry = use(Context);
  if (registry === null) throw new Error('A part of the window was drawn outside its PaletteActionsProvider.');
  return registry;
}

/** Offers actions in the palette while the component is mounted. */
export function usePaletteActions(actions: readonly PaletteAction[]): void {
  const registry = usePaletteRegistry();
  const newest = useLatest(actions);
  useEffect(() => registry.add(() => newest.current), [registry, newest]);
}
