/**
 * The most recent period when the device was offline while the command was first in its queue and not shown. Times are in epoch
 * milliseconds; `until` is null while the device is still offline.
 */
export type Outage = { since: number; until: number | null };

export type OutageEvent =
  | { kind: 'lost'; at: number }
  | { kind: 'reached'; at: number }
  /** The device has shown the command since `at`. */
  | { kind: 'shown'; at: number };

/** How far a command has got on its way to the device. */
export type CommandDelivery = 'queued' | 'sent' | 'shown' | 'unreachable';

/**
 * Returns the outage as it is after an event. Returns the same outage if the event does not apply, such as a repeated loss or a return
 * without a loss.
 */
export function nextOutage(outage: Outage | null, event: OutageEvent): Outage | null {
  if (event.kind === 'lost') return lasts(outage) ? outage : { since: event.at, until: null };
  if (!lasts(outage)) return outage;
  // The report is late: the command was shown before the device went offline.
  if (event.kind === 'shown' && event.at <= outage.since) return null;
  return { since: outage.since, until: event.at };
}

export function lasts(outage: Outage | null): outage is Outage {
  return outage !== null && outage.until === null;
}

/** Combines the state of an open command with the outage. */
export function commandDelivery(
  { kind }: { kind: Exclude<CommandDelivery, 'unreachable'> },
  outage: Outage | null,
): CommandDelivery {
  return lasts(outage) ? 'unreachable' : kind;
}
