import { DEVICE, NO_DEVICE, type DescribedByRoute } from './described.ts';

const NO_TARGET = 'There is no such device, or none that `location` names.';
const IS_OVER = 'The command is over: `detail` says who ended it, and when.';
const NO_COMMAND = 'There is no such device, or it has no such command.';
const COMMAND = {
  summary: 'A command: blinks red until somebody presses, or a minute has passed',
  value: { command: 'flash', line1: 'Cable tie 200', quantity: 12, color: 'r', seconds: 60, nonce: 'pick-1' },
};
const STATICS = {
  summary: 'Statics: what stays on the display',
  value: { locationoverride: 'A-3-2', statica: 'Cable tie 200', staticb: 'on hand 75' },
};
const KILL = { summary: 'Takes away what is lit or waits', value: { command: 'kill' } };
const BULK = {
  one: { summary: 'One request', value: { deviceid: DEVICE, line1: 'Cable tie 200', quantity: 2 } },
  many: {
    summary: 'Many, each to a device by its DeviceID or its place',
    value: [
      { deviceid: DEVICE, command: 'pick', line1: 'Cable tie 200', quantity: 2, color: 'g', nonce: 'order-7' },
      { location: 'B-1-1', command: 'pick', line1: 'Cable tie 300', quantity: 5, color: 'g', nonce: 'order-7' },
    ],
  },
  stock: {
    summary: 'Stock figures: statics of many places by their labels',
    value: [
      { location: 'A-3-2', statica: 'Cable tie 200', staticb: 'on hand 63' },
      { location: 'B-1-1', statica: 'Cable tie 300', staticb: 'on hand 9' },
    ],
  },
  mixed: {
    summary: 'Some of which are refused: answered by 207',
    value: [
      { deviceid: DEVICE, statica: 'Cable tie 200' },
      { deviceid: '51D0FF:000009', line1: 'Nobody hears this' },
    ],
  },
};

/** Devices, what is asked of them, and their sounds. */
export const DEVICES: DescribedByRoute = {
  'GET /api/device/': { name: 'listDevices', parameters: { limit: 100, after: '51D000:000001' } },
  'POST /api/device/': {
    name: 'registerDevice',
    bodies: {
      labelled: { summary: 'With the label of its place', value: { deviceid: '51D0AB:00000F', label: 'B-1-1' } },
    },
    refusals: { 409: 'The device is known already.' },
  },
  'GET /api/devices/waiting/': { name: 'listWaitingDevices' },
  'POST /api/devices/refused/': {
    name: 'refuseDevice',
    bodies: { foreign: { summary: 'One of the neighbour', value: { deviceid: '51D0AB:0000F0' } } },
    refusals: { 409: 'The device is known already.' },
  },
  'GET /api/devices/refused/': { name: 'listRefusedDevices' },
  'DELETE /api/devices/refused/{DeviceID}/': {
    name: 'readmitDevice',
    parameters: { DeviceID: '51D0AB:0000F0' },
    refusals: { 404: 'The device is not refused.' },
  },
  'PUT /api/device/{DeviceID}/': {
    name: 'sendToDeviceByPut',
    bodies: { statics: STATICS },
    refusals: { 404: NO_DEVICE },
  },
  'POST /api/device/{DeviceID}/': {
    name: 'sendToDevice',
    bodies: { command: COMMAND, statics: STATICS, kill: KILL, again: { ...COMMAND, summary: 'The command once more' } },
    refusals: { 404: NO_DEVICE },
  },
  'GET /api/device/{DeviceID}/': { name: 'getDevice', refusals: { 404: NO_DEVICE } },
  'GET /api/device/{DeviceID}/screen/': {
    name: 'getDeviceScreen',
    parameters: { scale: 2 },
    refusals: { 404: NO_DEVICE },
  },
  'POST /api/preview/': {
    name: 'preview',
    bodies: {
      command: { summary: 'A command', value: { line1: 'Cable tie 200', quantity: 12, arrow: 'left', color: 'g' } },
    },
    refusals: { 404: NO_TARGET },
  },
  'POST /api/device/{DeviceID}/adjust/': {
    name: 'adjustCommand',
    bodies: { five: { summary: 'Five of them', value: { command_id: '2', quantity: 5 } } },
    refusals: { 404: NO_COMMAND, 409: IS_OVER },
  },
  'POST /api/device/{DeviceID}/acknowledge/': {
    name: 'acknowledgeCommand',
    bodies: { short: { summary: 'One was missing', value: { command_id: '2', qty: 4, reason: 'short' } } },
    refusals: { 404: NO_COMMAND, 409: IS_OVER },
  },
  'POST /api/device/{DeviceID}/identify/': { name: 'identifyDevice', refusals: { 404: NO_DEVICE } },
  'POST /api/devices/': { name: 'sendToDevices', bodies: BULK, refusals: { 404: NO_TARGET } },
  'PUT /api/devices/': {
    name: 'sendToDevicesByPut',
    bodies: { one: BULK.one, mixed: BULK.mixed },
    refusals: { 404: NO_TARGET },
  },
  'DELETE /api/device/{DeviceID}/commands/{command_id}/': {
    name: 'removeCommand',
    parameters: { command_id: '6' },
    refusals: { 404: NO_COMMAND, 409: IS_OVER },
  },
  'GET /api/{DeviceID}/{command}/': {
    name: 'sendByAddressCommand',
    parameters: { command: 'kill' },
    refusals: { 404: NO_DEVICE },
  },
  'GET /api/{DeviceID}/{command}/{texts}/': { name: 'sendByAddressTexts', refusals: { 404: NO_DEVICE } },
  'GET /api/{DeviceID}/{command}/{texts}/{more_texts}/': {
    name: 'sendByAddressMoreTexts',
    refusals: { 404: NO_DEVICE },
  },
  'GET /api/{DeviceID}/{command}/{texts}/{more_texts}/{tune}/': {
    name: 'sendByAddressTune',
    refusals: { 404: NO_DEVICE },
  },
  'GET /api/{DeviceID}/{command}/{texts}/{more_texts}/{tune}/{seconds_color}/': {
    name: 'sendByAddressSecondsColor',
    refusals: { 404: NO_DEVICE },
  },
  'GET /api/{DeviceID}/{command}/{texts}/{more_texts}/{tune}/{seconds_color}/{nonce}/': {
    name: 'sendByAddressNonce',
    refusals: { 404: NO_DEVICE },
  },
  'POST /api/simulator/devices/{DeviceID}/press/': {
    name: 'pressSimulatedDevice',
    bodies: { front: { summary: 'As a worker does', value: { button: 'front', hold: 'short' } } },
    refusals: { 404: 'There is no such simulated device.' },
  },

  'GET /api/sounds/': { name: 'listSounds' },
  'GET /api/sounds/{name}/': {
    name: 'getSound',
    parameters: { name: 'beep' },
    refusals: { 404: 'No tune has that name, or it is silence.' },
  },
};
