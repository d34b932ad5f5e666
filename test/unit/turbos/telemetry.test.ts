import { expect, test } from 'vitest';
import type { SavedCondition } from '../../../electron/server/db/repositories/devices.ts';
import { createTelemetry } from '../../../electron/server/services/devices/telemetry.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';

const STATUS = {
  firmware: 70,
  buttons: 1,
  screen: true,
  led: true,
  latency: 'live',
  batteryMv: 3_000,
  rssiDbm: -60,
  uptimeS: 5,
  shownToken: 0,
  shownChecksum: undefined,
  remainingMs: undefined,
  reachable: true,
} as const;

function start(isReached: boolean) {
  const clock = createFakeClock(0);
  const saved: SavedCondition[] = [];
  const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const conditions = createTelemetry({
    clock,
    bus: { publishEphemera: () => undefined } as never,
    turbos: { reaches: () => isReached, turboOf: () => undefined, canPress: () => false, list: () => [] } as never,
    nameOf: () => undefined,
    save: async (all) => void saved.push(...all),
    log: silent,
  });
  return { clock, saved, conditions };
}

test.each([
  ['saves the stop time as last seen for a reachable device', true, 3_600_000],
  ["saves the last report's time for an unreachable device", false, 0],
])('when the station stops, %s', async (_what, isReached, seenAt) => {
  const { clock, saved, conditions } = start(isReached);
  conditions.record('51D000:000001', STATUS);
  await clock.advance(3_600_000);
  await conditions.stop();
  expect(saved.at(-1)).toMatchObject({ deviceId: '51D000:000001', lastSeenAt: seenAt });
});

test('saves the reports of devices once a minute, and nothing without reports', async () => {
  const { clock, saved, conditions } = start(false);
  conditions.start();
  for (const minute of [1, 2]) {
    conditions.record('51D000:000001', STATUS);
    await clock.advance(59_999);
    expect(saved).toHaveLength(minute - 1);
    await clock.advance(1);
    expect(saved).toHaveLength(minute);
  }
  await clock.advance(60_000);
  expect(saved).toHaveLength(2);
  await conditions.stop();
  expect(clock.timerCount()).toBe(0);
});
