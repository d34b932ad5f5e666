import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { MAX_ITEMS } from '#shared/lib/orderLimits.ts';
import { addOrder, anItem, ONE, orderPath } from './orders.ts';
import { startTestStation, type Answer, type TestStation } from './startTestStation.ts';

/** Their devices, in turn. */
export const DEVICES = Array.from({ length: 5 }, (_, index) => `51D000:00000${index + 2}`);

const turn = () => new Promise((resolve) => setImmediate(resolve));
const callbacks = (of: TestStation) => of.rows("SELECT id FROM outbox WHERE payload LIKE '%press%'").length;

/** For each test a station with an order `big` of the most items that an order can have. */
export function useLargeOrder() {
  let station: TestStation;

  beforeEach(async () => {
    station = await startTestStation({ simulate: 6, refreshMs: 0 });
    await station.clock.advance(5_000);
    await station.patch('/api/settings/', { callback_url: 'http://127.0.0.1:1/' });
    const items = Array.from({ length: MAX_ITEMS }, (_, index) =>
      anItem({ SKU: 'CT-200', deviceid: DEVICES[index % 5] }),
    );
    await addOrder(station, 'big', items, { seconds: 0 });
  });

  afterEach(() => station.stop());

  return {
    get station(): TestStation {
      return station;
    },
    /** A request about the order. */
    send: (method: string, rest = '', body?: object): Promise<Answer> =>
      station.request(method, orderPath('big', rest), body),
    /**
     * A worker presses while the request is carried out. Returns the answer, each state that the database had meanwhile, as
     * these queries show it, and data folders as kills during the request would leave them.
     */
    async pressDuring(
      request: () => Promise<Answer>,
      queries: readonly string[],
    ): Promise<{ states: unknown[]; killed: string[]; answer: Answer }> {
      await station.post(`/api/device/${ONE}/`, { command: 'flash', nonce: 'press', seconds: 0 });
      await station.clock.advance(5_000);
      const states = new Map<string, string>();
      const look = () => {
        const state = JSON.stringify(queries.map((sql) => station.rows(sql)));
        if (!states.has(state)) states.set(state, copyOf(station.dataFolder));
      };
      look();
      const over = new AbortController();
      const answered = request().finally(() => over.abort());
      const pressed = station.press(ONE);
      while (!over.signal.aborted) {
        await turn();
        look();
      }
      await pressed;
      while (callbacks(station) === 0) await turn();
      const answer = await answered;
      return {
        states: [...states.keys()].map((state) => JSON.parse(state) as unknown),
        killed: [...states.values()],
        answer,
      };
    },
  };
}

/** A data folder as a kill at this moment would leave it. */
function copyOf(dataFolder: string): string {
  const killed = mkdtempSync(join(tmpdir(), 'pickstation-test-'));
  cpSync(dataFolder, killed, { recursive: true });
  return killed;
}

/** A station that starts on the data folder of one that was killed. */
export async function startKilled(dataFolder: string): Promise<TestStation> {
  const after = await startTestStation({ dataFolder });
  expect(callbacks(after)).toBeLessThanOrEqual(1);
  return after;
}
