import {
  importUndoRequestSchema,
  importUndoSchema,
  lastImportSchema,
  locationImportRequestSchema,
  locationImportSchema,
  MAX_IMPORT_BYTES,
} from '#shared/api/locationImport.ts';
import type { LocationImports } from '../../services/places/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import { OTHER_DEVICE } from './examples.ts';

const define = endpointsOf('location-aliases');

/** Import and export of location aliases as CSV. */
export function locationImportEndpoints(parts: { locations: LocationImports }): Endpoint[] {
  const { locations } = parts;
  return [
    define('POST /api/location-aliases/import/', {
      operationId: 'importLocationAliases',
      summary: 'Make and change location aliases and labels by a CSV file',
      description:
        'The text of the file goes into `csv`. A row whose name an alias has changes that alias, another makes one; what is not in the file stays, and so does a label where no column names it. Good rows take effect in one commit, others are left out: look with `dry_run` first. The last import is kept, so that it can be taken back.',
      right: 'import',
      body: locationImportRequestSchema,
      examples: {
        look: {
          summary: 'A look before it is done',
          value: { csv: `name;device;where\nC-1-1;${OTHER_DEVICE};Above\nC-1-2;nowhere;Above`, dry_run: true },
        },
        labels: {
          summary: 'New labels for devices',
          value: { csv: `deviceid,label\n${OTHER_DEVICE},C-1-3` },
        },
      },
      limit: MAX_IMPORT_BYTES,
      answer: locationImportSchema,
      handle: ({ body, by }) => locations.run(body.csv, { dryRun: body.dry_run, by }),
    }),
    define('GET /api/location-aliases/import/', {
      operationId: 'getLastLocationAliasImport',
      summary: 'The import that can be taken back',
      description: 'The last one that changed something, until it is taken back. It outlasts a restart.',
      right: 'read',
      answer: lastImportSchema,
      refusals: { 404: 'Nothing was imported, or it was taken back already.' },
      handle: () => locations.last(),
    }),
    define('POST /api/location-aliases/import/undo/', {
      operationId: 'undoLocationAliasImport',
      summary: 'Take an import back',
      description:
        'The last one, whole and in one commit, whoever made it, by the `id` that its answer or GET /api/location-aliases/import/ named. What was changed since stays as it is, and is named.',
      right: 'import',
      body: importUndoRequestSchema,
      examples: {
        one: {
          summary: 'The last import',
          value: { id: 1 },
        },
      },
      answer: importUndoSchema,
      refusals: { 404: 'It was taken back already, or another import came after it.' },
      handle: ({ body, by }) => locations.undo(body.id, by),
    }),
    define('GET /api/location-aliases/export/', {
      operationId: 'exportLocationAliases',
      summary: 'All location aliases and labels as a CSV file',
      description:
        'RFC 4180 with a byte order mark: a line for each device with its label, and one for each alias. A name that a spreadsheet would run as a formula has an apostrophe before it, which the import takes away.',
      right: 'read',
      answer: { contentType: 'text/csv' },
      handle({ res }) {
        res.setHeader('content-disposition', 'attachment; filename="location-aliases.csv"');
        return { contentType: 'text/csv; charset=utf-8', bytes: Buffer.from(locations.export(), 'utf8') };
      },
    }),
  ];
}
