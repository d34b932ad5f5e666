const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Maximum number of early retries without an answer at once. */
const MAX_WINDOW = 32;
/** This many consecutive failures end a recovery: the receiver is down again. */
const MAX_FAILURES = 3;
/** Delays before the next recovery, after a failed one. */
const SETBACK_WAITS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE] as const;

/** Delays of probes after the first failure of an outage; the last one repeats. A probe tries the oldest delivery early. */
const PROBE_DELAYS_MS = [5 * SECOND, 10 * SECOND, 20 * SECOND] as const;
/** Probes end this long after the outage began. */
const PROBED_MS = 10 * MINUTE;

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
  /** Forward time at which the outage began. Null: no outage, or its beginning is unknown. */
  failingSince: number | null;
  /** Number of probes sent in this outage. */
  probes: number;
  /** Forward time of the next probe. */
  probeAt: number;
};

export type RecoveryEvent =
  | { kind: 'taken' }
  /** `askedMs`: `Retry-After` of the receiver, or 0. `now`: forward time. */
  | { kind: 'failed'; askedMs: number; now: number }
  /** A person wants everything that waits to be sent now. */
  | { kind: 'asked' }
  /** A probe is sent. */
  | { kind: 'probed'; now: number }
  /** No delivery is waiting. */
  | { kind: 'drained' };

/**
 * After a start the receiver's state is unknown: the first success begins a recovery. `saved`: by the previous run; `now`: forward
 * time. In the first ten minutes of an outage a probe is due at once.
 */
export function recoveryAtStart(
  saved: { isRecovering: boolean; notBefore: number; failingSince: number | null },
  now: number,
): Recovery {
  const { isRecovering, notBefore, failingSince } = saved;
  const phase = isRecovering ? 'recovering' : 'failing';
  return { phase, window: 1, failures: 0, setbacks: 0, notBefore, failingSince, probes: 0, probeAt: now };
}

/** Forward time of the next probe. Null: no outage, or its probes have ended. */
export function nextProbe({ phase, failingSince, probeAt, notBefore }: Recovery): number | null {
  if (phase !== 'failing' || failingSince === null) return null;
  const at = Math.max(probeAt, notBefore);
  return at <= failingSince + PROBED_MS ? at : null;
}

function failing(state: Recovery, now: number): Recovery {
  return { ...state, phase: 'failing', failingSince: now, probes: 0, probeAt: now + PROBE_DELAYS_MS[0] };
}

export function nextRecovery(state: Recovery, event: RecoveryEvent): Recovery {
  if (event.kind === 'drained') {
    return state.phase === 'recovering' ? { ...state, phase: 'steady', setbacks: 0 } : state;
  }
  if (event.kind === 'probed') {
    const probes = state.probes + 1;
    const waitMs = PROBE_DELAYS_MS[Math.min(probes, PROBE_DELAYS_MS.length - 1)] ?? 0;
    return { ...state, probes, probeAt: event.now + waitMs };
  }
  if (event.kind === 'asked') {
    if (state.phase === 'recovering') return { ...state, notBefore: 0 };
    return { ...state, phase: 'recovering', window: 1, failures: 0, notBefore: 0, failingSince: null };
  }
  if (event.kind === 'taken') {
    if (state.phase === 'failing') return { ...state, phase: 'recovering', window: 1, failures: 0, failingSince: null };
    return { ...state, window: Math.min(state.window + 1, MAX_WINDOW), failures: 0 };
  }
  const notBefore = event.askedMs === 0 ? state.notBefore : Math.max(state.notBefore, event.now + event.askedMs);
  if (state.phase === 'steady' || (state.phase === 'failing' && state.failingSince === null)) {
    return failing({ ...state, notBefore }, event.now);
  }
  if (state.phase === 'failing') return { ...state, notBefore };
  const failures = state.failures + 1;
  if (failures < MAX_FAILURES) return { ...state, window: 1, failures, notBefore };
  const waitMs = SETBACK_WAITS_MS[Math.min(state.setbacks, SETBACK_WAITS_MS.length - 1)] ?? 0;
  const setbacks = state.setbacks + 1;
  return failing({ ...state, setbacks, notBefore: Math.max(notBefore, event.now + waitMs) }, event.now);
}
