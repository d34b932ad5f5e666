import type { Answered } from './run.ts';

/** Counts of answers by status, operation and mistake in the request. */
export type Shares = {
  add(answered: Answered): void;
  /** Returns whether a request in this group got a status of this class, such as 2 for 2xx. */
  has(group: string, statusClass: number): boolean;
  /** Lists the groups of requests that contain a mistake. */
  mistakes(): string[];
  table(): string;
};

export function createShares(): Shares {
  const counts = new Map<string, Map<number, number>>();

  function count(group: string, status: number): void {
    const statuses = counts.get(group) ?? new Map<number, number>();
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    counts.set(group, statuses);
  }

  return {
    add({ request: { kind, what, operation, caller }, status }) {
      count(operation.operationId, status);
      count(`${kind}: ${what}`, status);
      if (kind === 'valid') count(`valid, by ${caller}`, status);
    },
    has: (group, statusClass) =>
      [...(counts.get(group)?.keys() ?? [])].some((status) => Math.floor(status / 100) === statusClass),
    mistakes: () => [...counts.keys()].filter((group) => /^(?:mutated|hostile): /.test(group)),
    table() {
      const lines = [...counts]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([group, statuses]) => {
          const all = [...statuses].toSorted(([one], [other]) => one - other).map(([status, n]) => `${status}: ${n}`);
          return `${group.padEnd(40)} ${all.join('  ')}`;
        });
      return lines.join('\n');
    },
  };
}
