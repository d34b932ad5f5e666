import type { SequenceProgress, SequenceState } from '#shared/api/sequence.ts';
import type { TableSort } from '../../ui/DataTable.tsx';
import type { Tone } from '../work/StateTag.tsx';

export const SEQUENCE_FILTERS = ['all', 'unstarted', 'in-progress', 'stalled', 'completed'] as const;
export type SequenceFilter = (typeof SEQUENCE_FILTERS)[number];

export const SEQUENCE_COLUMNS = ['sequence', 'state', 'progress', 'started', 'created'] as const;
export type SequenceSort = TableSort<(typeof SEQUENCE_COLUMNS)[number]>;

/** A sequence in the table: `key` is its id. */
export type SequenceRow = { key: string; sequence: SequenceProgress };

export const SEQUENCE_TONES: Readonly<Record<SequenceState, Tone>> = {
  unstarted: 'open',
  'in-progress': 'lit',
  stalled: 'halted',
  completed: 'done',
};

const naturally = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export function listSequenceRows(sequences: readonly SequenceProgress[]): readonly SequenceRow[] {
  return sequences.map((sequence) => ({ key: sequence.sequenceid, sequence }));
}

/** How many sequences each filter leaves. */
export function countSequences(rows: readonly SequenceRow[]): Readonly<Record<SequenceFilter, number>> {
  const counts = { all: rows.length, unstarted: 0, 'in-progress': 0, stalled: 0, completed: 0 };
  for (const { sequence } of rows) counts[sequence.state] += 1;
  return counts;
}

/** Those whose id contains what is looked for; the one that is called so comes first. */
export function findSequenceRows(rows: readonly SequenceRow[], search: string): readonly SequenceRow[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return rows;
  const found = rows.filter(({ key }) => key.toLowerCase().includes(wanted));
  const exact = found.find(({ key }) => key.toLowerCase() === wanted);
  return exact === undefined ? found : [exact, ...found.filter((row) => row !== exact)];
}

/** In the order of a column; what is equal there by name. */
export function sortSequences(rows: readonly SequenceRow[], { by, descending }: SequenceSort): readonly SequenceRow[] {
  const sign = descending ? -1 : 1;
  const byName = (a: SequenceRow, b: SequenceRow) => naturally.compare(a.key, b.key) || compare(a.key, b.key);
  if (by === 'sequence') return rows.toSorted((a, b) => sign * byName(a, b));
  const keyOf = SORT_KEYS[by];
  return rows
    .map((row) => ({ row, key: keyOf(row.sequence) }))
    .toSorted((a, b) => sign * compare(a.key, b.key) || byName(a.row, b.row))
    .map(({ row }) => row);
}

/** What needs somebody comes first, then what goes on. */
const STATE_RANK: readonly SequenceState[] = ['stalled', 'in-progress', 'unstarted', 'completed'];

const SORT_KEYS: Record<Exclude<SequenceSort['by'], 'sequence'>, (sequence: SequenceProgress) => number | string> = {
  state: ({ state }) => STATE_RANK.indexOf(state),
  progress: ({ acknowledged_count, step_count }) => acknowledged_count / Math.max(1, step_count),
  started: ({ start_time }) => start_time ?? '',
  created: ({ created_time }) => created_time,
};

function compare(a: number | string, b: number | string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
