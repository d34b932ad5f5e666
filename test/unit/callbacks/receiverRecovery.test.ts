import { expect, test } from 'vitest';
import {
  nextProbe,
  nextRecovery,
  recoveryAtStart,
  type Recovery,
  type RecoveryEvent,
} from '../../../electron/server/domain/callbacks/receiverRecovery.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const NOW = Date.UTC(2026, 10, 20, 8);
const TAKEN: RecoveryEvent = { kind: 'taken' };
const FAILED: RecoveryEvent = { kind: 'failed', askedMs: 0, now: NOW };
const DRAINED: RecoveryEvent = { kind: 'drained' };

const fresh = () => recoveryAtStart({ isRecovering: false, notBefore: 0, failingSince: null }, NOW);
const after = (state: Recovery, ...events: RecoveryEvent[]) => events.reduce(nextRecovery, state);

test('the first success after startup or after a failure begins a recovery; other successes do not', () => {
  expect(after(fresh(), TAKEN)).toMatchObject({ phase: 'recovering', window: 1 });
  const steady = after(fresh(), TAKEN, DRAINED);
  expect(after(steady, TAKEN, TAKEN).phase).toBe('steady');
  expect(after(steady, FAILED).phase).toBe('failing');
  expect(after(steady, FAILED, TAKEN).phase).toBe('recovering');
});

test('startup continues the recovery that the last shutdown interrupted', () => {
  expect(recoveryAtStart({ isRecovering: true, notBefore: NOW, failingSince: null }, NOW)).toMatchObject({
    phase: 'recovering',
    window: 1,
    notBefore: NOW,
  });
});

test('the window grows with each success up to 32, and returns to 1 after a failure', () => {
  let state = after(fresh(), TAKEN, TAKEN, TAKEN);
  expect(state.window).toBe(3);
  for (let taken = 0; taken < 100; taken += 1) state = nextRecovery(state, TAKEN);
  expect(state.window).toBe(32);
  expect(after(state, FAILED)).toMatchObject({ phase: 'recovering', window: 1 });
});

test('three failures in a row end a recovery; fewer do not', () => {
  const recovering = after(fresh(), TAKEN);
  expect(after(recovering, FAILED, FAILED, TAKEN, FAILED, FAILED).phase).toBe('recovering');
  expect(after(recovering, FAILED, FAILED, FAILED).phase).toBe('failing');
  const atStart = recoveryAtStart({ isRecovering: true, notBefore: 0, failingSince: null }, NOW);
  expect(after(atStart, FAILED, FAILED).phase).toBe('recovering');
  const again = after(recovering, FAILED, FAILED, FAILED, TAKEN);
  expect(after(again, FAILED, FAILED).phase).toBe('recovering');
});

test('each failed recovery delays the next one: 5 s, 30 s, 2 min, then 10 min, until one succeeds', () => {
  let state = fresh();
  const waits: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    state = after(state, TAKEN, FAILED, FAILED, FAILED);
    waits.push(state.notBefore - NOW);
    state = { ...state, notBefore: 0 };
  }
  expect(waits).toEqual([5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 10 * MINUTE]);
  const again = after(state, TAKEN, DRAINED, FAILED, TAKEN, FAILED, FAILED, FAILED);
  expect(again.notBefore - NOW).toBe(5 * SECOND);
});

test('a failing receiver stays failing when no deliveries are waiting', () => {
  expect(after(fresh(), TAKEN, DRAINED, FAILED, DRAINED).phase).toBe('failing');
});

test('fewer than three failures in a row do not delay the next recovery', () => {
  expect(after(fresh(), FAILED, TAKEN, FAILED, FAILED).notBefore).toBe(0);
});

test('Retry-After delays pulled deliveries before and during a recovery, and the later time applies', () => {
  const asked = (askedMs: number): RecoveryEvent => ({ kind: 'failed', askedMs, now: NOW });
  expect(after(fresh(), asked(MINUTE), TAKEN)).toMatchObject({ phase: 'recovering', notBefore: NOW + MINUTE });
  expect(after(fresh(), TAKEN, asked(MINUTE), asked(SECOND)).notBefore).toBe(NOW + MINUTE);
});

test('a recovery requested by a person begins immediately, despite Retry-After', () => {
  const ASKED: RecoveryEvent = { kind: 'asked' };
  const waits: RecoveryEvent = { kind: 'failed', askedMs: MINUTE, now: NOW };
  expect(after(fresh(), waits, ASKED)).toMatchObject({ phase: 'recovering', window: 1, failures: 0, notBefore: 0 });
  const running = after(fresh(), TAKEN, TAKEN, TAKEN);
  expect(after(running, ASKED)).toMatchObject({ phase: 'recovering', window: 3, notBefore: 0 });
  expect(after(fresh(), ASKED, FAILED, FAILED, FAILED)).toMatchObject({ phase: 'failing', setbacks: 1 });
});

test('probes a failing receiver after 5 s, 15 s and then every 20 s for ten minutes, but not during a recovery', () => {
  let state = after(fresh(), TAKEN, DRAINED);
  expect(nextProbe(state)).toBeNull();
  state = after(state, FAILED);
  const times: number[] = [];
  for (let at = nextProbe(state); at !== null; at = nextProbe(state)) {
    times.push(at - NOW);
    state = after(state, { kind: 'probed', now: at }, { kind: 'failed', askedMs: 0, now: at });
  }
  expect(times.slice(0, 4)).toEqual([5, 15, 35, 55].map((seconds) => seconds * SECOND));
  expect(times.at(-1)).toBe(595 * SECOND);
  expect(nextProbe(after(state, TAKEN))).toBeNull();
  expect(nextProbe(after(state, TAKEN, DRAINED, FAILED))).toBe(NOW + 5 * SECOND);
});

test('startup continues the probes of a saved outage, and does not begin new ones', () => {
  const saved = { isRecovering: false, notBefore: 0, failingSince: null };
  expect(nextProbe(recoveryAtStart(saved, NOW))).toBeNull();
  expect(nextProbe(after(recoveryAtStart(saved, NOW), FAILED))).toBe(NOW + 5 * SECOND);
  expect(nextProbe(recoveryAtStart({ ...saved, failingSince: NOW }, NOW))).toBe(NOW);
  expect(nextProbe(recoveryAtStart({ ...saved, failingSince: NOW - 11 * 60 * SECOND }, NOW))).toBeNull();
});

test('the next outage starts with the usual probe interval after a person ended the previous one by sending everything', () => {
  const healthy = after(fresh(), FAILED, { kind: 'asked' }, TAKEN, DRAINED);
  expect(healthy.failingSince).toBeNull();
  const { failingSince } = healthy;
  const restarted = recoveryAtStart({ isRecovering: false, notBefore: 0, failingSince }, NOW);
  const next = after(restarted, { kind: 'failed', askedMs: 0, now: NOW + 60 * MINUTE });
  expect(nextProbe(next)).toBe(NOW + 60 * MINUTE + 5 * SECOND);
});
