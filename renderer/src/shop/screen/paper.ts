import { createContext, use, useMemo, useSyncExternalStore } from 'react';
import type { Rgb } from '#shared/screen/drawing.ts';

/** The two colors of e-paper, for pixels with and without ink. */
export type Paper = { ink: Rgb; paper: Rgb };

const DARK = '(prefers-color-scheme: dark)';
const BLACK_ON_WHITE: Paper = { ink: [0, 0, 0], paper: [255, 255, 255] };

const Context = createContext<Paper>(BLACK_ON_WHITE);

export const PaperProvider = Context.Provider;

/** Returns the colors of e-paper in the current theme. */
export function usePaper(): Paper {
  return use(Context);
}

/**
 * Returns the colors of e-paper, read from the design tokens whenever the theme changes. Use this only at the root,
 * because it computes styles.
 */
export function useThemePaper(): Paper {
  const key = useSyncExternalStore(watchTheme, readTokens);
  return useMemo(() => {
    const [ink, paper] = key.split(' ');
    return { ink: parseHex(ink) ?? BLACK_ON_WHITE.ink, paper: parseHex(paper) ?? BLACK_ON_WHITE.paper };
  }, [key]);
}

function readTokens(): string {
  const style = getComputedStyle(document.documentElement);
  return `${style.getPropertyValue('--paper-ink').trim()} ${style.getPropertyValue('--paper').trim()}`;
}

function watchTheme(handle: () => void): () => void {
  const query = window.matchMedia(DARK);
  query.addEventListener('change', handle);
  return () => query.removeEventListener('change', handle);
}

function parseHex(text: string | undefined): Rgb | undefined {
  const digits = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text ?? '');
  if (digits === null) return undefined;
  return [parseInt(digits[1] ?? '', 16), parseInt(digits[2] ?? '', 16), parseInt(digits[3] ?? '', 16)];
}
