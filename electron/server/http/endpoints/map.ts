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
import { endpointsOf, idParams, noFields, type Endpoint } from '../endpoint.ts';
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

const rackParams = idParams('rack', 'rack-a');
const zoneParams = idParams('zone', 'zone-1');

export function mapEndpoints(parts: { map: MapService }): Endpoint[] {
  const { map } = parts;
  return [
    define('getMap', {
      summary: 'Get the map: racks, places of devices, and zones',
      description: 'Devices without a place are not listed.',
      right: 'read',
      answer: mapSchema,
      handle: () => map.get(),
    }),
    define('replaceMap', {
      summary: 'Replace the whole map',
      description:
        'Racks, shelves and zones without an id get one. Refused as a whole if a device, shelf or rack is unknown or two devices share a cell. Without `zones` the zones stay.',
      right: 'edit_map',
      body: mapReplacementSchema,
      examples: { one: { summary: 'One rack and one zone', value: MAP_BODY } },
      answer: mapSchema,
      limit: 16 * 1024 * 1024,
      handle: ({ body, by }) => map.replace(body, by),
    }),
    define('addRack', {
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
    define('changeRack', {
      summary: 'Rename, move or resize a rack',
      description: 'Devices on a removed shelf or in a removed column lose their place.',
      right: 'edit_map',
      params: rackParams,
      body: rackChangeSchema,
      examples: { name: { summary: 'Another name', value: { name: 'A', note: 'Beside the door' } } },
      answer: rackSchema,
      refusals: { 404: 'There is no such rack.' },
      handle: ({ params, body, by }) => map.changeRack(params.id, body, by),
    }),
    define('removeRack', {
      summary: 'Remove a rack; its devices lose their places',
      description: 'Its zones lose it too.',
      right: 'edit_map',
      params: rackParams,
      refusals: { 404: 'There is no such rack.' },
      handle: ({ params, by }) => map.removeRack(params.id, by),
    }),
    define('addZone', {
      summary: 'Add a zone: racks under one name',
      right: 'edit_map',
      body: newZoneSchema,
      examples: { zone: { summary: 'A zone of one rack', value: { name: 'Cold room', racks: ['rack-a'] } } },
      status: 201,
      answer: zoneSchema,
      refusals: { 409: 'Another zone has this name.' },
      handle: ({ body, by }) => map.addZone(body, by),
    }),
    define('changeZone', {
      summary: 'Rename a zone or change its racks',
      description: 'Fields that are not given stay unchanged. `racks` replaces all racks of the zone.',
      right: 'edit_map',
      params: zoneParams,
      body: zoneChangeSchema,
      examples: { name: { summary: 'Another name', value: { name: 'Aisle 1' } } },
      answer: zoneSchema,
      refusals: { 404: 'There is no such zone.', 409: 'Another zone has this name.' },
      handle: ({ params, body, by }) => map.changeZone(params.id, body, by),
    }),
    define('removeZone', {
      summary: 'Remove a zone; its racks and devices stay',
      right: 'edit_map',
      params: zoneParams,
      refusals: { 404: 'There is no such zone.' },
      handle: ({ params, by }) => map.removeZone(params.id, by),
    }),
    define('placeDevice', {
      summary: 'Put a device into a cell',
      description:
        'A device that occupies the cell swaps places with this one, or loses its place if this one had none.',
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
    define('unplaceDevice', {
      summary: 'Remove a device from the map',
      right: 'edit_map',
      params: deviceParams,
      refusals: { 404: NO_DEVICE },
      handle: ({ params, by }) => map.unplace(params.DeviceID, by),
    }),
    define('arrangeDevices', {
      summary: 'Place devices by their labels',
      description:
        'Puts every device without a place where its label says: A-3-2 is the second place on shelf A-3 in rack A. Creates missing racks and shelves. Devices with other labels stay without a place.',
      right: 'edit_map',
      ...noFields,
      answer: mapSchema,
      handle: ({ by }) => map.arrange(by),
    }),
  ];
}
