import { hostname } from 'node:os';
import type { BrokerClient } from './brokerPort.ts';
import { type StationConfig, usualPort } from './config.ts';
import { createAddressFile } from './addressFile.ts';
import type { Core } from './core.ts';
import { StationError } from './errors.ts';
import { createApp } from './http/app.ts';
import { allEndpoints } from './http/endpoints/all.ts';
import { createEventStreams } from './http/events.ts';
import { createProxyTrust } from './http/forwarded.ts';
import type { Addresses } from './http/guard.ts';
import { createInvoker } from './http/invoker.ts';
import { createListener } from './http/listener.ts';
import { forOthers } from './http/exposure.ts';
import { thisMachine } from './http/machine.ts';
import { isSafeForPasswords } from './http/signIn.ts';
import { turboNetworkOf } from './http/turboNetwork.ts';
import { turboUpgrade } from './http/turboUpgrade.ts';
import { type Access, type Caller, type Rights, weaknessOf } from './services/access/index.ts';
import { createMqttSwitch } from './mqtt/switch.ts';
import type { RefusedCallers, StationAlerts } from './services/alerts/index.ts';
import { createKnownNames, createRequestLog } from './services/base/index.ts';
import type { BrokerQueue, ReceiverWatch } from './services/callbacks/index.ts';
import { createTurboSignIn } from './services/turbos/index.ts';
import type { Overview } from './services/overview.ts';
import { createTurboSockets } from './turbo/frames/transports/network.ts';
import type { Transport } from './turbo/frames/transports/transport.ts';
import { createTurboPort } from './turbo/frames/turboPort.ts';

/** Who commands over MQTT come from. */
const MQTT: Caller = { name: 'MQTT', scope: 'control', credential: { kind: 'none' } };

/** What endpoints need beside what is created here. */
export type EndpointServices = Omit<
  Parameters<typeof allEndpoints>[0],
  'listener' | 'exposure' | 'health' | 'mqtt' | 'network' | 'otherAddresses' | 'requestLog' | 'streams' | 'url'
> & {
  access: Access;
  overview: Overview;
  refusedCallers: RefusedCallers;
  stationAlerts: StationAlerts;
  rights: Rights;
  brokerQueue: BrokerQueue;
  broker: ReceiverWatch;
};

/** The ways into a station: HTTP with the page and the event stream, and turbos over the network. */
export function createEntrances(
  core: Core,
  needs: {
    config: StationConfig;
    services: EndpointServices;
    version: string;
    pageFolder: string;
    /** Connects a turbo over this transport. */
    attach: (transport: Transport) => void;
    loadBroker: () => Promise<BrokerClient>;
    /** Refuse requests: the station is starting or stopping. */
    isClosed: () => boolean;
  },
) {
  const { config, services, attach, isClosed, version } = needs;
  const { access, refusedCallers } = services;
  const { clock, log, onStart, onStop } = core;
  const settings = core.settings.current;
  const addressFile = createAddressFile(config.dataFolder, log);
  const tellWhere = (): void => addressFile.tell(listener.url(), listener.certificate()?.fingerprint);
  const listener = createListener({
    config,
    usualPort: usualPort(config),
    settings,
    machine: thisMachine,
    clock,
    log,
    renewed: tellWhere,
    weakness: weaknessOf(config.apiKey),
  });
  const addresses: Addresses = {
    port: listener.port,
    host: listener.host,
    certificate: () => listener.certificate()?.kind,
    publicUrls: () => settings().public_urls,
    corsOrigins: () => settings().cors_origins,
    isTrustedProxy: createProxyTrust(() => settings().trusted_proxies),
    refused: refusedCallers.refused,
  };
  const turboSignIn = createTurboSignIn({
    access,
    clock,
    ids: core.ids,
    takesPlainPasswords: () => settings().turbo_plain_passwords,
  });
  const turboSockets = createTurboSockets({ clock, attach });
  const turboPort = createTurboPort({
    wanted: config.turboPort,
    isFixed: config.host !== undefined,
    host: listener.host,
    key: listener.certificate,
    network: {
      clock,
      attach,
      admission: ({ address, isEncrypted }) =>
        turboSignIn.admission({ address, isSafeForPasswords: isSafeForPasswords(isEncrypted, address) }),
    },
    log,
  });
  const streams = createEventStreams({ ...core, overview: services.overview, access });
  const requestLog = createRequestLog({ clock, isOn: () => settings().request_log });
  const network = (): ReturnType<typeof turboNetworkOf> =>
    turboNetworkOf(listener.answer(), {
      port: listener.port(),
      tcpPort: turboPort.port(),
      plainPasswords: settings().turbo_plain_passwords,
    });
  const { writer } = core;
  const health = () => ({
    revision: writer.revision(),
    devices: services.devices.count(),
    commits: writer.commits(),
  });
  const mqtt = createMqttSwitch(core, {
    devices: services.devices,
    orders: services.orders,
    stationAlerts: services.stationAlerts,
    loadClient: needs.loadBroker,
    queue: services.brokerQueue,
    heard: services.broker.heard,
    // The broker decides who is allowed to publish there.
    invoker: () => createInvoker({ endpoints, rights: services.rights, log, caller: MQTT, way: 'MQTT' }),
    url: () => settings().public_urls[0] ?? listener.url(),
    name: hostname(),
    fleetOnly: config.fleetOnly === true,
  });
  const endpoints = allEndpoints({
    ...services,
    listener,
    health,
    mqtt,
    network,
    requestLog,
    streams,
    otherAddresses: () => forOthers([...settings().public_urls, ...listener.answer().addresses]),
    url: listener.url,
  });
  const app = createApp({
    endpoints,
    access,
    rights: services.rights,
    keyedRequests: core.keyedRequests,
    knownNames: createKnownNames(core),
    revision: core.writer.revision,
    addresses,
    requestLog,
    clock,
    log,
    version,
    pageFolder: needs.pageFolder,
    stationId: core.stationId,
    isStopping: isClosed,
  });

  return {
    listener,
    turboPort,
    mqtt,
    /** Opens the HTTP port. Answers nothing while `isClosed`. */
    async openHttp(): Promise<void> {
      onStop(() => listener.stop());
      // Refuse waiting requests before their connections close.
      onStop(() => core.backgroundReads.stop());
      onStop(() => turboSockets.stop());
      const upgrade = turboUpgrade({
        signIn: turboSignIn,
        addresses,
        isStopping: isClosed,
        accept: turboSockets.accept,
        log,
      });
      await listener.open(app, upgrade, turboPort);
      onStop(() => streams.stop());
      onStart(() => {
        onStop(() => mqtt.stop());
        mqtt.start();
      });
    },
    /** Opens the port for turbos and writes the address file. Throws `conflict`. */
    async openTurboPort(): Promise<void> {
      onStop(() => turboPort.stop());
      await turboPort.start().catch((error: Error) => {
        throw new StationError('conflict', error.message);
      });
      tellWhere();
      onStop(() => addressFile.forget());
    },
  };
}

export type Entrances = ReturnType<typeof createEntrances>;
