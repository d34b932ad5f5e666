import type { DescribedByRoute } from './described.ts';

/** Turbos and the ports that they are on. */
export const TURBOS: DescribedByRoute = {
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
};
