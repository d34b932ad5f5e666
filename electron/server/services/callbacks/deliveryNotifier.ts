import type { ReceiverTrouble } from '#shared/api/callback.ts';
import { createAlarm } from '../../alarm.ts';
import type { Clock } from '../../ports.ts';
import type { Bus } from '../base/index.ts';

/** Shortest pause between two notices. */
const TELL_EVERY_MS = 500;

/**
 * Notifies watchers of deliveries, and of the receiver's trouble. Not a fact of a commit: thousands a second would burden
 * every reader of the stream.
 */
export function createDeliveryNotifier(parts: {
  bus: Bus;
  clock: Clock;
  /** The receiver's trouble now. */
  trouble: () => ReceiverTrouble | null;
}): { changed(): void; stop(): void } {
  const { bus, clock, trouble } = parts;
  const alarm = createAlarm(clock, () =>
    bus.publishEphemera({ devices: [], turbos: [], deliveries: true, receiver: trouble() }),
  );
  return { changed: () => alarm.within(TELL_EVERY_MS), stop: alarm.stop };
}
