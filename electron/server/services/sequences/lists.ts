import type { Sequence, SequenceProgress, SequenceQuery } from '#shared/api/sequence.ts';
import type { TablesOf } from '../../core.ts';
import type { SequenceRow } from '../../db/repositories/sequences.ts';
import type { BackgroundReadQueue } from '../base/index.ts';
import { progressEntry, sequenceEntry } from './entry.ts';

/** Sequences that are read in one turn: with ten steps each a millisecond or so. */
const READ_AT_ONCE = 20;

/** Sequences as lists, in the order of sequenceids, from the one behind `after`. However many there are, presses go first. */
export function createSequenceLists({
  reads,
  backgroundReads,
}: {
  reads: TablesOf<'sequences'>;
  backgroundReads: Pick<BackgroundReadQueue, 'take'>;
}) {
  /** Each whole, as it is when its turn comes; one that is gone or elsewhere by then is left out. */
  async function readAll<T>({ state, after, limit }: SequenceQuery, read: (row: SequenceRow) => T): Promise<T[]> {
    const found = await backgroundReads.take(() => reads.sequences.list({ state, after, limit }));
    const entries: T[] = [];
    for (let start = 0; start < found.length; start += READ_AT_ONCE) {
      await backgroundReads.take(() => {
        for (const { id } of found.slice(start, start + READ_AT_ONCE)) {
          const row = reads.sequences.findById(id);
          if (row !== undefined && (state === undefined || row.state === state)) entries.push(read(row));
        }
      });
    }
    return entries;
  }

  return {
    list: (query: SequenceQuery): Promise<Sequence[]> =>
      readAll(query, (row) => sequenceEntry(row, reads.sequences.listSteps(row.id))),
    listProgress: (query: SequenceQuery): Promise<SequenceProgress[]> =>
      readAll(query, (row) => progressEntry(row, reads.sequences.count(row.id))),
  };
}

export type SequenceLists = ReturnType<typeof createSequenceLists>;
