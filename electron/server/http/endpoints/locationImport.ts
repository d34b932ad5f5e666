import { z } from 'zod';
import { locationImportRequestSchema, MAX_FILE_BYTES } from '#shared/api/imports.ts';
import * as api from '#shared/api/locationImport.ts';
import type { Imports } from '../../services/imports/index.ts';
import { csvSeparatorFor } from '../bodies/csvSeparator.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';
import { OTHER_DEVICE } from './examples.ts';
import { goneSignal, sendCsv } from '../bodies/longReads.ts';
import { fileOf, workbook, WORKBOOK_TYPE } from './imports.ts';

const define = endpointsOf('location-aliases');

/** Endpoints for importing and exporting location aliases as files. */
export const locationImportEndpoints = ({ imports }: { imports: Imports }): Endpoint[] => [
  define('importLocationAliases', 'import_locations', 'Import location aliases and labels from a file', {
    description:
      'Like `POST /api/imports/` with the `kind` `locations`. A row changes the alias with its name, or creates one. Aliases that are not in the file stay unchanged. Labels also stay unchanged if the file has no column for them. Each row is either imported completely or refused, so preview the file with `dry_run` first. You can undo the import.',
    body: locationImportRequestSchema,
    files: true,
    examples: {
      look: {
        summary: 'A preview, which changes nothing',
        value: { csv: `name;device;where\nC-1-1;${OTHER_DEVICE};Above\nC-1-2;nowhere;Above`, dry_run: true },
      },
      labels: {
        summary: 'New labels for devices',
        value: { csv: `deviceid,label\n${OTHER_DEVICE},C-1-3` },
      },
    },
    limit: MAX_FILE_BYTES,
    answer: api.locationImportSchema,
    handle: async (call) =>
      imports.importLocations(await fileOf(imports, call), { dryRun: call.body.dry_run, by: call.by }),
  }),
  define('getLastLocationAliasImport', 'read', 'Get the last import of location aliases', {
    description:
      'Returns the last import that changed something, until it is undone. The station keeps it across restarts.',
    answer: api.lastImportSchema,
    refusals: { 404: 'Nothing has been imported, or the import was undone.' },
    handle: () => imports.getLastLocationImport(),
  }),
  define('undoLocationAliasImport', 'import_locations', 'Undo the last import of location aliases', {
    description:
      'Undoes the whole import with this `id`, which is in the response to the import and to `GET /api/location-aliases/import/`. Aliases that have been changed since stay unchanged, and the response names them.',
    body: api.importUndoRequestSchema,
    examples: { one: { summary: 'The last import', value: { id: 1 } } },
    answer: api.importUndoSchema,
    refusals: { 404: 'The import was already undone, or another import followed.' },
    handle: ({ body, by }) => imports.undoLastLocationImport(body.id, by),
  }),
  define('exportLocationAliases', 'read', 'Export location aliases and labels as a file', {
    description:
      'Writes one line per device with its label, and one per alias. The import can read the file unchanged. CSV follows RFC 4180, has a byte order mark, and uses the same separator as the export of orders. Cells that a spreadsheet would run as a formula begin with an apostrophe, and names that it would change are written as ="name"; the import removes both.',
    query: z.object({ format: z.enum(['csv', 'xlsx']).optional().describe('Default: csv.') }),
    parameterExamples: { format: 'csv' },
    answer: { contentType: 'text/csv' },
    alternative: { contentType: WORKBOOK_TYPE },
    async handle({ query: { format = 'csv' }, caller, req, res }) {
      const separator = csvSeparatorFor(req, caller);
      res.vary('Accept-Language');
      if (format === 'csv') {
        return sendCsv({ req, res }, 'location-aliases.csv', imports.exportLocationsCsv(separator, goneSignal(res)));
      }
      return workbook(res, 'location-aliases.xlsx', (signal) => imports.exportLocationsWorkbook(signal));
    },
  }),
];
