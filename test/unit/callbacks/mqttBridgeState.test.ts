import { expect, test } from 'vitest';
import {
  type BridgeEvent,
  type BridgeState,
  firstState,
  isOutageNew,
  next,
} from '../../../electron/server/mqtt/bridgeState.ts';

const CONNECTED: BridgeState = { kind: 'connected', problem: null, since: 100, failures: 3 };
const REFUSED: BridgeState = { kind: 'refused', problem: 'wrong password', since: 100, failures: 2 };
const tried: BridgeEvent = { kind: 'tried', at: 200 };
const connected: BridgeEvent = { kind: 'connected', at: 200 };
const failed: BridgeEvent = { kind: 'failed', at: 200, problem: 'nobody answers', isRefusal: false };

const NEXT: [about: string, BridgeState, BridgeEvent, BridgeState][] = [
  ['the first attempt changes nothing', firstState(100), tried, firstState(100)],
  ['an attempt after a refusal still shows the refusal', REFUSED, tried, REFUSED],
  ['an attempt after a lost connection connects', CONNECTED, tried, { ...CONNECTED, kind: 'connecting', since: 200 }],
  [
    'a connection removes the problem',
    REFUSED,
    connected,
    { kind: 'connected', problem: null, since: 200, failures: 2 },
  ],
  ['a repeated connection keeps the time of the first', CONNECTED, connected, CONNECTED],
  [
    'a failed attempt is counted',
    REFUSED,
    failed,
    { kind: 'error', problem: 'nobody answers', since: 200, failures: 3 },
  ],
  [
    'a lost connection starts the count of failures',
    CONNECTED,
    failed,
    { kind: 'error', problem: 'nobody answers', since: 200, failures: 0 },
  ],
  [
    'a second refusal keeps the time of the first',
    REFUSED,
    { ...failed, isRefusal: true },
    { kind: 'refused', problem: 'nobody answers', since: 100, failures: 3 },
  ],
];

test.each(NEXT)('%s', (_, state, event, after) => {
  expect(next(state, event)).toEqual(after);
});

test('an outage is reported once, when the connection is lost or the first attempt fails', () => {
  const lost = next(CONNECTED, failed);
  const first = next(firstState(100), failed);
  expect([lost, first, next(first, failed)].map(isOutageNew)).toEqual([true, true, false]);
});
