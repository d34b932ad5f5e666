/** A station on a clock that stands still between events, with a simulated turbo and configurable cable and air. */
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { DATABASE_FILE } from '../electron/server/db/database.ts';
import type { Log } from '../electron/server/ports.ts';
import type { RadioFaults } from '../electron/server/simulator/radio.ts';
import { createSimulator } from '../electron/server/simulator/simulator.ts';
import { createStation } from '../electron/server/station.ts';
import { systemPorts } from '../electron/server/systemPorts.ts';
import type { LinkFaults, Transport } from '../electron/server/turbo/transports/transport.ts';
import { createFakeClock, type FakeClock } from '../test/helpers/fakeClock.ts';
import { seededFraction, seededIds } from '../test/helpers/seeded.ts';
import { createWires } from '../test/property/soak/wires.ts';
import { deviceId } from './loads.ts';
import { ADMIN_PASSWORD, API_KEY } from './processes.ts';

const START_MS = Date.UTC(2026, 10, 20, 8, 0, 0);
const SERIAL = 'T-1';
const LOG: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export type HallOptions = {
  folder: string;
  devices: number;
  /** 40: devices receive bitmaps; 70: fields. */
  firmware: number;
  /** Delay until a worker presses a lit device; undefined: never. */
  pressAfterMs: number | undefined;
  radio: RadioFaults;
  link: LinkFaults;
  line: (end: Transport, clock: FakeClock) => Transport;
};

export async function startHall(options: HallOptions) {
  const clock = createFakeClock(START_MS);
  const wires = createWires(clock, seededFraction(2));
  const station = createStation(
    {
      host: '127.0.0.1',
      port: 0,
      dataFolder: options.folder,
      simulate: 0,
      adminPassword: ADMIN_PASSWORD,
      apiKey: API_KEY,
      firstRun: 'print',
    },
    {
      ...systemPorts('silent', {}),
      serial: {
        list: () => Promise.resolve([]),
        open: () => Promise.reject(new Error('There is none')),
        reset: () => Promise.resolve(),
      },
      clock,
      ids: seededIds(1),
      soonMs: 0,
      watchTransport: (own) => options.line(wires.take(own, { says: () => undefined, heard: () => undefined }), clock),
    },
    join(options.folder, 'no-page'),
  );
  const sim = createSimulator({
    clock,
    ids: seededIds(3),
    log: LOG,
    identity: { serialNumber: SERIAL, name: 'Hall 1' },
    connect: (faults) => wires.connect(faults),
    radio: { ...options.radio, fraction: seededFraction(4) },
  });
  for (let number = 1; number <= options.devices; number += 1) {
    sim.addDevice({ deviceId: deviceId(number), buttons: 1, firmware: options.firmware });
    sim.setDevice(deviceId(number), { refreshFullMs: 0, refreshPartialMs: 0, pressAfterMs: options.pressAfterMs });
  }
  const started = await station.start();
  clock.whenIdle(() => wires.idle() && started.idle());
  await clock.advance(60_000);
  sim.setTurbo(SERIAL, options.link);

  return {
    clock,
    async post(path: string, body: unknown): Promise<void> {
      const headers = { 'api-key': API_KEY, 'content-type': 'application/json' };
      const answer = await fetch(new URL(path, started.url), { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${text}`);
    },
    /** Number of requested commands not shown yet. */
    unshown(): number {
      return read<{ count: number }>(`SELECT count(*) AS count FROM commands WHERE state <> 'shown'`)[0]?.count ?? 0;
    },
    /** Milliseconds from each pressed command to its screen. Infinity: pressed before the report of its screen arrived. */
    delaysMs: () =>
      read<{ created: string; shown: string | null }>(
        `SELECT detail ->> 'createdAt' AS created, detail ->> 'shownAt' AS shown FROM history WHERE kind = 'acknowledged'`,
      ).map(({ created, shown }) => (shown === null ? Infinity : Date.parse(shown) - Date.parse(created))),
    async stop(): Promise<void> {
      sim.stop();
      await station.stop();
    },
  };

  function read<T>(sql: string): T[] {
    const db = new Database(join(options.folder, DATABASE_FILE), { readonly: true });
    try {
      return db.prepare<[], T>(sql).all();
    } finally {
      db.close();
    }
  }
}
