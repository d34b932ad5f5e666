import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories, type Repositories } from '../../../electron/server/db/repositories.ts';
import type { CommandInsert } from '../../../electron/server/db/repositories/commands.ts';
import { RowCache } from '../../../electron/server/db/rowCache.ts';
import { createWriter, type Writer } from '../../../electron/server/db/writer.ts';
import { BARE_CONTENT } from '../../../shared/lib/requests/deviceRequest.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import * as fc from '../../helpers/fastCheck.ts';
import { START_MS } from '../../helpers/startTestStation.ts';

const DEVICES = ['D1', 'D2', 'D3'] as const;
const EPOCHS = [1, 2, 3, 4, 5, 6] as const;
const SEQUENCES = ['S0', 'S1'] as const;
const nameOf = (epoch: number): string => `S${epoch % SEQUENCES.length}`;
const STEP_STATES = ['active', 'acknowledged', 'timed_out', 'cancelled', 'pending'] as const;
/** Capacity of the cache. It is smaller than the number of devices, so that the cache fills up and is emptied. */
const LIMIT = 2;

let folder: string;
let database: OpenDatabase;
let cached: Repositories;
let plain: Repositories;
let writer: Writer;
/** Ids of inserted commands, some of which have been removed. */
let inserted: number[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-cache-'));
  database = openDatabase(folder);
});

afterEach(() => {
  writer.stop();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(limit: number): void {
  inserted = [];
  const rowCache = new RowCache(limit);
  cached = createRepositories(database.writer, rowCache);
  plain = createRepositories(database.writer);
  writer = createWriter({
    db: database.writer,
    rowCache,
    clock: createFakeClock(START_MS),
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    soonMs: 0,
    revisionFloor: 0,
    publish: () => undefined,
    watchClock: () => undefined,
  });
}

/** Returns everything that can be read through the cache. */
function answers({ devices, commands, reportWindows, sequences }: Repositories): unknown {
  return {
    steps: SEQUENCES.map((name) => sequences.count(sequences.find(name)?.id ?? 0)),
    devices: DEVICES.map((id) => devices.find(id)),
    commands: inserted.map((id) => commands.find(id)),
    first: DEVICES.map((id) => commands.findFirst(id)),
    shown: DEVICES.map((id) => shownPart(commands.findFirstShown(id))),
    windows: DEVICES.flatMap((id) => EPOCHS.map((epoch) => reportWindows.find(id, epoch))),
  };
}

/** Returns the id of one of the sequences, or 0 if it does not exist. */
const sequenceOf = (epoch: number): number => plain.sequences.find(nameOf(epoch))?.id ?? 0;

function shownPart(command: ReturnType<Repositories['commands']['findFirstShown']>): unknown {
  return command && [command.id, command.alias, command.content, command.adjusted, command.owner?.kind];
}

function aCommand(deviceId: string, isFirst: boolean, position: number): CommandInsert {
  const content = { ...BARE_CONTENT, lines: ['a'], color: 'red', seconds: 60 };
  const state = { kind: 'queued', firstAt: isFirst ? START_MS : null } as const;
  const rest = {
    arrowAdded: false,
    adjusted: null,
    adjustment: null,
    sender: 's',
    createdAt: 1,
    base: 3,
    latencyMs: 0,
  };
  return {
    deviceId,
    position,
    target: deviceId,
    alias: '',
    nonce: 'n',
    content,
    ...rest,
    state,
    outage: null,
    owner: null,
  };
}

type Step = { what: number; device: (typeof DEVICES)[number]; epoch: number; number: number };

/** All operations that change cached rows. */
const STEPS: readonly ((step: Step) => void)[] = [
  ({ device }) => {
    if (plain.devices.find(device) === undefined) cached.devices.insert({ deviceId: device, buttons: 1, firmware: 1 });
  },
  ({ device, number }) => {
    const row = cached.devices.find(device);
    if (row !== undefined) cached.devices.update({ ...row, label: `label ${number}` });
  },
  ({ device }) =>
    cached.devices.setHardware(device, { screen: false, led: true, buttons: 3, latency: 'slow', firmware: 2 }),
  ({ device, number }) =>
    cached.devices.saveCondition({ deviceId: device, batteryMv: number, rssiDbm: -1, uptimeS: 1, lastSeenAt: 1 }),
  ({ device }) => {
    if (plain.commands.count(device) === 0) cached.devices.remove(device);
  },
  ({ device, number }) => {
    if (plain.devices.find(device) === undefined) return;
    const isFirst = cached.commands.findFirst(device) === undefined;
    const position = (plain.commands.lastPosition(device) ?? 0) + 1 + number;
    inserted = [...inserted.slice(-9), cached.commands.insert(aCommand(device, isFirst, position))];
  },
  ({ device }) => {
    const first = cached.commands.findFirst(device);
    if (first !== undefined) cached.commands.setState(first, { kind: 'sent', firstAt: START_MS, sentAt: START_MS + 1 });
  },
  ({ device, number }) => {
    const [command] = cached.commands.list(device).slice(-1);
    if (command !== undefined) cached.commands.setAdjusted(command.id, number, { at: 2, by: 'p', base: number });
  },
  ({ device }) => {
    const [command] = cached.commands.list(device);
    if (command !== undefined) cached.commands.setState(command, { kind: 'queued', firstAt: START_MS + 2 });
  },
  ({ device }) => {
    const first = cached.commands.findFirst(device);
    const last = cached.commands.list(device).at(-1);
    if (first === undefined || last === undefined || first.id === last.id) return;
    cached.commands.setState(first, { kind: 'queued', firstAt: null });
    cached.commands.setPosition(last, first.position - 1);
    cached.commands.setState(last, { kind: 'queued', firstAt: START_MS + 3 });
  },
  ({ device, number }) => {
    const first = cached.commands.findFirst(device);
    if (first !== undefined) cached.commands.setOutage(first, { since: number, until: null });
  },
  ({ device, number }) => {
    const [command] = cached.commands.list(device);
    if (command !== undefined) cached.commands.setOutage(command, { since: number, until: null });
  },
  ({ device, number }) => {
    const [command] = cached.commands.list(device);
    if (command !== undefined) cached.commands.readdress({ ...command, alias: `alias ${number}` });
  },
  ({ device }) => {
    const first = cached.commands.findFirst(device);
    if (first === undefined) return;
    cached.commands.remove(first.id);
    const follower = cached.commands.findFollower(device);
    if (follower !== undefined) cached.commands.setState(follower, { kind: 'queued', firstAt: START_MS + 5 });
  },
  ({ number }) => cached.commands.shiftDeadlines(number),
  ({ device, epoch, number }) =>
    cached.reportWindows.save(device, epoch, { highest: number, seen: BigInt(number), pressedAt: number }, number),
  ({ device, epoch, number }) => {
    const window = cached.reportWindows.find(device, epoch);
    if (window !== undefined) cached.reportWindows.save(device, epoch, { ...window, highest: number }, number);
  },
  ({ epoch, number }) => {
    const content = { line1: 'x' };
    const aStep = { order: 1, device: 'D1', location: null, nonce: '', content };
    const id = sequenceOf(epoch) || cached.sequences.insert({ sequenceId: nameOf(epoch), nonce: '', now: 1 });
    cached.sequences.replaceSteps(
      id,
      Array.from({ length: 1 + (number % 4) }, () => aStep),
    );
  },
  ({ epoch, number }) => {
    for (const [index, { id }] of plain.sequences.listRun(sequenceOf(epoch)).entries()) {
      const state = STEP_STATES[(number + index) % STEP_STATES.length] ?? 'active';
      cached.sequences.setStep(id, { state, qty: null, finishedAt: null });
    }
  },
  ({ epoch }) => cached.sequences.resetSteps(sequenceOf(epoch)),
  ({ epoch, number }) => {
    if (number % 3 === 0) cached.sequences.remove(sequenceOf(epoch));
  },
];

const step = fc.record({
  what: fc.nat(STEPS.length - 1),
  device: fc.constantFrom(...DEVICES),
  epoch: fc.constantFrom(...EPOCHS),
  number: fc.nat(100),
});
/** The writes of one commit. A failing write is rolled back alone, whereas a write that breaks the database rolls back the whole commit. */
const useCase = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  end: fc.constantFrom('done', 'done', 'fails', 'breaks'),
});

test.each([LIMIT, 1_000])(
  'cached rows equal the rows on disk after any rollback, with at most %i cached rows of a kind',
  async (limit) => {
    open(limit);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(useCase, { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
        async (commits) => {
          for (const useCases of commits) {
            const seen: unknown[][] = [];
            const results = useCases.map(({ steps, end }) =>
              writer.write(() => {
                for (const each of steps) STEPS[each.what]?.(each);
                seen.push(structuredClone([answers(cached), answers(plain)]));
                if (end === 'breaks') database.writer.exec('ROLLBACK');
                if (end !== 'done') throw new Error('as wanted');
              }),
            );
            await Promise.allSettled(results);
            expect(seen).not.toEqual([]);
            for (const [mine, theirs] of [...seen, [answers(cached), answers(plain)]]) expect(mine).toEqual(theirs);
          }
        },
      ),
      { numRuns: 60 },
    );
  },
);

test('a stale or shared object does not put old values into the cache', () => {
  open(1_000);
  cached.devices.insert({ deviceId: 'D1', buttons: 1, firmware: 1 });
  const lines = ['a'];
  const given = aCommand('D1', true, 1);
  const id = cached.commands.insert({ ...given, content: { ...given.content, lines, quantity: -0 } });
  inserted.push(id);
  lines[0] = 'b';
  expect(answers(cached)).toEqual(answers(plain));
  const held = cached.commands.findFirst('D1');
  if (held === undefined) throw new Error('no first command');
  cached.commands.setAdjusted(id, 7, { at: 2, by: 'p', base: 4 });
  cached.commands.setOutage(held, { since: 5, until: null });
  expect(answers(cached)).toEqual(answers(plain));
  cached.commands.remove(id);
  cached.commands.setState(held, { kind: 'sent', firstAt: 1, sentAt: 2 });
  expect(answers(cached)).toEqual(answers(plain));
});
