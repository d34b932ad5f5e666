import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Transaction } from '../../db/writer.ts';
import {
  type CurrentLine,
  hasArrived,
  isCurrent,
  isSameLine,
  lastsMs,
  type LineOwner,
} from '../../domain/orders/currentLines.ts';
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

  function put(picker: string, owner: LineOwner, arrivedAt: number | null): void {
    const now = clock.monotonic();
    const before = find(picker);
    const same = before !== undefined && isSameLine(before.owner, owner) ? before : undefined;
    const since = same?.since ?? now;
    const arrived = arrivedAt ?? same?.arrivedAt ?? null;
    lines.set(nameKey(picker), { picker, owner, since, namedAt: now, arrivedAt: arrived });
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
    set: (picker: string, owner: LineOwner): void => put(picker, owner, null),
    /** Records that the picker scanned or touched something for this line. */
    arrive: (picker: string, owner: LineOwner): void => put(picker, owner, clock.monotonic()),
    /** Whether this line is the picker's current line. */
    isCurrent(owner: LineOwner, picker: string | null): boolean {
      const line = picker === null ? undefined : find(picker);
      return line !== undefined && isSameLine(line.owner, owner);
    },
    clear: (picker: string): void => void lines.delete(nameKey(picker)),
    /**
     * Clears this line for all pickers except `picker` once the transaction is on disk. Returns whether the line was current for any of
     * these pickers.
     */
    end(tx: Pick<Transaction, 'apply'>, owner: LineOwner, picker?: string | null): boolean {
      const ended = [...lines].filter(
        ([key, line]) => isSameLine(line.owner, owner) && (picker === undefined || key !== nameKey(picker ?? '')),
      );
      // Keep a line that a page set again before the commit.
      for (const [key, line] of ended) tx.apply(() => void (lines.get(key) === line && lines.delete(key)));
      return ended.length > 0;
    },
    /** Clears a line that a commit closed, for all pickers. */
    drop(owner: LineOwner): void {
      for (const [key, line] of lines) if (isSameLine(line.owner, owner)) lines.delete(key);
    },
    recheck,
    list: (): CurrentLine[] => [...lines.values()].filter((line) => isCurrent(line, clock.monotonic())),
    hasArrived: (line: CurrentLine): boolean => hasArrived(line, clock.monotonic()),
    now: (): number => clock.monotonic(),
  };
}

export type CurrentLines = ReturnType<typeof createCurrentLines>;
