import { DEVICE, BACKUP, NO_BACKUP, type DescribedByRoute } from './described.ts';

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

/** What is and what was: the snapshot, history, callbacks, backups. */
export const PAST: DescribedByRoute = {
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
  'GET /api/history/orders/{order_number}/': {
    name: 'getOrderTimeline',
    refusals: { 404: 'There was no such order.' },
  },
  'GET /api/history/deliveries/{id}/': {
    name: 'getDeliveryTimeline',
    parameters: { id: 'msg_2b1f9a' },
    refusals: { 404: 'There is no such delivery.' },
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
    refusals: { 409: 'No `callback_url` is set, or eight tests wait for the receiver already.' },
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
    refusals: { 400: 'It cannot be restored: `detail` says why.', 404: NO_BACKUP },
  },
  'POST /api/backups/upload/': {
    name: 'uploadBackup',
    refusals: {
      400: 'It cannot be restored, and was not kept.',
      409: 'A backup is being made, or it was cancelled.',
    },
  },
  'GET /api/diagnostics/': { name: 'getDiagnostics' },
};
