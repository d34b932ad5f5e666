import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  dueAt,
  expectedAt,
  expiresAt,
  findReplaced,
  lookOf,
  next,
  quantityOf,
  sameContent,
  type CommandEvent,
  type CommandState,
  type OpenState,
  type QueuedCommand,
} from '../../../electron/server/domain/commands/commandQueue.ts';
import type { CommandContent } from '#shared/lib/requests/deviceRequest.ts';

const CONTENT: CommandContent = {
  command: 'flash',
  lines: ['M8'],
  arrow: null,
  barcode: '',
  qrcode: '',
  icon: '',
  quantity: 3,
  color: 'red',
  sound: '',
  seconds: 60,
};

const WAITING: OpenState = { kind: 'queued', firstAt: null };
const QUEUED: OpenState = { kind: 'queued', firstAt: 10 };
const SENT: OpenState = { kind: 'sent', firstAt: 10, sentAt: 20 };
const SHOWN: OpenState = { kind: 'shown', firstAt: 10, sentAt: 20, shownAt: 30 };
const ENDED: readonly CommandState[] = [
  { kind: 'acknowledged', at: 40, qty: 3 },
  { kind: 'timedOut', at: 40, qty: 0 },
  { kind: 'killed', at: 40 },
  { kind: 'replaced', at: 40 },
];

const BECAME_FIRST: CommandEvent = { kind: 'becameFirst', at: 50 };
const PUT_BACK: CommandEvent = { kind: 'putBack' };
const WAS_SENT: CommandEvent = { kind: 'sent', at: 50 };
const WAS_SHOWN: CommandEvent = { kind: 'shown', at: 50, sentAt: 45 };
const PRESSED: CommandEvent = { kind: 'pressed', at: 50, qty: 2 };
const ELAPSED: CommandEvent = { kind: 'elapsed', at: 50, qty: 1 };
const KILLED: CommandEvent = { kind: 'killed', at: 50 };
const REPLACED: CommandEvent = { kind: 'replaced', at: 50 };
const EVENTS = [BECAME_FIRST, PUT_BACK, WAS_SENT, WAS_SHOWN, PRESSED, ELAPSED, KILLED, REPLACED];

describe('the life of a command', () => {
  const rows: [from: OpenState, event: CommandEvent, to: CommandState | 'unchanged'][] = [
    [WAITING, BECAME_FIRST, { kind: 'queued', firstAt: 50 }],
    [QUEUED, BECAME_FIRST, 'unchanged'],
    [SENT, BECAME_FIRST, 'unchanged'],
    [SHOWN, BECAME_FIRST, 'unchanged'],

    [WAITING, PUT_BACK, 'unchanged'],
    [QUEUED, PUT_BACK, WAITING],
    [SENT, PUT_BACK, WAITING],
    [SHOWN, PUT_BACK, WAITING],

    [WAITING, WAS_SENT, { kind: 'sent', firstAt: null, sentAt: 50 }],
    [QUEUED, WAS_SENT, { kind: 'sent', firstAt: 10, sentAt: 50 }],
    [SENT, WAS_SENT, 'unchanged'],
    [SHOWN, WAS_SENT, 'unchanged'],

    [QUEUED, WAS_SHOWN, { kind: 'shown', firstAt: 10, sentAt: 45, shownAt: 50 }],
    [SENT, WAS_SHOWN, { kind: 'shown', firstAt: 10, sentAt: 20, shownAt: 50 }],
    [SHOWN, WAS_SHOWN, 'unchanged'],
  ];
  for (const [from, event, to] of rows) {
    test(`${from.kind} (first since ${from.firstAt}) and ${event.kind}`, () => {
      const state = next(from, event);
      if (to === 'unchanged') expect(state).toBe(from);
      else expect(state).toEqual(to);
    });
  }

  test('a press, timeout, kill or replacement ends an open command at that moment', () => {
    for (const from of [WAITING, QUEUED, SENT, SHOWN]) {
      expect(next(from, PRESSED)).toEqual({ kind: 'acknowledged', at: 50, qty: 2 });
      expect(next(from, ELAPSED)).toEqual({ kind: 'timedOut', at: 50, qty: 1 });
      expect(next(from, KILLED)).toEqual({ kind: 'killed', at: 50 });
      expect(next(from, REPLACED)).toEqual({ kind: 'replaced', at: 50 });
    }
  });

  test('events do not change a command that has ended', () => {
    for (const from of ENDED) {
      for (const event of EVENTS) expect(next(from, event)).toBe(from);
    }
  });
});

describe('deadlines', () => {
  test('a shown command expires when its seconds have passed, and is due two seconds later', () => {
    expect(expiresAt(SHOWN, 60)).toBe(60_030);
    expect(dueAt(SHOWN, 60, 0)).toBe(62_030);
  });

  test('the time limit of an unshown command starts when it becomes first in its queue', () => {
    expect(expiresAt(QUEUED, 60)).toBeNull();
    expect(expiresAt(SENT, 60)).toBeNull();
    expect(dueAt(QUEUED, 60, 0)).toBe(62_010);
    expect(dueAt(SENT, 60, 0)).toBe(62_010);
    expect(dueAt(WAITING, 60, 0)).toBeNull();
  });

  test('the latency of a slow device is added until it shows the command', () => {
    expect(expectedAt({ state: QUEUED, latencyMs: 40_000 })).toBe(40_010);
    expect(dueAt(SENT, 60, 40_000)).toBe(102_010);
    for (const state of [WAITING, SHOWN]) expect(expectedAt({ state, latencyMs: 40_000 })).toBeNull();
    expect(dueAt(SHOWN, 60, 40_000)).toBe(62_030);
  });

  test('a command with 0 seconds never times out', () => {
    for (const state of [WAITING, QUEUED, SENT, SHOWN]) {
      expect(expiresAt(state, 0)).toBeNull();
      expect(dueAt(state, 0, 0)).toBeNull();
    }
  });
});

describe('replacing a command', () => {
  const queued = (change: Partial<QueuedCommand>): QueuedCommand => ({
    id: 1,
    deviceId: '51D000:000001',
    position: 0,
    target: 'device',
    alias: '',
    nonce: '',
    content: CONTENT,
    arrowAdded: false,
    adjusted: null,
    adjustment: null,
    sender: 'script',
    createdAt: 0,
    base: null,
    latencyMs: 0,
    state: QUEUED,
    outage: null,
    owner: null,
    ...change,
  });
  const other: CommandContent = { ...CONTENT, lines: ['M10'] };

  test('a command with a nonce replaces one with the same target and nonce, even with different content', () => {
    const queue = [queued({ id: 1, nonce: 'a' }), queued({ id: 2, nonce: 'b' })];
    expect(findReplaced(queue, { target: 'device', nonce: 'b', content: other })?.id).toBe(2);
    expect(findReplaced(queue, { target: 'device', nonce: 'c', content: CONTENT })).toBeUndefined();
    expect(findReplaced(queue, { target: 'label:x', nonce: 'b', content: CONTENT })).toBeUndefined();
  });

  test('a command without a nonce replaces one with the same target and content', () => {
    const queue = [queued({ id: 1 }), queued({ id: 2, content: other })];
    expect(findReplaced(queue, { target: 'device', nonce: '', content: other })?.id).toBe(2);
    expect(findReplaced(queue, { target: 'device', nonce: '', content: { ...CONTENT, quantity: 4 } })).toBeUndefined();
    expect(findReplaced(queue, { target: 'label:x', nonce: '', content: CONTENT })).toBeUndefined();
  });

  test('a command with a nonce and one without never replace each other', () => {
    expect(findReplaced([queued({ nonce: 'a' })], { target: 'device', nonce: '', content: CONTENT })).toBeUndefined();
    expect(findReplaced([queued({})], { target: 'device', nonce: 'a', content: CONTENT })).toBeUndefined();
  });

  test('a command that a step lit is never replaced', () => {
    const lit = [queued({ nonce: 'a', owner: { kind: 'step', id: 7, of: 'S' } })];
    expect(findReplaced(lit, { target: 'device', nonce: 'a', content: CONTENT })).toBeUndefined();
  });

  test('the quantity is the requested one until the worker changes it, even to 0', () => {
    expect(quantityOf(queued({}))).toBe(3);
    expect(quantityOf(queued({ adjusted: 0 }))).toBe(0);
    expect(quantityOf(queued({ content: { ...CONTENT, quantity: null } }))).toBeNull();
  });

  test('the content includes everything that a worker sees, hears or counts, but not the seconds', () => {
    const changes: Partial<CommandContent>[] = [
      { command: 'pick' },
      { lines: ['M8', 'x'] },
      { lines: [] },
      { arrow: 'left' },
      { barcode: '1' },
      { qrcode: '1' },
      { icon: 'x' },
      { quantity: null },
      { color: 'blue' },
      { sound: '15,c5,4' },
    ];
    for (const change of changes) {
      expect(sameContent(CONTENT, { ...CONTENT, ...change }), JSON.stringify(change)).toBe(false);
    }
    expect(sameContent(CONTENT, { ...CONTENT, lines: ['M8'], seconds: 5 })).toBe(true);
  });

  test('the same content has the same stored checksum in all versions', () => {
    const whole: CommandContent = {
      command: 'pick',
      lines: ['M8', '', 'x'],
      arrow: 'left',
      barcode: '1',
      qrcode: '2',
      icon: 'x',
      quantity: 0,
      color: 'blue',
      sound: '15,c5,4',
      seconds: 60,
    };
    const bare: CommandContent = { ...CONTENT, lines: [], color: '', quantity: null };
    expect([bare, CONTENT, whole].map((content) => crc32(lookOf(content)))).toEqual([
      2_126_880_217, 3_691_738_148, 3_295_329_064,
    ]);
  });
});
