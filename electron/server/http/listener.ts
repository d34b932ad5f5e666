import type { RequestListener } from 'node:http';
import type { Exposure, Listens } from '#shared/api/exposure.ts';
import type { Settings, SettingsChange } from '#shared/api/settings.ts';
import { createAlarm } from '../alarm.ts';
import { StationError } from '../errors.ts';
import type { Clock, Log } from '../ports.ts';
import { keepGenerated, readGiven, type StationCertificate } from './certificate.ts';
import { exposureOf } from './exposure.ts';
import { asHost } from './guard.ts';
import type { Machine } from './machine.ts';
import { ANYWHERE, closeServer, listen, portRefusal, THIS_MACHINE, type Listening } from './server.ts';
import type { Upgrade } from './turboUpgrade.ts';

const LOOK_EVERY_MS = 3_600_000;

export type StationListener = ReturnType<typeof createListener>;

/** Another server at the same addresses with the same certificate. `failure` says why it cannot listen, and is empty if it does. */
export type Beside = { follow(): Promise<void>; failure(): string; renew(): void };

/** Opens the port of the station with its certificate, as arguments and settings say. */
export function createListener(parts: {
  config: {
    host: string | undefined;
    port: number | undefined;
    portNow?: number | undefined;
    dataFolder: string;
    tls?: { cert: string; key: string } | undefined;
  };
  /** Where neither an argument nor the settings give one. */
  usualPort: number;
  settings: () => Settings;
  machine: () => Machine;
  clock: Clock;
  log: Log;
  /** Called after the certificate changed. */
  renewed: () => void;
  /** Why other machines must not reach this station; empty if they may. */
  weakness: string;
}) {
  const { config, usualPort, settings, machine, clock, log, renewed, weakness } = parts;
  let app: RequestListener;
  let beside: Beside | undefined;
  let takeUpgrade: Upgrade;
  let current: Listening | undefined;
  let listens: Listens = 'this_machine';
  let certificate: StationCertificate | undefined;
  const looking = createAlarm(clock, look);
  /** Why it does not listen as the settings say. */
  let failure = '';
  /** No longer accept connections, and close with their last one. */
  const retired = new Set<Listening>();
  let applying: Promise<void> = Promise.resolve();
  let isStopped = false;

  const host = (): string => config.host ?? (listens === 'network' ? ANYWHERE : THIS_MACHINE);
  const wantedPort = (): number => config.port ?? settings().port ?? usualPort;
  const port = (): number => current?.port ?? config.portNow ?? wantedPort();

  /** Opens the port; `upgrade` takes WebSocket connections. Throws a StationError about `/port` or `/tls`. */
  async function open(handler: RequestListener, upgrade: Upgrade, listeningBeside: Beside): Promise<void> {
    app = handler;
    beside = listeningBeside;
    takeUpgrade = upgrade;
    certificate = await readCertificate();
    listens = config.host === undefined ? settings().listen : listensAt(config.host);
    if (listens === 'network' && weakness !== '') {
      if (config.host !== undefined) throw new StationError('invalid', weakness);
      listens = 'this_machine';
      failure = weakness;
    }
    current = await listenAtStart();
    if (certificate !== undefined) looking.in(LOOK_EVERY_MS);
    for (const { code, message } of answer().warnings) log.warn({ code }, message);
  }

  /** Falls back to this machine only, so that the owner can still reach the page and change the setting. */
  async function listenAtStart(): Promise<Listening> {
    try {
      return await listenNow(port());
    } catch (error) {
      if (!(error instanceof StationError) || config.host !== undefined || listens !== 'network') throw error;
      listens = 'this_machine';
      failure = error.message;
      return listenNow(port());
    }
  }

  async function listenNow(at: number): Promise<Listening> {
    const listening = await listen(app, { host: host(), port: at, key: certificate }, log);
    listening.server.on('upgrade', takeUpgrade);
    return listening;
  }

  async function readCertificate(): Promise<StationCertificate | undefined> {
    if (config.tls !== undefined) return readGiven(config.tls);
    return settings().tls === 'generated' ? generated() : undefined;
  }

  function generated(): Promise<StationCertificate> {
    const { names, addresses } = machine();
    const hosts = settings().public_urls.map((url) => new URL(url).hostname.replace(/^\[|\]$/g, ''));
    return keepGenerated({
      folder: config.dataFolder,
      names: [...new Set(['localhost', THIS_MACHINE, '::1', ...names, ...hosts])],
      addresses,
      now: clock.now(),
    });
  }

  /** Loads a renewed certificate file, and renews our own certificate in time. */
  async function renew(): Promise<void> {
    if (certificate === undefined) return;
    try {
      const next = certificate.kind === 'given' ? await readCertificate() : await generated();
      if (next === undefined || next.fingerprint === certificate.fingerprint) return;
      certificate = next;
      current?.renew(next);
      renewed();
      beside?.renew();
    } catch (error) {
      log.warn({ err: error }, 'the certificate could not be renewed: the station keeps the one that it has');
    }
  }

  function look(): void {
    looking.in(LOOK_EVERY_MS);
    // Logs its own failures.
    void renew();
  }

  async function applyNow(): Promise<void> {
    if (isStopped) return;
    await renew();
    await move();
    await beside?.follow();
  }

  async function move(): Promise<void> {
    const wanted = settings().listen;
    failure = '';
    if (current === undefined || config.host !== undefined || wanted === listens || waitsForStart(wanted)) return;
    if (wanted === 'network' && weakness !== '') {
      failure = weakness;
      return;
    }
    const [before, samePort] = [current, current.port];
    // Close the old one first: both cannot share the port.
    if (wanted === 'network') retire(before);
    else void closeServer(before);
    const had = listens;
    try {
      listens = wanted;
      current = await listenNow(samePort);
    } catch (error) {
      if (!(error instanceof StationError)) throw error;
      failure = error.message;
      listens = had;
      current = await listenNow(samePort);
    }
  }

  /** Keeps existing connections open: the station only becomes reachable from more machines. */
  function retire(listening: Listening): void {
    retired.add(listening);
    listening.server.once('close', () => retired.delete(listening));
    listening.server.close();
  }

  /** An owner who opens and encrypts the station wants both: do not open it before the restart that encrypts it. */
  function waitsForStart(wanted: Listens): boolean {
    return wanted === 'network' && certificate === undefined && settings().tls === 'generated';
  }

  function answer(): Exposure {
    return exposureOf({
      config,
      settings: settings(),
      listens,
      host: host(),
      port: port(),
      wantedPort: wantedPort(),
      certificate,
      machine: machine(),
      failure,
      turboFailure: beside?.failure() ?? '',
      weakness,
      now: clock.now(),
    });
  }

  return {
    open,
    /** Applies those settings that need no restart. */
    apply(): Promise<void> {
      // One at a time. The caller of a failed one was told.
      applying = applying.catch(() => undefined).then(applyNow);
      return applying;
    },
    /** Throws `invalid` if this change must not open the station, or if its next start could not have this port. */
    async check({ listen: wanted, port: next }: Pick<SettingsChange, 'listen' | 'port'>): Promise<void> {
      const refusal =
        typeof next === 'number' && next !== port() && next !== settings().port
          ? await portRefusal({ host: host(), port: next })
          : '';
      if (refusal !== '') throw new StationError('invalid', `/port: ${refusal}`, [{ path: '/port', message: refusal }]);
      if (wanted !== 'network' || config.host !== undefined || weakness === '') return;
      throw new StationError('invalid', `/listen: ${weakness}`, [{ path: '/listen', message: weakness }]);
    },
    answer,
    /** The URL for this machine, with its trailing slash. */
    url: (): string =>
      `${certificate === undefined ? 'http' : 'https'}://${asHost(config.host ?? THIS_MACHINE)}:${port()}/`,
    port,
    host,
    certificate: (): StationCertificate | undefined => certificate,
    async stop(): Promise<void> {
      isStopped = true;
      looking.stop();
      await applying.catch(() => undefined);
      await Promise.all([...retired, ...(current === undefined ? [] : [current])].map(closeServer));
    },
  };
}

function listensAt(host: string): Listens {
  return /^(?:127\.[\d.]+|::1|localhost)$/i.test(host) ? 'this_machine' : 'network';
}
