import type { CoreOf } from '../../core.ts';
import type { Aliases } from '../aliases/index.ts';
import type { Devices } from '../devices/index.ts';
import { createLocationImport } from './locationImport.ts';
import { createMap } from './map.ts';

export type { LocationImports } from './locationImport.ts';
export type { MapService } from './map.ts';

/** The map of racks and zones, and the list of places. */
export function createPlaceGroup(core: CoreOf<'places'>, needs: { devices: Devices; aliases: Aliases }) {
  const parts = { ...core, ...needs };
  return { map: createMap(parts), locations: createLocationImport(parts) };
}
