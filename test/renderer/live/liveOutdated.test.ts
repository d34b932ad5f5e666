import { describe, expect, test } from 'vitest';
import { snapshotAt, startLive, tell } from './liveRig.ts';

describe('changes of the clock', () => {
  test.each([
    ['forward a little', 10_000],
    ['back by an hour', -3_600_000],
  ])('after the clock is set %s, the next message triggers a snapshot that corrects the clock skew', async (_, ms) => {
    const rig = startLive();
    const first = await rig.begin();
    rig.advance(1_000);
    rig.setClock(ms);
    first.onMessage({ kind: 'alive' });
    expect(rig.loads).toHaveLength(2);
    tell(first, 6, 'six');
    first.onMessage({ kind: 'alive' });
    await rig.load(1).answer(snapshotAt(5, 'five'));
    expect(rig.store.getState().clockSkewMs).toBe(ms);
    expect(rig.statica()).toBe('six');
    expect(rig.loads).toHaveLength(2);
  });

  test('if a jump ahead makes the stream count as lost, the snapshot of the next stream corrects the clock skew', async () => {
    const rig = startLive();
    await rig.begin();
    rig.setClock(3_600_000);
    rig.live.look();
    rig.stream(1).opened();
    await rig.load(1).answer(snapshotAt(5, 'five'));
    expect(rig.store.getState().clockSkewMs).toBe(3_600_000);
    expect(rig.connection()).toBe('live');
  });

  test('an imperceptible change of the clock does not trigger a snapshot', async () => {
    const rig = startLive();
    const first = await rig.begin();
    rig.setClock(1_500);
    first.onMessage({ kind: 'alive' });
    expect(rig.loads).toHaveLength(1);
  });

  test("the station's message about shifted deadlines triggers a snapshot that corrects the clock skew", async () => {
    const rig = startLive();
    const first = await rig.begin();
    first.onMessage({ kind: 'facts', revision: 6, facts: [{ type: 'deadlines.shifted', ms: -60_000 }] });
    rig.skewMs = -60_000;
    await rig.load(1).answer(snapshotAt(6, 'five'));
    expect(rig.store.getState().clockSkewMs).toBe(-60_000);
  });
});

describe('a station that comes back', () => {
  test('marks the page as outdated if the station was updated', async () => {
    const rig = startLive();
    const first = await rig.begin();
    expect(rig.store.getState().outdated).toBe(false);
    first.failed('lost');
    rig.advance(500);
    rig.stream(1).opened();
    await rig.answerVersion(0, '1.1.0');
    expect(rig.store.getState().outdated).toBe(true);
    expect(rig.loads).toHaveLength(1);
  });

  test('after a reset from a station with other data, accepts its snapshot despite a lower revision', async () => {
    const rig = startLive();
    const first = await rig.begin();
    first.failed('lost');
    rig.advance(500);
    rig.stream(1).opened();
    rig.stream(1).onMessage({ kind: 'reset' });
    tell(rig.stream(1), 3, 'three');
    await rig.load(1).answer({ ...snapshotAt(2, 'restored'), version: '0.9.0' });
    expect(rig.statica()).toBe('three');
    expect(rig.store.getState().station?.revision).toBe(3);
    expect(rig.store.getState().outdated).toBe(true);
  });

  test('keeps device objects that the new snapshot does not change', async () => {
    const rig = startLive();
    const first = await rig.begin();
    const before = rig.store.getState();
    first.onMessage({ kind: 'reset' });
    await rig.load(1).answer(snapshotAt(9, 'five'));
    expect(rig.store.getState().station?.revision).toBe(9);
    expect(rig.store.getState().station?.devices).toBe(before.station?.devices);
    expect(rig.store.getState().places).toBe(before.places);
  });
});
