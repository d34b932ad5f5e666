import { z } from 'zod';
import { locationAliasSchema } from './alias.ts';
import { IMPORT_OUTCOMES } from '../lib/locationCsv.ts';

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
        'Lines with name, deviceid and deviceIs, parted by comma, semicolon or tab; a first line that names the columns may have them in any order. In the place of a DeviceID the label of one device will do. A column label changes labels: a line without a name is of the device alone, and its empty label clears the one that is there; beside a name an empty label changes nothing.',
      ),
    dry_run: z.boolean().default(false).describe('true: nothing is changed; the answer says what would be.'),
  })
  .meta({ id: 'LocationImportRequest' });

const importedRowSchema = z.object({
  line: z.int().describe('Where the row begins in the file, the first line being 1.'),
  outcome: z.enum(IMPORT_OUTCOMES),
  name: z.string().describe('Empty: the row is about the label of the device alone.'),
  deviceid: z.string(),
  deviceIs: z.string(),
  label: z.string().nullable().describe('The label of the device; null: the row says nothing of it.'),
  message: z.string().describe('Why it is refused, or what is worth a look though it is good; else empty.'),
  id: z.int().nullable().describe('The alias; null where it is refused, of a label, or new in a dry run.'),
  before: aliasFields.nullable().describe('What the alias was where it is changed.'),
  label_before: z.string().nullable().describe('What the label was where it is changed.'),
});
export type ImportedRow = z.infer<typeof importedRowSchema>;

const countsSchema = z.object({
  new: z.int().describe('Rows that make an alias.'),
  changed: z.int().describe('Rows that change an alias or a label.'),
  unchanged: z.int().describe('Rows that say what is there already.'),
  refused: z.int().describe('Rows that are left out.'),
});

export const locationImportSchema = z
  .object({
    id: z.int().nullable().describe('By which it is taken back; null where nothing was changed.'),
    dry_run: z.boolean(),
    delimiter: z.enum([',', ';', '\t']),
    columns: z
      .object({
        name: z.string().nullable(),
        deviceid: z.string().nullable(),
        deviceIs: z.string().nullable(),
        label: z.string().nullable(),
      })
      .nullable()
      .describe('What the first line calls them, null where there is no such column; null for all: it names none.'),
    ignored: z.array(z.string()).describe('Columns that mean nothing here.'),
    counts: countsSchema,
    rows: z.array(importedRowSchema),
  })
  .meta({ id: 'LocationImport', description: 'What became of each row, or would.' });
export type LocationImport = z.infer<typeof locationImportSchema>;

export const lastImportSchema = z
  .object({
    id: z.int().describe('By which it is taken back.'),
    at: z.iso.datetime(),
    by: z.string().describe('Who imported it.'),
    counts: countsSchema,
  })
  .meta({
    id: 'LastLocationImport',
    description: 'The import that can be taken back: the last that changed something.',
  });
export type LastImport = z.infer<typeof lastImportSchema>;

export const importUndoRequestSchema = z
  .object({ id: z.int().describe('The import, as its answer named it.') })
  .meta({ id: 'LocationImportUndo' });

export const importUndoSchema = z
  .object({
    undone: z.int().describe('Rows that are as they were before.'),
    kept: z.array(z.object({ name: z.string(), message: z.string() })).describe('What somebody has changed since.'),
  })
  .meta({ id: 'LocationImportUndone' });
export type ImportUndo = z.infer<typeof importUndoSchema>;
