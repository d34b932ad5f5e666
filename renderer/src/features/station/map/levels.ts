import { useCallback, useState } from 'react';

/** Zoom levels: light and name; a small screen; the exact screen and words. */
export const LEVELS = ['overview', 'shelf', 'close'] as const;
export type Level = (typeof LEVELS)[number];

/** The default level. The key `0` returns to it. */
export const USUAL_LEVEL: Level = 'shelf';

const STORED_AT = 'pickstation.level';

/**
 * Returns the zoom level and its setter. The level is stored in this browser, because a wall monitor and a tablet need
 * different levels.
 */
export function useLevel(): [Level, (level: Level) => void] {
  const [level, setLevel] = useState(read);
  const choose = useCallback((next: Level) => {
    setLevel(next);
    try {
      localStorage.setItem(STORED_AT, next);
    } catch {
      // Storage is full or blocked: keep the level until the page is closed.
    }
  }, []);
  return [level, choose];
}

/** Returns the level after a key: plus zooms in, minus zooms out, 0 resets. Returns undefined for other keys. */
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
