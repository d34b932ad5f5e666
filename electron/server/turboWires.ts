import type { Core } from './core.ts';
import { createSimulator } from './simulator/simulator.ts';
import type { TurboEvents } from './ports.ts';
import type { StationPorts } from './stationPorts.ts';
import { createConnectedTurbos } from './turbo/connectedTurbos.ts';
import { createController } from './turbo/controllerKinds.ts';
import { createNetworkLinks } from './turbo/links/networkLinks.ts';
import { createSerialLinks } from './turbo/links/serialLinks.ts';
import { createTrafficRegistry } from './turbo/traffic/trafficRegistry.ts';
import { createLoopbacks } from './turbo/frames/transports/loopback.ts';
import type { Transport } from './turbo/frames/transports/transport.ts';

/** Connects turbos of all kinds, and creates the simulated turbo. */
export function joinTurbos({ clock, ids, log, messageTurns: turns, onStop }: Core, ports: StationPorts) {
  const trafficRegistry = createTrafficRegistry(clock);
  const turbos = createConnectedTurbos({ clock, ids, log, trafficRegistry });
  ports.joinTurbos((connect, watch) => turbos.join(connect, watch), clock);
  const attach = (transport: Transport): void => void turbos.attach(ports.watchTransport(transport));
  const serialLinks = createSerialLinks({
    ports: ports.serial,
    clock,
    log,
    attach: (transport, watch) => turbos.attach(ports.watchTransport(transport), watch),
    turns,
  });
  const networkLinks = createNetworkLinks({
    clock,
    log,
    create: (parts) =>
      createController({ ...parts, http: ports.http, multicast: ports.multicast, clock, ids, log, turns }),
    join: ports.connectsLinks === false ? () => () => undefined : turbos.join,
  });
  const loopbacks = createLoopbacks({ clock, fraction: ids.fraction });
  const simulator = createSimulator({
    clock,
    ids,
    log,
    connect(faults) {
      const { station, turbo } = loopbacks.connect(faults);
      attach(station);
      return turbo;
    },
  });
  return {
    turbos,
    trafficRegistry,
    serialLinks,
    networkLinks,
    simulator,
    attach,
    pending: loopbacks.pending,
    /** Starts the connections. `events` receives the reports from turbos, even while the turbos are being stopped. */
    start(events: TurboEvents): void {
      turbos.start(events);
      onStop(() => turbos.stop());
      onStop(() => serialLinks.stop());
      onStop(() => networkLinks.stop());
      onStop(() => simulator.stop());
    },
  };
}
