import { CALLBACKS } from './callbacks.ts';
import type { Json } from './schemas.ts';

/**
 * What a schema cannot say of an endpoint: its name in generated clients, examples, and why it may be refused. The order
 * is one in which the examples can be sent, one after the other, to a station with two simulated devices.
 */
export type Described = {
  /** The operationId: never changed, as it is a function's name in programs of others. */
  name: string;
  /** Examples of the parameters of the path and the query, where their schema has none. */
  parameters?: Readonly<Record<string, string | number>>;
  /** Examples of the body, by a name; `summary` stands above them. */
  bodies?: Readonly<Record<string, { summary: string; value: unknown }>>;
  /** Why this one answers 404, 409 or another status of its own. */
  refusals?: Readonly<Record<number, string>>;
  /** What the station sends to others because of it. */
  callbacks?: Json;
};

const DEVICE = '51D000:000001';
const OTHER_DEVICE = '51D000:000002';

const NO_DEVICE = 'There is no such device.';
const NO_TARGET = 'There is no such device, or none that `location` names.';
const IS_OVER = 'The command is over: `detail` says who ended it, and when.';
const NO_COMMAND = 'There is no such device, or it has no such command.';
const NAME_TAKEN = 'A person or an API user has that name.';
const BACKUP = 'pickstation-20261120-080000Z-manual.sqlite';
const NO_BACKUP = 'There is no such backup.';
const LAST_ADMIN = 'No admin would be left.';
const ENVIRONMENT_KEY = 'It is the key of the environment: it is changed there.';

const HISTORY_FILTER = {
  deviceid: DEVICE,
  command_id: '2',
  kind: 'acknowledged,timedOut',
  order_number: '4711',
  sequenceid: 'aisle-1',
  location: 'A-3-2',
  from: '2026-11-19T00:00:00Z',
  to: '2026-11-21T00:00:00Z',
};

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
const ALIAS = { name: 'A-3-3', deviceid: DEVICE, deviceIs: 'to the Left of' };
const STEPS = [
  { order: 1, device: DEVICE, command: 'flash', line1: 'Cable tie 200', quantity: 2, stepnonce: 'round-7-1' },
  { order: 2, location: 'A-3-3', line1: 'Cable tie 300', quantity: 5, color: 'g', stepnonce: 'round-7-2' },
  { order: 2, device: OTHER_DEVICE, command: 'pick', line1: 'Box 4', seconds: 120, stepnonce: 'round-7-3' },
];
const NO_SEQUENCE = 'There is no such sequence.';
const NO_ORDER = 'There is no such order.';
const ORDER = {
  order_number: 'SO-1001',
  ordernonce: 'so-1001-done',
  color: 'g',
  seconds: 300,
  shipments: [
    {
      shipment_number: 'SO-1001-1',
      shipmentnonce: 'so-1001-1-done',
      items: [
        { name: 'Cable tie 200', SKU: 'CT-200', ordered_quantity: 5, deviceid: DEVICE, callback_nonce: 'so-1001-a' },
        { name: 'Cable tie 300', UPC: '4006381333931', ordered_quantity: 2, warehouse_location: 'B-1-1' },
      ],
    },
    {
      shipment_number: 'SO-1001-2',
      items: [{ SKU: 'CT-500', ordered_quantity: 1, quantity_fulfilled: 0, warehouse_location: 'no device there' }],
    },
  ],
};
const FEW_ITEMS = {
  order_number: 'SO-1002',
  items: [{ name: 'Cable tie 200', ordered_quantity: 3, deviceid: OTHER_DEVICE }],
};
const MAP = {
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

export const DESCRIBED: Readonly<Record<string, Described>> = {
  'GET /healthz': { name: 'getHealth' },
  'GET /api/openapi.json': { name: 'getOpenApi' },
  'GET /devices/openapi.json': { name: 'getDevicesOpenApi' },
  'GET /api/devices/openapi.json': { name: 'getDevicesOpenApiBelowApi' },
  'GET /location-aliases/openapi.json': { name: 'getLocationAliasesOpenApi' },
  'GET /api/location-aliases/openapi.json': { name: 'getLocationAliasesOpenApiBelowApi' },
  'GET /sequence/openapi.json': { name: 'getSequencesOpenApi' },
  'GET /api/sequence/openapi.json': { name: 'getSequencesOpenApiBelowApi' },
  'GET /orders/openapi.json': { name: 'getOrdersOpenApi' },
  'GET /api/orders/openapi.json': { name: 'getOrdersOpenApiBelowApi' },

  'POST /api/simulator/devices/': {
    name: 'addSimulatedDevices',
    bodies: { two: { summary: 'Two with plus and minus', value: { count: 2, buttons: 3 } } },
  },
  'PATCH /api/simulator/devices/{DeviceID}/': {
    name: 'changeSimulatedDevice',
    bodies: {
      worker: { summary: 'Somebody presses after two seconds', value: { press_after_ms: 2_000 } },
      usual: { summary: 'Nobody does; its e-paper is at once', value: { press_after_ms: null, refresh_ms: 0 } },
    },
    refusals: { 404: 'There is no such simulated device.' },
  },
  'PATCH /api/simulator/turbos/{SerialNo}/': {
    name: 'changeSimulatedTurbo',
    bodies: { slow: { summary: 'A slow link', value: { connected: true, loss: 0, latency_ms: 0 } } },
    refusals: { 404: 'There is no such simulated turbo.' },
  },

  'PATCH /api/settings/': {
    name: 'changeSettings',
    bodies: {
      signed: {
        summary: 'Callbacks as POST with a JSON body, signed',
        value: { callback_url: 'http://127.0.0.1:8080/', callback_signing_secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0' },
      },
      callbacks: {
        summary: 'Callbacks as GET, to an address with replacement fields',
        value: { callback_url: 'http://127.0.0.1:8080/pick?nonce={nonce}&answer={acknack}', default_seconds: 60 },
      },
    },
    callbacks: CALLBACKS,
  },
  'GET /api/settings/': { name: 'getSettings' },

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
    bodies: { statics: STATICS, command: COMMAND, kill: KILL, again: { ...COMMAND, summary: 'The command once more' } },
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
  'GET /api/turbo/': { name: 'listTurbos' },
  'GET /api/turbo/ports/': { name: 'listSerialPorts' },
  'POST /api/turbo/links/': {
    name: 'addTurboLink',
    bodies: {
      usb: { summary: 'A port by its path', value: { path: '/dev/ttyUSB0' } },
      slow: { summary: 'One with a line of its own speed', value: { path: '/dev/ttyS1', baud_rate: 115_200 } },
    },
    refusals: { 409: 'The port is kept open already, or too many are.' },
  },
  'GET /api/turbo/links/': { name: 'listTurboLinks' },
  'POST /api/turbo/links/{id}/retry/': { name: 'retryTurboLink', refusals: { 404: 'There is no such link.' } },
  'DELETE /api/turbo/links/{id}/': { name: 'removeTurboLink', refusals: { 404: 'There is no such link.' } },
  'GET /api/turbo/traffic/': { name: 'listTurboTraffic' },
  'GET /api/turbo/network/': { name: 'getTurboNetwork' },
  'GET /api/turbo/{SerialNo}/': { name: 'getTurbo', refusals: { 404: 'There is no such turbo.' } },
  'PATCH /api/turbo/{SerialNo}/': {
    name: 'renameTurbo',
    bodies: { name: { summary: 'A name that says where it hangs', value: { name: 'Hall 2, north' } } },
    refusals: { 404: 'There is no such turbo.' },
  },
  'GET /api/turbo/{SerialNo}/frames/': {
    name: 'listTurboFrames',
    parameters: { after: 0 },
    refusals: { 404: 'There is no such turbo.' },
  },
  'GET /api/turbo/{SerialNo}/frames/export/': {
    name: 'exportTurboFrames',
    refusals: { 404: 'There is no such turbo.' },
  },
  'DELETE /api/turbo/{SerialNo}/': {
    name: 'forgetTurbo',
    refusals: { 404: 'There is no such turbo.', 409: 'It is connected.' },
  },

  'POST /api/location-aliases/': {
    name: 'addLocationAlias',
    bodies: { right: { summary: 'The place to the right of the device', value: ALIAS } },
    refusals: { 409: 'Another alias has that name.' },
  },
  'GET /api/location-aliases/': { name: 'listLocationAliases', parameters: { limit: 100, after: '0' } },
  'POST /api/location-aliases/import/': {
    name: 'importLocationAliases',
    bodies: {
      look: {
        summary: 'A look before it is done',
        value: { csv: `name;device;where\nC-1-1;${OTHER_DEVICE};Above\nC-1-2;nowhere;Above`, dry_run: true },
      },
      labels: {
        summary: 'New labels for devices',
        value: { csv: `deviceid,label\n${OTHER_DEVICE},C-1-3` },
      },
    },
  },
  'GET /api/location-aliases/import/': {
    name: 'getLastLocationAliasImport',
    refusals: { 404: 'Nothing was imported, or it was taken back already.' },
  },
  'GET /api/location-aliases/export/': { name: 'exportLocationAliases' },
  'POST /api/location-aliases/import/undo/': {
    name: 'undoLocationAliasImport',
    bodies: {
      one: {
        summary: 'The last import',
        value: { id: 1 },
      },
    },
    refusals: { 404: 'It was taken back already, or another import came after it.' },
  },
  'GET /api/location-aliases/{id}/': { name: 'getLocationAlias', refusals: { 404: 'There is no such alias.' } },
  'PUT /api/location-aliases/{id}/': {
    name: 'changeLocationAlias',
    bodies: { below: { summary: 'The place above the device', value: { ...ALIAS, deviceIs: 'Below' } } },
    refusals: { 404: 'There is no such alias.', 409: 'Another alias has that name.' },
  },

  'POST /api/sequence/': {
    name: 'addSequence',
    bodies: {
      round: {
        summary: 'One step, then two at once',
        value: { sequenceid: 'round-7', sequencenonce: 'round-7-done', steps: STEPS },
      },
    },
    refusals: { 409: 'There is a sequence with that sequenceid already.' },
  },
  'GET /api/sequence/': {
    name: 'listSequences',
    parameters: { state: 'unstarted', limit: 100, after: 'round-6' },
  },
  'GET /api/launchsequence/{seqID}/': {
    name: 'launchSequence',
    parameters: { seqID: 'round-7', restart: '0' },
    refusals: {
      404: NO_SEQUENCE,
      409: 'A step finds no device, or no room in its queue: `errors` name each. Nothing is lit.',
    },
  },
  'GET /api/sequence-progress/': {
    name: 'listSequenceProgress',
    parameters: { state: 'in-progress', limit: 100, after: 'round-6' },
  },
  'GET /api/sequence/{seqID}/': {
    name: 'getSequence',
    parameters: { seqID: 'round-7' },
    refusals: { 404: NO_SEQUENCE },
  },
  'PUT /api/sequence/{seqID}/': {
    name: 'replaceSequence',
    parameters: { seqID: 'round-7' },
    bodies: { one: { summary: 'The first step alone', value: { steps: STEPS.slice(0, 1) } } },
    refusals: { 404: NO_SEQUENCE },
  },
  'DELETE /api/sequence/{seqID}/': {
    name: 'removeSequence',
    parameters: { seqID: 'round-7' },
    refusals: { 404: NO_SEQUENCE },
  },
  'POST /api/orders/': {
    name: 'addOrder',
    bodies: {
      shipments: { summary: 'Two shipments; of one item nobody knows the device', value: ORDER },
      items: { summary: 'Items alone: one shipment that is called as the order', value: FEW_ITEMS },
    },
    refusals: { 409: 'There is an order of that number.' },
  },
  'GET /api/orders/': { name: 'listOrders', parameters: { state: 'open', limit: 100, after: 'SO-1000' } },
  'GET /api/order-progress/': {
    name: 'listOrderProgress',
    parameters: { state: 'open', limit: 100, after: 'SO-1000' },
  },
  'POST /api/orders/{order_number}/launch/': {
    name: 'launchOrder',
    refusals: {
      404: NO_ORDER,
      409: 'It is fulfilled, has nothing to light, no item has a device, or the queue of a device is full. Nothing was lit.',
    },
  },
  'PATCH /api/orders/{order_number}/items/{id}/': {
    name: 'correctItem',
    bodies: {
      one: { summary: 'One was found already', value: { quantity_fulfilled: 1 } },
      damaged: { summary: 'It was broken', value: { quantity_fulfilled: 0, reason: 'damaged' } },
    },
    refusals: { 404: 'There is no such order, or it has no such item.' },
  },
  'GET /api/orders/{order_number}/': { name: 'getOrder', refusals: { 404: NO_ORDER } },
  'POST /api/orders/{order_number}/abort/': { name: 'abortOrder', refusals: { 404: NO_ORDER } },
  'DELETE /api/orders/{order_number}/': { name: 'removeOrder', refusals: { 404: NO_ORDER } },

  'PUT /api/map/': { name: 'replaceMap', bodies: { one: { summary: 'One rack and one zone', value: MAP } } },
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

  'GET /api/station/': { name: 'getStation' },
  'GET /api/events/': { name: 'streamEvents' },
  'GET /api/history/': {
    name: 'listHistory',
    parameters: { ...HISTORY_FILTER, limit: 50, after: '1000' },
  },
  'GET /api/history/summary/': { name: 'summariseHistory', parameters: HISTORY_FILTER },
  'GET /api/history/export/': { name: 'exportHistory', parameters: HISTORY_FILTER },
  'GET /api/history/commands/{command_id}/': {
    name: 'getTimeline',
    parameters: { command_id: '2' },
    refusals: { 404: 'There was no such command.' },
  },
  'GET /api/callbacks/': {
    name: 'listCallbacks',
    parameters: { state: 'pending', family: 'device', limit: 100 },
    refusals: { 404: 'There is no delivery that `after` names.' },
  },
  'GET /api/callbacks/counts/': { name: 'countCallbacks' },
  'GET /api/callbacks/received/': { name: 'listReceivedCallbacks' },
  'DELETE /api/callbacks/received/': { name: 'forgetReceivedCallbacks' },
  'GET /api/callbacks/{id}/': {
    name: 'getCallback',
    parameters: { id: 'msg_2b1f9a' },
    refusals: { 404: 'There is no such delivery.' },
  },
  'POST /api/callbacks/{id}/replay/': {
    name: 'replayCallback',
    parameters: { id: 'msg_2b1f9a' },
    refusals: { 404: 'There is no such delivery.' },
  },
  'POST /api/callbacks/replay/': {
    name: 'replayDeadCallbacks',
    bodies: { dead: { summary: 'All that were given up', value: { state: 'dead' } } },
  },
  'POST /api/callbacks/test/': {
    name: 'testCallback',
    refusals: { 409: 'No `callback_url` is set.' },
  },

  'POST /api/backups/': {
    name: 'makeBackup',
    refusals: { 409: 'Another one is being made, or this one was cancelled.' },
  },
  'GET /api/backups/': { name: 'listBackups' },
  'GET /api/backups/status/': { name: 'getBackupStatus' },
  'POST /api/backups/cancel/': { name: 'cancelBackup' },
  'GET /api/backups/{name}/': {
    name: 'downloadBackup',
    parameters: { name: BACKUP },
    refusals: { 404: NO_BACKUP },
  },
  'GET /api/backups/{name}/contents/': {
    name: 'getBackupContents',
    parameters: { name: BACKUP },
    refusals: { 400: 'It cannot be put back: `detail` says why.', 404: NO_BACKUP },
  },
  'POST /api/backups/upload/': {
    name: 'uploadBackup',
    refusals: {
      400: 'It could not be put back, and was not kept.',
      409: 'A backup is being made, or it was cancelled.',
    },
  },
  'GET /api/diagnostics/': { name: 'getDiagnostics' },

  'POST /api/users/': {
    name: 'addUser',
    bodies: {
      picker: {
        summary: 'Somebody who works with devices',
        value: { username: 'Paula', password: 'long enough', role: 'picker' },
      },
    },
    refusals: { 409: NAME_TAKEN },
  },
  'GET /api/users/': { name: 'listUsers' },
  'PATCH /api/users/{username}/': {
    name: 'changeUser',
    parameters: { username: 'Paula' },
    bodies: { out: { summary: 'Signs her out everywhere', value: { end_sessions: true } } },
    refusals: { 404: 'There is no such person.', 409: LAST_ADMIN },
  },
  'DELETE /api/users/{username}/': {
    name: 'removeUser',
    parameters: { username: 'Paula' },
    refusals: { 404: 'There is no such person.', 409: LAST_ADMIN },
  },
  'POST /api/api-users/': {
    name: 'addApiUser',
    bodies: { control: { summary: 'A program that lights devices', value: { name: 'ERP', scope: 'control' } } },
    refusals: { 409: NAME_TAKEN },
  },
  'GET /api/api-users/': { name: 'listApiUsers' },
  'POST /api/oauth/token/': {
    name: 'issueToken',
    bodies: {
      form: {
        summary: 'Id and secret in the form',
        value: { grant_type: 'client_credentials', client_id: 'erp-1', client_secret: 'its secret', scope: 'read' },
      },
    },
    refusals: {
      400: 'The form is not as RFC 6749 wants it: `error` says why.',
      401: 'Client id or secret are wrong.',
    },
  },
  'POST /api/api-users/{id}/rotate/': {
    name: 'rotateApiUser',
    parameters: { id: '2' },
    bodies: { grace: { summary: 'The old key is taken for another hour', value: { grace_seconds: 3_600 } } },
    refusals: { 404: 'There is no such API user.', 409: ENVIRONMENT_KEY },
  },
  'DELETE /api/api-users/{id}/': {
    name: 'removeApiUser',
    parameters: { id: '2' },
    refusals: { 404: 'There is no such API user.', 409: ENVIRONMENT_KEY },
  },
  'GET /api/audit/': { name: 'listAudit', parameters: { limit: 50, after: '1000' } },

  'GET /api/requests/': {
    name: 'listRequests',
    parameters: {
      status: 'failed',
      by: 'ERP',
      path: '/api/device/',
      from: 'programs',
      limit: 100,
      after: '1000',
    },
  },
  'GET /api/requests/{id}/': {
    name: 'getRequest',
    parameters: { id: '1795161600004' },
    refusals: { 404: 'It is not kept, or no longer.' },
  },

  'POST /api/user/login/': {
    name: 'signIn',
    bodies: { admin: { summary: 'The first person', value: { username: 'admin', password: 'harbour street' } } },
    refusals: { 401: 'User name or password are wrong.' },
  },
  'POST /api/user/password/': {
    name: 'changePassword',
    bodies: {
      other: {
        summary: 'Another password',
        value: { old_password: 'harbour street', new_password: 'harbour street 12' },
      },
    },
  },
  'POST /api/user/logout/': { name: 'signOut' },
  'POST /api/setup/': {
    name: 'finishSetup',
    bodies: { password: { summary: 'The password of admin', value: { password: 'harbour street' } } },
    refusals: { 409: 'There is a password already.' },
  },
  'POST /api/setup/demo/': { name: 'makeDemoShop', refusals: { 409: 'There are racks already.' } },

  'GET /api/alerts/': { name: 'listAlerts', parameters: { state: 'open', limit: 50, after: '1000' } },
  'POST /api/alerts/acknowledge/': { name: 'acknowledgeAlerts' },
  'POST /api/alerts/{id}/acknowledge/': {
    name: 'acknowledgeAlert',
    parameters: { id: '1' },
    refusals: { 404: 'There is no such alert.', 409: 'It is over.' },
  },
  'POST /api/alerts/{id}/end/': {
    name: 'endAlert',
    parameters: { id: '1' },
    refusals: { 404: 'There is no such alert.', 409: 'It is over, or ends by itself.' },
  },

  'POST /api/device/{DeviceID}/replace/': {
    name: 'replaceDevice',
    bodies: { other: { summary: 'The device that takes over', value: { deviceid: '51D000:000003' } } },
    refusals: { 404: NO_DEVICE, 409: 'The other device has commands of its own.' },
  },
  'DELETE /api/location-aliases/{id}/': { name: 'removeLocationAlias', refusals: { 404: 'There is no such alias.' } },
  'DELETE /api/map/places/{DeviceID}/': { name: 'unplaceDevice', refusals: { 404: NO_DEVICE } },
  'DELETE /api/map/zones/{id}/': {
    name: 'removeZone',
    parameters: { id: 'zone-1' },
    refusals: { 404: 'There is no such zone.' },
  },
  'DELETE /api/map/racks/{id}/': {
    name: 'removeRack',
    parameters: { id: 'rack-a' },
    refusals: { 404: 'There is no such rack.' },
  },
  'DELETE /api/device/{DeviceID}/': {
    name: 'removeDevice',
    parameters: { DeviceID: OTHER_DEVICE },
    refusals: { 404: NO_DEVICE },
  },
  'DELETE /api/backups/{name}/': {
    name: 'removeBackup',
    parameters: { name: BACKUP },
    refusals: { 404: NO_BACKUP },
  },
  // Last: everything is as it was then.
  'POST /api/backups/{name}/restore/': {
    name: 'restoreBackup',
    parameters: { name: BACKUP },
    refusals: { 400: 'It cannot be put back: `detail` says why.', 404: NO_BACKUP },
  },
};
