import { z } from 'zod';
import { locationAliasSchema } from './alias.ts';
import { IMPORT_OUTCOMES } from '../lib/locationCsv.ts';
import { deviceIdSchema } from './device.ts';

/** Far more places than a shop has; as many rows are judged while nothing else is. */
export const MAX_IMPORT_ROWS = 20_000;
/** Bytes of a request with as many rows, in a language of three bytes a letter. */
export const MAX_IMPORT_BYTES = 16 * 1024 * 1024;

const aliasFields = locationAliasSchema.omit({ id: true });

export const locationImportRequestSchema = z
  .object({
    csv: z
      .string({ error: 'Send the text of the file in csv.' })
      .describe(
        'Lines with name, deviceid and deviceIs, parted by comma, semicolon or tab; a first line that names the columns may have them in any order. In the place of a DeviceID the label of one device will do.',
      ),
    dry_run: z.boolean().default(false).describe('true: nothing is changed; the answer says what would be.'),
  })
  .meta({ id: 'LocationImportRequest' });

const importedRowSchema = z.object({
  line: z.int().describe('Where the row begins in the file, the first line being 1.'),
  outcome: z.enum(IMPORT_OUTCOMES),
  name: z.string(),
  deviceid: z.string(),
  deviceIs: z.string(),
  message: z.string().describe('Why it is refused; else empty.'),
  id: z.int().nullable().describe('The alias; null where it is refused, or new in a dry run.'),
  before: aliasFields.nullable().describe('What the alias was where it is changed.'),
});
export type ImportedRow = z.infer<typeof importedRowSchema>;

export const locationImportSchema = z
  .object({
    dry_run: z.boolean(),
    delimiter: z.enum([',', ';', '\t']),
    columns: z
      .object({ name: z.string(), deviceid: z.string(), deviceIs: z.string() })
      .nullable()
      .describe('What the first line calls them; null: it names none.'),
    ignored: z.array(z.string()).describe('Columns that mean nothing here.'),
    counts: z.object({ new: z.int(), changed: z.int(), unchanged: z.int(), refused: z.int() }),
    rows: z.array(importedRowSchema),
  })
  .meta({ id: 'LocationImport', description: 'What became of each row, or would.' });
export type LocationImport = z.infer<typeof locationImportSchema>;

export const importUndoRequestSchema = z
  .object({
    rows: z
      .array(
        z.object({
          id: z.int(),
          name: z.string(),
          deviceid: deviceIdSchema,
          deviceIs: aliasFields.shape.deviceIs,
          before: aliasFields.nullable(),
        }),
      )
      .max(MAX_IMPORT_ROWS)
      .describe('Rows of the answer of the import that are new or changed.'),
  })
  .meta({ id: 'LocationImportUndo' });
export type ImportUndoRequest = z.infer<typeof importUndoRequestSchema>;

export const importUndoSchema = z
  .object({
    undone: z.int(),
    kept: z.array(z.object({ name: z.string(), message: z.string() })).describe('What somebody has changed since.'),
  })
  .meta({ id: 'LocationImportUndone' });
export type ImportUndo = z.infer<typeof importUndoSchema>;
