import type { z } from 'zod';
import type * as alias from '../alias.ts';
import type * as device from '../device.ts';
import type * as imports from '../imports.ts';
import type * as locationImport from '../locationImport.ts';
import type * as map from '../map.ts';
import type * as preview from '../preview.ts';
import type * as simulator from '../simulator.ts';
import type { Warned } from '../fields.ts';
import { del, get, patch, post, put, type WithBody, type Download } from './route.ts';

type Strict<Answer> = { query: z.output<typeof device.strictQuerySchema>; answer: Answer };

/** Devices, their aliases and their places on the map. */
export const DEVICE_ROUTES = {
  // Devices
  listDevices: get('/api/device/')<{ query: device.DeviceListQuery; answer: string[] }>(),
  getDevice: get('/api/device/{DeviceID}/')<{ answer: device.Device }>(),
  getDeviceScreen: get('/api/device/{DeviceID}/screen/')<{ query: { scale?: number }; answer: Download }>(),
  sendToDevice: post('/api/device/{DeviceID}/')<WithBody<typeof device.deviceRequestSchema, device.DeviceResult>>(),
  sendToDeviceByPut: put('/api/device/{DeviceID}/')<WithBody<typeof device.deviceRequestSchema, device.DeviceResult>>(),
  sendToDevices: post('/api/devices/')<{
    body: z.input<typeof device.deviceRequestSchema> | z.input<typeof device.deviceRequestSchema>[];
    answer: device.DeviceResult | device.BulkResult[];
  }>(),
  sendToDevicesByPut: put('/api/devices/')<{
    body: z.input<typeof device.deviceRequestSchema> | z.input<typeof device.deviceRequestSchema>[];
    answer: device.DeviceResult | device.BulkResult[];
  }>(),
  // The query-string interface
  sendByAddressCommand: get('/api/{DeviceID}/{command}/')<Strict<device.DeviceResult>>(),
  sendByAddressTexts: get('/api/{DeviceID}/{command}/{texts}/')<Strict<device.DeviceResult>>(),
  sendByAddressMoreTexts: get('/api/{DeviceID}/{command}/{texts}/{more_texts}/')<Strict<device.DeviceResult>>(),
  sendByAddressTune: get('/api/{DeviceID}/{command}/{texts}/{more_texts}/{tune}/')<Strict<device.DeviceResult>>(),
  sendByAddressSecondsColor: get('/api/{DeviceID}/{command}/{texts}/{more_texts}/{tune}/{seconds_color}/')<
    Strict<device.DeviceResult>
  >(),
  sendByAddressNonce: get('/api/{DeviceID}/{command}/{texts}/{more_texts}/{tune}/{seconds_color}/{nonce}/')<
    Strict<device.DeviceResult>
  >(),
  // Preview
  preview: post('/api/preview/')<WithBody<typeof preview.previewRequestSchema, preview.PreviewAnswer>>(),
  // Care of devices
  listWaitingDevices: get('/api/devices/waiting/')<{ answer: device.WaitingDevice[] }>(),
  listRefusedDevices: get('/api/devices/refused/')<{ answer: device.RefusedDevice[] }>(),
  refuseDevice: post('/api/devices/refused/')<WithBody<typeof device.refusalSchema, device.RefusedDevice>>(),
  readmitDevice: del('/api/devices/refused/{DeviceID}/')(),
  registerDevice: post('/api/device/')<WithBody<typeof device.newDeviceSchema, device.Device>>(),
  removeDevice: del('/api/device/{DeviceID}/')(),
  replaceDevice: post('/api/device/{DeviceID}/replace/')<WithBody<typeof device.replacementSchema, device.Device>>(),
  acknowledgeCommand: post('/api/device/{DeviceID}/acknowledge/')<
    WithBody<typeof device.acknowledgeSchema, z.output<typeof device.acknowledgeResultSchema>>
  >(),
  removeCommand: del('/api/device/{DeviceID}/commands/{command_id}/')(),
  adjustCommand: post('/api/device/{DeviceID}/adjust/')<
    WithBody<typeof device.adjustSchema, z.output<typeof device.adjustResultSchema>>
  >(),
  useScreenTemplate: post('/api/device/{DeviceID}/use-template/')<{
    answer: z.output<typeof device.templateScreenSchema>;
  }>(),
  identifyDevice: post('/api/device/{DeviceID}/identify/')<{ answer: z.output<typeof device.commandResultSchema> }>(),
  // Import of location aliases
  importLocationAliases: post('/api/location-aliases/import/')<
    WithBody<typeof imports.locationImportRequestSchema, locationImport.LocationImport>
  >(),
  getLastLocationAliasImport: get('/api/location-aliases/import/')<{ answer: locationImport.LastImport }>(),
  undoLocationAliasImport: post('/api/location-aliases/import/undo/')<
    WithBody<typeof locationImport.importUndoRequestSchema, locationImport.ImportUndo>
  >(),
  exportLocationAliases: get('/api/location-aliases/export/')<{ answer: Download }>(),
  // Location aliases
  listLocationAliases: get('/api/location-aliases/')<{
    query: alias.LocationAliasQuery;
    answer: alias.LocationAlias[];
  }>(),
  addLocationAlias:
    post('/api/location-aliases/')<WithBody<typeof alias.newLocationAliasSchema, alias.LocationAlias>>(),
  getLocationAlias: get('/api/location-aliases/{id}/')<{ answer: alias.LocationAlias }>(),
  changeLocationAlias:
    put('/api/location-aliases/{id}/')<WithBody<typeof alias.newLocationAliasSchema, alias.LocationAlias>>(),
  removeLocationAlias: del('/api/location-aliases/{id}/')(),
  // Map
  getMap: get('/api/map/')<{ answer: map.StationMap }>(),
  replaceMap: put('/api/map/')<WithBody<typeof map.mapReplacementSchema, map.StationMap>>(),
  addRack: post('/api/map/racks/')<WithBody<typeof map.newRackSchema, Warned<map.Rack>>>(),
  getRack: get('/api/map/racks/{id}/')<{ answer: map.Rack }>(),
  changeRack: patch('/api/map/racks/{id}/')<WithBody<typeof map.rackChangeSchema, Warned<map.Rack>>>(),
  removeRack: del('/api/map/racks/{id}/')(),
  addZone: post('/api/map/zones/')<WithBody<typeof map.newZoneSchema, map.Zone>>(),
  getZone: get('/api/map/zones/{id}/')<{ answer: map.Zone }>(),
  changeZone: patch('/api/map/zones/{id}/')<WithBody<typeof map.zoneChangeSchema, map.Zone>>(),
  removeZone: del('/api/map/zones/{id}/')(),
  placeDevice: put('/api/map/places/{DeviceID}/')<WithBody<typeof map.cellSchema, map.PlacedResult>>(),
  unplaceDevice: del('/api/map/places/{DeviceID}/')(),
  arrangeDevices: post('/api/map/arrange/')<{ answer: map.ArrangedMap }>(),
  // Simulated devices
  addSimulatedDevices: post('/api/simulator/devices/')<{
    body?: z.input<typeof simulator.simulatedDevicesRequestSchema>;
    answer: simulator.SimulatedDeviceEntry[];
  }>(),
  pressSimulatedDevice: post('/api/simulator/devices/{DeviceID}/press/')<
    WithBody<typeof simulator.simulatedPressSchema, { deviceid: string }>
  >(),
  getSimulatedDevice: get('/api/simulator/devices/{DeviceID}/')<{ answer: simulator.SimulatedDeviceEntry }>(),
  changeSimulatedDevice: patch('/api/simulator/devices/{DeviceID}/')<
    WithBody<typeof simulator.simulatedDeviceChangeSchema, simulator.SimulatedDeviceEntry>
  >(),
  changeSimulatedTurbo: patch('/api/simulator/turbos/{SerialNo}/')<
    WithBody<typeof simulator.simulatedTurboChangeSchema, { serial_number: string }>
  >(),
} as const;
