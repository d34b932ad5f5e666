import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from './ports.ts';

/** Beside the lock: where the station that holds it answers. */
const FILE = 'address.json';

/** SHA-256 of the certificate it shows there; undefined: plain HTTP. */
type Place = { url: string; fingerprint: string | undefined };

export type AddressFile = { tell(url: string, fingerprint: string | undefined): void; forget(): void };

/**
 * Only for the owner of the folder: what stands there already is of a station that ended without a word, and goes.
 * Nothing here keeps a station from working: what fails is logged.
 */
export function createAddressFile(folder: string, log: Log): AddressFile {
  const file = join(folder, FILE);

  function attempt(change: () => void): void {
    try {
      change();
    } catch (error) {
      log.warn({ err: error, file }, 'a second shell will not find this station by its data folder');
    }
  }

  const forget = (): void => attempt(() => rmSync(file, { force: true }));
  forget();
  return {
    tell: (url, fingerprint) =>
      attempt(() => writeFileSync(file, `${JSON.stringify({ url, fingerprint })}\n`, { mode: 0o600 })),
    forget,
  };
}

/** The address that the owner of the folder told; undefined where it told none that could be opened. */
export function findAddress(folder: string): Place | undefined {
  try {
    const told: unknown = JSON.parse(readFileSync(join(folder, FILE), 'utf8'));
    if (typeof told !== 'object' || told === null || !('url' in told) || typeof told.url !== 'string') return undefined;
    if (!/^https?:$/.test(new URL(told.url).protocol)) return undefined;
    const fingerprint = 'fingerprint' in told && typeof told.fingerprint === 'string' ? told.fingerprint : undefined;
    return { url: told.url, fingerprint };
  } catch {
    return undefined;
  }
}
