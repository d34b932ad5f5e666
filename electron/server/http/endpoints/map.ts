import { z } from 'zod';
import {
  cellSchema,
  mapReplacementSchema,
  mapSchema,
  newRackSchema,
  placedResultSchema,
  rackChangeSchema,
  rackSchema,
} from '#shared/api/map.ts';
import type { MapService } from '../../services/map.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { deviceParams } from './devices.ts';

const rackParams = z.object({ id: z.string() });

export function mapEndpoints(parts: { map: MapService }): Endpoint[] {
  const { map } = parts;
  return [
    endpoint({
      method: 'GET',
      path: '/api/map/',
      tag: 'map',
      summary: 'The racks, and which device hangs where',
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
        'Racks and shelves without an id are given one. An unknown device or shelf, or two devices in one cell: nothing is changed.',
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
      params: rackParams,
      body: rackChangeSchema,
      answer: rackSchema,
      handle: ({ params, body }) => map.changeRack(params.id, body),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/map/racks/{id}/',
      tag: 'map',
      summary: 'Take a rack away; its devices are unplaced',
      scope: 'admin',
      params: rackParams,
      status: 204,
      answer: z.undefined(),
      async handle({ params }) {
        await map.removeRack(params.id);
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
