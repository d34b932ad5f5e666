import { compareLabels } from '#shared/lib/text/locale.ts';
import type { SequenceProgress, SequenceState } from '#shared/api/sequence.ts';
import type { Tone } from '../../kit/feedback/StateTag.tsx';
import { compare } from '../../kit/list/columns.ts';
import type { WorkRows } from '../../shop/work/workRows.ts';

export const SEQUENCE_FILTERS = ['all', 'unstarted', 'in-progress', 'stalled', 'completed'] as const;
export type SequenceFilter = (typeof SEQUENCE_FILTERS)[number];

/** A row with a sequence. `key` is the sequence id. */
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

/** The states in sort order: stalled, in progress, not started, completed. */
export const STATE_RANK: readonly SequenceState[] = ['stalled', 'in-progress', 'unstarted', 'completed'];

/** How rows are filtered and sorted. Sequences that are equal in the sorted column are sorted by name. */
export const SEQUENCE_ROWS: WorkRows<SequenceTableRow, SequenceFilter> = {
  filters: SEQUENCE_FILTERS,
  isLeft: ({ sequence }, filter) => sequence.state === filter,
  tie: (a, b) => compareLabels(a.key, b.key) || compare(a.key, b.key),
};
