import { z } from 'zod';
import {
  cellSchema,
  mapReplacementSchema,
  mapSchema,
  newRackSchema,
  newZoneSchema,
  placedResultSchema,
  rackChangeSchema,
  rackSchema,
  zoneChangeSchema,
  zoneSchema,
} from '#shared/api/map.ts';
import type { MapService } from '../../services/map.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { deviceParams } from './devices.ts';

const idParams = z.object({ id: z.string() });

export function mapEndpoints(parts: { map: MapService }): Endpoint[] {
  const { map } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/map/',
      tag: 'map',
      summary: 'The racks, which device hangs where, and the zones',
      description: 'A device without a place is unplaced.',
      scope: 'read',
      answer: mapSchema,
      handle: () => map.get(),
    }),
    endpoint({
      method: 'PUT',
      path: '/api/map/',
      tag: 'map',
      summary: 'Replace the whole map',
      description:
        'Racks, shelves and zones without an id are given one. An unknown device, shelf or rack, or two devices in one cell: nothing is changed. Zones that are left out stay.',
      scope: 'admin',
      body: mapReplacementSchema,
      answer: mapSchema,
      limit: 16 * 1024 * 1024,
      handle: ({ body }) => map.replace(body),
    }),
    endpoint({
      method: 'POST',
      path: '/api/map/racks/',
      tag: 'map',
      summary: 'Add a rack',
      scope: 'admin',
      body: newRackSchema,
      status: 201,
      answer: rackSchema,
      handle: ({ body }) => map.addRack(body),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/map/racks/{id}/',
      tag: 'map',
      summary: 'Rename, move or resize a rack',
      description: 'Devices on a shelf or in a column that is taken away are unplaced.',
      scope: 'admin',
      params: idParams,
      body: rackChangeSchema,
      answer: rackSchema,
      handle: ({ params, body }) => map.changeRack(params.id, body),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/map/racks/{id}/',
      tag: 'map',
      summary: 'Take a rack away; its devices are unplaced',
      description: 'It is taken out of its zones, too.',
      scope: 'admin',
      params: idParams,
      status: 204,
      answer: z.undefined(),
      async handle({ params }) {
        await map.removeRack(params.id);
        return undefined;
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/map/zones/',
      tag: 'map',
      summary: 'Add a zone: racks under one name',
      scope: 'admin',
      body: newZoneSchema,
      status: 201,
      answer: zoneSchema,
      handle: ({ body }) => map.addZone(body),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/map/zones/{id}/',
      tag: 'map',
      summary: 'Rename a zone, or choose its racks',
      description: 'What is left out stays. `racks` are all of them.',
      scope: 'admin',
      params: idParams,
      body: zoneChangeSchema,
      answer: zoneSchema,
      handle: ({ params, body }) => map.changeZone(params.id, body),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/map/zones/{id}/',
      tag: 'map',
      summary: 'Take a zone away; its racks and devices stay',
      scope: 'admin',
      params: idParams,
      status: 204,
      answer: z.undefined(),
      async handle({ params }) {
        await map.removeZone(params.id);
        return undefined;
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/map/places/{DeviceID}/',
      tag: 'map',
      summary: 'Put a device into a cell',
      description: 'A device that is there changes places with it, or is unplaced where it had none.',
      scope: 'admin',
      params: deviceParams,
      body: cellSchema,
      answer: placedResultSchema,
      handle: async ({ params, body }) => ({
        places: await map.place({ deviceid: params.DeviceID.toUpperCase(), ...body }),
      }),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/map/places/{DeviceID}/',
      tag: 'map',
      summary: 'Take a device off the map',
      scope: 'admin',
      params: deviceParams,
      status: 204,
      answer: z.undefined(),
      async handle({ params }) {
        await map.unplace(params.DeviceID.toUpperCase());
        return undefined;
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/map/arrange/',
      tag: 'map',
      summary: 'Put every unplaced device where its label says',
      description:
        'The label A-3-2 is the second place of shelf A-3 in rack A; what is missing is made. Devices with other labels stay unplaced.',
      scope: 'admin',
      body: z.object({}),
      bodyOptional: true,
      answer: mapSchema,
      handle: () => map.arrange(),
    }),
  ];
}
