import { expect, test } from 'vitest';
import type { SequenceState } from '#shared/api/sequence.ts';
import type { SequenceRow } from '../../../electron/server/db/repositories/sequences.ts';
import type { Repositories } from '../../../electron/server/db/repositories.ts';
import { createSequenceLists } from '../../../electron/server/services/sequences/lists.ts';

function rowOf(id: number, state: SequenceState): SequenceRow {
  const times = { createdAt: 0, startedAt: null, completedAt: null };
  return { id, sequenceId: `s${id}`, nonce: '', state, launchedBy: '', ...times };
}

/** Creates a list of `count` sequences. `between` runs before each turn except the first. */
function rig(count: number, between: (rows: Map<number, SequenceRow>) => void = () => undefined) {
  const rows = new Map(Array.from({ length: count }, (_, at) => [at + 1, rowOf(at + 1, 'unstarted')]));
  const readInTurns: number[] = [];
  const sequences = {
    list: ({ state }: { state: SequenceState | undefined }) =>
      [...rows.values()].filter((row) => state === undefined || row.state === state),
    findById: (id: number) => rows.get(id),
    listSteps() {
      readInTurns[readInTurns.length - 1] = (readInTurns.at(-1) ?? 0) + 1;
      return [];
    },
  };
  const backgroundReads = {
    take<T>(step: () => T): Promise<T> {
      if (readInTurns.length > 0) between(rows);
      readInTurns.push(0);
      return Promise.resolve(step());
    },
  };
  return {
    lists: createSequenceLists({ reads: { sequences } as unknown as Repositories, backgroundReads }),
    readInTurns,
  };
}

test('a list without a limit is complete, and each turn reads at most 50 sequences', async () => {
  const { lists, readInTurns } = rig(1_234);
  const listed = await lists.list({});
  expect(listed.map(({ sequenceid }) => sequenceid)).toEqual(Array.from({ length: 1_234 }, (_, at) => `s${at + 1}`));
  expect(Math.max(...readInTurns)).toBeLessThanOrEqual(50);
});

test('leaves out a sequence that is removed or changes its state before its turn', async () => {
  const { lists } = rig(60, (rows) => {
    rows.delete(50);
    rows.set(60, rowOf(60, 'in-progress'));
  });
  const listed = await lists.list({ state: 'unstarted' });
  const names = listed.map(({ sequenceid }) => sequenceid);
  expect(names).toHaveLength(58);
  expect(names).not.toContain('s50');
  expect(names).not.toContain('s60');
});
