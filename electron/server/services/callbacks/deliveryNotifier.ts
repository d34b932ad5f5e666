import type { Clock, Timer } from '../../ports.ts';
import type { Bus } from '../base/index.ts';

/** However many deliveries go on: so often those who watch them are told to look again, and no more. */
const TELL_EVERY_MS = 500;

/** Tells that deliveries came or went on. It is no fact of a commit: thousands a second would cost every reader of the stream. */
export function createDeliveryNotifier({ bus, clock }: { bus: Bus; clock: Clock }): { changed(): void; stop(): void } {
  let timer: Timer | undefined;
  return {
    changed() {
      timer ??= clock.setTimer(TELL_EVERY_MS, () => {
        timer = undefined;
        bus.publishEphemera({ devices: [], turbos: [], deliveries: true });
      });
    },
    stop() {
      timer?.cancel();
    },
  };
}
