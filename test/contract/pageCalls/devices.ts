import { DEVICE, type PageCalls } from './pageCall.ts';

const RACK = { name: 'A', note: '', columns: 4, shelves: [{ name: 'A-1' }] };

const ALIAS = { name: 'P-1', deviceid: DEVICE, deviceIs: 'Below' } as const;

/** Devices, their aliases and their places on the map. */
export const DEVICE_CALLS = {
  sendToDevice: {
    given: [DEVICE, { command: 'flash', line1: 'x' }],
    sent: `POST /api/device/${DEVICE}/`,
    body: { command: 'flash', line1: 'x' },
  },
  sendMany: {
    given: [[{ deviceid: DEVICE, line1: 'x' }]],
    sent: 'POST /api/devices/',
    body: [{ deviceid: DEVICE, line1: 'x' }],
  },
  pressSimulatedDevice: {
    given: [{ deviceid: DEVICE, button: 'plus', hold: 'long' }],
    sent: `POST /api/simulator/devices/${DEVICE}/press/`,
    body: { button: 'plus', hold: 'long' },
  },
  acknowledgeCommand: [
    {
      given: [DEVICE, '7', 2],
      sent: `POST /api/device/${DEVICE}/acknowledge/`,
      body: { command_id: '7', qty: 2 },
    },
    { given: [DEVICE, '7'], sent: `POST /api/device/${DEVICE}/acknowledge/`, body: { command_id: '7' } },
  ],
  removeCommand: { given: [{ deviceid: DEVICE, command_id: '7' }], sent: `DELETE /api/device/${DEVICE}/commands/7/` },
  adjustCommand: {
    given: [DEVICE, '7', 3],
    sent: `POST /api/device/${DEVICE}/adjust/`,
    body: { command_id: '7', quantity: 3 },
  },
  fillScreen: { given: [DEVICE], sent: `POST /api/device/${DEVICE}/use-template/` },
  identifyDevice: { given: [DEVICE], sent: `POST /api/device/${DEVICE}/identify/` },
  removeDevice: { given: [DEVICE], sent: `DELETE /api/device/${DEVICE}/` },
  getSimulatedDevice: { given: [DEVICE], sent: `GET /api/simulator/devices/${DEVICE}/` },
  changeSimulatedDevice: {
    given: [DEVICE, { reachable: false }],
    sent: `PATCH /api/simulator/devices/${DEVICE}/`,
    body: { reachable: false },
  },
  addSimulatedDevices: { given: [3], sent: 'POST /api/simulator/devices/', body: { count: 3 } },
  registerDevice: {
    given: [{ deviceid: DEVICE, buttons: 3, label: 'A-1' }],
    sent: 'POST /api/device/',
    body: { deviceid: DEVICE, buttons: 3, label: 'A-1' },
  },
  addLocationAlias: { given: [ALIAS], sent: 'POST /api/location-aliases/', body: ALIAS },
  changeLocationAlias: { given: [7, ALIAS], sent: 'PUT /api/location-aliases/7/', body: ALIAS },
  removeLocationAlias: { given: [7], sent: 'DELETE /api/location-aliases/7/' },
  replaceDevice: {
    given: [{ deviceid: DEVICE, by: '51D000:000002' }],
    sent: `POST /api/device/${DEVICE}/replace/`,
    body: { deviceid: '51D000:000002' },
  },
  getMap: { given: [], sent: 'GET /api/map/' },
  replaceMap: {
    given: [{ racks: [RACK], places: [], zones: [] }],
    sent: 'PUT /api/map/',
    body: { racks: [RACK], places: [], zones: [] },
  },
  addRack: { given: [{ name: 'A' }], sent: 'POST /api/map/racks/', body: { name: 'A' } },
  changeRack: { given: [{ id: 'r', change: { name: 'B' } }], sent: 'PATCH /api/map/racks/r/', body: { name: 'B' } },
  removeRack: { given: ['r'], sent: 'DELETE /api/map/racks/r/' },
  addZone: { given: [{ name: 'Z', racks: ['r'] }], sent: 'POST /api/map/zones/', body: { name: 'Z', racks: ['r'] } },
  changeZone: { given: [{ id: 'z', change: { name: 'Y' } }], sent: 'PATCH /api/map/zones/z/', body: { name: 'Y' } },
  removeZone: { given: ['z'], sent: 'DELETE /api/map/zones/z/' },
  placeDevice: {
    given: [DEVICE, { shelf: 's', column: 2 }],
    sent: `PUT /api/map/places/${DEVICE}/`,
    body: { shelf: 's', column: 2 },
  },
  unplaceDevice: { given: [DEVICE], sent: `DELETE /api/map/places/${DEVICE}/` },
  arrangeDevices: { given: [], sent: 'POST /api/map/arrange/' },
} satisfies Partial<PageCalls>;
