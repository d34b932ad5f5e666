import * as api from '#shared/api/locationImport.ts';
import type { LocationImports } from '../../services/places/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import { OTHER_DEVICE } from './examples.ts';

const define = endpointsOf('location-aliases');

/** Import and export of location aliases as CSV. */
export const locationImportEndpoints = ({ locations }: { locations: LocationImports }): Endpoint[] => [
  define('importLocationAliases', 'import', 'Import location aliases and labels from a CSV file', {
    description:
      'Put the text of the file into `csv`. A row changes the alias with its name, or creates one. Aliases that are not in the file stay, and so do labels without a column. Valid rows take effect together, others are left out: preview with `dry_run` first. The station keeps the last import, so that it can be undone.',
    body: api.locationImportRequestSchema,
    examples: {
      look: {
        summary: 'A preview: nothing is changed',
        value: { csv: `name;device;where\nC-1-1;${OTHER_DEVICE};Above\nC-1-2;nowhere;Above`, dry_run: true },
      },
      labels: {
        summary: 'New labels for devices',
        value: { csv: `deviceid,label\n${OTHER_DEVICE},C-1-3` },
      },
    },
    limit: api.MAX_IMPORT_BYTES,
    answer: api.locationImportSchema,
    handle: ({ body, by }) => locations.run(body.csv, { dryRun: body.dry_run, by }),
  }),
  define('getLastLocationAliasImport', 'read', 'Get the last import of location aliases', {
    description: 'The last one that changed something, until it is undone. The station keeps it across restarts.',
    answer: api.lastImportSchema,
    refusals: { 404: 'Nothing was imported, or the import was undone.' },
    handle: () => locations.last(),
  }),
  define('undoLocationAliasImport', 'import', 'Undo the last import of location aliases', {
    description:
      'Undoes the whole import with this `id`, from its answer or from GET /api/location-aliases/import/. Aliases that were changed since stay as they are, and the answer names them.',
    body: api.importUndoRequestSchema,
    examples: { one: { summary: 'The last import', value: { id: 1 } } },
    answer: api.importUndoSchema,
    refusals: { 404: 'It was undone already, or another import followed.' },
    handle: ({ body, by }) => locations.undo(body.id, by),
  }),
  define('exportLocationAliases', 'read', 'Export location aliases and labels as a CSV file', {
    description:
      'RFC 4180 with a byte order mark: a line for each device with its label, and one for each alias. Names that a spreadsheet would run as a formula begin with an apostrophe, which the import removes.',
    answer: { contentType: 'text/csv' },
    handle({ res }) {
      res.setHeader('content-disposition', 'attachment; filename="location-aliases.csv"');
      return { contentType: 'text/csv; charset=utf-8', bytes: Buffer.from(locations.export(), 'utf8') };
    },
  }),
];
