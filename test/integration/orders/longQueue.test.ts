import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import { createRepositories, type Repositories } from '../../../electron/server/db/repositories.ts';
import type { Transaction } from '../../../electron/server/db/writer.ts';
import type { CommandContent } from '#shared/lib/requests/deviceRequest.ts';
import { createCommands, type Commands } from '../../../electron/server/services/commands/commands.ts';
import { watchReads } from '../../helpers/watchedReads.ts';
import { createCurrentLines } from '../../../electron/server/services/commands/currentLines.ts';
import { createShownLines } from '../../../electron/server/services/commands/shownLines.ts';

const ONE = '51D000:000001';
const LENGTH = 1_000;
/** Maximum number of rows that an operation may read: the first command, the next command and the affected command. */
const FEW_ROWS = 3;

const { watched, readBy } = watchReads();

let folder: string;
let database: OpenDatabase;
let repositories: Repositories;
let commands: Commands;
let tx: Transaction;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-queue-'));
  database = openDatabase(folder);
  repositories = createRepositories(watched(database.writer));
  commands = createCommands({
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
  });
  tx = {
    now: 1_000,
    revision: 1,
    attempt: (part) => part(),
    emit: () => undefined,
    apply: () => undefined,
    afterCommit: () => undefined,
    beforeCommit: () => undefined,
  };
  repositories.devices.insert({ deviceId: ONE, buttons: 3, firmware: 70 });
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function content(line: string): CommandContent {
  const codes = { barcode: '', qrcode: '', icon: '' };
  return { command: 'flash', lines: [line], arrow: null, ...codes, quantity: 2, color: 'red', sound: '', seconds: 60 };
}

function send(line: string, nonce: string): number {
  const place = { deviceId: ONE, target: 'device', alias: '', label: '', arrowAdded: false };
  return Number(commands.send(tx, { ...place, nonce, content: content(line), sender: 'script' }).commandId);
}

function fill(nonce: (index: number) => string): number[] {
  return Array.from({ length: LENGTH - 1 }, (_, index) => send(`line ${index}`, nonce(index)));
}

test.each([
  ['with nonces', (index: number) => `n${index}`],
  ['without nonces', () => ''],
])('operations on a long queue %s do not read the whole queue', (_name, nonce) => {
  const [first = 0, second = 0, third = 0] = fill(nonce);
  const at = tx.now;
  const happenings: [what: string, run: () => void][] = [
    ['a new command', () => send('new', nonce(LENGTH))],
    ['one that replaces another in the middle', () => send('line 500', nonce(500))],
    ['one that replaces the first', () => send('line 0', nonce(0))],
    ['a report that it is shown', () => commands.markShown(tx, { deviceId: ONE, token: first, at, sentAt: at })],
    ['a count', () => commands.adjust(tx, { deviceId: ONE, token: first, at, quantity: 5 })],
    [
      'a press',
      () => commands.acknowledge(tx, { deviceId: ONE, token: first, at, qty: null, by: 'device', reason: undefined }),
    ],
    ['an end', () => commands.timeOut(tx, { deviceId: ONE, token: second, at, by: 'device', hasCallback: true })],
    [
      'the end of a command that waits behind others',
      () => commands.timeOut(tx, { deviceId: ONE, token: third + 5, at, by: 'device', hasCallback: true }),
    ],
    ['a kill of one nonce', () => commands.kill(tx, { deviceId: ONE, target: undefined, nonce: 'n700', by: 'x' })],
  ];
  for (const [what, run] of happenings) {
    const { rows: count, statements } = readBy(run);
    // A press on a replaced command reads the history too.
    expect(count, what).toBeLessThanOrEqual(2 * FEW_ROWS);
    for (const sql of statements) {
      const values = Array.from(sql.match(/\?/g) ?? [], () => null);
      const plan = database.writer.prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
      for (const { detail } of plan) expect(`${what}: ${detail}`).not.toMatch(/SCAN|TEMP B-TREE/);
    }
  }
  expect(repositories.commands.findFirst(ONE)?.content.lines).toEqual(['line 2']);
});

test('finds a waiting command by its nonce and content through an index', () => {
  fill(() => '');
  const { statements } = readBy(() => send('line 700', ''));
  const plans = [...statements].flatMap((sql) => {
    const values = Array.from(sql.match(/\?/g) ?? [], () => null);
    return database.writer.prepare<null[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  });
  const details = plans.map(({ detail }) => detail);
  expect(details).toContain('SEARCH commands USING INDEX commands_waiting (device_id=? AND nonce=? AND look=?)');
  expect(repositories.commands.count(ONE)).toBe(LENGTH - 1);
});

test('a queue with gaps accepts up to a thousand commands, and a kill finds a nonce at any position', () => {
  const ids = fill((index) => `n${index}`);
  for (const token of ids.slice(100, 200))
    commands.timeOut(tx, { deviceId: ONE, token, at: 2_000, by: 'device', hasCallback: false });
  for (let index = 0; index < 101; index += 1) send('more', `m${index}`);
  expect(() => send('one too many', 'over')).toThrow(/1000 commands/);
  expect(send('in place of another', 'm50')).toBeGreaterThan(0);
  expect(repositories.commands.count(ONE)).toBe(LENGTH);
  const killed = (nonce: string) => commands.kill(tx, { deviceId: ONE, target: undefined, nonce, by: 'script' });
  expect([killed('n0'), killed('n1'), killed('m50'), killed('n0'), killed('nobody')]).toEqual([1, 1, 1, 0, 0]);
  expect(repositories.commands.findFirst(ONE)?.nonce).toBe('n2');
  expect(commands.kill(tx, { deviceId: ONE, target: undefined, nonce: undefined, by: 'script' })).toBe(LENGTH - 3);
  expect(repositories.commands.count(ONE)).toBe(0);
});

test('after every operation, only the first command of a queue is marked as no longer waiting', () => {
  const firsts = () => database.writer.prepare('SELECT nonce FROM commands WHERE first_at IS NOT NULL').pluck().all();
  const [first = 0, second = 0] = ['a', 'b', 'c', 'd'].map((nonce) => send('x', nonce));
  expect(firsts()).toEqual(['a']);
  send('x', 'b');
  commands.markSent(tx, ONE, second, 2_000);
  expect(firsts()).toEqual(['a']);
  send('y', 'a');
  expect(firsts()).toEqual(['a']);
  commands.acknowledge(tx, { deviceId: ONE, token: first, at: 2_000, qty: null, by: 'device', reason: undefined });
  commands.kill(tx, { deviceId: ONE, target: undefined, nonce: 'a', by: 'script' });
  expect(firsts()).toEqual(['b']);
  commands.kill(tx, { deviceId: ONE, target: undefined, nonce: 'b', by: 'script' });
  expect(firsts()).toEqual(['c']);
});

test('a press for an ended command does not read the earlier presses for it', () => {
  const token = send('line', 'n');
  commands.acknowledge(tx, { deviceId: ONE, token, at: tx.now, qty: null, by: 'device', reason: undefined });
  const late = {
    at: tx.now,
    kind: 'late' as const,
    deviceId: ONE,
    commandId: token,
    nonce: '',
    location: '',
    qty: 0,
    detail: {},
  };
  for (let press = 0; press < LENGTH; press += 1) repositories.history.insert(late);
  const press = { deviceId: ONE, token, at: tx.now };
  const happenings: [what: string, run: () => unknown][] = [
    ['front', () => commands.acknowledge(tx, { ...press, qty: null, by: 'device', reason: undefined })],
    ['plus', () => commands.adjust(tx, { ...press, quantity: 3 })],
    ['its description', () => commands.describeLate(token, { at: tx.now, now: tx.now })],
    ['its item', () => commands.itemOf(token)],
  ];
  for (const [what, run] of happenings) expect(readBy(run).rows, what).toBeLessThanOrEqual(FEW_ROWS);
});

test('a press for the first of many equal commands reads a few rows, before and after the last one ends', () => {
  const tokens = Array.from({ length: LENGTH }, () => send('line', ''));
  const [first = 0] = tokens;
  const middle = tokens[LENGTH / 2] ?? 0;
  const pressed = (token: number): boolean =>
    commands.acknowledge(tx, { deviceId: ONE, token, at: tx.now, qty: null, by: 'device', reason: undefined });
  const results: boolean[] = [];
  for (const token of [first, middle, tokens.at(-2) ?? 0]) {
    const { rows } = readBy(() => results.push(commands.adjust(tx, { deviceId: ONE, token, at: tx.now, quantity: 5 })));
    expect(rows).toBeLessThanOrEqual(3 * FEW_ROWS);
  }
  for (const token of [middle, first, middle, tokens.at(-1) ?? 0]) {
    const { rows } = readBy(() => results.push(pressed(token)));
    expect(rows).toBeLessThanOrEqual(3 * FEW_ROWS);
  }
  expect(results).toEqual([true, true, true, true, false, false, false]);
});
