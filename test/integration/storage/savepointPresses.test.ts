import { describe, expect, test } from 'vitest';
import { anItem, litDevices, statesOf } from '../../helpers/orders.ts';
import { ONE, ORDER, THREE, TWO, useWork } from './savepointRig.ts';

// An event and all its consequences form one savepoint, so that they take effect together or not at all.

/** Maximum time in which a turbo repeats a report that was not accepted. */
const REPEATED_MS = 10_000;
/** Time after which overdue work that could not be ended is checked again. */
const LOOKED_AGAIN_MS = 1_000;
const HOUR_MS = 3_600_000;

const work = useWork();

const FIRST = { order: 1, device: ONE, line1: 'a', stepnonce: 'n-a', quantity: 2 };
const IN_TWO_GROUPS = [FIRST, { order: 2, device: TWO, line1: 'b', stepnonce: 'n-b' }];

describe('a press whose next step cannot be lit', () => {
  test.each(['ABORT', 'FAIL', 'ROLLBACK'] as const)(
    'changes nothing (%s) and is kept; once the fault is fixed, it counts once and lights the next step',
    async (how) => {
      // Two presses without effect load the list of accepted reports into memory, as in normal operation.
      await work.station.press(ONE);
      await work.station.press(ONE);
      await work.launchRound(IN_TWO_GROUPS);
      const before = await work.everything();
      const mend = work.breakAt(`INSERT ON commands WHEN NEW.device_id = '${TWO}'`, how);
      await work.station.press(ONE);
      expect(await work.everything()).toEqual(before);
      expect(work.station.logged.map(({ message }) => message)).toContain('A button report could not be stored');
      await work.station.clock.advance(3 * REPEATED_MS);
      expect(await work.everything()).toEqual(before);
      expect(work.told()).toEqual([]);
      mend();
      await work.station.clock.advance(REPEATED_MS);
      expect(await work.stands()).toBe('in-progress: acknowledged active');
      expect(await litDevices(work.station)).toEqual([TWO]);
      expect(work.told()).toEqual(['ack n-a 2']);
      expect(work.kinds()).toEqual(['sequence_launched', 'acknowledged']);
      await work.station.press(TWO);
      expect(await work.stands()).toBe('completed: acknowledged acknowledged');
      expect(work.told()).toEqual(['ack n-a 2', 'ack n-b 0', 'ack all 0']);
    },
  );

  test('survives a restart of the station, and counts once the fault is fixed', async () => {
    const { start, press: pressThis } = await work.useLastingHardware();
    await work.launchRound(IN_TWO_GROUPS);
    const mend = work.breakAt(`INSERT ON commands WHEN NEW.device_id = '${TWO}'`);
    pressThis(ONE);
    await work.station.clock.advance(0);
    await work.station.halt();
    await work.station.clock.advance(HOUR_MS);
    await start();
    await work.station.clock.advance(3 * REPEATED_MS);
    expect(await work.stands()).toBe('in-progress: active pending');
    mend();
    await work.station.clock.advance(REPEATED_MS);
    expect(await work.stands()).toBe('in-progress: acknowledged active');
    expect(work.told()).toEqual(['ack n-a 2']);
  });

  test('does not affect a simultaneous press', async () => {
    const { press: pressBoth } = await work.useLastingHardware();
    await work.launchRound(IN_TWO_GROUPS);
    await work.station.post(`/api/device/${THREE}/`, { line1: 'x', nonce: 'n-x' });
    await work.station.clock.advance(1_000);
    const mend = work.breakAt(`INSERT ON commands WHEN NEW.device_id = '${TWO}'`);
    pressBoth(ONE, THREE);
    await work.station.clock.advance(0);
    expect(work.told()).toEqual(['ack n-x 0']);
    mend();
    await work.station.clock.advance(REPEATED_MS);
    expect(work.told()).toEqual(['ack n-x 0', 'ack n-a 2']);
  });
});

test('a press on an item changes nothing if the next item cannot be shown, and counts once the fault is fixed', async () => {
  await work.launchOrder([anItem({ name: 'first', callback_nonce: 'n-1' }), anItem({ name: 'second' })]);
  const before = await work.everything();
  const mend = work.breakAt('UPDATE ON commands');
  await work.station.press(ONE);
  await work.station.clock.advance(3 * REPEATED_MS);
  expect(await work.everything()).toEqual(before);
  mend();
  await work.station.clock.advance(REPEATED_MS);
  expect(await statesOf(work.station, ORDER)).toBe('in_progress: in_progress(done active)');
  expect((await work.station.device(ONE)).commands).toMatchObject([{ line1: 'second', state: 'shown' }]);
  expect(work.told()).toEqual(['device_ack', 'item_added']);
});

describe('a timeout that cannot be written completely changes nothing, and is reported once the fault is fixed', () => {
  test('for a step that stalls its sequence', async () => {
    await work.launchRound([{ ...FIRST, seconds: 5 }, ...IN_TWO_GROUPS.slice(1)]);
    const mend = work.breakAt("INSERT ON history WHEN NEW.kind = 'sequence_stalled'");
    const before = await work.everything();
    await work.station.clock.advance(40_000);
    expect(await work.everything()).toEqual(before);
    expect(work.told()).toEqual([]);
    mend();
    await work.station.clock.advance(REPEATED_MS);
    expect(await work.stands()).toBe('stalled: timed_out pending');
    expect(work.told()).toEqual(['nack n-a 0']);
    expect(work.kinds()).toEqual(['sequence_launched', 'timedOut', 'sequence_stalled']);
  });

  test('for an item with another item waiting in the queue', async () => {
    const item = anItem({ name: 'first', callback_nonce: 'n-1' });
    await work.launchOrder([item, anItem({ name: 'second' })], { seconds: 30 });
    const mend = work.breakAt('UPDATE ON commands');
    const before = await work.everything();
    await work.station.clock.advance(40_000);
    expect(await work.everything()).toEqual(before);
    mend();
    await work.station.clock.advance(REPEATED_MS);
    expect(work.told().slice(0, 1)).toEqual(['nack n-1 0']);
    expect(await statesOf(work.station, ORDER)).toBe('in_progress: in_progress(open active)');
  });

  test('for an unreachable device, while other commands time out at the same time', async () => {
    await work.station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
    await work.station.clock.advance(1_000);
    for (const [deviceId, nonce] of [
      [ONE, 'n-1'],
      [TWO, 'n-2'],
      [THREE, 'n-3'],
    ]) {
      await work.station.post(`/api/device/${deviceId}/`, { line1: 'x', nonce, seconds: 5 });
    }
    const mend = work.breakAt(`DELETE ON commands WHEN OLD.device_id = '${TWO}'`);
    await work.station.clock.advance(60_000);
    expect(work.told()).toEqual(['nack n-1 0', 'nack n-3 0']);
    expect(await litDevices(work.station)).toEqual([TWO]);
    mend();
    await work.station.clock.advance(LOOKED_AGAIN_MS);
    expect(work.told()).toEqual(['nack n-1 0', 'nack n-3 0', 'nack n-2 0']);
    expect(await litDevices(work.station)).toEqual([]);
  });
});
