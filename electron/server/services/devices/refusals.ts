import type { RefusedDevice } from '#shared/api/device.ts';
import type { TablesOf } from '../../core.ts';
import type { Transaction } from '../../db/writer.ts';
import { isoTime } from '../../domain/station/isoTime.ts';
import { StationError } from '../../errors.ts';

/** Maximum number of refused devices. */
const MAX_REFUSED = 5_000;

/** Manages the devices to ignore, such as a neighbor's devices. */
export function createRefusals({
  repositories,
  reads,
}: {
  repositories: TablesOf<'devices'>;
  reads: TablesOf<'devices'>;
}) {
  /** DeviceIDs of refused devices. Kept in memory, because every report from an unknown device is checked. */
  const refused = new Set(repositories.refusedDevices.list().map(({ device_id }) => device_id));
  return {
    has: (deviceId: string): boolean => refused.has(deviceId),
    /** Lists refused devices, sorted by DeviceID. */
    list: (): RefusedDevice[] => reads.refusedDevices.list().map(entry),
    /**
     * Refuses a device and returns the entry with the time. Refusing a device again changes nothing. Throws `conflict` if the list is full.
     */
    add(tx: Transaction, deviceId: string): RefusedDevice {
      const before = repositories.refusedDevices.find(deviceId);
      if (before !== undefined) return entry(before);
      if (repositories.refusedDevices.count() >= MAX_REFUSED) {
        throw new StationError(
          'conflict',
          `${MAX_REFUSED} devices are already refused. Take back refusals of devices that are out of reach.`,
        );
      }
      repositories.refusedDevices.insert(deviceId, tx.now);
      tx.afterCommit(() => refused.add(deviceId));
      return entry({ device_id: deviceId, refused_at: tx.now });
    },
    /** Stops refusing a device. Returns false if the device was not refused. */
    remove(tx: Transaction, deviceId: string): boolean {
      if (!repositories.refusedDevices.remove(deviceId)) return false;
      tx.afterCommit(() => refused.delete(deviceId));
      return true;
    },
  };
}

export type Refusals = ReturnType<typeof createRefusals>;

function entry({ device_id, refused_at }: { device_id: string; refused_at: number }): RefusedDevice {
  return { deviceid: device_id, refused_at: isoTime(refused_at) };
}
