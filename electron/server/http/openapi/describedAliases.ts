import { DEVICE, OTHER_DEVICE, type DescribedByRoute } from './described.ts';

const ALIAS = { name: 'A-3-3', deviceid: DEVICE, deviceIs: 'to the Left of' };

/** Location aliases. */
export const ALIASES: DescribedByRoute = {
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
};
