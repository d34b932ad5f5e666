const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Maximum number of early retries without an answer at once. */
const MAX_WINDOW = 32;
/** This many consecutive failures end a recovery: the receiver is down again. */
const MAX_FAILURES = 3;
/** Delays before the next recovery, after a failed one. */
const SETBACK_WAITS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE] as const;

/** State of the receiver. docs/decisions/0006 */
export type Recovery = {
  /** `recovering`: it was down, and waiting deliveries are retried early. */
  phase: 'steady' | 'failing' | 'recovering';
  /** Early retries that can be unanswered now: one at first, one more after each success. */
  window: number;
  /** Consecutive failures. */
  failures: number;
  /** Consecutive failed recoveries. */
  setbacks: number;
  /** No early retries before this forward time: a `Retry-After`, or a setback. */
  notBefore: number;
};

export type RecoveryEvent =
  | { kind: 'taken' }
  /** `askedMs`: `Retry-After` of the receiver, or 0. `now`: forward time. */
  | { kind: 'failed'; askedMs: number; now: number }
  /** A person wants everything that waits to be sent now. */
  | { kind: 'asked' }
  /** No delivery is waiting. */
  | { kind: 'drained' };

/** After a start the receiver's state is unknown: the first success begins a recovery. `saved`: by the previous run. */
export function recoveryAtStart(saved: { isRecovering: boolean; notBefore: number }): Recovery {
  const { isRecovering, notBefore } = saved;
  return { phase: isRecovering ? 'recovering' : 'failing', window: 1, failures: 0, setbacks: 0, notBefore };
}

export function nextRecovery(state: Recovery, event: RecoveryEvent): Recovery {
  if (event.kind === 'drained') {
    return state.phase === 'recovering' ? { ...state, phase: 'steady', setbacks: 0 } : state;
  }
  if (event.kind === 'asked') {
    if (state.phase === 'recovering') return { ...state, notBefore: 0 };
    return { ...state, phase: 'recovering', window: 1, failures: 0, notBefore: 0 };
  }
  if (event.kind === 'taken') {
    if (state.phase === 'failing') return { ...state, phase: 'recovering', window: 1, failures: 0 };
    return { ...state, window: Math.min(state.window + 1, MAX_WINDOW), failures: 0 };
  }
  const notBefore = event.askedMs === 0 ? state.notBefore : Math.max(state.notBefore, event.now + event.askedMs);
  if (state.phase !== 'recovering') return { ...state, phase: 'failing', notBefore };
  const failures = state.failures + 1;
  if (failures < MAX_FAILURES) return { ...state, window: 1, failures, notBefore };
  const waitMs = SETBACK_WAITS_MS[Math.min(state.setbacks, SETBACK_WAITS_MS.length - 1)] ?? 0;
  return {
    ...state,
    phase: 'failing',
    setbacks: state.setbacks + 1,
    notBefore: Math.max(notBefore, event.now + waitMs),
  };
}
