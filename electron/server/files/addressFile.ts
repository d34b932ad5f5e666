import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../ports.ts';

/** File in the data folder with the URL of the running station. */
const FILE = 'address.json';

/** Address of a station. `fingerprint` is the SHA-256 fingerprint of the certificate, or undefined for plain HTTP. */
type Place = { url: string; fingerprint: string | undefined };

/**
 * Publishes the station's address in a file. Call only while holding the lock of the folder, because an existing file counts as left behind
 * by a crashed station and is removed. Failures are logged, but do not stop the station.
 */
export function createAddressFile(folder: string, log: Log) {
  const file = join(folder, FILE);

  function attempt(change: () => void): void {
    try {
      change();
    } catch (error) {
      log.warn(
        { err: error, file },
        'writing the address file failed: a second shell will not find this station by its data folder',
      );
    }
  }

  const forget = (): void => attempt(() => rmSync(file, { force: true }));
  forget();
  return {
    publish: (url: string, fingerprint: string | undefined): void =>
      attempt(() => {
        // Replace the file atomically, so that readers see either the whole file or none.
        writeFileSync(`${file}.new`, `${JSON.stringify({ url, fingerprint })}\n`, { mode: 0o600 });
        renameSync(`${file}.new`, file);
      }),
    forget,
  };
}

/** Returns the address that the running station published, or undefined if there is no valid one. */
export function findAddress(folder: string): Place | undefined {
  try {
    const stored: unknown = JSON.parse(readFileSync(join(folder, FILE), 'utf8'));
    if (typeof stored !== 'object' || stored === null || !('url' in stored) || typeof stored.url !== 'string')
      return undefined;
    if (!/^https?:$/.test(new URL(stored.url).protocol)) return undefined;
    const fingerprint =
      'fingerprint' in stored && typeof stored.fingerprint === 'string' ? stored.fingerprint : undefined;
    return { url: stored.url, fingerprint };
  } catch {
    return undefined;
  }
}
