import type { RequestListener } from 'node:http';
import type { Exposure, Listens } from '#shared/api/exposure.ts';
import type { Settings, SettingsChange } from '#shared/api/settings.ts';
import { StationError } from '../errors.ts';
import type { Clock, Log, Timer } from '../ports.ts';
import { keepGenerated, readGiven, type StationCertificate } from './certificate.ts';
import { asHost } from './guard.ts';
import type { Machine } from './machine.ts';
import { ANYWHERE, closeServer, listen, type Listening } from './server.ts';
import type { Upgrade } from './turboUpgrade.ts';
import { warningsOf } from './warnings.ts';

const THIS_MACHINE = '127.0.0.1';
const LOOK_EVERY_MS = 3_600_000;

/** Where the station listens and with which certificate, as its arguments and settings say. */
export type StationListener = {
  /** Opens the port; `upgrade` takes what asks for another protocol than HTTP. Throws a StationError about `/port` or `/tls`. */
  open(app: RequestListener, upgrade: Upgrade): Promise<void>;
  /** Does now what settings ask for that need no new start. */
  apply(): Promise<void>;
  /** Throws `invalid` where the station must not be opened as this change asks for. */
  check(change: Pick<SettingsChange, 'listen'>): void;
  answer(): Exposure;
  /** Where this machine reaches it, with its trailing slash. */
  url(): string;
  port(): number;
  host(): string;
  certificate(): StationCertificate | undefined;
  stop(): Promise<void>;
};

export function createListener(parts: {
  config: {
    host: string | undefined;
    port: number;
    dataFolder: string;
    tls?: { cert: string; key: string } | undefined;
  };
  settings: () => Settings;
  machine: () => Machine;
  clock: Clock;
  log: Log;
  /** Its certificate is another one. */
  renewed: () => void;
  /** What listens beside it, at the same addresses. `failure`: why it could not; empty: it could. */
  beside: { follow(): Promise<void>; failure(): string };
  /** Why other machines must not reach this station; empty: they may. */
  weakness: string;
}): StationListener {
  const { config, settings, machine, clock, log, renewed, beside, weakness } = parts;
  let app: RequestListener;
  let takeUpgrade: Upgrade;
  let current: Listening | undefined;
  let listens: Listens = 'this_machine';
  let certificate: StationCertificate | undefined;
  let looking: Timer | undefined;
  /** Why it could not listen as the settings say. */
  let failure = '';
  /** Listen no more, and end with their last connection. */
  const retired = new Set<Listening>();
  let applying: Promise<void> = Promise.resolve();
  let isStopped = false;

  const host = (): string => config.host ?? (listens === 'network' ? ANYWHERE : THIS_MACHINE);

  async function open(handler: RequestListener, upgrade: Upgrade): Promise<void> {
    app = handler;
    takeUpgrade = upgrade;
    certificate = await readCertificate();
    listens = config.host === undefined ? settings().listen : listensAt(config.host);
    if (listens === 'network' && weakness !== '') {
      if (config.host !== undefined) throw new StationError('invalid', weakness);
      listens = 'this_machine';
      failure = weakness;
    }
    current = await listenAtStart();
    if (certificate !== undefined) looking = clock.setTimer(LOOK_EVERY_MS, look);
    for (const { code, message } of answer().warnings) log.warn({ code }, message);
  }

  /** What could not be opened while it ran cannot be at the next start either: who set it must still reach it to set it back. */
  async function listenAtStart(): Promise<Listening> {
    try {
      return await listenNow(config.port);
    } catch (error) {
      if (!(error instanceof StationError) || config.host !== undefined || listens !== 'network') throw error;
      listens = 'this_machine';
      failure = error.message;
      return listenNow(config.port);
    }
  }

  async function listenNow(port: number): Promise<Listening> {
    const listening = await listen(app, { host: host(), port, key: certificate }, log);
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

  /** A certificate that others renew is taken up, and our own is renewed in time. */
  async function renew(): Promise<void> {
    if (certificate === undefined) return;
    try {
      const next = certificate.kind === 'given' ? await readCertificate() : await generated();
      if (next === undefined || next.fingerprint === certificate.fingerprint) return;
      certificate = next;
      current?.renew(next);
      renewed();
    } catch (error) {
      log.warn({ err: error }, 'the certificate could not be renewed: the station goes on with the one that it has');
    }
  }

  function look(): void {
    looking = clock.setTimer(LOOK_EVERY_MS, look);
    // What fails in it is logged in it.
    void renew();
  }

  async function applyNow(): Promise<void> {
    if (isStopped) return;
    await renew();
    await move();
    await beside.follow();
  }

  async function move(): Promise<void> {
    const wanted = settings().listen;
    failure = '';
    if (current === undefined || config.host !== undefined || wanted === listens || waitsForStart(wanted)) return;
    if (wanted === 'network' && weakness !== '') {
      failure = weakness;
      return;
    }
    const [before, port] = [current, current.port];
    // Both at once would be two programs at one port.
    if (wanted === 'network') retire(before);
    else void closeServer(before);
    const had = listens;
    try {
      listens = wanted;
      current = await listenNow(port);
    } catch (error) {
      if (!(error instanceof StationError)) throw error;
      failure = error.message;
      listens = had;
      current = await listenNow(port);
    }
  }

  /** Those who are connected stay so: there are more ways in than before, not fewer. */
  function retire(listening: Listening): void {
    retired.add(listening);
    listening.server.once('close', () => retired.delete(listening));
    listening.server.close();
  }

  /** Who opens the station and encrypts it means both: it is not opened before it is encrypted. */
  function waitsForStart(wanted: Listens): boolean {
    return wanted === 'network' && certificate === undefined && settings().tls === 'generated';
  }

  function answer(): Exposure {
    const { listen: wanted, tls, public_urls } = settings();
    const ended = config.host === undefined && wanted !== listens && failure === '';
    const wantsOther = config.tls === undefined && (tls === 'generated') !== (certificate !== undefined);
    return {
      listens,
      host_argument: config.host ?? '',
      addresses: [...new Set([...addressesHere(), ...public_urls])],
      certificate:
        certificate === undefined
          ? null
          : {
              kind: certificate.kind,
              fingerprint: certificate.fingerprint,
              ends_at: new Date(certificate.endsAt).toISOString(),
              pem: certificate.pem,
            },
      next_start: [...(ended ? (['listen'] as const) : []), ...(wantsOther ? (['tls'] as const) : [])],
      warnings: warningsOf({
        listens,
        certificate,
        settings: settings(),
        failure,
        turboFailure: beside.failure(),
        weakness,
        now: clock.now(),
      }),
    };
  }

  function addressesHere(): string[] {
    const at = host();
    const isAnywhere = at === ANYWHERE || at === '0.0.0.0';
    const { addresses } = machine();
    const reached = at === '0.0.0.0' ? addresses.filter((address) => !address.includes(':')) : addresses;
    return isAnywhere ? [urlOf(THIS_MACHINE), ...reached.map(urlOf)] : [urlOf(at)];
  }

  function urlOf(name: string): string {
    const scheme = certificate === undefined ? 'http' : 'https';
    return new URL(`${scheme}://${asHost(name)}:${current?.port ?? config.port}/`).href;
  }

  return {
    open,
    apply() {
      // One at a time; what failed was told to who asked for it.
      applying = applying.catch(() => undefined).then(applyNow);
      return applying;
    },
    check({ listen: wanted }) {
      if (wanted !== 'network' || config.host !== undefined || weakness === '') return;
      throw new StationError('invalid', `/listen: ${weakness}`, [{ path: '/listen', message: weakness }]);
    },
    answer,
    url: () =>
      `${certificate === undefined ? 'http' : 'https'}://${asHost(config.host ?? THIS_MACHINE)}:${current?.port ?? config.port}/`,
    port: () => current?.port ?? config.port,
    host,
    certificate: () => certificate,
    async stop() {
      isStopped = true;
      looking?.cancel();
      await applying.catch(() => undefined);
      await Promise.all([...retired, ...(current === undefined ? [] : [current])].map(closeServer));
    },
  };
}

function listensAt(host: string): Listens {
  return /^(?:127\.[\d.]+|::1|localhost)$/i.test(host) ? 'this_machine' : 'network';
}
