import { createAlarm } from '../../scheduling/alarm.ts';
import type { Clock, TurboState } from '../../ports.ts';

/** Minimum time between two publications of conditions. */
const TELL_EVERY_MS = 50;

/** Collects devices and turbos whose condition has changed, and publishes many together. */
export function createNews(clock: Clock, publish: (deviceIds: string[], turbos: TurboState[]) => void) {
  const devices = new Set<string>();
  const turbos = new Map<string, TurboState>();
  let publishedAt = -Infinity;
  const alarm = createAlarm(clock, () => {
    publishedAt = clock.monotonic();
    const [deviceIds, states] = [[...devices], [...turbos.values()]];
    devices.clear();
    turbos.clear();
    publish(deviceIds, states);
  });

  /** Publishes immediately if the last publication was long enough ago, because somebody who presses a button may be watching the page. */
  function publishSoon(): void {
    if (!alarm.isSet()) alarm.in(publishedAt + TELL_EVERY_MS - clock.monotonic());
  }

  return {
    ofDevice(deviceId: string): void {
      devices.add(deviceId);
      publishSoon();
    },
    ofTurbo(state: TurboState): void {
      turbos.set(state.serialNumber, state);
      publishSoon();
    },
    forget: (deviceId: string): void => void devices.delete(deviceId),
    stop: (): void => alarm.stop(),
  };
}
