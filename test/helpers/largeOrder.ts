import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { MAX_ITEMS } from '#shared/lib/orders/orderLimits.ts';
import { addOrder, anItem, ONE, orderPath } from './orders.ts';
import { startTestStation, type Answer, type TestStation } from './startTestStation.ts';

/** Devices of the large order, assigned to its items in turn. */
export const DEVICES = Array.from({ length: 5 }, (_, index) => `51D000:00000${index + 2}`);

const turn = () => new Promise((resolve) => setImmediate(resolve));
const callbacks = (of: TestStation) => of.rows("SELECT id FROM outbox WHERE payload LIKE '%press%'").length;

/** Gives each test a station with an order `big`, which has the maximum number of items. */
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
    /** Sends a request about the order. */
    send: (method: string, rest = '', body?: object): Promise<Answer> =>
      station.request(method, orderPath('big', rest), body),
    /**
     * Presses a button during the request. Returns the answer, the query results for each state that the database had during the request,
     * and copies of the data folder as kills during the request would leave it.
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

/** Copies a data folder as a kill at this moment would leave it. */
function copyOf(dataFolder: string): string {
  const killed = mkdtempSync(join(tmpdir(), 'pickstation-test-'));
  cpSync(dataFolder, killed, { recursive: true });
  return killed;
}

/** Starts a station on the data folder of a killed station. */
export async function startKilled(dataFolder: string): Promise<TestStation> {
  const after = await startTestStation({ dataFolder });
  expect(callbacks(after)).toBeLessThanOrEqual(1);
  return after;
}
