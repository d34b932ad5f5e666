import type { Remembered } from '../../ui/storage.ts';

const KEY = 'pickstation.recent';
const MAX_RECENT = 8;

/** Ids of what was chosen last in this browser, newest first. */
export function readRecent(storage: Remembered): readonly string[] {
  return (storage.get(KEY) ?? '').split('\n').filter(Boolean);
}

export function rememberRecent(storage: Remembered, id: string): void {
  const others = readRecent(storage).filter((other) => other !== id);
  storage.set(KEY, [id, ...others].slice(0, MAX_RECENT).join('\n'));
}
