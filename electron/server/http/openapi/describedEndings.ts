import { OTHER_DEVICE, NO_DEVICE, BACKUP, NO_BACKUP, type DescribedByRoute } from './described.ts';

/** Alerts, and whatever is removed in the end. */
export const ENDINGS: DescribedByRoute = {
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
  'POST /api/alerts/{id}/allow/': {
    name: 'allowRefusedCaller',
    parameters: { id: '2' },
    refusals: { 404: 'There is no such alert.', 409: 'It has already ended, or is not about a refused caller.' },
  },
  'POST /api/alerts/{id}/never-allow/': {
    name: 'neverAllowRefusedCaller',
    parameters: { id: '3' },
    refusals: { 404: 'There is no such alert.', 409: 'It has already ended, or is not about a refused caller.' },
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
    refusals: { 400: 'It cannot be restored: `detail` says why.', 404: NO_BACKUP },
  },
};
