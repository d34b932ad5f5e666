import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import { openDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories } from '../../../electron/server/db/repositories.ts';
import { RowCache } from '../../../electron/server/db/rowCache.ts';
import type { Transaction } from '../../../electron/server/db/writer.ts';
import { createCommands, type Commands } from '../../../electron/server/services/commands/commands.ts';
import { createSequenceRuns } from '../../../electron/server/services/sequences/runs.ts';
import { watchReads, type WatchedReading } from '../../helpers/watchedReads.ts';
import { createCurrentLines } from '../../../electron/server/services/commands/currentLines.ts';
import { createShownLines } from '../../../electron/server/services/commands/shownLines.ts';

const ONE = '51D000:000001';

/** Kills all steps of a sequence that are lit or waiting at one device, and returns what was read. */
function killed(size: number): WatchedReading {
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-sequence-'));
  const database = openDatabase(folder);
  const { watched, readBy } = watchReads();
  const repositories = createRepositories(watched(database.writer), new RowCache(10_000));
  const facts: string[] = [];
  const tx: Transaction = {
    now: 1_000,
    revision: 1,
    attempt: (part) => part(),
    emit: (fact) => {
      if (fact.type === 'sequence.changed') facts.push(`${fact.sequence.active_count} ${fact.sequence.halted_count}`);
    },
    apply: () => undefined,
    afterCommit: () => undefined,
    beforeCommit: () => undefined,
  };
  const callbacks = { add: () => undefined };
  let runs: ReturnType<typeof createSequenceRuns>;
  const commands: Commands = createCommands({
    repositories,
    callbacks,
    refresh: () => undefined,
    due: () => undefined,
    latencyMs: () => 0,
    reaches: () => true,
    ownerEnded: (inUnit, end) => runs.ended(inUnit, end),
    directPressed: () => undefined,
    ownerMoved: () => undefined,
    ownerReached: () => undefined,
    ownerPressed: () => false,
    ownerOpen: () => false,
    ownerPicker: () => null,
    slotName: () => undefined,
    ownerItem: () => undefined,
    shownLines: createShownLines(),
    currentLines: createCurrentLines({ monotonic: () => 0 }),
  });
  runs = createSequenceRuns({ repositories, commands, callbacks, settings: { current: () => DEFAULT_SETTINGS } });
  repositories.devices.insert({ deviceId: ONE, buttons: 1, firmware: 70 });
  const id = repositories.sequences.insert({ sequenceId: 'huge', nonce: '', now: 0 });
  const step = { order: 1, device: ONE, location: null, nonce: '', content: { line1: 'x' } };
  repositories.sequences.replaceSteps(
    id,
    Array.from({ length: size }, () => step),
  );
  const row = repositories.sequences.findById(id);
  if (row === undefined) throw new Error('There is no sequence.');
  const before = runs.load(row);
  for (const each of before.steps)
    repositories.sequences.setPlace(each.id, { deviceId: ONE, target: 'device', alias: '', arrow: null });
  const lit = {
    state: 'in-progress',
    steps: before.steps.map((each) => ({ ...each, state: 'active' as const })),
  } as const;
  repositories.sequences.update({ ...row, state: 'in-progress' });
  runs.light(tx, row, { before, after: lit });
  runs.publish(tx, row, false);
  expect(facts).toEqual([`${size} 0`]);
  const reading = readBy(() => commands.kill(tx, { deviceId: ONE, target: undefined, nonce: undefined, by: 'x' }));
  expect(facts.slice(1)).toEqual(Array.from({ length: size }, (_, index) => `${size - index - 1} ${index + 1}`));
  expect(repositories.sequences.findById(id)?.state).toBe('stalled');
  database.close();
  rmSync(folder, { recursive: true, force: true });
  return reading;
}

test('killing many steps of a sequence reads only these steps, not the whole sequence', () => {
  const [few, many] = [100, 200].map(killed);
  expect(many?.rows).toBeLessThan(2.5 * (few?.rows ?? 0));
  const ofAll = [...(many?.statements ?? [])].filter((sql) => /FROM steps\s+WHERE sequence = /.test(sql));
  expect(ofAll).toEqual([]);
});
