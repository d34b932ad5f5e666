import { useCallback, useState } from 'react';

/** How much of each device is seen: its light and name; a small screen; the screen pixel by pixel with words. */
export const LEVELS = ['overview', 'shelf', 'close'] as const;
export type Level = (typeof LEVELS)[number];

/** What `0` returns to, and where a browser begins. */
export const USUAL_LEVEL: Level = 'shelf';

const STORED_AT = 'pickstation.level';

/** The level of this browser, kept over reloads: the wall's monitor and the tablet want different ones. */
export function useLevel(): [Level, (level: Level) => void] {
  const [level, setLevel] = useState(read);
  const choose = useCallback((next: Level) => {
    setLevel(next);
    try {
      localStorage.setItem(STORED_AT, next);
    } catch {
      // Storage is full or forbidden: it lasts until the page is closed.
    }
  }, []);
  return [level, choose];
}

/** The level that a key asks for: plus is closer, minus farther, 0 the usual one; undefined for other keys. */
export function levelByKey(key: string, level: Level): Level | undefined {
  const at = LEVELS.indexOf(level);
  if (key === '+' || key === '=') return LEVELS[at + 1] ?? level;
  if (key === '-') return LEVELS[at - 1] ?? level;
  return key === '0' ? USUAL_LEVEL : undefined;
}

function read(): Level {
  try {
    const stored = localStorage.getItem(STORED_AT);
    return LEVELS.find((level) => level === stored) ?? USUAL_LEVEL;
  } catch {
    return USUAL_LEVEL;
  }
}
