import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAX_NAME_CHARACTERS } from '#shared/api/device.ts';
import { whole } from '#shared/lib/inParts.ts';
import { openDatabase, type OpenDatabase } from '../../electron/server/db/database.ts';
import { createRepositories, type Repositories } from '../../electron/server/db/repositories.ts';
import { createWriter, type Writer } from '../../electron/server/db/writer.ts';
import { aliasTarget } from '../../electron/server/domain/commandQueue.ts';
import { createAliases } from '../../electron/server/services/aliases/index.ts';
import { createAudit } from '../../electron/server/services/base/index.ts';
import { createCommandMoves } from '../../electron/server/services/commands/moves.ts';
import type { QueueContext } from '../../electron/server/services/commands/queue.ts';
import { createLocationImport, type LocationImports } from '../../electron/server/services/places/locationImport.ts';
import { createFakeClock } from '../helpers/fakeClock.ts';
import { START_MS } from '../helpers/startTestStation.ts';
import { watchReads } from '../helpers/watchedReads.ts';
import { createCurrentLines } from '../../electron/server/services/commands/currentLines.ts';
import { createShownLines } from '../../electron/server/services/commands/shownLines.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const BY = { name: 'script', address: '' };

const { watched, readBy } = watchReads();

let folder: string;
let database: OpenDatabase;
let repositories: Repositories;
let writer: Writer;
let locations: LocationImports;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-import-'));
  database = openDatabase(folder);
  repositories = createRepositories(watched(database.writer));
  writer = createWriter({
    db: database.writer,
    clock: createFakeClock(START_MS),
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    soonMs: 0,
    revisionFloor: 0,
    publish: () => undefined,
    watchClock: () => undefined,
  });
  const context: QueueContext = {
    repositories,
    callbacks: { add: () => undefined },
    refresh: () => undefined,
    due: () => undefined,
    latencyMs: () => 0,
    reaches: () => true,
    ownerEnded: () => undefined,
    ownerMoved: () => undefined,
    ownerReached: () => undefined,
    ownerPressed: () => false,
    ownerOpen: () => false,
    ownerPicker: () => null,
    shownLines: createShownLines(),
    currentLines: createCurrentLines({ monotonic: () => 0 }),
  };
  const parts = {
    repositories,
    reads: repositories,
    writer,
    audit: createAudit({ repositories, reads: repositories }),
  };
  locations = createLocationImport({
    ...parts,
    aliases: createAliases({ ...parts, moves: createCommandMoves(context) }),
    devices: { change: () => ({ warnings: [], leftOut: [] }) },
    backgroundReads: { takeAll: (work) => Promise.resolve(whole(work)) },
  });
  for (const deviceId of [ONE, TWO]) repositories.devices.insert({ deviceId, buttons: 1, firmware: 70, createdAt: 0 });
});

afterEach(() => {
  writer.stop();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const nameOf = (index: number): string => `A-${index}`;

/** A file with this many aliases, each at the device that `deviceOf` says. */
function fileOf(count: number, deviceOf: (index: number) => string): string {
  const rows = Array.from({ length: count }, (_, index) => `${nameOf(index)},${deviceOf(index)},Above`);
  return `name,deviceid,deviceIs\n${rows.join('\n')}`;
}

const importFile = (csv: string) => locations.run(csv, { dryRun: false, by: BY });

/** Puts a command into a queue. */
function queue(deviceId: string, target: string, alias = ''): void {
  const position = (repositories.commands.lastPosition(deviceId) ?? -1) + 1;
  const codes = { barcode: '', qrcode: '', icon: '' };
  repositories.commands.insert({
    deviceId,
    position,
    target,
    alias,
    nonce: '',
    content: {
      command: 'flash',
      lines: ['x'],
      arrow: null,
      ...codes,
      quantity: 1,
      color: 'red',
      sound: '',
      seconds: 0,
    },
    arrowAdded: false,
    adjusted: null,
    adjustment: null,
    sender: 'script',
    createdAt: 0,
    base: null,
    latencyMs: 0,
    state: { kind: 'queued', firstAt: position === 0 ? 0 : null },
    outage: null,
    owner: null,
  });
}

const counts = () => [ONE, TWO].map((deviceId) => repositories.commands.count(deviceId));

/** The rows that something reads. */
async function rowsOf<T>(run: () => Promise<T>): Promise<{ rows: number; answer: T }> {
  let answer = Promise.resolve() as Promise<unknown>;
  const reading = readBy(() => {
    answer = run();
  });
  const result = (await answer) as T;
  return { rows: reading.rows, answer: result };
}

test('an import that moves many aliases of a device with a long queue, and its undo, read that queue once', async () => {
  const reads: number[][] = [];
  for (const size of [100, 200]) {
    const { rows } = await importFile(fileOf(size, () => ONE));
    for (const { id, name } of rows) queue(ONE, aliasTarget(id ?? 0), name);
    const moved = await rowsOf(() => importFile(fileOf(size, () => TWO)));
    expect(moved.answer.counts).toEqual({ new: 0, changed: size, unchanged: 0, refused: 0 });
    expect(counts()).toEqual([0, size]);
    const undone = await rowsOf(() => locations.undo(moved.answer.id ?? 0, BY));
    expect(undone.answer).toEqual({ undone: size, kept: [] });
    expect(counts()).toEqual([size, 0]);
    reads.push([moved.rows, undone.rows]);
    for (const { id } of repositories.commands.list(ONE)) repositories.commands.remove(id);
  }
  const [few = [], many = []] = reads;
  for (const [index, rows] of many.entries()) expect(rows).toBeLessThan(2.5 * (few[index] ?? 0));
});

test('rows that fail halfway make an import read hardly more', async () => {
  const labelOf = (index: number, failing: number): string =>
    'x'.repeat(index < 200 - failing ? 0 : MAX_NAME_CHARACTERS + 1);
  const reads: number[] = [];
  for (const failing of [0, 20]) {
    const rows = Array.from(
      { length: 200 },
      (_, index) => `${failing} ${index},${ONE},Above,${labelOf(index, failing)}`,
    );
    const { rows: read, answer } = await rowsOf(() => importFile(`name,deviceid,deviceIs,label\n${rows.join('\n')}`));
    expect(answer.counts).toEqual({ new: 200 - failing, changed: 0, unchanged: 0, refused: failing });
    reads.push(read);
  }
  const [none = 0, some = 0] = reads;
  expect(some).toBeLessThan(1.5 * none);
});
