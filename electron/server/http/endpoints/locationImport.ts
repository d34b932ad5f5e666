import {
  importUndoRequestSchema,
  importUndoSchema,
  locationImportRequestSchema,
  locationImportSchema,
  MAX_IMPORT_BYTES,
} from '#shared/api/locationImport.ts';
import type { LocationImports } from '../../services/locationImport.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';

/** Location aliases by the file. */
export function locationImportEndpoints(parts: { locations: LocationImports }): Endpoint[] {
  const { locations } = parts;
  return [
    endpoint({
      method: 'POST',
      path: '/api/location-aliases/import/',
      tag: 'location-aliases',
      summary: 'Make and change location aliases by a CSV file',
      description:
        'A row whose name an alias has changes that alias, another makes one; aliases that are not in the file stay. Good rows take effect in one commit, others are left out: look with `dry_run` first.',
      scope: 'control',
      body: locationImportRequestSchema,
      limit: MAX_IMPORT_BYTES,
      answer: locationImportSchema,
      handle: ({ body, caller }) => locations.run(body.csv, { dryRun: body.dry_run, by: caller.name }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/location-aliases/import/undo/',
      tag: 'location-aliases',
      summary: 'Take an import back',
      description: 'In one commit, by the rows of its answer. What was changed since stays as it is, and is named.',
      scope: 'control',
      body: importUndoRequestSchema,
      limit: MAX_IMPORT_BYTES,
      answer: importUndoSchema,
      handle: ({ body, caller }) => locations.undo(body.rows, caller.name),
    }),
    endpoint({
      method: 'GET',
      path: '/api/location-aliases/export/',
      tag: 'location-aliases',
      summary: 'All location aliases as a CSV file',
      description:
        'RFC 4180 with a byte order mark. A name that a spreadsheet would run as a formula has an apostrophe before it, which the import takes away.',
      scope: 'read',
      answer: { contentType: 'text/csv' },
      handle({ res }) {
        res.setHeader('content-disposition', 'attachment; filename="location-aliases.csv"');
        return { contentType: 'text/csv; charset=utf-8', bytes: Buffer.from(locations.export(), 'utf8') };
      },
    }),
  ];
}
