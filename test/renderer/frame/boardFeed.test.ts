import { expect, test } from 'vitest';
import type { WallBoard } from '#shared/api/wallBoard.ts';
import { BoardFeed, type BoardState } from '../../../renderer/src/features/board/boardFeed.ts';
import type { Listener, RawMessage } from '../../../renderer/src/station/live/stream.ts';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { wallBoard } from './boardSupport.ts';
import { createTimers } from '../live/timers.ts';

const FACTS: RawMessage = { kind: 'facts', revision: 2, text: '[]' };
const AWAY = new ApiError('unreachable', 'away');
const ENDED = new ApiError('unauthenticated', 'ended');
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

type Stream = Listener<RawMessage> & { key: string; closed: boolean };

/** Starts a board for which the test acts as the station. */
function startBoard() {
  const timers = createTimers();
  const states: BoardState[] = [];
  const streams: Stream[] = [];
  const reads: string[] = [];
  const rig = {
    streams,
    reads,
    sessions: 0,
    /** The station's answers. An Error stands for a refusal. */
    session: 'key' as string | Error,
    board: wallBoard() as WallBoard | Error,
    state: () => states.at(-1)?.kind,
    last: () => states.at(-1),
    async advance(ms: number) {
      timers.advance(ms);
      await settled();
    },
    stream: () => {
      const last = streams.at(-1);
      if (last === undefined) throw new Error('No stream was opened.');
      return last;
    },
    async open() {
      rig.stream().opened();
      await settled();
    },
  };
  const answer = async <T>(of: T | Error): Promise<T> => {
    if (of instanceof Error) throw of;
    return Promise.resolve(of);
  };
  const feed = new BoardFeed({
    ...timers.ports,
    openSession() {
      rig.sessions += 1;
      return answer(rig.session);
    },
    openStream(key, listener) {
      const stream = { ...listener, key, closed: false };
      streams.push(stream);
      return () => void (stream.closed = true);
    },
    load(key) {
      reads.push(key);
      return answer(rig.board);
    },
    changed: (state) => states.push(state),
    fraction: () => 0.5,
  });
  feed.start();
  return { ...rig, rig, feed };
}

async function startLive() {
  const board = startBoard();
  await settled();
  await board.open();
  expect(board.state()).toBe('live');
  return board;
}

test('opens a session, and then opens the stream and reads the board with the session key', async () => {
  const { streams, reads, rig } = await startLive();
  expect([rig.sessions, streams.map(({ key }) => key), reads]).toEqual([1, ['key'], ['key']]);
});

test('reads the board at most every two seconds, even if it changes more often', async () => {
  const { rig, stream, reads } = await startLive();
  for (let change = 0; change < 50; change += 1) stream().onMessage(FACTS);
  await rig.advance(1_900);
  expect(reads).toHaveLength(1);
  await rig.advance(100);
  expect(reads).toHaveLength(2);
  for (let second = 0; second < 10; second += 1) {
    stream().onMessage(FACTS);
    await rig.advance(1_000);
  }
  expect(reads).toHaveLength(7);
});

test('reads the board again even if nothing changes, because orders become late over time', async () => {
  const { rig, stream, reads } = await startLive();
  await rig.advance(10_000);
  stream().onMessage({ kind: 'alive' });
  await rig.advance(9_900);
  expect(reads).toHaveLength(1);
  await rig.advance(100);
  expect(reads).toHaveLength(2);
});

test('while the station is unreachable, shows since when, keeps the last board, and reconnects automatically', async () => {
  const { rig, stream, streams, last } = await startLive();
  await rig.advance(5_000);
  stream().failed('lost');
  expect(last()).toMatchObject({ kind: 'lost', sinceAt: 5_000, board: wallBoard() });
  for (const waitMs of [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
    const before = streams.length;
    await rig.advance(waitMs - 1);
    expect(streams).toHaveLength(before);
    await rig.advance(1);
    expect(streams).toHaveLength(before + 1);
    stream().failed('lost');
  }
  expect(last()).toMatchObject({ kind: 'lost', sinceAt: 5_000 });
  await rig.advance(10_000);
  await rig.open();
  expect(rig.state()).toBe('live');
});

test('after 40 seconds without a message, counts the station as unreachable since its last message', async () => {
  const { rig, stream, last } = await startLive();
  // Let reads hang, because failed reads would also report the lost station.
  rig.board = new Promise(() => undefined) as never;
  await rig.advance(10_000);
  stream().onMessage({ kind: 'alive' });
  await rig.advance(40_000);
  expect(last()).toMatchObject({ kind: 'lost', sinceAt: 10_000 });
});

test('signs in again immediately if a restarted station no longer accepts the session', async () => {
  const { rig, stream, streams } = await startLive();
  stream().failed('lost');
  rig.session = 'new key';
  await rig.advance(500);
  stream().failed('signedOut');
  await settled();
  await rig.open();
  expect(rig.state()).toBe('live');
  expect(streams.map(({ key }) => key)).toEqual(['key', 'key', 'new key']);
});

test('if the screen was removed, hides the board, retries once a minute, and shows the board again once the link works', async () => {
  const { rig, stream, last } = await startLive();
  stream().failed('lost');
  rig.session = ENDED;
  await rig.advance(500);
  stream().failed('signedOut');
  await settled();
  expect(last()).toEqual({ kind: 'refused' });
  const asked = rig.sessions;
  await rig.advance(59_000);
  expect(rig.sessions).toBe(asked);
  rig.session = 'key';
  await rig.advance(1_000);
  await rig.open();
  expect(rig.state()).toBe('live');
});

test('signs in again if a read reports that the session has ended, and shows the station as lost if a read fails', async () => {
  const { rig, stream } = await startLive();
  rig.board = ENDED;
  stream().onMessage(FACTS);
  await rig.advance(2_000);
  expect(rig.sessions).toBe(2);
  rig.board = AWAY;
  await rig.open();
  expect(rig.state()).toBe('lost');
});

test('retries the first sign-in if there is no answer', async () => {
  const { rig } = startBoard();
  rig.session = AWAY;
  await settled();
  await rig.advance(15_000);
  expect(rig.state()).not.toBe('live');
  rig.session = 'key';
  await rig.advance(10_000);
  await rig.open();
  expect(rig.state()).toBe('live');
});

test('reconnects immediately when the machine wakes up', async () => {
  const { rig, feed, stream, streams } = await startLive();
  for (let failure = 0; failure < 6; failure += 1) {
    stream().failed('lost');
    await rig.advance(10_000);
  }
  stream().failed('lost');
  const before = streams.length;
  feed.look();
  await settled();
  expect(streams).toHaveLength(before + 1);
});
