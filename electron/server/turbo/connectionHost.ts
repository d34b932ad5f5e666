import type { ScreenSize } from '#shared/screen/panel.ts';
import type { DeviceStatus, Log } from '../ports.ts';
import type { Connections } from './connections.ts';
import type { DeviceSyncs } from './devices/deviceSyncs.ts';
import type { Engine } from './engine.ts';
import { HAS_NO_LED, HAS_NO_SCREEN, IS_SLOW, type AckStatus, type Body } from './frames/protocol/messages.ts';
import { isConnection, type TurboList } from './turboList.ts';
import type { TurboConnection, ConnectionHost } from './types.ts';

/** Reason for closing a connection at the request of its owner. It is not recorded as an error. */
export const DETACHED = 'disconnected here';

type Parts = { log: Log; engine: Engine; turbos: TurboList; devices: DeviceSyncs; connections: Connections };

/** Handles the events of each connection. */
export function createConnectionHost(parts: Parts): ConnectionHost {
  const { log, engine, turbos, devices, connections } = parts;
  return {
    refusalOf: turbos.refusalOf,
    online(connection, turbo) {
      connections.signedIn(connection);
      leaveAll(parts, connection);
      const known = turbos.find(turbo.serialNumber);
      if (isConnection(known) && known !== connection) known.close('replaced by a newer link');
      // A new session on the same wire counts as a reconnect, because the reports held by the turbo are still to come.
      if (known === connection) {
        engine.emit((events) => events.turboChanged({ ...turbos.stateOf(connection), status: 'connecting' }));
      }
      enlist(parts, connection, turbo.serialNumber);
      log.info({ turbo: turbo.serialNumber, port: connection.transport.port }, 'Turbo online');
      turbos.changed(connection);
      connections.find(connection)?.watch?.online();
      void connection.sync();
    },
    synced: turbos.changed,
    refused(connection) {
      leaveAll(parts, connection);
      const connected = connections.find(connection);
      connected?.watch?.refused(connection.problem ?? '');
      log.warn({ port: connection.transport.port, problem: connection.problem }, 'Turbo refused');
      const serial = connection.turbo?.serialNumber ?? '';
      const known = turbos.find(serial);
      // Anybody on the network can claim any serial number, so a refused connection must not change an existing turbo.
      const { admission } = connection.transport;
      const isUnproved = admission !== undefined && admission.boundTo() === undefined;
      const isForeign = known !== undefined && (isConnection(known) || isUnproved);
      if (serial === '' || isForeign) turbos.removeUnless(connection, serial);
      else enlist(parts, connection, serial);
      connected?.traffic.failed(connection.problem ?? 'It was not admitted');
      turbos.changed(connection);
    },
    troubled(connection) {
      connections.find(connection)?.traffic.failed(connection.problem ?? '');
      log.warn({ port: connection.transport.port, problem: connection.problem }, 'A turbo with a problem');
      turbos.changed(connection);
    },
    closed(connection, reason) {
      leaveAll(parts, connection);
      const connected = connections.find(connection);
      connections.remove(connection);
      if (reason !== DETACHED) connected?.traffic.failed(reason);
      connected?.traffic.closed();
      connected?.watch?.closed(reason);
      const state = turbos.closed(connection, reason);
      if (state === undefined) return;
      log.info({ turbo: state.serialNumber, reason }, 'Turbo offline');
      engine.emit((events) => events.turboChanged(state));
    },
    async report(connection, report) {
      devices.reported(report);
      await engine.report(connection, report);
    },
    status: (connection, body, screenSize) => takeStatus(parts, connection, body, screenSize),
  };
}

function takeStatus(
  { engine, devices, connections }: Parts,
  connection: TurboConnection,
  body: Body<'deviceStatus'>,
  screenSize?: ScreenSize,
): AckStatus {
  const connected = connections.find(connection);
  const device = devices.findOrAdd(body.device);
  if (connected === undefined || device === undefined) return 'unknownDevice';
  const isNew = !connected.inRange.has(device);
  connected.inRange.add(device);
  // Report to the engine first, because the status may change what the engine wants the device to show.
  if (device.heardBy(connection, body)) {
    const turbo = connection.turbo?.serialNumber ?? '';
    const turboKey = connection.transport.admission?.turboKey();
    engine.emit((events) => events.statusReceived(turbo, body.device, statusOf(body, screenSize), turboKey));
  }
  device.sync();
  if (isNew && connection.synced) connections.recount(connection);
  return 'ok';
}

function statusOf(body: Body<'deviceStatus'>, screenSize: ScreenSize | undefined): DeviceStatus {
  const { firmware, buttons, capabilities, batteryMv, rssiDbm, uptimeS } = body;
  const { shownToken, shownChecksum, remainingMs, reachable } = body;
  const screen = (capabilities & HAS_NO_SCREEN) === 0;
  const led = (capabilities & HAS_NO_LED) === 0;
  const latency = (capabilities & IS_SLOW) === 0 ? 'live' : 'slow';
  const hardware = { firmware, buttons, screen, led, latency } as const;
  const status = { ...hardware, batteryMv, rssiDbm, uptimeS, shownToken, shownChecksum, remainingMs, reachable };
  return screenSize === undefined ? status : { ...status, screenSize };
}

/** Removes all devices from the connection, because its turbo has to report them again. */
function leaveAll({ connections, devices }: Parts, connection: TurboConnection): void {
  const connected = connections.find(connection);
  if (connected === undefined) return;
  const left = connected.inRange;
  connected.inRange = new Set();
  devices.lostBy(connection, left);
}

function enlist({ connections, turbos }: Parts, connection: TurboConnection, serial: string): void {
  connections.find(connection)?.traffic.named(serial);
  turbos.put(connection, serial);
}
