import { createAlarm } from '../../alarm.ts';
import type { Clock } from '../../ports.ts';
import type { Bus } from '../base/index.ts';

/** Shortest pause between two notices, however many deliveries change. */
const TELL_EVERY_MS = 500;

/** Notifies watchers of deliveries. Not a fact of a commit: thousands a second would burden every reader of the stream. */
export function createDeliveryNotifier({ bus, clock }: { bus: Bus; clock: Clock }): { changed(): void; stop(): void } {
  const alarm = createAlarm(clock, () => bus.publishEphemera({ devices: [], turbos: [], deliveries: true }));
  return { changed: () => alarm.within(TELL_EVERY_MS), stop: alarm.stop };
}
