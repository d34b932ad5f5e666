import { expect, test } from 'vitest';
import {
  type HealthEvent,
  nextHealth,
  type ReceiverHealth,
} from '../../../electron/server/domain/callbacks/receiverHealth.ts';

const TAKEN: HealthEvent = { kind: 'taken' };
const ELAPSED: HealthEvent = { kind: 'elapsed' };
const failed = (at: number, status: number | null = 500): HealthEvent => ({
  kind: 'failed',
  at,
  status,
  error: `${at}`,
});
const after = (...events: HealthEvent[]) => events.reduce<ReceiverHealth>(nextHealth, { kind: 'well' });

test('the third consecutive failure marks the receiver as failing, with the time of the first failure and the last error', () => {
  expect(after(failed(1), failed(2))).toMatchObject({ kind: 'doubtful', since: 1, error: '2' });
  expect(after(failed(1), failed(2), failed(3, null))).toEqual({
    kind: 'failing',
    since: 1,
    failures: 3,
    status: null,
    error: '3',
  });
  expect(after(failed(1), failed(2), TAKEN, failed(3))).toMatchObject({ kind: 'doubtful', since: 3 });
});

test('a single failure marks the receiver as failing if no success follows in time', () => {
  expect(after(failed(1), ELAPSED)).toMatchObject({ kind: 'failing', since: 1, failures: 1 });
  expect(after(failed(1), ELAPSED, failed(2))).toMatchObject({ kind: 'failing', since: 1, error: '2' });
  expect(after(ELAPSED)).toEqual({ kind: 'well' });
});

test('the first success ends the failing state, and so does removing the receiver', () => {
  const failing = after(failed(1), failed(2), failed(3));
  expect(nextHealth(failing, TAKEN)).toEqual({ kind: 'well' });
  expect(nextHealth(failing, { kind: 'unset' })).toEqual({ kind: 'well' });
});

test('an event that changes nothing returns the same object', () => {
  const well = after();
  expect(nextHealth(well, TAKEN)).toBe(well);
  const failing = after(failed(1), ELAPSED);
  expect(nextHealth(failing, ELAPSED)).toBe(failing);
});
