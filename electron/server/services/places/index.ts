import type { CoreOf } from '../../core.ts';
import type { Aliases } from '../aliases/index.ts';
import type { AlertRecords } from '../alerts/index.ts';
import type { ArticlePlaceNames } from '../articles/index.ts';
import type { Batches } from '../batches/index.ts';
import type { CommandMoves } from '../commands/index.ts';
import type { Devices, PlaceLights } from '../devices/index.ts';
import type { LineLights } from '../orders/index.ts';
import { createDarkPlaces } from './darkPlaces.ts';
import { createLightFollower } from './lights.ts';
import { createForegroundQueue } from '../../scheduling/index.ts';
import { createMap } from './map.ts';
import { createPlaces } from './places.ts';

export type { MapService } from './map.ts';
export type { PlaceService } from './places.ts';

export function createPlaceGroup(
  core: CoreOf<'places'>,
  needs: {
    devices: Devices;
    placeLights: PlaceLights;
    moves: CommandMoves;
    lineLights: LineLights;
    batches: Batches;
    placeNames: ArticlePlaceNames;
    aliases: Aliases;
    alerts: AlertRecords;
  },
) {
  const darkPlaces = createDarkPlaces({ ...core, ...needs });
  const foregroundReads = createForegroundQueue(core);
  core.onStop(() => foregroundReads.stop());
  const context = { ...core, ...needs, darkPlaces, foregroundReads };
  needs.placeLights.follow(createLightFollower(context));
  return { map: createMap(context), places: createPlaces(context) };
}
