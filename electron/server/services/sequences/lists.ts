import type { Sequence, SequenceProgress, SequenceQuery } from '#shared/api/sequence.ts';
import type { TablesOf } from '../../core.ts';
import type { SequenceRow } from '../../db/repositories/sequences.ts';
import type { StepQueue } from '../../scheduling/index.ts';
import { progressEntry, sequenceEntry } from './entry.ts';

/** Number of sequences to read per turn of the event loop. With ten steps each, this takes about 1 ms. */
const READ_AT_ONCE = 20;

/** Lists sequences by sequenceid, starting after `after`. Uses background reads, so that presses take precedence. */
export function createSequenceLists({
  reads,
  backgroundReads,
}: {
  reads: TablesOf<'sequences'>;
  backgroundReads: Pick<StepQueue, 'take'>;
}) {
  /** Reads each sequence separately. Skips sequences that have since been deleted or no longer have the requested state. */
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
