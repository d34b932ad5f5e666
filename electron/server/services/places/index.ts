import type { CoreOf } from '../../core.ts';
import type { Devices } from '../devices/index.ts';
import { createMap } from './map.ts';

export type { MapService } from './map.ts';

export function createPlaceGroup(core: CoreOf<'places'>, needs: { devices: Devices }) {
  return { map: createMap({ ...core, ...needs }) };
}
