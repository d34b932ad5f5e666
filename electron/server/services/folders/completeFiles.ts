import type { Clock, FolderEntry } from '../../ports.ts';

/** A file is complete if its size and modification time stay the same for this long. */
const SETTLE_MS = 2_000;

type Seen = { size: number; modifiedMs: number; since: number; isUnended: boolean };

/** Tells which files no longer change, by their paths. */
export function createSettled(clock: Clock) {
  const seen = new Map<string, Seen>();
  return {
    /** Whether a file has not changed for two seconds, or for four if its last line has no end. */
    isSettled(path: string, { size, modifiedMs }: Pick<FolderEntry, 'modifiedMs' | 'size'>): boolean {
      const before = seen.get(path);
      const now = clock.monotonic();
      if (before?.size === size && before.modifiedMs === modifiedMs)
        return now - before.since >= SETTLE_MS * (before.isUnended ? 2 : 1);
      seen.set(path, { size, modifiedMs, since: now, isUnended: false });
      return false;
    },
    /** Notes that a file does not end with a line break. Returns false if this was known. */
    noteUnended(path: string): boolean {
      const file = seen.get(path);
      if (file === undefined || file.isUnended) return false;
      file.isUnended = true;
      return true;
    },
    /** Forgets a file, so that it is complete again only after two more seconds. */
    forget: (path: string): void => void seen.delete(path),
    /** Forgets the files of a folder that are not in `here`. */
    keepOnly(isOfFolder: (path: string) => boolean, here: ReadonlySet<string>): void {
      for (const path of seen.keys()) if (isOfFolder(path) && !here.has(path)) seen.delete(path);
    },
    /** Whether files are waiting to be complete. */
    hasWaiting: (): boolean => seen.size > 0,
    clear: (): void => seen.clear(),
  };
}

export type Settled = ReturnType<typeof createSettled>;
