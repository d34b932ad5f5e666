import { DEVICE, type PageCalls } from './pageCall.ts';

const RACK = { name: 'A', note: '', columns: 4, shelves: [{ name: 'A-1' }] };

/** Calls about devices, their aliases and their places on the map. */
export const DEVICE_CALLS = {
  sendMany: {
    given: [[{ deviceid: DEVICE, line1: 'x' }]],
    sent: 'POST /api/devices/',
    body: [{ deviceid: DEVICE, line1: 'x' }],
  },
  replaceMap: {
    given: [{ racks: [RACK], places: [], zones: [] }],
    sent: 'PUT /api/map/',
    body: { racks: [RACK], places: [], zones: [] },
  },
  changeRack: { given: [{ id: 'r', change: { name: 'B' } }], sent: 'PATCH /api/map/racks/r/', body: { name: 'B' } },
  changeZone: { given: [{ id: 'z', change: { name: 'Y' } }], sent: 'PATCH /api/map/zones/z/', body: { name: 'Y' } },
} satisfies Partial<PageCalls>;
