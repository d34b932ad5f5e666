import { useSyncExternalStore } from 'react';
import type { Remembered } from '../remembered.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'pickstation.theme';

/** The theme chosen for this browser: light, dark, or that of the system. */
export type ThemeChoice = { get(): Theme; set(theme: Theme): void; subscribe(listener: () => void): () => void };

/** Loads this browser's choice and sets it on the root element, from which the design tokens read it. */
export function createThemeChoice({ root, storage }: { root: HTMLElement; storage: Remembered }): ThemeChoice {
  const listeners = new Set<() => void>();
  const bars = [...root.ownerDocument.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].map((bar) => ({
    bar,
    scheme: bar.media.includes('dark') ? 'dark' : 'light',
  }));
  let theme = THEMES.find((known) => known === storage.get(KEY)) ?? 'system';

  function apply(): void {
    if (theme === 'system') delete root.dataset['theme'];
    else root.dataset['theme'] = theme;
    // Browser bars follow the system theme, so override them for a chosen theme.
    for (const { bar, scheme } of bars) {
      bar.media = theme === 'system' ? `(prefers-color-scheme: ${scheme})` : theme === scheme ? 'all' : 'not all';
    }
  }

  apply();
  return {
    get: () => theme,
    set(next) {
      theme = next;
      storage.set(KEY, next === 'system' ? null : next);
      apply();
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useTheme(choice: ThemeChoice): Theme {
  return useSyncExternalStore(choice.subscribe, choice.get);
}
