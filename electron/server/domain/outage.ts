/**
 * The last time in which no turbo reached the device although the command was the first of its queue and not shown yet.
 * Epoch milliseconds; `until` null: it lasts.
 */
export type Outage = { since: number; until: number | null };

export type OutageEvent =
  | { kind: 'lost'; at: number }
  | { kind: 'reached'; at: number }
  /** The device shows it, since `at`. */
  | { kind: 'shown'; at: number };

/** How far a command has come on its way to the device. */
export type CommandDelivery = 'queued' | 'sent' | 'shown' | 'unreachable';

/** Unknown pairs change nothing: a loss that is told twice, a device that was never lost. */
export function nextOutage(outage: Outage | null, event: OutageEvent): Outage | null {
  if (event.kind === 'lost') return lasts(outage) ? outage : { since: event.at, until: null };
  if (!lasts(outage)) return outage;
  // Told late: it was shown before the device was lost.
  if (event.kind === 'shown' && event.at <= outage.since) return null;
  return { since: outage.since, until: event.at };
}

export function lasts(outage: Outage | null): outage is Outage {
  return outage !== null && outage.until === null;
}

/** `kind`: of the state that an open command is in. */
export function commandDelivery(
  { kind }: { kind: Exclude<CommandDelivery, 'unreachable'> },
  outage: Outage | null,
): CommandDelivery {
  return lasts(outage) ? 'unreachable' : kind;
}
