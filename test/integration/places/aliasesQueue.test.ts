import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories, type Repositories } from '../../../electron/server/db/repositories.ts';
import { createWriter, type Writer } from '../../../electron/server/db/writer.ts';
import { aliasTarget } from '../../../electron/server/domain/commands/commandQueue.ts';
import { type Aliases, createAliases } from '../../../electron/server/services/aliases/index.ts';
import { createAudit } from '../../../electron/server/services/base/index.ts';
import { createPlaceLights } from '../../../electron/server/services/devices/placeLights.ts';
import { createLightFollower } from '../../../electron/server/services/places/lights.ts';
import { createCommandMoves } from '../../../electron/server/services/commands/moves.ts';
import type { CommandContext } from '../../../electron/server/services/commands/types.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { START_MS } from '../../helpers/startTestStation.ts';
import { watchReads } from '../../helpers/watchedReads.ts';
import { createCurrentLines } from '../../../electron/server/services/commands/currentLines.ts';
import { createShownLines } from '../../../electron/server/services/commands/shownLines.ts';

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const BY = 'script';

const { watched, readBy } = watchReads();

let folder: string;
let database: OpenDatabase;
let repositories: Repositories;
let writer: Writer;
let aliases: Aliases;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-aliases-'));
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
  const context: CommandContext = {
    repositories,
    callbacks: { add: () => undefined },
    refresh: () => undefined,
    due: () => undefined,
    latencyMs: () => 0,
    reaches: () => true,
    ownerEnded: () => undefined,
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
  };
  const parts = {
    repositories,
    reads: repositories,
    writer,
    audit: createAudit({ repositories, reads: repositories }),
  };
  const placeLights = createPlaceLights(repositories);
  const follower = createLightFollower({
    repositories,
    moves: createCommandMoves(context),
    lineLights: {
      isOfDevice: () => false,
      rename: () => [],
      darken: () => undefined,
      lightWaiting: () => undefined,
    },
    batches: { relightPicks: () => undefined },
    darkPlaces: { changed: () => [] },
  });
  placeLights.follow(follower);
  aliases = createAliases(parts, {
    placeLights,
  });
  for (const deviceId of [ONE, TWO]) repositories.devices.insert({ deviceId, buttons: 1, firmware: 70 });
});

afterEach(() => {
  writer.stop();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

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

/** Moves the alias to the other device and returns the number of rows read. */
async function moved(id: number): Promise<number> {
  let rows = 0;
  await writer.write((tx) => {
    const alias = repositories.aliases.find(id);
    if (alias === undefined) throw new Error(`no alias ${id}`);
    const reading = readBy(() => void aliases.replaceWithin(tx, alias, { ...alias, deviceid: TWO }, BY));
    ({ rows } = reading);
  });
  return rows;
}

test("moving an alias reads only its own commands, even if the device's queue is long", async () => {
  const ids = await writer.write((tx) =>
    ['A-1', 'A-2'].map((name) => aliases.addWithin(tx, { name, deviceid: ONE, deviceIs: 'Above' }, BY).id),
  );
  const [first = 0, second = 0] = ids;
  queue(ONE, aliasTarget(first), 'A-1');
  const short = await moved(first);
  for (let index = 0; index < 300; index += 1) queue(ONE, 'device');
  queue(ONE, aliasTarget(second), 'A-2');
  const long = await moved(second);
  expect([ONE, TWO].map((deviceId) => repositories.commands.count(deviceId))).toEqual([300, 2]);
  expect(long).toBeLessThan(short + 20);
});
