const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Deliveries pulled forward that may be unanswered at once. */
const MAX_WINDOW = 32;
/** So many failures in a row end a recovery: the receiver is away again. */
const MAX_FAILURES = 3;
/** Waits before the next recovery, after one that failed. */
const SETBACK_WAITS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE] as const;

/** Whether the receiver takes what it is sent. docs/decisions/0006 */
export type Recovery = {
  /** `recovering`: it was away, and what waits is being pulled forward. */
  phase: 'steady' | 'failing' | 'recovering';
  /** Pulled deliveries that may be unanswered now: one at first, one more with each that is taken. */
  window: number;
  /** Failures in a row. */
  failures: number;
  /** Recoveries in a row that failed. */
  setbacks: number;
  /** Forward time before which nothing is pulled: a `Retry-After`, or a setback. */
  notBefore: number;
};

export type RecoveryEvent =
  | { kind: 'taken' }
  /** `askedMs`: the receiver's `Retry-After`, or 0. `now`: forward time. */
  | { kind: 'failed'; askedMs: number; now: number }
  /** Nothing waits any more. */
  | { kind: 'drained' };

/** After a start nobody knows how the receiver is: the first success pulls. `saved`: by the run before. */
export function recoveryAtStart(saved: { isRecovering: boolean; notBefore: number }): Recovery {
  const { isRecovering, notBefore } = saved;
  return { phase: isRecovering ? 'recovering' : 'failing', window: 1, failures: 0, setbacks: 0, notBefore };
}

export function nextRecovery(state: Recovery, event: RecoveryEvent): Recovery {
  if (event.kind === 'drained') {
    return state.phase === 'recovering' ? { ...state, phase: 'steady', setbacks: 0 } : state;
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
