import { beforeEach, describe, expect, test } from 'vitest';
import type { Fact, Station } from '#shared/api/station.ts';
import { ApiError } from '../../renderer/src/station/apiError.ts';
import { Live } from '../../renderer/src/station/live.ts';
import { createStationStore, type StationStore } from '../../renderer/src/station/store.ts';
import type { StreamListener } from '../../renderer/src/station/stream.ts';
import { device, station } from './support.tsx';

const A = '51D000:000001';

/** A stream that the test speaks for. */
type Stream = StreamListener & { after: number | undefined; closed: boolean };
type Load = { answer(station: Station): Promise<void>; fail(error: unknown): Promise<void> };
type Timer = { at: number; run: () => void };

let store: StationStore;
let streams: Stream[];
let loads: Load[];
let timers: Timer[];
let now: number;
/** How far this machine's clock was set. */
let set: number;
let signedOut: number;
let live: Live;
let visible: boolean;
let versions: ((version: string) => Promise<void>)[];

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

beforeEach(() => {
  store = createStationStore();
  [streams, loads, timers, now, signedOut] = [[], [], [], 0, 0];
  [visible, versions, set] = [true, [], 0];
  live = new Live(
    {
      openStream(after, listener) {
        const stream: Stream = { ...listener, after, closed: false };
        streams.push(stream);
        return () => {
          stream.closed = true;
        };
      },
      loadStation: () =>
        new Promise((resolve, reject) => {
          loads.push({
            answer: (snapshot) => (resolve({ station: snapshot, clockSkewMs: set }), settled()),
            fail: (error) => (reject(error), settled()),
          });
        }),
      loadVersion: () => new Promise((resolve) => versions.push((version) => (resolve(version), settled()))),
      version: '1.0.0',
      isVisible: () => visible,
      now: () => now,
      steady: () => now - set,
      setTimer(delayMs, run) {
        const timer = { at: now + delayMs, run };
        timers.push(timer);
        return () => {
          timers = timers.filter((each) => each !== timer);
        };
      },
      fraction: () => 0.5,
      onSignedOut: () => {
        signedOut += 1;
      },
    },
    store,
  );
  live.start();
});

function advance(ms: number): void {
  const until = now + ms;
  for (;;) {
    const due = timers.filter((timer) => timer.at <= until).toSorted((a, b) => a.at - b.at)[0];
    if (due === undefined) break;
    timers = timers.filter((timer) => timer !== due);
    now = due.at;
    due.run();
  }
  now = until;
}

function stream(index: number): Stream {
  const found = streams[index];
  if (found === undefined) throw new Error(`stream ${index} was not opened`);
  return found;
}

function load(index: number): Load {
  const found = loads[index];
  if (found === undefined) throw new Error(`snapshot ${index} was not asked for`);
  return found;
}

function says(text: string): Fact[] {
  return [{ type: 'device.changed', deviceid: A, changed: { statica: text } }];
}

function tell(to: Stream, revision: number, text: string): void {
  to.heard({ kind: 'facts', revision, facts: says(text) });
}

const statica = () => store.getState().station?.devices[0]?.statica;
const connection = () => store.getState().connection.kind;
const snapshotAt = (revision: number, text: string) => ({ ...station(device(A, { statica: text })), revision });

async function begin(): Promise<Stream> {
  stream(0).opened();
  await load(0).answer(snapshotAt(5, 'five'));
  return stream(0);
}

describe('the start', () => {
  test('asks for the snapshot when the stream is open, not before', () => {
    expect(streams).toHaveLength(1);
    expect(stream(0).after).toBeUndefined();
    expect(loads).toHaveLength(0);
    stream(0).opened();
    expect(loads).toHaveLength(1);
    expect(connection()).toBe('connecting');
  });

  test('holds what the stream says until the snapshot is there, and applies only what is newer', async () => {
    stream(0).opened();
    tell(stream(0), 4, 'four');
    tell(stream(0), 5, 'five');
    tell(stream(0), 6, 'six');
    advance(100);
    expect(store.getState().station).toBeNull();
    await load(0).answer(snapshotAt(5, 'snapshot'));
    expect(statica()).toBe('six');
    expect(store.getState().station?.revision).toBe(6);
    expect(connection()).toBe('live');
  });

  test('a snapshot that does not come is tried again with a new stream', async () => {
    stream(0).opened();
    await load(0).fail(new ApiError('unreachable', 'no answer'));
    expect(connection()).toBe('lost');
    advance(500);
    expect(streams).toHaveLength(2);
    expect(stream(1).after).toBeUndefined();
  });

  test('nobody is signed in: it ends and says so', () => {
    stream(0).failed('signedOut');
    advance(60_000);
    expect(signedOut).toBe(1);
    expect(streams).toHaveLength(1);
  });
});

describe('a sign-in after another session', () => {
  test('begins with a snapshot: another station may answer at this address, with the same revisions', async () => {
    const first = await begin();
    first.failed('signedOut');
    expect(statica()).toBe('five');
    live.start();
    expect(stream(1).after).toBeUndefined();
    stream(1).opened();
    await load(1).answer({ ...snapshotAt(5, 'of another station'), user: { name: 'picker', scope: 'control' } });
    expect(statica()).toBe('of another station');
    expect(store.getState().station?.user.name).toBe('picker');
  });

  test('goes on from nothing that it had before, however often it is tried', async () => {
    const first = await begin();
    first.failed('signedOut');
    live.start();
    stream(1).opened();
    await load(1).fail(new ApiError('unreachable', 'no answer'));
    advance(500);
    expect(stream(2).after).toBeUndefined();
    stream(2).opened();
    await load(2).answer(snapshotAt(5, 'of another station'));
    stream(2).failed('lost');
    advance(500);
    expect(stream(3).after).toBe(5);
  });
});

describe('while it is live', () => {
  test('what comes within a frame is applied in one step', async () => {
    const first = await begin();
    let steps = 0;
    store.subscribe(() => (steps += 1));
    tell(first, 6, 'six');
    tell(first, 7, 'seven');
    expect(statica()).toBe('five');
    advance(20);
    expect(statica()).toBe('seven');
    expect(steps).toBe(1);
  });

  test('what comes after a pause does not wait for a frame', async () => {
    const first = await begin();
    advance(1_000);
    tell(first, 6, 'six');
    advance(0);
    expect(statica()).toBe('six');
    tell(first, 7, 'seven');
    advance(15);
    expect(statica()).toBe('six');
    advance(1);
    expect(statica()).toBe('seven');
  });

  test('conditions are applied too', async () => {
    const first = await begin();
    first.heard({ kind: 'ephemera', ephemera: { devices: [{ deviceid: A, online: false }], turbos: [] } });
    advance(20);
    expect(store.getState().station?.devices[0]?.online).toBe(false);
  });

  test('reset takes a new snapshot and goes on from it', async () => {
    const first = await begin();
    first.heard({ kind: 'reset' });
    tell(first, 101, 'after the reset');
    advance(20);
    expect(statica()).toBe('five');
    await load(1).answer(snapshotAt(100, 'hundred'));
    expect(statica()).toBe('after the reset');
    expect(first.closed).toBe(false);
  });

  test('changed settings take a new snapshot: its defaults may be others', async () => {
    const first = await begin();
    first.heard({ kind: 'facts', revision: 6, facts: [{ type: 'settings.changed' }] });
    await load(1).answer({ ...snapshotAt(6, 'six'), defaults: { seconds: 30, color: 'blue' } });
    expect(store.getState().station?.defaults.seconds).toBe(30);
  });

  test('only the newest of two snapshots counts', async () => {
    const first = await begin();
    first.heard({ kind: 'reset' });
    first.heard({ kind: 'reset' });
    await load(2).answer(snapshotAt(200, 'newer'));
    await load(1).answer(snapshotAt(100, 'older'));
    expect(statica()).toBe('newer');
  });

  test('signs of life keep it; forty silent seconds do not', async () => {
    const first = await begin();
    for (let beat = 0; beat < 10; beat += 1) {
      advance(15_000);
      first.heard({ kind: 'alive' });
    }
    expect(connection()).toBe('live');
    advance(39_000);
    expect(connection()).toBe('live');
    advance(1_000);
    expect(connection()).toBe('lost');
    expect(first.closed).toBe(true);
  });
});

describe('when the connection is lost', () => {
  test('it says so at once, keeps what it has, and resumes after the last revision', async () => {
    const first = await begin();
    tell(first, 6, 'six');
    now = 1_000;
    first.failed('lost');
    expect(store.getState().connection).toEqual({ kind: 'lost', sinceAt: 1_000 });
    expect(statica()).toBe('six');
    advance(500);
    expect(stream(1).after).toBe(6);
    stream(1).opened();
    tell(stream(1), 7, 'seven');
    advance(20);
    expect(connection()).toBe('live');
    expect(statica()).toBe('seven');
    expect(loads).toHaveLength(1);
  });

  test('it tries again and again, at most ten seconds apart, and remembers since when', async () => {
    const first = await begin();
    first.failed('lost');
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      const from = now;
      while (streams.length === attempt) advance(100);
      waits.push(now - from);
      stream(attempt).failed('lost');
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
    expect(store.getState().connection).toEqual({ kind: 'lost', sinceAt: 0 });
  });

  test('a stream that never opens is given up', async () => {
    const first = await begin();
    first.failed('lost');
    advance(500);
    advance(10_000);
    expect(stream(1).closed).toBe(true);
    advance(2_000);
    expect(streams).toHaveLength(3);
  });

  test('a stream that was given up is not heard any more', async () => {
    const first = await begin();
    first.failed('lost');
    tell(first, 9, 'a ghost');
    first.failed('signedOut');
    advance(20);
    expect(statica()).toBe('five');
    expect(signedOut).toBe(0);
  });

  test('a machine that wakes up does not wait for the next try', async () => {
    const first = await begin();
    first.failed('lost');
    live.retryNow();
    expect(streams).toHaveLength(2);
    live.stop();
    live.stop();
    expect(timers).toHaveLength(0);
    expect(stream(1).closed).toBe(true);
  });
});

describe('a page that does not keep up', () => {
  const flood = (to: Stream, from: number, count: number) => {
    for (let revision = from; revision < from + count; revision += 1) tell(to, revision, `text ${revision}`);
  };

  test('drops what waits beyond a bound, and takes a snapshot when somebody looks', async () => {
    const first = await begin();
    visible = false;
    // Timers of a hidden page hardly run.
    flood(first, 6, 5_001);
    flood(first, 5_007, 5_000);
    advance(20);
    expect(statica()).toBe('five');
    expect(loads).toHaveLength(1);
    visible = true;
    live.look();
    tell(first, 10_008, 'after the snapshot was asked for');
    await load(1).answer(snapshotAt(10_007, 'snapshot'));
    expect(statica()).toBe('after the snapshot was asked for');
    expect(first.closed).toBe(false);
    tell(first, 10_009, 'and on');
    advance(20);
    expect(statica()).toBe('and on');
  });

  test('up to the bound it catches up without a snapshot', async () => {
    const first = await begin();
    flood(first, 6, 5_000);
    advance(20);
    expect(statica()).toBe('text 5005');
    expect(loads).toHaveLength(1);
  });

  test('a visible one takes the snapshot at once; one that was on its way does not count', async () => {
    const first = await begin();
    first.heard({ kind: 'reset' });
    flood(first, 6, 5_001);
    expect(loads).toHaveLength(3);
    await load(1).answer(snapshotAt(5, 'too old'));
    expect(statica()).toBe('five');
    await load(2).answer(snapshotAt(5_006, 'new'));
    expect(statica()).toBe('new');
  });

  test('one that lost the connection while it was behind resumes from where it stands', async () => {
    const first = await begin();
    visible = false;
    flood(first, 6, 5_001);
    first.failed('lost');
    advance(500);
    expect(stream(1).after).toBe(5);
    stream(1).opened();
    tell(stream(1), 6, 'six');
    advance(20);
    expect(statica()).toBe('six');
  });
});

describe('a machine that slept', () => {
  test('notices at its first look that the stream is gone, says since when, and does not wait to try', async () => {
    await begin();
    advance(3_000);
    // Timers stood still; the wall clock did not.
    const sleptMs = 3_600_000;
    timers = timers.map((timer) => ({ ...timer, at: timer.at + sleptMs }));
    now += sleptMs;
    live.look();
    expect(store.getState().connection).toEqual({ kind: 'lost', sinceAt: 0 });
    expect(streams).toHaveLength(2);
    expect(stream(1).after).toBe(5);
    stream(1).opened();
    expect(connection()).toBe('live');
  });

  test('a short nap that the connection outlived changes nothing', async () => {
    const first = await begin();
    now += 20_000;
    live.look();
    expect(connection()).toBe('live');
    expect(first.closed).toBe(false);
  });

  test('a wall clock that is set back does not keep a dead stream', async () => {
    await begin();
    advance(4_000);
    now -= 3_600_000;
    timers = timers.map((timer) => ({ ...timer, at: timer.at - 3_600_000 }));
    advance(50_000);
    expect(streams.length).toBeGreaterThan(1);
  });
});

describe('a clock that is set', () => {
  test.each([
    ['forward a little', 10_000],
    ['back by an hour', -3_600_000],
  ])('%s: the time that is left is right again with the next word of the station', async (_, ms) => {
    const first = await begin();
    advance(1_000);
    set = ms;
    now += ms;
    first.heard({ kind: 'alive' });
    expect(loads).toHaveLength(2);
    tell(first, 6, 'six');
    first.heard({ kind: 'alive' });
    await load(1).answer(snapshotAt(5, 'five'));
    expect(store.getState().clockSkewMs).toBe(ms);
    expect(statica()).toBe('six');
    expect(loads).toHaveLength(2);
  });

  test('by so much that the stream counts as silent: the next stream brings it', async () => {
    await begin();
    set = 3_600_000;
    now += set;
    live.look();
    stream(1).opened();
    await load(1).answer(snapshotAt(5, 'five'));
    expect(store.getState().clockSkewMs).toBe(set);
    expect(connection()).toBe('live');
  });

  test('by less than a person sees changes nothing', async () => {
    const first = await begin();
    set = 1_500;
    now += set;
    first.heard({ kind: 'alive' });
    expect(loads).toHaveLength(1);
  });

  test('at the station is told by its deadlines', async () => {
    const first = await begin();
    first.heard({ kind: 'facts', revision: 6, facts: [{ type: 'deadlines.shifted', ms: -60_000 }] });
    set = -60_000;
    await load(1).answer(snapshotAt(6, 'five'));
    expect(store.getState().clockSkewMs).toBe(-60_000);
  });
});

describe('a station that comes back', () => {
  test('and was updated makes this page an old one', async () => {
    const first = await begin();
    expect(store.getState().outdated).toBe(false);
    first.failed('lost');
    advance(500);
    stream(1).opened();
    await versions[0]?.('1.1.0');
    expect(store.getState().outdated).toBe(true);
    expect(loads).toHaveLength(1);
  });

  test('and has other data is told by reset: its snapshot counts though its revision is lower', async () => {
    const first = await begin();
    first.failed('lost');
    advance(500);
    stream(1).opened();
    stream(1).heard({ kind: 'reset' });
    tell(stream(1), 3, 'three');
    await load(1).answer({ ...snapshotAt(2, 'restored'), version: '0.9.0' });
    expect(statica()).toBe('three');
    expect(store.getState().station?.revision).toBe(3);
    expect(store.getState().outdated).toBe(true);
  });

  test('a snapshot of the same keeps every device as it is drawn', async () => {
    const first = await begin();
    const before = store.getState();
    first.heard({ kind: 'reset' });
    await load(1).answer(snapshotAt(9, 'five'));
    expect(store.getState().station?.revision).toBe(9);
    expect(store.getState().station?.devices).toBe(before.station?.devices);
    expect(store.getState().places).toBe(before.places);
  });
});
