import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000002';
const LATENCY_MS = 400;

let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 2, refreshMs: 0 });
  await station.clock.advance(3_000);
});

afterEach(() => station.stop());

const ask = (request: object) =>
  station.request('POST', `/api/device/${DEVICE}/`, { line1: 'M8', quantity: 2, nonce: 'n', ...request });
const press = (button: string) =>
  station.request('POST', `/api/simulator/devices/${DEVICE}/press/`, { button, hold: 'short' });

/** Returns the count at the station and the count that the device reports when it is pressed. */
async function counts(): Promise<{ station: number | null | undefined; device: number | undefined }> {
  await station.clock.advance(10 * LATENCY_MS);
  const [command] = (await station.device(DEVICE)).commands;
  await press('front');
  await station.clock.advance(10 * LATENCY_MS);
  const sql = "SELECT qty FROM history WHERE kind = 'acknowledged' ORDER BY id DESC LIMIT 1";
  return { station: command?.quantity, device: station.rows<{ qty: number }>(sql)[0]?.qty };
}

test('a count made just before its command is repeated is kept by the station and the device', async () => {
  await ask({});
  await station.clock.advance(1_000);
  await station.patch('/api/simulator/turbos/SIM-1/', { latency_ms: LATENCY_MS });
  await press('plus');
  await ask({});
  expect(await counts()).toEqual({ station: 3, device: 3 });
});

test('the device and the station agree after many counts, each followed by a repeated command', async () => {
  await ask({});
  await station.clock.advance(1_000);
  await station.patch('/api/simulator/turbos/SIM-1/', { latency_ms: LATENCY_MS });
  for (const button of ['plus', 'plus', 'minus', 'plus', 'plus']) {
    await press(button);
    await ask({});
    await station.clock.advance(150);
  }
  const { station: counted, device } = await counts();
  expect(device).toBe(counted);
  // A repeated command can reset the display briefly, and a press then counts from that value.
  expect(device).toBeGreaterThan(3);
});

test('the command is not shown again for a count that the repeated command already includes', async () => {
  await ask({});
  await station.clock.advance(1_000);
  await station.patch('/api/simulator/turbos/SIM-1/', { latency_ms: LATENCY_MS });
  await press('plus');
  await press('minus');
  await ask({});
  await station.clock.advance(10 * LATENCY_MS);
  const replaced = () => station.rows("SELECT id FROM history WHERE kind = 'replaced'").length;
  // Three at most: the repeated command, the count of three that it did not include, and the final count of two.
  expect(replaced()).toBeLessThanOrEqual(3);
  const before = replaced();
  await press('plus');
  await press('minus');
  expect(await counts()).toEqual({ station: 2, device: 2 });
  expect(replaced()).toBe(before);
});

test('a count is dropped when the content of the command changes', async () => {
  await ask({});
  await station.clock.advance(1_000);
  await press('plus');
  await ask({});
  expect((await station.device(DEVICE)).commands).toMatchObject([{ quantity: 3 }]);
  await ask({ line1: 'M10' });
  expect(await counts()).toEqual({ station: 2, device: 2 });
});
