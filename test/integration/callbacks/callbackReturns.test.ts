import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivery, DeliveryCounts } from '#shared/api/callback.ts';
import { DATABASE_FILE } from '../../../electron/server/db/database.ts';
import type { HttpAnswer } from '../../../electron/server/ports.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const DEVICES = 40;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let station: TestStation;
/** Nonces in the order of sending, and the nonces that were accepted. */
let sent: string[];
let taken: string[];
let underWay: Map<string, string>;
let mostUnderWay: number;
let mostOfOneDevice: number;
let reply: (nonce: string) => { status: number; retryAfter?: string };

function answerOf({ status, retryAfter }: ReturnType<typeof reply>): HttpAnswer {
  return { status, retryAfter, headers: {}, body: new Uint8Array(), isWhole: true };
}

beforeEach(async () => {
  sent = [];
  taken = [];
  underWay = new Map();
  mostUnderWay = 0;
  mostOfOneDevice = 0;
  reply = () => ({ status: 200 });
  station = await startTestStation({
    simulate: 1,
    refreshMs: 0,
    http: {
      send({ body }) {
        const { nonce, deviceid } = JSON.parse(body ?? '{}') as { nonce: string; deviceid: string };
        sent.push(nonce);
        underWay.set(nonce, deviceid);
        const devices = [...underWay.values()].filter((device) => device !== DEVICE);
        mostUnderWay = Math.max(mostUnderWay, devices.length);
        mostOfOneDevice = Math.max(mostOfOneDevice, devices.filter((device) => device === deviceid).length);
        const { promise, resolve } = Promise.withResolvers<HttpAnswer>();
        setImmediate(() => {
          const said = reply(nonce);
          underWay.delete(nonce);
          if (said.status === 200) taken.push(nonce);
          resolve(answerOf(said));
        });
        return { answer: promise, giveUp: () => undefined };
      },
      stop: () => undefined,
    },
  });
  await station.patch('/api/settings/', { callback_url: 'http://10.0.0.9/hook', backup_every: 0 });
  await station.clock.advance(5 * SECOND);
});

afterEach(() => station.stop());

/** Queues `count` deliveries for 40 devices, whose next attempts are hours away. `w0` is the oldest. */
async function owe(count: number): Promise<void> {
  await station.halt();
  const db = new Database(join(station.dataFolder, DATABASE_FILE));
  const insert = db.prepare(
    `INSERT INTO outbox (receiver, run_mark, history_id, family, payload, state, attempts, created_at, since_ran_ms, next_attempt_at, revision, event_at, picked)
     VALUES (0, 'owed', NULL, 'device', ?, 'pending', 7, ?, 0, ?, 1, 0, 0)`,
  );
  const now = station.clock.now();
  db.transaction(() => {
    for (let index = 0; index < count; index += 1) {
      const deviceid = `51D001:${String(index % DEVICES).padStart(6, '0')}`;
      const payload = { acknack: 'ack', deviceid, location: '', nonce: `w${index}`, qty: 1 };
      insert.run(JSON.stringify(payload), now - HOUR + index, now + 3 * HOUR + index);
    }
  })();
  db.close();
  await station.restart();
}

const press = () => station.press(DEVICE, 'front', 'long');
const counts = () => station.get<DeliveryCounts>('/api/callbacks/counts/');
const owed = () => taken.filter((nonce) => nonce.startsWith('w'));

test('one success sends all waiting deliveries within seconds, oldest first, in order for each device, a few at a time', async () => {
  await owe(400);
  await station.clock.advance(MINUTE);
  expect(sent).toEqual([]);
  await press();
  await station.clock.advance(SECOND);
  expect(await counts()).toMatchObject({ pending: 0, dead: 0 });
  expect(owed()).toHaveLength(400);
  expect(new Set(sent).size).toBe(401);
  for (let device = 0; device < DEVICES; device += 1) {
    const numbers = owed()
      .map((nonce) => Number(nonce.slice(1)))
      .filter((number) => number % DEVICES === device);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
  // No delivery is further from its place than the width of the window.
  const places = owed().map((nonce, place) => Math.abs(Number(nonce.slice(1)) - place));
  expect(Math.max(...places)).toBeLessThanOrEqual(64);
  expect(mostUnderWay).toBeGreaterThan(8);
  expect(mostUnderWay).toBeLessThanOrEqual(32);
  expect(mostOfOneDevice).toBe(1);
});

test('if a receiver fails again midway, the remaining deliveries follow their schedule', async () => {
  await owe(500);
  reply = () => ({ status: owed().length < 100 ? 200 : 503 });
  await press();
  await station.clock.advance(2 * SECOND);
  expect(owed()).toHaveLength(100);
  expect(sent.length).toBeLessThan(100 + 1 + 40);
  const before = sent.length;
  await station.clock.advance(2 * HOUR);
  // Only failed deliveries are sent again, on their own schedule.
  expect(sent.slice(before).every((nonce) => sent.indexOf(nonce) < before)).toBe(true);
  const waiting = await station.get<Delivery[]>('/api/callbacks/?state=pending&limit=1000');
  expect(waiting.filter(({ attempts }) => attempts === 7).length).toBeGreaterThan(350);
  reply = () => ({ status: 200 });
  await press();
  await station.clock.advance(SECOND);
  expect(await counts()).toMatchObject({ pending: 0, dead: 0 });
});

test('a delivery that the receiver always refuses does not block others, and is not sent repeatedly', async () => {
  await owe(200);
  reply = (nonce) => ({ status: nonce === 'w0' ? 500 : 200 });
  await press();
  await station.clock.advance(SECOND);
  expect(await counts()).toMatchObject({ pending: 1 });
  for (let pressed = 0; pressed < 20; pressed += 1) await press();
  await station.clock.advance(SECOND);
  expect(sent.filter((nonce) => nonce === 'w0')).toHaveLength(1);
});

test('waits for Retry-After, then sends the rest without another press', async () => {
  await owe(100);
  let isAsked = false;
  reply = () => {
    if (isAsked || owed().length < 20) return { status: 200 };
    isAsked = true;
    return { status: 429, retryAfter: '600' };
  };
  await press();
  await station.clock.advance(9 * MINUTE);
  expect(owed().length).toBeGreaterThanOrEqual(20);
  expect(owed().length).toBeLessThan(60);
  await station.clock.advance(2 * MINUTE);
  // The delivery that got 429 waits for its own schedule.
  expect(owed()).toHaveLength(99);
});

test('sending the waiting deliveries continues after a restart', async () => {
  await owe(100);
  let isAsked = false;
  reply = () => {
    if (isAsked || owed().length < 20) return { status: 200 };
    isAsked = true;
    return { status: 429, retryAfter: '60' };
  };
  await press();
  await station.clock.advance(SECOND);
  expect(owed().length).toBeLessThan(60);
  await station.restart();
  const before = owed().length;
  await station.clock.advance(30 * SECOND);
  expect(owed()).toHaveLength(before);
  await station.clock.advance(MINUTE);
  expect(owed()).toHaveLength(100);
});
