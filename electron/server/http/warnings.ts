import type { Exposure, Listens } from '#shared/api/exposure.ts';
import type { Settings } from '#shared/api/settings.ts';
import type { StationCertificate } from './certificate.ts';

const SOON_MS = 14 * 24 * 3_600_000;

/** Warnings for the owner about how the station can be reached. */
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

  if (failure !== '') warn('not_opened', `The station listens as before: ${failure}`);
  if (turboFailure !== '') warn('turbos_not_opened', `Turbos connect by TCP as before: ${turboFailure}`);
  if (weakness !== '' && failure !== weakness) warn('short_key', weakness);
  if (isOpen && certificate === undefined) {
    warn(
      'unencrypted',
      'Other machines reach this station without encryption: whoever is in the same network, a guest in the Wi-Fi for instance, can read passwords and keys along. Turn encryption on, or put a server with HTTPS in front.',
    );
  }
  if (isOpen && settings.basic_auth) {
    warn(
      'basic_auth',
      'Other machines may try user names and passwords with each request. Where programs can send an API key instead, turn that off.',
    );
  }
  if (certificate !== undefined && certificate.endsAt <= now) {
    warn('certificate_ended', 'The certificate has ended: browsers refuse the station. Put a new one in its place.');
  } else if (certificate?.kind === 'given' && certificate.endsAt - now < SOON_MS) {
    warn('certificate_ends_soon', 'The certificate ends within two weeks. Put a new one in its place.');
  }
  if (certificate !== undefined && certificate.startsAt > now) {
    warn(
      'certificate_early',
      'The certificate is not good yet: browsers refuse the station. Is the clock of this machine right?',
    );
  }
  if (settings.trusted_proxies.length > 0 && settings.public_urls.length === 0) {
    warn(
      'proxy_unnamed',
      'A proxy is believed, and no address of this station is named: add the one that people open.',
    );
  }
  return warnings;
}
