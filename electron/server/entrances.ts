import { hostname } from 'node:os';
import type { BrokerClient } from './ports/broker.ts';
import { type StationConfig, usualPort } from './config.ts';
import { createAddressFile } from './files/addressFile.ts';
import type { Core } from './core.ts';
import { StationError } from './errors.ts';
import { createApp } from './http/app.ts';
import { allEndpoints } from './http/endpoints/all.ts';
import { createEventStreams } from './http/events.ts';
import { createProxyTrust } from './http/port/forwarded.ts';
import type { Addresses } from './http/port/guard.ts';
import { createInvoker } from './http/invoker.ts';
import { createListener, type StationListener } from './http/port/listener.ts';
import { forOthers } from './http/port/exposure.ts';
import { thisMachine } from './http/port/machine.ts';
import { isSafeForPasswords } from './http/signIn.ts';
import { turboNetworkOf } from './http/port/turboNetwork.ts';
import { turboUpgrade } from './http/port/turboUpgrade.ts';
import { createForegroundQueue } from './scheduling/index.ts';
import { type Access, type Caller, type Rights, weaknessOf } from './services/access/index.ts';
import { createMqttSwitch } from './mqtt/switch.ts';
import type { RefusedCallers, StationAlerts } from './services/alerts/index.ts';
import { createKnownNames, createRequestLog } from './services/base/index.ts';
import type { BrokerQueue, ReceiverWatch } from './services/callbacks/index.ts';
import { createTurboSignIn } from './services/turbos/index.ts';
import type { Overview } from './services/overview.ts';
import { createTurboSockets } from './turbo/frames/transports/network.ts';
import type { Transport } from './turbo/frames/transports/transport.ts';
import { createTurboPort, type TurboPort } from './turbo/frames/turboPort.ts';

/** The caller of commands that arrive over MQTT. */
const MQTT: Caller = { name: 'MQTT', scope: 'control', credential: { kind: 'none' } };

/** Services that endpoints need and that are created outside this file. */
export type EndpointServices = Omit<
  Parameters<typeof allEndpoints>[0],
  | 'listener'
  | 'exposure'
  | 'health'
  | 'mqtt'
  | 'network'
  | 'otherAddresses'
  | 'refusal'
  | 'requestLog'
  | 'streams'
  | 'url'
> & {
  access: Access;
  overview: Overview;
  refusedCallers: RefusedCallers;
  stationAlerts: StationAlerts;
  rights: Rights;
  brokerQueue: BrokerQueue;
  broker: ReceiverWatch;
};

type EntranceNeeds = {
  config: StationConfig;
  services: EndpointServices;
  version: string;
  pageFolder: string;
  /** Connects a turbo over this transport. */
  attach: (transport: Transport) => void;
  loadBroker: () => Promise<BrokerClient>;
  /** Whether requests must be refused because the station is starting or stopping. */
  isClosed: () => boolean;
};

/** Creates the entrances of a station: HTTP with the page and the event stream, MQTT, and turbos over the network. */
export function createEntrances(core: Core, needs: EntranceNeeds) {
  const { config, services, isClosed } = needs;
  const { clock, log, onStart, onStop } = core;
  const settings = core.settings.current;
  const addressFile = createAddressFile(config.dataFolder, log);
  const writeAddress = (): void => addressFile.publish(listener.url(), listener.certificate()?.fingerprint);
  const listener = createListener({
    config,
    usualPort: usualPort(config),
    settings,
    machine: thisMachine,
    clock,
    log,
    renewed: writeAddress,
    weakness: weaknessOf(config.apiKey),
  });
  const addresses: Addresses = {
    port: listener.port,
    host: listener.host,
    certificate: () => listener.certificate()?.kind,
    publicUrls: () => settings().public_urls,
    corsOrigins: () => settings().cors_origins,
    isTrustedProxy: createProxyTrust(() => settings().trusted_proxies),
    refused: services.refusedCallers.refused,
  };
  const turbos = createTurboEntrance(core, needs, listener);
  const { app, mqtt, streams } = createHttpApp(core, needs, { listener, addresses, turboPort: turbos.port });

  return {
    listener,
    turboPort: turbos.port,
    mqtt,
    /** Opens the HTTP port. Requests are refused as long as `isClosed` returns true. */
    async openHttp(): Promise<void> {
      onStop(() => listener.stop());
      // Refuse waiting reads before the connections close.
      onStop(() => core.backgroundReads.stop());
      onStop(() => turbos.sockets.stop());
      const upgrade = turboUpgrade({
        signIn: turbos.signIn,
        addresses,
        isStopping: isClosed,
        accept: turbos.sockets.accept,
        log,
      });
      await listener.open(app, upgrade, turbos.port);
      onStop(() => streams.stop());
      onStart(() => {
        onStop(() => mqtt.stop());
        mqtt.start();
      });
    },
    /** Opens the port for turbos and writes the address file. Throws `conflict` if the port is not free. */
    async openTurboPort(): Promise<void> {
      onStop(() => turbos.port.stop());
      await turbos.port.start().catch((error: Error) => {
        throw new StationError('conflict', error.message);
      });
      writeAddress();
      onStop(() => addressFile.forget());
    },
  };
}

/** Creates the entrance for turbos on the network: a separate port, sockets upgraded from HTTP, and the sign-in for both. */
function createTurboEntrance(core: Core, { config, services, attach }: EntranceNeeds, listener: StationListener) {
  const { clock, ids, log, messageTurns: turns } = core;
  const signIn = createTurboSignIn({
    access: services.access,
    clock,
    ids,
    takesPlainPasswords: () => core.settings.current().turbo_plain_passwords,
  });
  const port = createTurboPort({
    wanted: config.turboPort,
    isFixed: config.host !== undefined,
    host: listener.host,
    key: listener.certificate,
    network: {
      clock,
      attach,
      turns,
      admission: ({ address, isEncrypted }) =>
        signIn.admission({ address, isSafeForPasswords: isSafeForPasswords(isEncrypted, address) }),
    },
    log,
  });
  return { signIn, port, sockets: createTurboSockets({ clock, attach, turns }) };
}

/** Creates the HTTP app with all endpoints, and the services that only endpoints use. */
function createHttpApp(
  core: Core,
  needs: EntranceNeeds,
  { listener, addresses, turboPort }: { listener: StationListener; addresses: Addresses; turboPort: TurboPort },
) {
  const { config, services, version } = needs;
  const { access, rights } = services;
  const { clock, log, writer } = core;
  const settings = core.settings.current;
  const streams = createEventStreams({ ...core, overview: services.overview, access });
  const requestLog = createRequestLog({ clock, isOn: () => settings().request_log });
  const mqtt = createMqttSwitch(core, {
    articles: services.articles,
    batches: services.batches,
    devices: services.devices,
    orders: services.orders,
    stationAlerts: services.stationAlerts,
    loadClient: needs.loadBroker,
    queue: services.brokerQueue,
    onOutcome: services.broker.attempted,
    // The broker decides who is allowed to publish commands.
    invoker: () => createInvoker({ endpoints, rights, log, caller: MQTT, way: 'MQTT' }),
    url: () => settings().public_urls[0] ?? listener.url(),
    name: hostname(),
    fleetOnly: config.fleetOnly === true,
  });
  const endpoints = allEndpoints({
    ...services,
    listener,
    health: () => ({ revision: writer.revision(), devices: services.devices.count(), commits: writer.commits() }),
    refusal: writer.refusal,
    mqtt,
    network: () =>
      turboNetworkOf(listener.answer(), {
        port: listener.port(),
        tcpPort: turboPort.port(),
        plainPasswords: settings().turbo_plain_passwords,
      }),
    requestLog,
    streams,
    otherAddresses: () => forOthers([...settings().public_urls, ...listener.answer().addresses]),
    url: listener.url,
  });
  const foregroundReads = createForegroundQueue(core);
  core.onStop(() => foregroundReads.stop());
  const app = createApp({
    endpoints,
    access,
    rights,
    keyedRequests: core.keyedRequests,
    knownNames: createKnownNames(core),
    revision: writer.revision,
    addresses,
    requestLog,
    takeAll: foregroundReads.takeAll,
    clock,
    log,
    version,
    pageFolder: needs.pageFolder,
    stationId: core.stationId,
    isStopping: needs.isClosed,
    refusal: writer.refusal,
  });
  return { app, mqtt, streams };
}

export type Entrances = ReturnType<typeof createEntrances>;
