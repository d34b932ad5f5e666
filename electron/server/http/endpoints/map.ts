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
import type { MapService } from '../../services/places/index.ts';
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
      right: 'read',
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
      right: 'edit_map',
      body: mapReplacementSchema,
      answer: mapSchema,
      limit: 16 * 1024 * 1024,
      handle: ({ body, by }) => map.replace(body, by),
    }),
    endpoint({
      method: 'POST',
      path: '/api/map/racks/',
      tag: 'map',
      summary: 'Add a rack',
      right: 'edit_map',
      body: newRackSchema,
      status: 201,
      answer: rackSchema,
      handle: ({ body, by }) => map.addRack(body, by),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/map/racks/{id}/',
      tag: 'map',
      summary: 'Rename, move or resize a rack',
      description: 'Devices on a shelf or in a column that is taken away are unplaced.',
      right: 'edit_map',
      params: idParams,
      body: rackChangeSchema,
      answer: rackSchema,
      handle: ({ params, body, by }) => map.changeRack(params.id, body, by),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/map/racks/{id}/',
      tag: 'map',
      summary: 'Take a rack away; its devices are unplaced',
      description: 'It is taken out of its zones, too.',
      right: 'edit_map',
      params: idParams,
      status: 204,
      answer: z.undefined(),
      async handle({ params, by }) {
        await map.removeRack(params.id, by);
        return undefined;
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/map/zones/',
      tag: 'map',
      summary: 'Add a zone: racks under one name',
      right: 'edit_map',
      body: newZoneSchema,
      status: 201,
      answer: zoneSchema,
      handle: ({ body, by }) => map.addZone(body, by),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/map/zones/{id}/',
      tag: 'map',
      summary: 'Rename a zone, or choose its racks',
      description: 'What is left out stays. `racks` are all of them.',
      right: 'edit_map',
      params: idParams,
      body: zoneChangeSchema,
      answer: zoneSchema,
      handle: ({ params, body, by }) => map.changeZone(params.id, body, by),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/map/zones/{id}/',
      tag: 'map',
      summary: 'Take a zone away; its racks and devices stay',
      right: 'edit_map',
      params: idParams,
      status: 204,
      answer: z.undefined(),
      async handle({ params, by }) {
        await map.removeZone(params.id, by);
        return undefined;
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/map/places/{DeviceID}/',
      tag: 'map',
      summary: 'Put a device into a cell',
      description: 'A device that is there changes places with it, or is unplaced where it had none.',
      right: 'edit_map',
      params: deviceParams,
      body: cellSchema,
      answer: placedResultSchema,
      handle: async ({ params, body, by }) => ({
        places: await map.place({ deviceid: params.DeviceID.toUpperCase(), ...body }, by),
      }),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/map/places/{DeviceID}/',
      tag: 'map',
      summary: 'Take a device off the map',
      right: 'edit_map',
      params: deviceParams,
      status: 204,
      answer: z.undefined(),
      async handle({ params, by }) {
        await map.unplace(params.DeviceID.toUpperCase(), by);
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
      right: 'edit_map',
      body: z.object({}),
      bodyOptional: true,
      answer: mapSchema,
      handle: ({ by }) => map.arrange(by),
    }),
  ];
}
