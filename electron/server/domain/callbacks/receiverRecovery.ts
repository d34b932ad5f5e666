const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Maximum number of early retries that can be in flight at the same time. */
const MAX_WINDOW = 32;
/** After this many consecutive failures, a recovery ends: the receiver is down again. */
const MAX_FAILURES = 3;
/** Delays before the next recovery after a failed one; the last delay repeats. */
const SETBACK_WAITS_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE] as const;

/** Delays between probes after the first failure of an outage; the last delay repeats. A probe tries the oldest delivery early. */
const PROBE_DELAYS_MS = [5 * SECOND, 10 * SECOND, 20 * SECOND] as const;
/** Probing stops this long after the outage began. */
const PROBED_MS = 10 * MINUTE;

/** State of a receiver's outage and recovery. See docs/decisions/0006. */
export type Recovery = {
  /** `recovering` means that the receiver was down, and waiting deliveries are retried early. */
  phase: 'steady' | 'failing' | 'recovering';
  /** Number of early retries that can be in flight now: first one, then one more after each success. */
  window: number;
  /** Number of consecutive failures. */
  failures: number;
  /** Number of consecutive failed recoveries. */
  setbacks: number;
  /** Earliest forward time of the next early retry, because of a `Retry-After` or a setback. */
  notBefore: number;
  /** Forward time when the outage began; null if there is no outage or its beginning is unknown. */
  failingSince: number | null;
  /** Number of probes sent during this outage. */
  probes: number;
  /** Forward time of the next probe. */
  probeAt: number;
};

export type RecoveryEvent =
  | { kind: 'taken' }
  /** `askedMs` is the delay that the receiver's `Retry-After` requests, or 0. `now` is forward time. */
  | { kind: 'failed'; askedMs: number; now: number }
  /** A person requested that all waiting callbacks be sent now. */
  | { kind: 'asked' }
  /** A probe was sent. */
  | { kind: 'probed'; now: number }
  /** No delivery is waiting. */
  | { kind: 'drained' };

/**
 * Returns the state at startup, when it is unknown whether the receiver works: the first success begins a recovery. `saved` is the state
 * saved by the previous run, and `now` is forward time. In the first ten minutes of an outage, a probe is due immediately.
 */
export function recoveryAtStart(
  saved: { isRecovering: boolean; notBefore: number; failingSince: number | null },
  now: number,
): Recovery {
  const { isRecovering, notBefore, failingSince } = saved;
  const phase = isRecovering ? 'recovering' : 'failing';
  return { phase, window: 1, failures: 0, setbacks: 0, notBefore, failingSince, probes: 0, probeAt: now };
}

/** Returns the forward time of the next probe; null if there is no outage or its probes have ended. */
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
