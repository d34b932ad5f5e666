import { CALLBACKS } from './callbacks.ts';
import { ACCESS } from './describedAccess.ts';
import { ALIASES } from './describedAliases.ts';
import { DEVICES } from './describedDevices.ts';
import { ENDINGS } from './describedEndings.ts';
import { MAP } from './describedMap.ts';
import { PAST } from './describedPast.ts';
import { TURBOS } from './describedTurbos.ts';
import { WORK } from './describedWork.ts';
import { type DescribedByRoute } from './described.ts';

export type { Described } from './described.ts';

/**
 * What a schema cannot say of an endpoint. The order is one in which the examples can be sent, one after the other, to a
 * station with two simulated devices.
 */
export const DESCRIBED: DescribedByRoute = {
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

  ...DEVICES,
  ...TURBOS,
  ...ALIASES,
  ...WORK,
  ...MAP,
  ...PAST,
  ...ACCESS,
  ...ENDINGS,
};
