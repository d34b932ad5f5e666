import type { FleetFound } from '#shared/api/fleet.ts';
import { MAX_FOUND } from '#shared/lib/text/findLimits.ts';
import { createPace, type InParts } from '#shared/lib/station/inParts.ts';
import type { FleetPicture } from './fleetPicture.ts';
import type { Watched } from './fleetState.ts';

type Hit = { rank: number; found: FleetFound };
type Entry = FleetPicture extends { watched(): Iterable<{ devices: Map<string, infer Each> }> } ? Each : never;

/**
 * Finds orders and devices of all stations by a text, ignoring case. Exact matches come first, then texts that begin with the wanted text,
 * then those that contain it.
 */
export function* findInFleet(picture: Pick<FleetPicture, 'watched'>, wanted: string): InParts<FleetFound[]> {
  const sought = wanted.toLowerCase();
  const hits: Hit[] = [];
  const pace = createPace();
  const collect = (station: Watched, texts: Entry['texts'], more: Partial<FleetFound>): void => {
    const hit = bestHit(texts, sought);
    if (hit === undefined) return;
    const { id, info, availability } = station;
    const { matched, text, rank } = hit;
    const whose = { station: id, name: info?.name ?? '', url: info?.url ?? '', online: availability === 'online' };
    hits.push({ rank, found: { ...whose, ...more, text, matched } });
  };
  for (const station of picture.watched()) {
    for (const [number, { texts, state }] of station.orders) {
      collect(station, texts, { order_number: number, order_state: state });
      if (pace.isDue()) yield* pace.rest();
    }
    for (const [deviceid, { texts, label: location }] of station.devices) {
      collect(station, texts, { deviceid, location });
      if (pace.isDue()) yield* pace.rest();
    }
  }
  return hits
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, MAX_FOUND)
    .map(({ found }) => found);
}

function bestHit(texts: Entry['texts'], sought: string) {
  let best: { matched: FleetFound['matched']; text: string; rank: number } | undefined;
  for (const [matched, text] of texts) {
    const at = text.toLowerCase().indexOf(sought);
    if (at < 0) continue;
    const rank = at > 0 ? 2 : text.length > sought.length ? 1 : 0;
    if (best === undefined || rank < best.rank) best = { matched, text, rank };
  }
  return best;
}
