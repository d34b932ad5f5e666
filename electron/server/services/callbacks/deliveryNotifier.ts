import type { ReceiverTrouble } from '#shared/api/callback.ts';
import { createAlarm } from '../../scheduling/alarm.ts';
import type { Clock } from '../../ports.ts';
import type { Bus } from '../base/index.ts';

/** Minimum time between notifications. */
const TELL_EVERY_MS = 500;

/**
 * Notifies the event stream that deliveries or the receiver's trouble have changed. Does not use facts in commits, because thousands per
 * second would burden every client of the stream.
 */
export function createDeliveryNotifier(parts: {
  bus: Bus;
  clock: Clock;
  /** Returns the receiver's current trouble. */
  trouble: () => ReceiverTrouble | null;
}): { changed(): void; stop(): void } {
  const { bus, clock, trouble } = parts;
  const alarm = createAlarm(clock, () =>
    bus.publishEphemera({ devices: [], turbos: [], deliveries: true, receiver: trouble() }),
  );
  return { changed: () => alarm.within(TELL_EVERY_MS), stop: alarm.stop };
}
