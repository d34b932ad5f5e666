import * as api from '#shared/api/map.ts';
import type { MapService } from '../../services/places/index.ts';
import { endpointsOf, idParams, noFields, type Endpoint } from '../endpoint.ts';
import { withWarnings } from '../warnings.ts';
import { deviceParams } from './devices.ts';
import { NO_DEVICE, DEVICE } from './examples.ts';

const define = endpointsOf('map');

const PARTS = ['racks', 'places', 'zones'];
const RACK_FIELDS = ['name', 'note', 'columns', 'shelves'];
const ZONE_FIELDS = ['name', 'racks'];
const NO_RACK = 'There is no such rack.';
const NO_ZONE = 'There is no such zone.';

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

export const mapEndpoints = ({ map }: { map: MapService }): Endpoint[] => [
  define('getMap', 'read', 'Get the map: racks, places of devices, and zones', {
    description: 'Devices without a place are not listed.',
    tagged: PARTS,
    answer: api.mapSchema,
    handle: () => map.get(),
  }),
  define('replaceMap', 'edit_map', 'Replace the whole map', {
    description:
      'Racks, shelves and zones without an `id` get one. The whole request is refused if a device, shelf or rack is unknown, if two devices share a cell, or if a device serves a slot of a cart or wall. Without `zones`, the zones stay unchanged.',
    body: api.mapReplacementSchema,
    tagged: PARTS,
    examples: { one: { summary: 'One rack and one zone', value: MAP_BODY } },
    answer: api.mapSchema,
    refusals: { 409: 'A device serves a slot of a cart or wall.' },
    async handle(call) {
      const done = await map.replace(call.body, call.by, (current) => call.refuseChanged(current));
      return withWarnings(done.map, done.warnings);
    },
  }),
  define('addRack', 'edit_map', 'Add a rack', {
    body: api.newRackSchema,
    examples: {
      rack: { summary: 'Two shelves of six cells', value: { name: 'B', columns: 6, shelves: ['B-1', 'B-2'] } },
    },
    status: 201,
    answer: api.rackSchema,
    async handle({ body, by }) {
      const { rack, warnings } = await map.addRack(body, by);
      return withWarnings(rack, warnings);
    },
  }),
  define('getRack', 'read', 'Get a rack', {
    params: rackParams,
    tagged: RACK_FIELDS,
    answer: api.rackSchema,
    refusals: { 404: NO_RACK },
    handle: ({ params }) => map.getRack(params.id),
  }),
  define('changeRack', 'edit_map', 'Rename, move or resize a rack', {
    description:
      'Devices on a removed shelf or in a removed column lose their place. `rename_places` renames places in the same commit, for example those that have the name of a renamed shelf.',
    params: rackParams,
    body: api.rackChangeSchema,
    tagged: RACK_FIELDS,
    examples: { name: { summary: 'Another name', value: { name: 'A', note: 'Beside the door' } } },
    answer: api.rackSchema,
    refusals: { 404: NO_RACK, 409: 'A place cannot be renamed: both names have goods, or both have a device.' },
    async handle(call) {
      const { params, body, by } = call;
      if (body.rename_places !== undefined) call.demand('edit_stock');
      const { rack, warnings } = await map.changeRack(params.id, body, by, (current) => call.refuseChanged(current));
      return withWarnings(rack, warnings);
    },
  }),
  define('removeRack', 'edit_map', 'Remove a rack and the places of its devices', {
    description: 'The rack is also removed from its zones.',
    params: rackParams,
    refusals: { 404: NO_RACK },
    handle: ({ params, by }) => map.removeRack(params.id, by),
  }),
  define('addZone', 'edit_map', 'Add a zone, which is a named group of racks', {
    body: api.newZoneSchema,
    examples: { zone: { summary: 'A zone of one rack', value: { name: 'Cold room', racks: ['rack-a'] } } },
    status: 201,
    answer: api.zoneSchema,
    refusals: { 409: 'Another zone has this name.' },
    handle: ({ body, by }) => map.addZone(body, by),
  }),
  define('getZone', 'read', 'Get a zone', {
    params: zoneParams,
    tagged: ZONE_FIELDS,
    answer: api.zoneSchema,
    refusals: { 404: NO_ZONE },
    handle: ({ params }) => map.getZone(params.id),
  }),
  define('changeZone', 'edit_map', 'Rename a zone or change its racks', {
    description: 'Fields that are left out stay unchanged. `racks` replaces all racks of the zone.',
    params: zoneParams,
    body: api.zoneChangeSchema,
    tagged: ZONE_FIELDS,
    examples: { name: { summary: 'Another name', value: { name: 'Aisle 1' } } },
    answer: api.zoneSchema,
    refusals: { 404: NO_ZONE, 409: 'Another zone has this name.' },
    handle: (call) => map.changeZone(call.params.id, call.body, call.by, (current) => call.refuseChanged(current)),
  }),
  define('removeZone', 'edit_map', 'Remove a zone but keep its racks and devices', {
    params: zoneParams,
    refusals: { 404: NO_ZONE },
    handle: ({ params, by }) => map.removeZone(params.id, by),
  }),
  define('placeDevice', 'edit_map', 'Put a device into a cell', {
    description:
      'If another device occupies the cell, the two devices swap places. If this device had no place, the other device loses its place.',
    params: deviceParams,
    body: api.cellSchema,
    examples: { cell: { summary: 'The second cell from the left', value: { shelf: 'shelf-a-1', column: 1 } } },
    answer: api.placedResultSchema,
    refusals: { 404: NO_DEVICE },
    handle: async ({ params, body, by }) => ({ places: await map.place({ deviceid: params.DeviceID, ...body }, by) }),
  }),
  define('unplaceDevice', 'edit_map', 'Remove a device from the map', {
    params: deviceParams,
    refusals: { 404: NO_DEVICE },
    handle: ({ params, by }) => map.unplace(params.DeviceID, by),
  }),
  define('arrangeDevices', 'edit_map', 'Place devices by their labels', {
    description:
      'Places each device that has no place by its label: A-3-2 is the second place on shelf A-3 in rack A. Creates missing racks and shelves, also for places without a device. Names of racks and shelves are compared without case and blanks. `not_arranged` lists the other devices, with the reason.',
    ...noFields,
    answer: api.arrangedMapSchema,
    handle: ({ by }) => map.arrange(by),
  }),
];
