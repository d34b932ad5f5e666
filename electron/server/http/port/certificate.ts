import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { StationError } from '../../errors.ts';

/** The station's certificate and key. */
export type StationCertificate = {
  kind: 'given' | 'generated';
  /** The certificate in PEM format, possibly with the chain. */
  cert: string;
  key: string;
  /** The certificate alone in PEM format, which is not secret. */
  pem: string;
  /** SHA-256 fingerprint in hexadecimal with colons, as browsers show it. */
  fingerprint: string;
  /** Period of validity, in epoch milliseconds. */
  startsAt: number;
  endsAt: number;
};

/** File in the data folder, readable only by its owner. Contains key and certificate, so that they always match. */
const FILE = 'certificate.pem';

const DAY_MS = 24 * 3_600_000;
/** Validity of a generated certificate. Some systems reject server certificates that are valid for more than 825 days. */
const LIFETIME_MS = 820 * DAY_MS;
/** How long before its expiry a generated certificate is renewed. */
const RENEW_BEFORE_MS = 30 * DAY_MS;

/** Reads the certificate files named in the start options. Throws a StationError about `/tls`. */
export function readGiven(files: { cert: string; key: string }): StationCertificate {
  const cert = readPem(files.cert, 'certificate');
  const key = readPem(files.key, 'key');
  const parsed = attempt(() => new X509Certificate(cert));
  if (parsed === undefined)
    throw refusal(`${files.cert} contains no certificate in PEM ("-----BEGIN CERTIFICATE-----").`);
  const privateKey = attempt(() => createPrivateKey(key));
  if (privateKey === undefined) {
    throw refusal(
      /ENCRYPTED/.test(key)
        ? `The key in ${files.key} has a passphrase, which the station cannot ask for. Remove it: openssl pkey -in KEY -out NEW.`
        : `${files.key} contains no private key in PEM ("-----BEGIN PRIVATE KEY-----").`,
    );
  }
  if (!parsed.checkPrivateKey(privateKey)) {
    throw refusal(
      `The key in ${files.key} does not belong to the certificate in ${files.cert}. If that file contains several, the station's own must come first.`,
    );
  }
  // Check the certificate now. Otherwise, a weak key or an invalid chain would fail only when clients connect.
  const context = attempt(() => createSecureContext({ cert, key }));
  if (context === undefined)
    throw refusal(`${files.cert} cannot be used for HTTPS. Its key may be too weak, or a part damaged.`);
  return { kind: 'given', cert, key, ...factsOf(parsed) };
}

/**
 * Returns the generated certificate from the data folder. Generates a new one if there is none, if it expires soon, or if it lacks one of
 * `names`. A new certificate also contains `addresses`, but a changed address alone does not cause a new certificate, because addresses
 * change often, and people must accept each certificate on every machine.
 */
export async function keepGenerated(parts: {
  folder: string;
  names: readonly string[];
  addresses: readonly string[];
  now: number;
}): Promise<StationCertificate> {
  const { folder, names, addresses, now } = parts;
  const file = join(folder, FILE);
  const kept = attempt(() => readKept(file));
  if (kept !== undefined && isGood(kept.parsed, names, now)) return kept.certificate;
  // Loaded on demand, because most starts do not need it.
  const { makeSelfSigned } = await import('./selfSigned.ts');
  const all = [...new Set([...names, ...addresses])];
  const { cert, key } = await makeSelfSigned({ names: all, now, lifetimeMs: LIFETIME_MS });
  try {
    writeFileSync(`${file}.new`, `${key}${cert}`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    throw refusal(`The certificate cannot be written to ${file} (${codeOf(error)}).`);
  }
  return { kind: 'generated', cert, key, ...factsOf(new X509Certificate(cert)) };
}

function readKept(file: string): { parsed: X509Certificate; certificate: StationCertificate } {
  const both = readFileSync(file, 'utf8');
  const start = both.indexOf('-----BEGIN CERTIFICATE-----');
  const key = both.slice(0, start);
  const cert = both.slice(start);
  const parsed = new X509Certificate(cert);
  if (!parsed.checkPrivateKey(createPrivateKey(key))) throw new Error('Key and certificate do not match.');
  return { parsed, certificate: { kind: 'generated', cert, key, ...factsOf(parsed) } };
}

function isGood(certificate: X509Certificate, names: readonly string[], now: number): boolean {
  const { startsAt, endsAt } = factsOf(certificate);
  if (startsAt > now || endsAt - now < RENEW_BEFORE_MS) return false;
  return names.every(
    (name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined,
  );
}

function factsOf(
  certificate: X509Certificate,
): Pick<StationCertificate, 'pem' | 'fingerprint' | 'startsAt' | 'endsAt'> {
  return {
    pem: certificate.toString(),
    fingerprint: certificate.fingerprint256,
    startsAt: Date.parse(certificate.validFrom),
    endsAt: Date.parse(certificate.validTo),
  };
}

function readPem(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw refusal(`The ${what} ${file} cannot be read (${codeOf(error)}). Check the path and its permissions.`);
  }
}

function refusal(message: string): StationError {
  return new StationError('invalid', message, [{ path: '/tls', message }]);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
