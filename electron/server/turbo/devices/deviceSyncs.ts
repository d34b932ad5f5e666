import { MAX_DEVICES } from '#shared/lib/devices/deviceLimits.ts';
import { createAlarm } from '../../scheduling/alarm.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Engine } from '../engine.ts';
import { BUSY_RETRY_MS } from '../frames/protocol/messages.ts';
import type { TurboConnection, Report } from '../types.ts';
import { DeviceSync, type DeviceSyncHost } from './deviceSync.ts';

/** Manages the devices that turbos have received, and the devices for which a show is wanted. */
export function createDeviceSyncs({ clock, log, engine }: { clock: Clock; log: Log; engine: Engine }) {
  const devices = new Map<string, DeviceSync>();
  /** Forgotten devices with a last show in flight. */
  const leaving = new Map<string, DeviceSync>();
  const busy = new Set<DeviceSync>();
  const busyAlarm = createAlarm(clock, () => {
    const retried = [...busy];
    busy.clear();
    for (const device of retried) device.retry();
  });

  const host: DeviceSyncHost = {
    monotonic: () => clock.monotonic(),
    sent: (deviceId, token) => engine.emit((events) => events.sent(deviceId, token)),
    moved: (device) => engine.emit((events) => events.moved(device.deviceId, device.rssiDbm())),
    reachChanged: (deviceId) => engine.emit((events) => events.reachChanged(deviceId)),
    retryLater(device) {
      busy.add(device);
      busyAlarm.within(BUSY_RETRY_MS);
    },
    left: (device) => void (leaving.get(device.deviceId) === device && leaving.delete(device.deviceId)),
    refused: (deviceId, token, reason) =>
      log.warn({ device: deviceId, token, reason }, 'A device refused what it should show'),
  };

  return {
    find: (deviceId: string): DeviceSync | undefined => devices.get(deviceId),
    /** Returns the device, and adds it if necessary. Returns undefined if there are too many devices. */
    findOrAdd(deviceId: string): DeviceSync | undefined {
      const known = devices.get(deviceId);
      if (known !== undefined || devices.size >= MAX_DEVICES) return known;
      // Allow only one show per device at a time, so that an old show cannot arrive after a new one.
      leaving.get(deviceId)?.drop();
      const device = new DeviceSync(deviceId, host);
      devices.set(deviceId, device);
      return device;
    },
    /** Updates the device from a report. Must be called before the engine handles the report. */
    reported({ name, body }: Report): void {
      const device = devices.get(body.device);
      if (name === 'shown') device?.shown(body.token, body.checksum, body.ageMs);
      else if (body.token !== 0 && (name === 'ended' || body.button === 'front')) device?.ended(body.token);
    },
    /** Handles a connection that ended or restarts. Its turbo has to report the devices in `heard` again. */
    lostBy(connection: TurboConnection, heard: ReadonlySet<DeviceSync>): void {
      for (const device of leaving.values()) device.drop(connection);
      for (const device of heard) {
        device.lostBy(connection);
        if (device.isForgettable()) devices.delete(device.deviceId);
      }
    },
    /** Forgets a device. Returns the device, or undefined if it was unknown. */
    forget(deviceId: string): DeviceSync | undefined {
      const device = devices.get(deviceId);
      if (device === undefined) return undefined;
      if (device.forget()) leaving.set(deviceId, device);
      busy.delete(device);
      devices.delete(deviceId);
      return device;
    },
    stop: (): void => busyAlarm.stop(),
  };
}

export type DeviceSyncs = ReturnType<typeof createDeviceSyncs>;
