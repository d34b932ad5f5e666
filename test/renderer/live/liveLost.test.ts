import { describe, expect, test } from 'vitest';
import { snapshotAt, startLive, tell, type Stream } from './liveRig.ts';

describe('when the connection is lost', () => {
  test('reports the loss immediately, keeps the data, and resumes after the last revision', async () => {
    const rig = startLive();
    const first = await rig.begin();
    tell(first, 6, 'six');
    rig.sleep(1_000);
    first.failed('lost');
    expect(rig.store.getState().connection).toEqual({ kind: 'lost', sinceAt: 1_000 });
    expect(rig.statica()).toBe('six');
    rig.advance(500);
    expect(rig.stream(1).after).toBe(6);
    rig.stream(1).opened();
    tell(rig.stream(1), 7, 'seven');
    rig.advance(20);
    expect(rig.connection()).toBe('live');
    expect(rig.statica()).toBe('seven');
    expect(rig.loads).toHaveLength(1);
  });

  test('retries after growing delays of at most ten seconds, and remembers when the connection was lost', async () => {
    const rig = startLive();
    const first = await rig.begin();
    first.failed('lost');
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      const from = rig.now();
      while (rig.streams.length === attempt) rig.advance(100);
      waits.push(rig.now() - from);
      rig.stream(attempt).failed('lost');
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
    expect(rig.store.getState().connection).toEqual({ kind: 'lost', sinceAt: 0 });
  });

  test('closes a stream that does not open in time', async () => {
    const rig = startLive();
    const first = await rig.begin();
    first.failed('lost');
    rig.advance(500);
    rig.advance(10_000);
    expect(rig.stream(1).closed).toBe(true);
    rig.advance(2_000);
    expect(rig.streams).toHaveLength(3);
  });

  test('ignores messages of a lost stream', async () => {
    const rig = startLive();
    const first = await rig.begin();
    first.failed('lost');
    tell(first, 9, 'a ghost');
    first.failed('signedOut');
    rig.advance(20);
    expect(rig.statica()).toBe('five');
    expect(rig.signedOut).toBe(0);
  });

  test('`retryNow` reconnects immediately, and `stop` leaves no timer running', async () => {
    const rig = startLive();
    const first = await rig.begin();
    first.failed('lost');
    rig.live.retryNow();
    expect(rig.streams).toHaveLength(2);
    rig.live.stop();
    rig.live.stop();
    expect(rig.timerCount()).toBe(0);
    expect(rig.stream(1).closed).toBe(true);
  });
});

describe('a page that falls behind', () => {
  const flood = (to: Stream, from: number, count: number) => {
    for (let revision = from; revision < from + count; revision += 1) tell(to, revision, `text ${revision}`);
  };

  test('drops the backlog beyond a limit, and loads a snapshot when the page becomes visible', async () => {
    const rig = startLive();
    const first = await rig.begin();
    rig.visible = false;
    // Browsers throttle the timers of a hidden page.
    flood(first, 6, 5_001);
    flood(first, 5_007, 5_000);
    rig.advance(20);
    expect(rig.statica()).toBe('five');
    expect(rig.loads).toHaveLength(1);
    rig.visible = true;
    rig.live.look();
    tell(first, 10_008, 'after the snapshot was asked for');
    await rig.load(1).answer(snapshotAt(10_007, 'snapshot'));
    expect(rig.statica()).toBe('after the snapshot was asked for');
    expect(first.closed).toBe(false);
    tell(first, 10_009, 'and on');
    rig.advance(20);
    expect(rig.statica()).toBe('and on');
  });

  test('applies a backlog up to the limit without a snapshot', async () => {
    const rig = startLive();
    const first = await rig.begin();
    flood(first, 6, 5_000);
    rig.advance(20);
    expect(rig.statica()).toBe('text 5005');
    expect(rig.loads).toHaveLength(1);
  });

  test('loads a snapshot immediately while visible, and ignores an earlier one still in flight', async () => {
    const rig = startLive();
    const first = await rig.begin();
    first.onMessage({ kind: 'reset' });
    flood(first, 6, 5_001);
    expect(rig.loads).toHaveLength(3);
    await rig.load(1).answer(snapshotAt(5, 'too old'));
    expect(rig.statica()).toBe('five');
    await rig.load(2).answer(snapshotAt(5_006, 'new'));
    expect(rig.statica()).toBe('new');
  });

  test('resumes from the last applied revision after losing the connection', async () => {
    const rig = startLive();
    const first = await rig.begin();
    rig.visible = false;
    flood(first, 6, 5_001);
    first.failed('lost');
    rig.advance(500);
    expect(rig.stream(1).after).toBe(5);
    rig.stream(1).opened();
    tell(rig.stream(1), 6, 'six');
    rig.advance(20);
    expect(rig.statica()).toBe('six');
  });
});

describe('a machine that slept', () => {
  test('notices the lost stream when the page becomes visible, shows since when, and reconnects immediately', async () => {
    const rig = startLive();
    await rig.begin();
    rig.advance(3_000);
    // Timers were suspended while the wall clock advanced.
    rig.sleep(3_600_000);
    rig.live.look();
    expect(rig.store.getState().connection).toEqual({ kind: 'lost', sinceAt: 0 });
    expect(rig.streams).toHaveLength(2);
    expect(rig.stream(1).after).toBe(5);
    rig.stream(1).opened();
    expect(rig.connection()).toBe('live');
  });

  test('keeps the connection after a short sleep', async () => {
    const rig = startLive();
    const first = await rig.begin();
    rig.sleep(20_000);
    rig.live.look();
    expect(rig.connection()).toBe('live');
    expect(first.closed).toBe(false);
  });

  test('replaces a dead stream even if the wall clock was set back', async () => {
    const rig = startLive();
    await rig.begin();
    rig.advance(4_000);
    rig.setClock(-3_600_000);
    rig.advance(50_000);
    expect(rig.streams.length).toBeGreaterThan(1);
  });
});
