/** The receiver counts as failing after this many consecutive failures, or this long after a failure without a success since. */
export const FAILING_AFTER = 3;
export const FAILING_AFTER_MS = 5 * 60_000;

/** Whether the receiver accepts callbacks. `doubtful` means that the last attempts failed, but were too few to be sure. */
export type ReceiverHealth =
  | { kind: 'well' }
  | {
      kind: 'doubtful' | 'failing';
      /** When the first of the failed attempts ended, in epoch milliseconds. */
      since: number;
      failures: number;
      /** HTTP status of the last attempt, or null if there was no response, and a description of the failure for the user. */
      status: number | null;
      error: string;
    };

export type HealthEvent =
  | { kind: 'taken' }
  | { kind: 'failed'; at: number; status: number | null; error: string }
  /** FAILING_AFTER_MS has passed since the first failure. */
  | { kind: 'elapsed' }
  /** The receiver was removed from the settings. */
  | { kind: 'unset' };

const WELL: ReceiverHealth = { kind: 'well' };

export function nextHealth(health: ReceiverHealth, event: HealthEvent): ReceiverHealth {
  if (event.kind === 'taken' || event.kind === 'unset') return health.kind === 'well' ? health : WELL;
  if (event.kind === 'elapsed') return health.kind === 'doubtful' ? { ...health, kind: 'failing' } : health;
  const { at, status, error } = event;
  if (health.kind === 'well') return { kind: 'doubtful', since: at, failures: 1, status, error };
  const failures = health.failures + 1;
  const isFailing = health.kind === 'failing' || failures >= FAILING_AFTER;
  return { kind: isFailing ? 'failing' : 'doubtful', since: health.since, failures, status, error };
}
