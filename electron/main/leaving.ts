import type { DeliveryCounts } from '#shared/api/callback.ts';
import type { Station } from '#shared/api/station.ts';
import { litOf } from './litDevices.ts';
import type { StationFetch } from './stationFetch.ts';

/** Time limit for the response, because the user is waiting for the program to quit. */
const ASK_WITHIN_MS = 1_000;

/** Number of lit devices and of undelivered callbacks that a station leaves behind when it ends. */
export type Rest = { lit: number; owed: number };

/**
 * Asks the station how many devices are lit and how many callbacks are undelivered. Returns zeros if the station does not respond within a
 * second.
 */
export async function readRest(
  url: string,
  ask: StationFetch,
  cookie: () => Promise<string | undefined>,
): Promise<Rest> {
  try {
    const known = await cookie();
    if (known === undefined) return { lit: 0, owed: 0 };
    const init = { headers: { cookie: known }, signal: AbortSignal.timeout(ASK_WITHIN_MS) };
    const read = async <T>(path: string): Promise<T> => (await ask(new URL(path, url), init)).json() as Promise<T>;
    const [station, { pending }] = await Promise.all([
      read<Station>('/api/station/'),
      read<DeliveryCounts>('/api/callbacks/counts/'),
    ]);
    return { lit: litOf(station).length, owed: pending };
  } catch {
    return { lit: 0, owed: 0 };
  }
}
