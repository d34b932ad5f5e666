import {
  importUndoRequestSchema,
  importUndoSchema,
  lastImportSchema,
  locationImportRequestSchema,
  locationImportSchema,
  MAX_IMPORT_BYTES,
} from '#shared/api/locationImport.ts';
import type { LocationImports } from '../../services/places/index.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';

/** Location aliases by the file. */
export function locationImportEndpoints(parts: { locations: LocationImports }): Endpoint[] {
  const { locations } = parts;
  return [
    endpoint({
      method: 'POST',
      path: '/api/location-aliases/import/',
      tag: 'location-aliases',
      summary: 'Make and change location aliases and labels by a CSV file',
      description:
        'The text of the file goes into `csv`. A row whose name an alias has changes that alias, another makes one; what is not in the file stays, and so does a label where no column names it. Good rows take effect in one commit, others are left out: look with `dry_run` first. The last import is kept, so that it can be taken back.',
      right: 'import',
      body: locationImportRequestSchema,
      limit: MAX_IMPORT_BYTES,
      answer: locationImportSchema,
      handle: ({ body, by }) => locations.run(body.csv, { dryRun: body.dry_run, by }),
    }),
    endpoint({
      method: 'GET',
      path: '/api/location-aliases/import/',
      tag: 'location-aliases',
      summary: 'The import that can be taken back',
      description: 'The last one that changed something, until it is taken back. It outlasts a restart.',
      right: 'read',
      answer: lastImportSchema,
      handle: () => locations.last(),
    }),
    endpoint({
      method: 'POST',
      path: '/api/location-aliases/import/undo/',
      tag: 'location-aliases',
      summary: 'Take an import back',
      description:
        'The last one, whole and in one commit, whoever made it, by the `id` that its answer or GET /api/location-aliases/import/ named. What was changed since stays as it is, and is named.',
      right: 'import',
      body: importUndoRequestSchema,
      answer: importUndoSchema,
      handle: ({ body, by }) => locations.undo(body.id, by),
    }),
    endpoint({
      method: 'GET',
      path: '/api/location-aliases/export/',
      tag: 'location-aliases',
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
