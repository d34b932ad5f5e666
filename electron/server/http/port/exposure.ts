import { type Exposure, type Listens, NEXT_START } from '#shared/api/exposure.ts';
import type { Settings } from '#shared/api/settings.ts';
import type { StationCertificate } from './certificate.ts';
import { asHost, LOOPBACK } from './guard.ts';
import type { Machine } from './machine.ts';
import { ANYWHERE, ANYWHERE_IPV4, THIS_MACHINE } from './server.ts';

const SOON_MS = 14 * 24 * 3_600_000;

/** Describes how a station can be reached, with warnings for its owner. */
export function exposureOf(parts: {
  config: { host: string | undefined; port: number | undefined; tls?: unknown };
  settings: Settings;
  listens: Listens;
  host: string;
  port: number;
  /** The port for the next start, or 0 for any free port. */
  wantedPort: number;
  certificate: StationCertificate | undefined;
  machine: Machine;
  /** Why the station does not listen as configured, or an empty string if it does. */
  failure: string;
  turboFailure: string;
  /** Why the station must not be reachable from other machines, or an empty string if it may be. */
  weakness: string;
  now: number;
}): Exposure {
  const { config, settings, listens, port, wantedPort, certificate, failure } = parts;
  const needsStart = config.host === undefined && settings.listen !== listens && failure === '';
  const wantsOther = config.tls === undefined && (settings.tls === 'generated') !== (certificate !== undefined);
  const waiting = {
    listen: needsStart,
    port: wantedPort !== 0 && wantedPort !== port,
    tls: wantsOther,
  };
  return {
    listens,
    host_argument: config.host ?? '',
    port_argument: config.port ?? null,
    addresses: [...new Set([...addressesOf(parts), ...settings.public_urls])],
    certificate:
      certificate === undefined
        ? null
        : {
            kind: certificate.kind,
            fingerprint: certificate.fingerprint,
            ends_at: new Date(certificate.endsAt).toISOString(),
            pem: certificate.pem,
          },
    next_start: NEXT_START.filter((name) => waiting[name]),
    warnings: warningsOf(parts),
  };
}

/** Returns the addresses at which other machines can reach the station. */
export function forOthers(addresses: readonly string[]): string[] {
  return addresses.filter((address) => !LOOPBACK.includes(new URL(address).hostname));
}

function addressesOf(parts: { host: string; port: number; certificate: unknown; machine: Machine }): string[] {
  const { host, port, certificate, machine } = parts;
  const scheme = certificate === undefined ? 'http' : 'https';
  const urlOf = (name: string): string => new URL(`${scheme}://${asHost(name)}:${port}/`).href;
  if (host !== ANYWHERE && host !== ANYWHERE_IPV4) return [urlOf(host)];
  const reached = machine.addresses.filter((address) => host === ANYWHERE || !address.includes(':'));
  return [THIS_MACHINE, ...reached].map(urlOf);
}

/** Returns warnings for the owner about how the station can be reached. */
export function warningsOf(parts: {
  listens: Listens;
  certificate: Pick<StationCertificate, 'kind' | 'startsAt' | 'endsAt'> | undefined;
  settings: Pick<Settings, 'basic_auth' | 'trusted_proxies' | 'public_urls'>;
  failure: string;
  turboFailure: string;
  weakness: string;
  now: number;
}): Exposure['warnings'] {
  const { listens, certificate, settings, failure, turboFailure, weakness, now } = parts;
  const warnings: Exposure['warnings'] = [];
  const warn = (code: Exposure['warnings'][number]['code'], message: string): void =>
    void warnings.push({ code, message });
  const isOpen = listens === 'network';

  if (failure !== '') warn('not_opened', `The station still listens as before: ${failure}`);
  if (turboFailure !== '') warn('turbos_not_opened', `Turbos still connect by TCP as before: ${turboFailure}`);
  if (weakness !== '' && failure !== weakness) warn('short_key', weakness);
  if (isOpen && certificate === undefined) {
    warn(
      'unencrypted',
      'Other machines reach this station without encryption: anyone in the same network, such as a guest in the Wi-Fi, can intercept passwords and keys. Turn on encryption, or put a server with HTTPS in front.',
    );
  }
  if (isOpen && settings.basic_auth) {
    warn(
      'basic_auth',
      'Other machines can try user names and passwords with each request. Turn off basic_auth if your programs can send an API key.',
    );
  }
  if (certificate !== undefined && certificate.endsAt <= now) {
    warn('certificate_ended', 'The certificate has expired, and browsers refuse the station. Replace the certificate.');
  } else if (certificate?.kind === 'given' && certificate.endsAt - now < SOON_MS) {
    warn('certificate_ends_soon', 'The certificate expires within two weeks. Replace it.');
  }
  if (certificate !== undefined && certificate.startsAt > now) {
    warn(
      'certificate_early',
      'The certificate is not valid yet, and browsers refuse the station. Check the clock of this machine.',
    );
  }
  if (settings.trusted_proxies.length > 0 && settings.public_urls.length === 0) {
    warn('proxy_unnamed', 'A proxy is trusted, but the station has no public address. Add the one that people open.');
  }
  return warnings;
}
