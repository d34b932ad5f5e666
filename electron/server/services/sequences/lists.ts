import type { Sequence, SequenceProgress, SequenceQuery } from '#shared/api/sequence.ts';
import type { TablesOf } from '../../core.ts';
import type { SequenceRow } from '../../db/repositories/sequences.ts';
import type { StepQueue } from '../../scheduling/index.ts';
import { progressEntry, sequenceEntry } from './entry.ts';

/** Sequences to read per turn. With ten steps each, that takes about a millisecond. */
const READ_AT_ONCE = 20;

/** Lists sequences by sequenceid, after `after`, in background reads, so that presses go first. */
export function createSequenceLists({
  reads,
  backgroundReads,
}: {
  reads: TablesOf<'sequences'>;
  backgroundReads: Pick<StepQueue, 'take'>;
}) {
  /** Reads each sequence separately in its turn. Skips those that were deleted or changed state meanwhile. */
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
