import { expect, test } from 'vitest';
import { createBatchJob } from '../../../electron/server/db/batchJob.ts';
import type { OpenCommit } from '../../../electron/server/db/transaction.ts';
import type { Writer } from '../../../electron/server/db/writer.ts';
import { StationError } from '../../../electron/server/errors.ts';
import { stepsOf } from '../../../electron/server/services/imports/locations/applyLocations.ts';
import { runSteps } from '../../../electron/server/services/imports/applySteps.ts';
import type { AssessedPlace } from '../../../electron/server/services/imports/types.ts';

/** Lists the steps that change labels from `before` to `after`. */
function stepsFor(changes: readonly (readonly [before: string, after: string])[]): string[][] {
  const places = changes.map(([before, after], index) => {
    const said = {
      name: '',
      deviceid: before,
      deviceIs: '',
      label: after,
      note: '',
      article: '',
      rack: '',
      shelf: '',
      column: '',
    };
    const read = { line: index + 2, said, problem: '', isLeftOut: false, name: '', device: before, deviceIs: '' };
    const wanted = {
      deviceId: before,
      alias: null,
      label: { after, before },
      named: null,
      articles: [],
      renames: [],
      cell: null,
    };
    return {
      read: { ...read, label: after, note: '', articles: [], position: null, unplaced: '' },
      outcome: 'changed',
      wanted,
      warning: '',
    } satisfies AssessedPlace;
  });
  return stepsOf(places).map((step) => step.map(({ read }) => read.device));
}

test('a label is removed from a device before another device gets it', () => {
  expect(
    stepsFor([
      ['A-1', 'A-2'],
      ['A-2', 'a-3'],
      ['A-3', 'A-4'],
      ['B-1', 'B-2'],
    ]),
  ).toEqual([['A-3'], ['A-2'], ['A-1'], ['B-1']]);
  expect(
    stepsFor([
      ['A-3', 'A-4'],
      ['A-2', 'A-3'],
      ['A-1', 'A-2'],
    ]),
  ).toEqual([['A-3'], ['A-2'], ['A-1']]);
});

test('devices that swap labels in a cycle change in one step', () => {
  expect(
    stepsFor([
      ['A-1', 'A-2'],
      ['A-2', 'A-3'],
      ['A-3', 'A-1'],
      ['B-1', 'B-2'],
    ]),
  ).toEqual([['A-1', 'A-2', 'A-3'], ['B-1']]);
  expect(
    stepsFor([
      ['C-1', 'A-1'],
      ['A-1', 'A-2'],
      ['A-2', 'A-3'],
    ]),
  ).toEqual([['A-2'], ['A-1'], ['C-1']]);
});

test('a label that changes only in case is a separate step', () => {
  expect(
    stepsFor([
      ['A-1', 'a-1'],
      ['A-2', 'a-2'],
    ]),
  ).toEqual([['A-1'], ['A-2']]);
});

/** A writer that runs use cases without a database. */
const writer: Pick<Writer, 'writeEach'> = {
  writeEach(items, useCase, failed) {
    const inSavepoint = <T>(_commit: OpenCommit, run: () => T, otherwise: (error: unknown) => T): T => {
      try {
        return run();
      } catch (error) {
        return otherwise(error);
      }
    };
    const { job, results } = createBatchJob({ items, useCase, failed, inSavepoint, monotonic: () => 0 });
    const settle: (() => void)[] = [];
    // These steps use only `settle` from the commit.
    while (!job.step({ settle } as unknown as OpenCommit));
    for (const run of settle) run();
    return results;
  },
};

test('a refused step does not affect the others, and after an unexpected error all later steps fail', async () => {
  const run: number[] = [];
  const steps = (error: Error) =>
    runSteps(writer, [1, 2, 3], {
      run(_tx, step) {
        run.push(step);
        if (step === 2) throw error;
        return `${step} done`;
      },
      refuse: (step, message) => `${step} ${message}`,
    });
  expect(await steps(new StationError('conflict', 'In use.'))).toEqual(['1 done', '2 In use.', '3 done']);
  await expect(steps(new Error('a defect'))).rejects.toThrow('a defect');
  expect(run).toEqual([1, 2, 3, 1, 2]);
});
