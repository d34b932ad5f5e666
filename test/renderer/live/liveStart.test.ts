import { userOf } from '../../helpers/snapshots.ts';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { createSession } from '../../../renderer/src/station/session.ts';
import { A, snapshotAt, startLive, tell } from './liveRig.ts';

describe('startup', () => {
  test('does not load the snapshot until the stream opens', () => {
    const rig = startLive();
    expect(rig.streams).toHaveLength(1);
    expect(rig.stream(0).after).toBeUndefined();
    expect(rig.loads).toHaveLength(0);
    rig.stream(0).opened();
    expect(rig.loads).toHaveLength(1);
    expect(rig.connection()).toBe('connecting');
  });

  test('holds messages until the snapshot arrives, and applies only newer ones', async () => {
    const rig = startLive();
    rig.stream(0).opened();
    tell(rig.stream(0), 4, 'four');
    tell(rig.stream(0), 5, 'five');
    tell(rig.stream(0), 6, 'six');
    rig.advance(100);
    expect(rig.store.getState().station).toBeNull();
    await rig.load(0).answer(snapshotAt(5, 'snapshot'));
    expect(rig.statica()).toBe('six');
    expect(rig.store.getState().station?.revision).toBe(6);
    expect(rig.connection()).toBe('live');
  });

  test('retries a failed snapshot with a new stream', async () => {
    const rig = startLive();
    rig.stream(0).opened();
    await rig.load(0).fail(new ApiError('unreachable', 'no answer'));
    expect(rig.connection()).toBe('lost');
    rig.advance(500);
    expect(rig.streams).toHaveLength(2);
    expect(rig.stream(1).after).toBeUndefined();
  });

  test('if nobody is signed in, stops and reports this', () => {
    const rig = startLive();
    rig.stream(0).failed('signedOut');
    rig.advance(60_000);
    expect(rig.signedOut).toBe(1);
    expect(rig.streams).toHaveLength(1);
  });
});

describe('a sign-in after another session', () => {
  test('begins with a snapshot, because another station may have the same revisions', async () => {
    const rig = startLive();
    const first = await rig.begin();
    first.failed('signedOut');
    expect(rig.statica()).toBe('five');
    rig.live.start();
    expect(rig.stream(1).after).toBeUndefined();
    rig.stream(1).opened();
    await rig.load(1).answer({ ...snapshotAt(5, 'of another station'), user: userOf('picker', 'control') });
    expect(rig.statica()).toBe('of another station');
    expect(rig.store.getState().station?.user.name).toBe('picker');
  });

  test('does not resume the previous session, even after failed attempts', async () => {
    const rig = startLive();
    const first = await rig.begin();
    first.failed('signedOut');
    rig.live.start();
    rig.stream(1).opened();
    await rig.load(1).fail(new ApiError('unreachable', 'no answer'));
    rig.advance(500);
    expect(rig.stream(2).after).toBeUndefined();
    rig.stream(2).opened();
    await rig.load(2).answer(snapshotAt(5, 'of another station'));
    rig.stream(2).failed('lost');
    rig.advance(500);
    expect(rig.stream(3).after).toBe(5);
  });
});

test('signing out ends the stream, forgets the station and notifies the other tabs', async () => {
  const rig = startLive();
  const stream = await rig.begin();
  const done: string[] = [];
  const none = () => Promise.reject(new Error('this test did not expect this call'));
  const api = {
    signIn: () => Promise.resolve(),
    signInWithPin: none,
    addKiosk: none,
    getKioskScreen: none,
    signOut: async () => void done.push('signed out'),
  };
  const tabs = { signedIn: () => undefined, signedOut: () => void done.push('told') };
  const { snapshots } = rig.store.getState();
  await createSession(api, rig.live, rig.store, tabs).signOut();
  expect(done).toEqual(['signed out', 'told']);
  expect(stream.closed).toBe(true);
  const { station, places, session, connection, snapshots: since } = rig.store.getState();
  expect({ station, places, session, connection }).toEqual({
    station: null,
    places: [],
    session: 'signedOut',
    connection: { kind: 'connecting' },
  });
  expect(since, 'what is on its way answers nobody').toBeGreaterThan(snapshots);
});

describe('while live', () => {
  test('applies all messages of one frame in one step', async () => {
    const rig = startLive();
    const first = await rig.begin();
    let steps = 0;
    rig.store.subscribe(() => (steps += 1));
    tell(first, 6, 'six');
    tell(first, 7, 'seven');
    expect(rig.statica()).toBe('five');
    rig.advance(20);
    expect(rig.statica()).toBe('seven');
    expect(steps).toBe(1);
  });

  test('applies a message after a pause without waiting for a frame', async () => {
    const rig = startLive();
    const first = await rig.begin();
    rig.advance(1_000);
    tell(first, 6, 'six');
    rig.advance(0);
    expect(rig.statica()).toBe('six');
    tell(first, 7, 'seven');
    rig.advance(15);
    expect(rig.statica()).toBe('six');
    rig.advance(1);
    expect(rig.statica()).toBe('seven');
  });

  test('applies conditions', async () => {
    const rig = startLive();
    const first = await rig.begin();
    first.onMessage({ kind: 'ephemera', ephemera: { devices: [{ deviceid: A, online: false }], turbos: [] } });
    rig.advance(20);
    expect(rig.store.getState().station?.devices[0]?.online).toBe(false);
  });

  test('loads a new snapshot after a reset, and continues from that snapshot', async () => {
    const rig = startLive();
    const first = await rig.begin();
    first.onMessage({ kind: 'reset' });
    tell(first, 101, 'after the reset');
    rig.advance(20);
    expect(rig.statica()).toBe('five');
    await rig.load(1).answer(snapshotAt(100, 'hundred'));
    expect(rig.statica()).toBe('after the reset');
    expect(first.closed).toBe(false);
  });

  test('loads a new snapshot after the settings have changed, because the defaults may differ', async () => {
    const rig = startLive();
    const first = await rig.begin();
    first.onMessage({ kind: 'facts', revision: 6, facts: [{ type: 'settings.changed' }] });
    await rig.load(1).answer({ ...snapshotAt(6, 'six'), defaults: { seconds: 30, color: 'blue' } });
    expect(rig.store.getState().station?.defaults.seconds).toBe(30);
  });

  test('ignores the older of two snapshots', async () => {
    const rig = startLive();
    const first = await rig.begin();
    first.onMessage({ kind: 'reset' });
    first.onMessage({ kind: 'reset' });
    await rig.load(2).answer(snapshotAt(200, 'newer'));
    await rig.load(1).answer(snapshotAt(100, 'older'));
    expect(rig.statica()).toBe('newer');
  });

  test('heartbeats keep the connection alive, and 40 seconds of silence end it', async () => {
    const rig = startLive();
    const first = await rig.begin();
    for (let beat = 0; beat < 10; beat += 1) {
      rig.advance(15_000);
      first.onMessage({ kind: 'alive' });
    }
    expect(rig.connection()).toBe('live');
    rig.advance(39_000);
    expect(rig.connection()).toBe('live');
    rig.advance(1_000);
    expect(rig.connection()).toBe('lost');
    expect(first.closed).toBe(true);
  });
});
