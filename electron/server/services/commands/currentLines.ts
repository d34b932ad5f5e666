import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Transaction } from '../../db/writer.ts';
import { type CurrentLine, hasArrived, isCurrent, lastsMs } from '../../domain/orders/currentLines.ts';
import type { Clock } from '../../ports.ts';

/**
 * Stores the line that each picker's page shows. The lines are only in memory, because pages send their line again after a restart.
 * `recheckIn` schedules a check of the devices for the time when an arrival or a current line expires.
 */
export function createCurrentLines(clock: Pick<Clock, 'monotonic'>, recheckIn: (ms: number) => void = () => undefined) {
  const lines = new Map<string, CurrentLine>();

  /** Returns the current line of this picker, unless it has expired. */
  function find(picker: string): CurrentLine | undefined {
    const line = lines.get(nameKey(picker));
    return line !== undefined && isCurrent(line, clock.monotonic()) ? line : undefined;
  }

  function put(picker: string, itemId: number, arrivedAt: number | null): void {
    const now = clock.monotonic();
    const before = find(picker);
    const same = before?.itemId === itemId ? before : undefined;
    const since = same?.since ?? now;
    const arrived = arrivedAt ?? same?.arrivedAt ?? null;
    lines.set(nameKey(picker), { picker, itemId, since, namedAt: now, arrivedAt: arrived });
    recheck();
  }

  /** Schedules the next check. Call after each check. */
  function recheck(): void {
    const now = clock.monotonic();
    recheckIn(Math.min(...[...lines.values()].map((line) => lastsMs(line, now))));
  }

  return {
    find,
    /** Records that the picker's page shows this line. */
    set: (picker: string, itemId: number): void => put(picker, itemId, null),
    /** Records that the picker scanned or touched something for this line. */
    arrive: (picker: string, itemId: number): void => put(picker, itemId, clock.monotonic()),
    clear: (picker: string): void => void lines.delete(nameKey(picker)),
    /**
     * Clears this line for all pickers except `picker` once the transaction is on disk. Returns whether the line was current for any of
     * these pickers.
     */
    end(tx: Pick<Transaction, 'apply'>, itemId: number, picker?: string | null): boolean {
      const ended = [...lines].filter(
        ([key, line]) => line.itemId === itemId && (picker === undefined || key !== nameKey(picker ?? '')),
      );
      // Keep a line that a page set again before the commit.
      for (const [key, line] of ended) tx.apply(() => void (lines.get(key) === line && lines.delete(key)));
      return ended.length > 0;
    },
    /** Clears a line that a commit closed, for all pickers. */
    drop(itemId: number): void {
      for (const [key, line] of lines) if (line.itemId === itemId) lines.delete(key);
    },
    recheck,
    list: (): CurrentLine[] => [...lines.values()].filter((line) => isCurrent(line, clock.monotonic())),
    hasArrived: (line: CurrentLine): boolean => hasArrived(line, clock.monotonic()),
    now: (): number => clock.monotonic(),
  };
}

export type CurrentLines = ReturnType<typeof createCurrentLines>;
