import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../ports.ts';

/** File beside the lock: the URL of the station that holds it. */
const FILE = 'address.json';

/** SHA-256 fingerprint of its certificate; undefined: plain HTTP. */
type Place = { url: string; fingerprint: string | undefined };

/**
 * Call only as the owner of the folder: an existing file is left over from a crashed station and is removed. Failures
 * are logged, but never stop the station.
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
        // Readers see either the whole file or none.
        writeFileSync(`${file}.new`, `${JSON.stringify({ url, fingerprint })}\n`, { mode: 0o600 });
        renameSync(`${file}.new`, file);
      }),
    forget,
  };
}

/** The URL that the owner of the folder wrote; undefined if none can be opened. */
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
