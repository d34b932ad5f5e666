import type { SequenceProgress, SequenceState } from '#shared/api/sequence.ts';
import type { TableSort } from '../../ui/DataTable.tsx';
import type { Tone } from '../../ui/StateTag.tsx';
import { compare, naturally, sortRows } from '../work/workRows.ts';

export const SEQUENCE_FILTERS = ['all', 'unstarted', 'in-progress', 'stalled', 'completed'] as const;
export type SequenceFilter = (typeof SEQUENCE_FILTERS)[number];

export const SEQUENCE_COLUMNS = ['sequence', 'state', 'progress', 'started', 'created'] as const;
export type SequenceSort = TableSort<(typeof SEQUENCE_COLUMNS)[number]>;

/** A sequence in the table: `key` is its id. */
export type SequenceTableRow = { key: string; sequence: SequenceProgress };

export const SEQUENCE_TONES: Readonly<Record<SequenceState, Tone>> = {
  unstarted: 'open',
  'in-progress': 'lit',
  stalled: 'halted',
  completed: 'done',
};

export function listSequenceRows(sequences: readonly SequenceProgress[]): readonly SequenceTableRow[] {
  return sequences.map((sequence) => ({ key: sequence.sequenceid, sequence }));
}

/** Whether the filter leaves it. */
export function isSequenceLeft({ sequence }: SequenceTableRow, filter: SequenceFilter): boolean {
  return filter === 'all' || sequence.state === filter;
}

/** How many sequences each filter leaves. */
export function countSequences(rows: readonly SequenceTableRow[]): Readonly<Record<SequenceFilter, number>> {
  const counts = { all: rows.length, unstarted: 0, 'in-progress': 0, stalled: 0, completed: 0 };
  for (const { sequence } of rows) counts[sequence.state] += 1;
  return counts;
}

/** In the order of a column; what is equal there by name. */
export function sortSequences(
  rows: readonly SequenceTableRow[],
  { by, descending }: SequenceSort,
): readonly SequenceTableRow[] {
  const sign = descending ? -1 : 1;
  if (by === 'sequence') return rows.toSorted((a, b) => sign * byName(a, b));
  return sortRows(rows, descending, ({ sequence }) => SORT_KEYS[by](sequence), byName);
}

/** Stalled sequences first, then running ones. */
const STATE_RANK: readonly SequenceState[] = ['stalled', 'in-progress', 'unstarted', 'completed'];

const SORT_KEYS: Record<Exclude<SequenceSort['by'], 'sequence'>, (sequence: SequenceProgress) => number | string> = {
  state: ({ state }) => STATE_RANK.indexOf(state),
  progress: ({ acknowledged_count, step_count }) => acknowledged_count / Math.max(1, step_count),
  started: ({ start_time }) => start_time ?? '',
  created: ({ created_time }) => created_time,
};

function byName(a: SequenceTableRow, b: SequenceTableRow): number {
  return naturally.compare(a.key, b.key) || compare(a.key, b.key);
}
