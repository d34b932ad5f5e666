import type { FleetAnswer } from '#shared/api/fleet.ts';
import type { StationFetch } from './stationFetch.ts';

const ANSWER_WITHIN_MS = 5_000;

/**
 * Whether this address belongs to a station in the fleet, as far as this station knows. False if nobody is signed in, or if the station
 * reports an error.
 */
export async function isInFleet(wanted: string, parts: Parts): Promise<boolean> {
  const { url, ask, cookie } = parts;
  if (!URL.canParse(wanted) || !/^https?:$/.test(new URL(wanted).protocol)) return false;
  const { origin } = new URL(wanted);
  const known = await cookie();
  if (known === undefined) return false;
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const answer = await ask(new URL('/api/fleet/', url), { headers: { cookie: known }, signal });
  if (!answer.ok) return false;
  const { stations } = (await answer.json()) as FleetAnswer;
  return stations.some((station) => URL.canParse(station.url) && new URL(station.url).origin === origin);
}

type Parts = {
  url: string;
  ask: StationFetch;
  /** Returns the session cookies. Resolves to undefined if nobody is signed in. */
  cookie(): Promise<string | undefined>;
};
