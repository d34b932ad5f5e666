import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, inject } from 'vitest';
import type { Sequence } from '#shared/api/sequence.ts';
import { DATABASE_FILE } from '../../../electron/server/db/database.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { addOrder, launch } from '../../helpers/orders.ts';
import { startReceiver, type Receiver } from '../../helpers/servers/receiver.ts';
import { START_MS, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { createHardware } from '../../property/model/hardware.ts';

export const ONE = '51D000:000001';
export const TWO = '51D000:000002';
export const THREE = '51D000:000003';

/** Path of the sequence. */
export const ROUND = '/api/sequence/round/';
/** Number of the order. */
export const ORDER = 'SO';

const SETTINGS = { default_seconds: 0 };

const WORK = ['sequences', 'steps', 'orders', 'shipments', 'items', 'commands'];
const TABLES = [...WORK, 'history', 'outbox', 'report_windows', 'commits'];

const LISTS = ['/api/sequence/', '/api/sequence-progress/', '/api/orders/', '/api/order-progress/'];
const ANSWERS = [...LISTS, ...[ONE, TWO, THREE].map((deviceId) => `/api/device/${deviceId}/`)];

/**
 * Starts a station with one sequence or order for each test. Its database can be made to refuse a statement in the middle of a use case.
 */
export function useWork() {
  let station: TestStation;
  let receiver: Receiver;
  let leave: () => void = () => undefined;

  beforeEach(async () => {
    receiver = await startReceiver();
    station = await startTestStation({ simulate: 3, refreshMs: 0 });
    await station.patch('/api/settings/', { ...SETTINGS, callback_url: receiver.url });
    // The first refresh of a device takes as long as on e-paper, so wait for it.
    await station.clock.advance(5_000);
  });

  afterEach(async () => {
    await station.stop();
    await receiver.stop();
    leave();
    leave = () => undefined;
  });

  /** Switches to devices that keep their state while the station is stopped, and that report presses immediately. */
  async function useLastingHardware() {
    await station.stop();
    const clock = createFakeClock(START_MS);
    const dataFolder = mkdtempSync(join(tmpdir(), 'pickstation-savepoint-'));
    cpSync(inject('template'), dataFolder, { recursive: true });
    const hardware = createHardware({ clock, seed: 1, tap: { station: (end) => end, turbo: (end) => end } });
    leave = () => {
      hardware.sim.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    };
    clock.whenIdle(() => hardware.idle(), 'the hardware');
    for (const deviceId of [ONE, TWO, THREE]) {
      hardware.sim.addDevice({ deviceId, buttons: 1, firmware: 70 });
      hardware.sim.setDevice(deviceId, { refreshFullMs: 0, refreshPartialMs: 0 });
    }
    async function start(): Promise<void> {
      station = await startTestStation({ clock, dataFolder, watchTransport: (own) => hardware.plug(own) });
    }
    await start();
    await station.patch('/api/settings/', { ...SETTINGS, callback_url: receiver.url });
    await clock.advance(12_000);
    return {
      start,
      press(...deviceIds: string[]): void {
        for (const deviceId of deviceIds) hardware.sim.press(deviceId, 'front', 'short');
      },
    };
  }

  return {
    get station() {
      return station;
    },
    useLastingHardware,
    /** Makes SQLite refuse this statement. Returns a function that ends the refusal. */
    breakAt(what: string, how: 'ABORT' | 'FAIL' | 'ROLLBACK' = 'ABORT'): () => void {
      const db = new Database(join(station.dataFolder, DATABASE_FILE));
      db.exec(`CREATE TRIGGER fault BEFORE ${what} BEGIN SELECT RAISE(${how}, 'fault'); END`);
      return () => {
        db.exec('DROP TRIGGER fault');
        db.close();
      };
    },
    /** Returns all state about work: the rows on disk, including facts, and the answers of the API. */
    async everything(): Promise<Record<string, unknown>> {
      const all: Record<string, unknown> = {};
      for (const table of TABLES) all[table] = station.rows(`SELECT * FROM ${table}`);
      for (const path of ANSWERS) {
        const answer = await station.get<{ commands?: unknown }>(path);
        all[path] = answer.commands ?? answer;
      }
      return all;
    },
    async launchRound(steps: readonly object[]): Promise<void> {
      await station.post('/api/sequence/', { sequenceid: 'round', sequencenonce: 'all', steps });
      await station.get('/api/launchsequence/round/');
      await station.clock.advance(1_000);
    },
    async launchOrder(items: readonly object[], given: object = {}): Promise<void> {
      await addOrder(station, ORDER, items, { ordernonce: 'all', ...given });
      await launch(station, ORDER);
    },
    /** Returns the state of the sequence and the states of its steps. */
    async stands(): Promise<string> {
      const { state, steps } = await station.get<Sequence>(ROUND);
      return `${state}: ${steps.map((step) => step.state).join(' ')}`;
    },
    /** Returns the callbacks so far as text. */
    told: () =>
      receiver
        .payloads()
        .map(({ order_event: event, acknack, nonce, qty }) =>
          (event === undefined ? [acknack, nonce, qty] : [event]).map(String).join(' '),
        ),
    kinds: () => station.rows<{ kind: string }>('SELECT kind FROM history ORDER BY id').map(({ kind }) => kind),
  };
}
