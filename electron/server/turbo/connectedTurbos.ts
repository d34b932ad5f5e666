import { MAX_DEVICES } from '#shared/lib/devices/deviceLimits.ts';
import type { Clock, Ids, Log, Turbos } from '../ports.ts';
import { createConnectionHost, DETACHED } from './connectionHost.ts';
import { createConnections, type Connections } from './connections.ts';
import { createDeviceSyncs } from './devices/deviceSyncs.ts';
import { createEngine } from './engine.ts';
import { FrameConnection } from './frames/frameConnection.ts';
import type { Tap } from './frames/protocol/exchange.ts';
import type { Transport } from './frames/transports/transport.ts';
import type { TrafficRegistry } from './traffic/trafficRegistry.ts';
import { createTurboList, isConnection, type TurboList } from './turboList.ts';
import type { TurboConnection, ConnectionHost, ConnectionWatch } from './types.ts';

/** Manages all turbos and devices: makes devices show what the engine wants, and passes reports to the engine. */
export function createConnectedTurbos(parts: { clock: Clock; ids: Ids; log: Log; trafficRegistry: TrafficRegistry }) {
  const { clock, ids, log, trafficRegistry } = parts;
  const engine = createEngine(log);
  const devices = createDeviceSyncs({ clock, log, engine });
  const connections: Connections = createConnections(clock, (connection) => turbos.changed(connection));
  const turbos: TurboList = createTurboList({
    clock,
    devicesOf: (connection) => connections.find(connection)?.inRange.size ?? 0,
    report: (state) => engine.emit((events) => events.turboChanged(state)),
  });
  const connectionHost = createConnectionHost({ log, engine, turbos, devices, connections });

  function enroll(connect: (host: ConnectionHost, tap: Tap) => TurboConnection, watch?: ConnectionWatch): () => void {
    const traffic = trafficRegistry.begin();
    const connection = connect(connectionHost, traffic);
    connections.add(connection, { inRange: new Set(), watch, traffic });
    return () => connection.close(DETACHED);
  }

  return {
    start: engine.start,
    idle: engine.idle,
    want(deviceId, show) {
      const device = devices.findOrAdd(deviceId);
      if (device === undefined) log.error({ device: deviceId }, `More than ${MAX_DEVICES} devices`);
      device?.want(show);
    },
    keep: (deviceId, background) => devices.findOrAdd(deviceId)?.keep(background),
    forget(deviceId) {
      const device = devices.forget(deviceId);
      if (device === undefined) return;
      // If a turbo still receives the device, its next report adds the device again.
      for (const [connection, { inRange: heard }] of connections.entries()) {
        if (heard.delete(device) && connection.synced) connections.recount(connection);
      }
    },
    list: turbos.states,
    forgetTurbo(serial) {
      if (!turbos.forget(serial)) return false;
      trafficRegistry.forget(serial);
      return true;
    },
    turboOf(deviceId) {
      const connection = devices.find(deviceId)?.connection();
      return connection && turbos.stateOf(connection);
    },
    reaches: (deviceId) => devices.find(deviceId)?.connection() !== undefined,
    canPress: (deviceId) => devices.find(deviceId)?.connection()?.transport.canPress ?? false,
    drain: (limitMs) => connections.all(limitMs, (one) => (one.state === 'online' ? one.sync() : one.firstSync)),
    awaitReports: (limitMs) =>
      connections.all(limitMs, async (one) => (one.state === 'online' && !one.synced ? one.sync() : undefined)),
    /** Exchanges frames over a transport until it closes, and reports progress to `watch`. Returns a function that closes the transport. */
    attach(transport: Transport, watch?: ConnectionWatch): () => void {
      return enroll((host, tap) => {
        const sessionId = (): number => Buffer.from(ids.bytes(4)).readUInt32LE();
        const connection = new FrameConnection({ transport, clock, log, host, sessionId, tap });
        if (transport.admission !== undefined) connections.awaitSignIn(connection);
        return connection;
      }, watch);
    },
    /**
     * Like `attach`, but for hardware that does not send frames. `connect` creates the connection, which must not report anything before
     * `connect` has returned.
     */
    join: (connect: (host: ConnectionHost) => TurboConnection, watch?: ConnectionWatch): (() => void) =>
      enroll(connect, watch),
    /** Returns the connection of a turbo, or undefined if the turbo is offline. */
    connectionOf(serialNumber: string): TurboConnection | undefined {
      const turbo = turbos.find(serialNumber);
      return isConnection(turbo) && turbo.state === 'online' ? turbo : undefined;
    },
    /** Closes every connection, without events for the turbos that go offline. */
    stop(): void {
      engine.stop();
      devices.stop();
      turbos.stop();
      connections.stop();
    },
  } satisfies Turbos & Record<string, unknown>;
}

export type ConnectedTurbos = ReturnType<typeof createConnectedTurbos>;
