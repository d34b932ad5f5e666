import { DEVICE, NO_DEVICE, type DescribedByRoute } from './described.ts';

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

/** The map. */
export const MAP: DescribedByRoute = {
  'PUT /api/map/': { name: 'replaceMap', bodies: { one: { summary: 'One rack and one zone', value: MAP_BODY } } },
  'POST /api/map/racks/': {
    name: 'addRack',
    bodies: {
      rack: { summary: 'Two shelves of six cells', value: { name: 'B', columns: 6, shelves: ['B-1', 'B-2'] } },
    },
  },
  'PATCH /api/map/racks/{id}/': {
    name: 'changeRack',
    parameters: { id: 'rack-a' },
    bodies: { name: { summary: 'Another name', value: { name: 'A', note: 'Beside the door' } } },
    refusals: { 404: 'There is no such rack.' },
  },
  'POST /api/map/zones/': {
    name: 'addZone',
    bodies: { zone: { summary: 'A zone of one rack', value: { name: 'Cold room', racks: ['rack-a'] } } },
    refusals: { 409: 'Another zone has that name.' },
  },
  'PATCH /api/map/zones/{id}/': {
    name: 'changeZone',
    parameters: { id: 'zone-1' },
    bodies: { name: { summary: 'Another name', value: { name: 'Aisle 1' } } },
    refusals: { 404: 'There is no such zone.', 409: 'Another zone has that name.' },
  },
  'PUT /api/map/places/{DeviceID}/': {
    name: 'placeDevice',
    bodies: { cell: { summary: 'The second cell from the left', value: { shelf: 'shelf-a-1', column: 1 } } },
    refusals: { 404: NO_DEVICE },
  },
  'POST /api/map/arrange/': { name: 'arrangeDevices' },
  'GET /api/map/': { name: 'getMap' },
};
