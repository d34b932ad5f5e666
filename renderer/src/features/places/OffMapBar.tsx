import { LayoutGrid } from 'lucide-react';
import { useMemo } from 'react';
import type { Place, StationMap } from '#shared/api/map.ts';
import { findLabeledCell } from '#shared/lib/places/placeLabel.ts';
import { Button } from '../../kit/button/Button.tsx';
import { isSame } from '../../kit/isSame.ts';
import parts from '../../kit/parts.module.css';
import bar from '../../import/ImportBar.module.css';
import { useSlotsServed } from '../../shop/device/slotsServed.ts';
import { useAttempt, useServices } from '../../shop/toasts.ts';
import { useRight, useStationState } from '../../station/context.ts';
import type { NamedDevice } from '../../station/places.ts';
import * as texts from '../../words/texts.ts';

const NO_MAP = { racks: [], places: [], zones: [] };
const words = texts.places.offMap;

/**
 * Offers to put devices on the map if their labels name free places there, for example after an import of labels.
 * Renders nothing if there are no such devices.
 */
export function OffMapBar() {
  const { api, toasts } = useServices();
  const mayPlace = useRight('edit_map');
  const map = useStationState(({ station }) => station?.map ?? NO_MAP);
  const named = useStationState((state) => state.places);
  const slots = useSlotsServed();
  const many = useMemo(() => placesOffMap(map, named, slots).length, [map, named, slots]);
  const { busy, run } = useAttempt(words.failed, async () => {
    const now = await api.getMap();
    const wanted = placesOffMap(now, named, slots);
    const after = { racks: now.racks, places: [...now.places, ...wanted] };
    if (wanted.length > 0) await api.replaceMap(after, (map) => isSame(map, now));
    toasts.show(words.done(wanted.length));
  });
  if (many === 0 || !mayPlace) return null;
  return (
    <section className={`${parts.panel} ${bar.bar}`} aria-label={words.title}>
      <LayoutGrid size={18} aria-hidden="true" />
      <p>{words.about(many)}</p>
      <Button busy={busy} onPress={run}>
        {words.go}
      </Button>
    </section>
  );
}

/** Returns the free places that device labels name. Skips devices that are already on the map or at a slot. */
function placesOffMap(
  { racks, places }: Pick<StationMap, 'places' | 'racks'>,
  named: readonly NamedDevice[],
  slots: ReadonlyMap<string, unknown>,
): Place[] {
  if (racks.length === 0) return [];
  const placed = new Set(places.map(({ deviceid }) => deviceid));
  const taken = new Set(places.map(({ shelf, column }) => `${column} ${shelf}`));
  return named.flatMap(({ deviceid, name }) => {
    if (placed.has(deviceid) || slots.has(deviceid)) return [];
    const cell = findLabeledCell(racks, name);
    if (cell === undefined || taken.has(`${cell.column} ${cell.shelf}`)) return [];
    taken.add(`${cell.column} ${cell.shelf}`);
    return [{ deviceid, ...cell }];
  });
}
