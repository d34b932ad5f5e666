import { MAX_DEVICES } from '#shared/lib/deviceLimits.ts';
import type { ScreenSize } from '#shared/screen/panel.ts';
import { createAlarm } from '../alarm.ts';
import type { Clock, DeviceStatus, Ids, Log, TurboEvents, Turbos } from '../ports.ts';
import { DeviceSync, type DeviceSyncHost } from './devices/deviceSync.ts';
import type { Connection, ConnectionHost, ConnectionWatch, Report } from './types.ts';
import {
  BUSY_RETRY_MS,
  HAS_NO_LED,
  HAS_NO_SCREEN,
  IS_SLOW,
  type AckStatus,
  type Body,
} from './frames/protocol/messages.ts';
import type { Tap } from './frames/protocol/exchange.ts';
import type { ConnectionTraffic, TrafficRegistry } from './traffic/trafficRegistry.ts';
import type { Transport } from './frames/transports/transport.ts';
import { FrameConnection } from './frames/frameConnection.ts';
import { createTurboList, isConnection } from './turboList.ts';

/** Connections on which nobody has signed in yet: the oldest goes when there are more, since a turbo is done in a moment. */
const MAX_STRANGERS = 64;
const RECOUNT_MS = 500;

/** Why a connection ended that its owner wanted to end. */
const DETACHED = 'disconnected here';

export type ConnectedTurbosOptions = {
  clock: Clock;
  ids: Ids;
  log: Log;
  trafficRegistry: TrafficRegistry;
};

export type ConnectedTurbos = Turbos & {
  /** Says who hears what turbos report. Once, before the first turbo is attached. */
  start(listener: TurboEvents): void;
  /** Speaks over an opened transport until it closes, and tells who opened it how it goes. Returns what ends it. */
  attach(transport: Transport, watch?: ConnectionWatch): () => void;
  /** The same for a turbo that speaks no frames: `connect` makes its connection, which tells nothing before it has returned. */
  join(connect: (host: ConnectionHost) => Connection, watch?: ConnectionWatch): () => void;
  /** The connection of an online turbo. */
  connectionOf(serialNumber: string): Connection | undefined;
  /** Whether no promise of the engine is awaited. */
  idle(): boolean;
  /** Closes every connection. Nothing is told to the engine afterwards. */
  stop(): void;
};

/** One connection with the devices that its turbo hears. */
type Linked = { lines: Set<DeviceSync>; watch: ConnectionWatch | undefined; traffic: ConnectionTraffic };

/** All turbos and devices: brings what devices show to what the engine wants, and what they report to the engine. */
export function createConnectedTurbos({ clock, ids, log, trafficRegistry }: ConnectedTurbosOptions): ConnectedTurbos {
  let events: TurboEvents;
  const linked = new Map<Connection, Linked>();
  const lines = new Map<string, DeviceSync>();
  /** Forgotten devices with a last show on its way. */
  const leaving = new Map<string, DeviceSync>();
  const strangers = new Set<Connection>();
  const busy = new Set<DeviceSync>();
  const busyAlarm = createAlarm(clock, retryBusy);
  const recounted = new Set<Connection>();
  const recountAlarm = createAlarm(clock, () => {
    for (const grown of recounted) turbos.changed(grown);
    recounted.clear();
  });
  const turbos = createTurboList({
    clock,
    devicesOf: (connection) => linked.get(connection)?.lines.size ?? 0,
    report: (state) => tell(() => events.turboChanged(state)),
  });
  let awaited = 0;
  let stopped = false;

  const lineHost: DeviceSyncHost = {
    monotonic: () => clock.monotonic(),
    sent: (deviceId, token) => tell(() => events.sent(deviceId, token)),
    moved: (line) => tell(() => events.moved(line.deviceId, line.rssiDbm())),
    reachChanged: (deviceId) => tell(() => events.reachChanged(deviceId)),
    later(line) {
      busy.add(line);
      busyAlarm.within(BUSY_RETRY_MS);
    },
    left: (line) => void (leaving.get(line.deviceId) === line && leaving.delete(line.deviceId)),
    refused: (deviceId, token, reason) => log.warn({ device: deviceId, token, reason }, 'A show was refused'),
  };

  const connectionHost: ConnectionHost = {
    refusalOf: turbos.refusalOf,
    online(connection, turbo) {
      strangers.delete(connection);
      leaveAll(connection);
      const known = turbos.find(turbo.serialNumber);
      if (isConnection(known) && known !== connection) known.close('replaced by a newer link');
      // A new session on the same wire is a reconnect all the same: what the turbo held meanwhile is still to come.
      if (known === connection)
        tell(() => events.turboChanged({ ...turbos.stateOf(connection), status: 'connecting' }));
      enlist(connection, turbo.serialNumber);
      log.info({ turbo: turbo.serialNumber, port: connection.transport.port }, 'Turbo online');
      turbos.changed(connection);
      linked.get(connection)?.watch?.online();
      void connection.sync();
    },
    synced: turbos.changed,
    refused(connection) {
      leaveAll(connection);
      linked.get(connection)?.watch?.refused(connection.problem ?? '');
      log.warn({ port: connection.transport.port, problem: connection.problem }, 'Turbo refused');
      const serial = connection.turbo?.serialNumber ?? '';
      const known = turbos.find(serial);
      // Anybody on the network can give any number: a refused one changes nothing about a turbo that was here before.
      const { admission } = connection.transport;
      const isUnproved = admission !== undefined && admission.boundTo() === undefined;
      const isForeign = known !== undefined && (isConnection(known) || isUnproved);
      if (serial === '' || isForeign) turbos.removeUnless(connection, serial);
      else enlist(connection, serial);
      linked.get(connection)?.traffic.failed(connection.problem ?? 'It was not let in');
      turbos.changed(connection);
    },
    troubled(connection) {
      linked.get(connection)?.traffic.failed(connection.problem ?? '');
      log.warn({ port: connection.transport.port, problem: connection.problem }, 'A turbo with a problem');
      turbos.changed(connection);
    },
    closed(connection, reason) {
      strangers.delete(connection);
      leaveAll(connection);
      const record = linked.get(connection);
      linked.delete(connection);
      if (reason !== DETACHED) record?.traffic.failed(reason);
      record?.traffic.closed();
      record?.watch?.closed(reason);
      const state = turbos.closed(connection, reason);
      if (state === undefined) return;
      log.info({ turbo: state.serialNumber, reason }, 'Turbo offline');
      tell(() => events.turboChanged(state));
    },
    async report(connection, report) {
      awaited++;
      try {
        await passOn(connection, report);
      } finally {
        awaited--;
      }
    },
    status: takeStatus,
  };

  function passOn(connection: Connection, report: Report): Promise<void> {
    const { name, body } = report;
    const line = lines.get(body.device);
    const deviceId = body.device;
    if (name === 'shown') {
      line?.shown(body.token, body.checksum, body.ageMs);
      return events.shown({ deviceId, token: body.token, checksum: body.checksum, ageMs: body.ageMs });
    }
    const { epoch, counter, token, ageMs } = body;
    const quantity = body.quantity ?? null;
    if (token !== 0 && (name === 'ended' || body.button === 'front')) line?.ended(token);
    if (name === 'ended') return events.ended({ deviceId, epoch, counter, token, ageMs, quantity });
    const { button, hold } = body;
    const turboKey = connection.transport.admission?.turboKey();
    return events.button({ deviceId, epoch, counter, token, button, hold, ageMs, quantity }, turboKey);
  }

  function takeStatus(connection: Connection, body: Body<'deviceStatus'>, screenSize?: ScreenSize): AckStatus {
    const record = linked.get(connection);
    const line = lines.get(body.device) ?? addLine(body.device);
    if (record === undefined || line === undefined) return 'unknownDevice';
    const isNew = !record.lines.has(line);
    record.lines.add(line);
    const turbo = connection.turbo?.serialNumber ?? '';
    // First the engine, which may want something else now; then what it wants.
    const turboKey = connection.transport.admission?.turboKey();
    if (line.heardBy(connection, body))
      tell(() => events.heard(turbo, body.device, statusOf(body, screenSize), turboKey));
    line.sync();
    if (isNew && connection.synced) recount(connection);
    return 'ok';
  }

  function addLine(deviceId: string): DeviceSync | undefined {
    if (lines.size >= MAX_DEVICES) return undefined;
    // One show at a time for one device: an old one must not arrive behind a new one.
    leaving.get(deviceId)?.drop();
    const line = new DeviceSync(deviceId, lineHost);
    lines.set(deviceId, line);
    return line;
  }

  function leaveAll(connection: Connection): void {
    const record = linked.get(connection);
    if (record === undefined) return;
    for (const line of leaving.values()) line.drop(connection);
    const left = record.lines;
    record.lines = new Set();
    for (const line of left) {
      line.lostBy(connection);
      if (line.isForgettable()) lines.delete(line.deviceId);
    }
  }

  function admitLater(connection: Connection): void {
    strangers.add(connection);
    const [oldest] = strangers;
    if (strangers.size > MAX_STRANGERS) oldest?.close('too many connections on which nobody signs in');
  }

  function enlist(connection: Connection, serial: string): void {
    linked.get(connection)?.traffic.named(serial);
    turbos.put(connection, serial);
  }

  /** Tells of more devices once for many: they come by the hundred. */
  function recount(connection: Connection): void {
    recounted.add(connection);
    recountAlarm.within(RECOUNT_MS);
  }

  function retryBusy(): void {
    const retried = [...busy];
    busy.clear();
    for (const line of retried) line.retry();
  }

  /** Waits until this is over for every connection, or for `limitMs`. */
  async function allOf(limitMs: number, wait: (connection: Connection) => Promise<void>): Promise<void> {
    const limit = Promise.withResolvers<void>();
    const timer = clock.setTimer(limitMs, limit.resolve);
    await Promise.race([Promise.all([...linked.keys()].map(wait)), limit.promise]);
    timer.cancel();
  }

  /** A mistake in the engine must not break the connection that told it something. */
  function tell(call: () => void): void {
    if (stopped) return;
    try {
      call();
    } catch (error) {
      log.error({ err: error }, 'The engine failed on what a turbo told it');
    }
  }

  return {
    start(listener) {
      events = listener;
    },
    want(deviceId, show) {
      const line = lines.get(deviceId) ?? addLine(deviceId);
      if (line === undefined) log.error({ device: deviceId }, `More than ${MAX_DEVICES} devices`);
      line?.want(show);
    },
    keep: (deviceId, background) => (lines.get(deviceId) ?? addLine(deviceId))?.keep(background),
    forget(deviceId) {
      const line = lines.get(deviceId);
      if (line === undefined) return;
      if (line.forget()) leaving.set(deviceId, line);
      busy.delete(line);
      lines.delete(deviceId);
      // A turbo that goes on hearing it says so, and it begins anew.
      for (const [connection, record] of linked)
        if (record.lines.delete(line) && connection.synced) recount(connection);
    },
    list: turbos.states,
    forgetTurbo(serial) {
      if (!turbos.forget(serial)) return false;
      trafficRegistry.forget(serial);
      return true;
    },
    turboOf(deviceId) {
      const connection = lines.get(deviceId)?.connection();
      return connection && turbos.stateOf(connection);
    },
    reaches: (deviceId) => lines.get(deviceId)?.connection() !== undefined,
    canPress: (deviceId) => lines.get(deviceId)?.connection()?.transport.canPress ?? false,
    drain: (limitMs) =>
      allOf(limitMs, (connection) => (connection.state === 'online' ? connection.sync() : connection.firstSync)),
    told: (limitMs) =>
      allOf(limitMs, async (connection) =>
        connection.state === 'online' && !connection.synced ? connection.sync() : undefined,
      ),
    attach: (transport, watch) =>
      enroll((host, tap) => {
        const sessionId = (): number => Buffer.from(ids.bytes(4)).readUInt32LE();
        const connection = new FrameConnection({ transport, clock, log, host, sessionId, tap });
        if (transport.admission !== undefined) admitLater(connection);
        return connection;
      }, watch),
    join: enroll,
    connectionOf(serialNumber) {
      const turbo = turbos.find(serialNumber);
      return isConnection(turbo) && turbo.state === 'online' ? turbo : undefined;
    },
    idle: () => awaited === 0,
    stop() {
      stopped = true;
      busyAlarm.stop();
      recountAlarm.stop();
      turbos.stop();
      for (const connection of linked.keys()) connection.close('the station stops');
    },
  };

  function enroll(connect: (host: ConnectionHost, tap: Tap) => Connection, watch?: ConnectionWatch): () => void {
    const traffic = trafficRegistry.begin();
    const connection = connect(connectionHost, traffic);
    linked.set(connection, { lines: new Set(), watch, traffic });
    return () => connection.close(DETACHED);
  }
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
