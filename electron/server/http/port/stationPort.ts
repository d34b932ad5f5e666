import type { RequestListener } from 'node:http';
import type { Exposure, Listens } from '#shared/api/exposure.ts';
import type { Settings } from '#shared/api/settings.ts';
import type { Alarm } from '../../scheduling/alarm.ts';
import { StationError } from '../../errors.ts';
import type { Clock, Log } from '../../ports.ts';
import { keepGenerated, readGiven, type StationCertificate } from './certificate.ts';
import { exposureOf } from './exposure.ts';
import type { Machine } from './machine.ts';
import { ANYWHERE, closeServer, listen, THIS_MACHINE, type Listening } from './server.ts';
import type { Upgrade } from './turboUpgrade.ts';

/**
 * Another server on the same addresses with the same certificate. `failure` returns why it does not listen, or an empty text if it does.
 */
export type Beside = { follow(): Promise<void>; failure(): string; renew(): void };

export type ListenerParts = {
  config: {
    host: string | undefined;
    port: number | undefined;
    portNow?: number | undefined;
    dataFolder: string;
    tls?: { cert: string; key: string } | undefined;
  };
  /** The port if neither an argument nor the settings set one. */
  usualPort: number;
  settings: () => Settings;
  machine: () => Machine;
  clock: Clock;
  log: Log;
  /** Called after the certificate changed. */
  renewed: () => void;
  /** Why this station must not be reachable from other machines, or an empty string if it may be. */
  weakness: string;
};

/** What the station's port serves. `upgrade` handles WebSocket connections. */
type Served = { handler: RequestListener; upgrade: Upgrade; beside: Beside };

/** The current state of the station's port. */
export type StationPort = ListenerParts & {
  served: Served | undefined;
  current: Listening | undefined;
  listens: Listens;
  certificate: StationCertificate | undefined;
  /** Alarm that goes off when the certificate must be checked. */
  looking: Alarm;
  /** Why the station does not listen as configured, or an empty string if it does. */
  failure: string;
  /** Servers that no longer accept connections. Each server closes when its last connection ends. */
  retired: Set<Listening>;
  isStopped: boolean;
};

const LOOK_EVERY_MS = 3_600_000;

export const hostOf = ({ config, listens }: StationPort): string =>
  config.host ?? (listens === 'network' ? ANYWHERE : THIS_MACHINE);

const wantedPortOf = ({ config, settings, usualPort }: StationPort): number =>
  config.port ?? settings().port ?? usualPort;

export const portOf = (port: StationPort): number => port.current?.port ?? port.config.portNow ?? wantedPortOf(port);

/** Opens the port. Throws a StationError about `/port` or `/tls`. */
export async function open(port: StationPort, served: Served): Promise<void> {
  const { config, settings, weakness, looking, log } = port;
  port.served = served;
  port.certificate = await readCertificate(port);
  port.listens = config.host === undefined ? settings().listen : listensAt(config.host);
  if (port.listens === 'network' && weakness !== '') {
    if (config.host !== undefined) throw new StationError('invalid', weakness);
    port.listens = 'this_machine';
    port.failure = weakness;
  }
  port.current = await listenAtStart(port);
  if (port.certificate !== undefined) looking.in(LOOK_EVERY_MS);
  for (const { code, message } of exposureNow(port).warnings) log.warn({ code }, message);
}

/**
 * Opens the port at startup. If listening on the network fails, listens only on this machine, so that the owner can open the page and
 * change the setting.
 */
async function listenAtStart(port: StationPort): Promise<Listening> {
  try {
    return await listenNow(port, portOf(port));
  } catch (error) {
    if (!(error instanceof StationError) || port.config.host !== undefined || port.listens !== 'network') throw error;
    port.listens = 'this_machine';
    port.failure = error.message;
    return listenNow(port, portOf(port));
  }
}

async function listenNow(port: StationPort, at: number): Promise<Listening> {
  const { served, certificate, log } = port;
  if (served === undefined) throw new Error('The port was never opened');
  const listening = await listen(served.handler, { host: hostOf(port), port: at, key: certificate }, log);
  listening.server.on('upgrade', served.upgrade);
  return listening;
}

async function readCertificate(port: StationPort): Promise<StationCertificate | undefined> {
  const { config, settings } = port;
  if (config.tls !== undefined) return readGiven(config.tls);
  return settings().tls === 'generated' ? generated(port) : undefined;
}

function generated({ config, settings, machine, clock }: StationPort): Promise<StationCertificate> {
  const { names, addresses } = machine();
  const hosts = settings().public_urls.map((url) => new URL(url).hostname.replace(/^\[|\]$/g, ''));
  return keepGenerated({
    folder: config.dataFolder,
    names: [...new Set(['localhost', THIS_MACHINE, '::1', ...names, ...hosts])],
    addresses,
    now: clock.now(),
  });
}

/** Loads a renewed certificate file, or renews our generated certificate before it expires. Logs failures. */
async function renew(port: StationPort): Promise<void> {
  const { certificate, renewed, log } = port;
  if (certificate === undefined) return;
  try {
    const next = certificate.kind === 'given' ? await readCertificate(port) : await generated(port);
    if (next === undefined || next.fingerprint === port.certificate?.fingerprint) return;
    port.certificate = next;
    port.current?.renew(next);
    renewed();
    port.served?.beside.renew();
  } catch (error) {
    log.warn({ err: error }, 'the certificate could not be renewed: the station keeps the one that it has');
  }
}

/** Checks the certificate now, and then every hour. */
export function look(port: StationPort): void {
  port.looking.in(LOOK_EVERY_MS);
  void renew(port);
}

/** Applies the settings that take effect without a restart. */
export async function applySettings(port: StationPort): Promise<void> {
  if (port.isStopped) return;
  await renew(port);
  await move(port);
  await port.served?.beside.follow();
}

async function move(port: StationPort): Promise<void> {
  const { settings, config, current, listens: had, weakness } = port;
  const wanted = settings().listen;
  port.failure = '';
  if (current === undefined || config.host !== undefined || wanted === had || waitsForStart(port, wanted)) return;
  if (wanted === 'network' && weakness !== '') {
    port.failure = weakness;
    return;
  }
  const samePort = current.port;
  // Close the old server first, because both need the same port.
  if (wanted === 'network') retire(port, current);
  else void closeServer(current);
  try {
    port.listens = wanted;
    port.current = await listenNow(port, samePort);
  } catch (error) {
    if (!(error instanceof StationError)) throw error;
    port.failure = error.message;
    port.listens = had;
    port.current = await listenNow(port, samePort);
  }
}

/** Stops listening but keeps existing connections, which stay allowed because the station only becomes reachable from more machines. */
function retire({ retired }: StationPort, listening: Listening): void {
  retired.add(listening);
  listening.server.once('close', () => retired.delete(listening));
  listening.server.close();
}

/** Whether opening the port to the network must wait for the restart that also turns on encryption, because the owner wants both. */
function waitsForStart({ certificate, settings }: StationPort, wanted: Listens): boolean {
  return wanted === 'network' && certificate === undefined && settings().tls === 'generated';
}

/** Returns how the station can be reached now, as in the API. */
export function exposureNow(port: StationPort): Exposure {
  const { config, settings, listens, certificate, machine, failure, served, weakness, clock } = port;
  return exposureOf({
    config,
    settings: settings(),
    listens,
    host: hostOf(port),
    port: portOf(port),
    wantedPort: wantedPortOf(port),
    certificate,
    machine: machine(),
    failure,
    turboFailure: served?.beside.failure() ?? '',
    weakness,
    now: clock.now(),
  });
}

function listensAt(host: string): Listens {
  return /^(?:127\.[\d.]+|::1|localhost)$/i.test(host) ? 'this_machine' : 'network';
}
