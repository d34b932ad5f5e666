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
import { endpointsOf, noFields, type Endpoint } from '../endpoint.ts';
import { deviceParams } from './devices.ts';
import { NO_DEVICE, DEVICE } from './examples.ts';

const define = endpointsOf('map');

const MAP_BODY = {
  racks: [
    {
      id: 'rack-a',
      name: 'A',
      columns: 4,
      shelves: [
        { id: 'shelf-a-1', name: 'A-1' },
        { id: 'shelf-a-2', name: 'A-2' },
      ],
    },
  ],
  places: [{ deviceid: DEVICE, shelf: 'shelf-a-1', column: 0 }],
  zones: [{ id: 'zone-1', name: 'Aisle A', racks: ['rack-a'] }],
};

const idParams = z.object({ id: z.string() });

export function mapEndpoints(parts: { map: MapService }): Endpoint[] {
  const { map } = parts;
  return [
    define('GET /api/map/', {
      operationId: 'getMap',
      summary: 'The racks, which device hangs where, and the zones',
      description: 'A device without a place is unplaced.',
      right: 'read',
      answer: mapSchema,
      handle: () => map.get(),
    }),
    define('PUT /api/map/', {
      operationId: 'replaceMap',
      summary: 'Replace the whole map',
      description:
        'Racks, shelves and zones without an id are given one. An unknown device, shelf or rack, or two devices in one cell: nothing is changed. Zones that are left out stay.',
      right: 'edit_map',
      body: mapReplacementSchema,
      examples: { one: { summary: 'One rack and one zone', value: MAP_BODY } },
      answer: mapSchema,
      limit: 16 * 1024 * 1024,
      handle: ({ body, by }) => map.replace(body, by),
    }),
    define('POST /api/map/racks/', {
      operationId: 'addRack',
      summary: 'Add a rack',
      right: 'edit_map',
      body: newRackSchema,
      examples: {
        rack: { summary: 'Two shelves of six cells', value: { name: 'B', columns: 6, shelves: ['B-1', 'B-2'] } },
      },
      status: 201,
      answer: rackSchema,
      handle: ({ body, by }) => map.addRack(body, by),
    }),
    define('PATCH /api/map/racks/{id}/', {
      operationId: 'changeRack',
      summary: 'Rename, move or resize a rack',
      description: 'Devices on a shelf or in a column that is taken away are unplaced.',
      right: 'edit_map',
      params: idParams,
      body: rackChangeSchema,
      parameterExamples: { id: 'rack-a' },
      examples: { name: { summary: 'Another name', value: { name: 'A', note: 'Beside the door' } } },
      answer: rackSchema,
      refusals: { 404: 'There is no such rack.' },
      handle: ({ params, body, by }) => map.changeRack(params.id, body, by),
    }),
    define('DELETE /api/map/racks/{id}/', {
      operationId: 'removeRack',
      summary: 'Take a rack away; its devices are unplaced',
      description: 'It is taken out of its zones, too.',
      right: 'edit_map',
      params: idParams,
      parameterExamples: { id: 'rack-a' },
      refusals: { 404: 'There is no such rack.' },
      handle: ({ params, by }) => map.removeRack(params.id, by),
    }),
    define('POST /api/map/zones/', {
      operationId: 'addZone',
      summary: 'Add a zone: racks under one name',
      right: 'edit_map',
      body: newZoneSchema,
      examples: { zone: { summary: 'A zone of one rack', value: { name: 'Cold room', racks: ['rack-a'] } } },
      status: 201,
      answer: zoneSchema,
      refusals: { 409: 'Another zone has that name.' },
      handle: ({ body, by }) => map.addZone(body, by),
    }),
    define('PATCH /api/map/zones/{id}/', {
      operationId: 'changeZone',
      summary: 'Rename a zone, or choose its racks',
      description: 'What is left out stays. `racks` are all of them.',
      right: 'edit_map',
      params: idParams,
      body: zoneChangeSchema,
      parameterExamples: { id: 'zone-1' },
      examples: { name: { summary: 'Another name', value: { name: 'Aisle 1' } } },
      answer: zoneSchema,
      refusals: { 404: 'There is no such zone.', 409: 'Another zone has that name.' },
      handle: ({ params, body, by }) => map.changeZone(params.id, body, by),
    }),
    define('DELETE /api/map/zones/{id}/', {
      operationId: 'removeZone',
      summary: 'Take a zone away; its racks and devices stay',
      right: 'edit_map',
      params: idParams,
      parameterExamples: { id: 'zone-1' },
      refusals: { 404: 'There is no such zone.' },
      handle: ({ params, by }) => map.removeZone(params.id, by),
    }),
    define('PUT /api/map/places/{DeviceID}/', {
      operationId: 'placeDevice',
      summary: 'Put a device into a cell',
      description: 'A device that is there changes places with it, or is unplaced where it had none.',
      right: 'edit_map',
      params: deviceParams,
      body: cellSchema,
      examples: { cell: { summary: 'The second cell from the left', value: { shelf: 'shelf-a-1', column: 1 } } },
      answer: placedResultSchema,
      refusals: { 404: NO_DEVICE },
      handle: async ({ params, body, by }) => ({
        places: await map.place({ deviceid: params.DeviceID, ...body }, by),
      }),
    }),
    define('DELETE /api/map/places/{DeviceID}/', {
      operationId: 'unplaceDevice',
      summary: 'Take a device off the map',
      right: 'edit_map',
      params: deviceParams,
      refusals: { 404: NO_DEVICE },
      handle: ({ params, by }) => map.unplace(params.DeviceID, by),
    }),
    define('POST /api/map/arrange/', {
      operationId: 'arrangeDevices',
      summary: 'Put every unplaced device where its label says',
      description:
        'The label A-3-2 is the second place of shelf A-3 in rack A; what is missing is made. Devices with other labels stay unplaced.',
      right: 'edit_map',
      ...noFields,
      answer: mapSchema,
      handle: ({ by }) => map.arrange(by),
    }),
  ];
}
