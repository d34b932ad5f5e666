/**
 * The last time that the device was offline while the command was first in its queue and not shown. Epoch milliseconds;
 * `until` null: still offline.
 */
export type Outage = { since: number; until: number | null };

export type OutageEvent =
  | { kind: 'lost'; at: number }
  | { kind: 'reached'; at: number }
  /** The device shows it, since `at`. */
  | { kind: 'shown'; at: number };

/** Progress of a command on its way to the device. */
export type CommandDelivery = 'queued' | 'sent' | 'shown' | 'unreachable';

/** Unknown pairs change nothing, such as a repeated loss or a return without a loss. */
export function nextOutage(outage: Outage | null, event: OutageEvent): Outage | null {
  if (event.kind === 'lost') return lasts(outage) ? outage : { since: event.at, until: null };
  if (!lasts(outage)) return outage;
  // A late report: it was shown before the device went offline.
  if (event.kind === 'shown' && event.at <= outage.since) return null;
  return { since: outage.since, until: event.at };
}

export function lasts(outage: Outage | null): outage is Outage {
  return outage !== null && outage.until === null;
}

/** `kind`: state of an open command. */
export function commandDelivery(
  { kind }: { kind: Exclude<CommandDelivery, 'unreachable'> },
  outage: Outage | null,
): CommandDelivery {
  return lasts(outage) ? 'unreachable' : kind;
}
