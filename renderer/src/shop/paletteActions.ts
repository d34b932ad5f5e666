import { createContext, use, useEffect } from 'react';
import { useLatest } from '../kit/useLatest.ts';

/** Something that can be done from the palette (Ctrl+K). */
export type PaletteAction = {
  /** Names it among the recent ones; the same on every visit. */
  id: string;
  /** What it does, as a person would type it: `Identify A-3-2`. */
  words: string;
  /** What it belongs to, at the end of its line. */
  hint?: string;
  run(): void;
};

/** What the pages that are open offer to the palette. */
export type PaletteActions = {
  /** `list` is asked whenever the palette opens; answers what takes it away. */
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

/** Offers actions to the palette as long as the component is drawn. */
export function usePaletteActions(actions: readonly PaletteAction[]): void {
  const registry = usePaletteRegistry();
  const newest = useLatest(actions);
  useEffect(() => registry.add(() => newest.current), [registry, newest]);
}
