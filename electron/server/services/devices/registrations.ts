import { countText } from '#shared/lib/text/locale.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { Clock, Log } from '../../ports.ts';

/** Maximum number of registrations per hour: more devices than the largest shipping carton contains. */
export const MAX_AN_HOUR = 1_000;
const HOUR_MS = 3_600_000;

/** The part of alerts that devices use. Alerts depend on devices, not the other way around. */
export type NewDeviceAlerts = {
  raise(tx: Transaction, alert: { kind: 'many_new_devices'; about: string; problem: string }): void;
};

/**
 * Limits how many new devices can be registered per hour by turbos of the same API user with the scope `turbo`, so that a stolen key cannot
 * fill the station.
 */
export function createRegistrations(parts: {
  writer: Pick<Writer, 'writeSoon'>;
  alerts: NewDeviceAlerts;
  clock: Clock;
  log: Log;
}) {
  const { writer, alerts, clock, log } = parts;
  const hours = new Map<string, { until: number; devices: Set<string>; isOver: boolean }>();

  function alert(turboKey: string): void {
    const problem = `Turbos with the key ${turboKey} registered ${countText(MAX_AN_HOUR)} new devices within an hour. Further devices wait to be accepted. Check whether the devices are yours; if not, revoke the key.`;
    writer
      .writeSoon((tx) => alerts.raise(tx, { kind: 'many_new_devices', about: turboKey, problem }))
      .catch((error: unknown) => log.warn({ err: error }, 'could not raise the alert about many new devices'));
  }

  return {
    /** Whether this device is allowed to register now. `turboKey` is the name of the API user, or undefined if there is no limit. */
    allows(turboKey: string | undefined, deviceId: string): boolean {
      if (turboKey === undefined) return true;
      const now = clock.monotonic();
      for (const [name, { until }] of hours) if (until <= now) hours.delete(name);
      const hour = hours.get(turboKey) ?? { until: now + HOUR_MS, devices: new Set(), isOver: false };
      hours.set(turboKey, hour);
      if (hour.devices.has(deviceId)) return true;
      if (hour.devices.size < MAX_AN_HOUR) {
        hour.devices.add(deviceId);
        return true;
      }
      if (!hour.isOver) alert(turboKey);
      hour.isOver = true;
      return false;
    },
  };
}

export type Registrations = ReturnType<typeof createRegistrations>;
