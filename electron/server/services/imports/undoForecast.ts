import type { ImportUndoForecast } from '#shared/api/imports.ts';
import type { InParts } from '#shared/lib/station/inParts.ts';

/** What an undo would do now with one order, article or row of a location file. `messages` tells why it would be kept. */
export type UndoFate = { name: string; fate: 'removed' | 'restored' | 'kept' | 'gone'; messages: readonly string[] };

/** Maximum number of names and of reasons. The counts are complete. */
const MOST_NAMES = 5;
const MOST_REASONS = 10;

type Group = { count: number; names: string[] };

/** Summarizes what an undo of these steps would do, step by step. */
export function* forecastOf<Step>(
  steps: readonly Step[],
  fatesOf: (step: Step) => readonly UndoFate[],
): InParts<ImportUndoForecast> {
  const removed: Group = { count: 0, names: [] };
  const restored: Group = { count: 0, names: [] };
  const reasons = new Map<string, Group>();
  for (const step of steps) {
    for (const { name, fate, messages } of fatesOf(step)) {
      if (fate === 'removed') add(removed, name);
      else if (fate === 'restored') add(restored, name);
      for (const message of messages) {
        const group = reasons.get(message) ?? { count: 0, names: [] };
        reasons.set(message, group);
        add(group, name);
      }
    }
    yield;
  }
  const groups = [...reasons].map(([message, group]) => ({ message, ...group })).sort((a, b) => b.count - a.count);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return { removed, restored, kept: { count, reasons: groups.slice(0, MOST_REASONS) } };
}

function add(group: Group, name: string): void {
  group.count += 1;
  if (group.names.length < MOST_NAMES) group.names.push(name);
}
