import { StationError } from '../server/errors.ts';
import type { StationConfig } from '../server/config.ts';
import { createStation, type Started, type StationPorts } from '../server/station.ts';
import { preferMainThread } from '../server/systemPorts.ts';
import { findAddress } from '../server/files/addressFile.ts';
import type { Shutdown } from './shutdown.ts';
import { createStationFetch, type StationFetch } from './stationFetch.ts';

/** Time limit for a starting station to write its address. */
const OWNER_LIMIT_MS = 5_000;
const OWNER_LOOK_MS = 200;
const HEALTH_LIMIT_MS = 2_000;

/** The station that the window shows: our own, or the one that already uses the data folder. */
export type OpenStation = {
  url: string;
  /** Returns the SHA-256 fingerprint of the current certificate, read on this machine, or undefined for plain HTTP. */
  fingerprint: () => string | undefined;
} & ({ kind: 'own'; started: Started } | { kind: 'other' });

/** Starts the station, or finds the one that uses the data folder. Throws a StationError. */
export async function openStation(
  config: StationConfig,
  ports: () => StationPorts,
  pageFolder: string,
  ending: Shutdown,
): Promise<OpenStation> {
  const station = createStation(config, ports(), pageFolder);
  ending.add(station.stop);
  try {
    const started = await station.start();
    preferMainThread();
    return { kind: 'own', url: addressForUs(started.url), fingerprint: started.fingerprint, started };
  } catch (error) {
    if (!isAbout(error, '/data')) throw error;
    const url = await findOwner(config.dataFolder);
    if (url === undefined) throw error;
    return { kind: 'other', url, fingerprint: () => findAddress(config.dataFolder)?.fingerprint };
  }
}

/** Whether the start failed because of the argument at `path`, a JSON Pointer. */
export function isAbout(error: unknown, path: string): boolean {
  return error instanceof StationError && error.errors.some((found) => found.path === path);
}

async function findOwner(dataFolder: string): Promise<string | undefined> {
  const giveUpAt = performance.now() + OWNER_LIMIT_MS;
  const ask = createStationFetch(() => findAddress(dataFolder)?.fingerprint);
  while (performance.now() < giveUpAt) {
    const running = findAddress(dataFolder);
    const url = running === undefined ? undefined : addressForUs(running.url);
    if (url !== undefined && (await isUp(url, ask))) return url;
    await new Promise((resolve) => setTimeout(resolve, OWNER_LOOK_MS));
  }
  return undefined;
}

async function isUp(url: string, ask: StationFetch): Promise<boolean> {
  try {
    const answer = await ask(new URL('/healthz', url), { signal: AbortSignal.timeout(HEALTH_LIMIT_MS) });
    const body: unknown = await answer.json();
    return answer.ok && typeof body === 'object' && body !== null && 'status' in body && body.status === 'ok';
  } catch {
    return false;
  }
}

/** Replaces a wildcard address, which a window cannot open, with a loopback address. */
function addressForUs(address: string): string {
  const url = new URL(address);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.href;
}
