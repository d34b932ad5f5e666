import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { addOrder, anItem, ONE, orderPath } from './orders.ts';
import { startTestStation, type Answer, type TestStation } from './startTestStation.ts';

/** Their devices, in turn. */
export const DEVICES = Array.from({ length: 5 }, (_, index) => `51D000:00000${index + 2}`);
export const COMMANDS = "SELECT owner_id FROM commands WHERE owner_kind = 'item'";

export const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Whether a part of what was begun with an order is still to be done. */
export const hasTask = (of: TestStation) => of.rows('SELECT * FROM order_tasks').length > 0;
const callbacks = (of: TestStation) => of.rows("SELECT id FROM outbox WHERE payload LIKE '%press%'").length;

/** For each test a station with an order `big` of this many items: what is done with it in parts, presses in between, and kills at any time. */
export function useLargeOrder(size: number) {
  let station: TestStation;

  beforeEach(async () => {
    station = await startTestStation({ simulate: 6, refreshMs: 0 });
    await station.clock.advance(5_000);
    await station.patch('/api/settings/', { callback_url: 'http://127.0.0.1:1/' });
    const items = Array.from({ length: size }, (_, index) => anItem({ SKU: 'CT-200', deviceid: DEVICES[index % 5] }));
    await addOrder(station, 'big', items, { seconds: 0 });
  });

  afterEach(() => station.stop());

  return {
    get station(): TestStation {
      return station;
    },
    /** Continues with another station. */
    set station(next: TestStation) {
      station = next;
    },
    /** A request about the order. */
    send: (method: string, rest = '', body?: object): Promise<Answer> =>
      station.request(method, orderPath('big', rest), body),
    /**
     * A worker presses while the request is carried out. Returns the answer, and the data folder as a kill at that moment
     * would leave it.
     */
    async pressDuring(request: () => Promise<Answer>): Promise<{ killed: string; lit: number; answer: Answer }> {
      await station.post(`/api/device/${ONE}/`, { command: 'flash', nonce: 'press', seconds: 0 });
      await station.clock.advance(5_000);
      const over = new AbortController();
      const answered = request().finally(() => over.abort());
      while (!hasTask(station)) await turn();
      const pressed = station.press(ONE);
      while (callbacks(station) === 0) await turn();
      expect(over.signal.aborted).toBe(false);
      expect(hasTask(station)).toBe(true);
      const lit = station.rows(COMMANDS).length;
      const killed = copyOf(station.dataFolder);
      const answer = await answered;
      await pressed;
      expect(callbacks(station)).toBe(1);
      return { killed, lit, answer };
    },
  };
}

/** A data folder as a kill at this moment would leave it. */
export function copyOf(dataFolder: string): string {
  const killed = mkdtempSync(join(tmpdir(), 'pickstation-test-'));
  cpSync(dataFolder, killed, { recursive: true });
  return killed;
}

/** A station started on this folder, once it has finished the tasks that were begun. */
export async function restarted(dataFolder: string): Promise<TestStation> {
  const after = await startTestStation({ dataFolder });
  while (hasTask(after)) await turn();
  expect(callbacks(after)).toBe(1);
  return after;
}
