import { z } from 'zod';
import { locationAliasSchema } from './alias.ts';
import { described, intOrNull, named, oneOf, textOrNull, timestamp } from './fields.ts';

/** Outcomes of a row in the answer of `/api/location-aliases/import/`. */
const IMPORT_OUTCOMES = ['new', 'changed', 'unchanged', 'refused'] as const;

const aliasFields = locationAliasSchema.omit({ id: true });

const importedRowSchema = z.object({
  line: z.int().describe('Line of the file on which the row begins. The first line is 1.'),
  outcome: oneOf(IMPORT_OUTCOMES),
  name: z.string().describe('Empty if the row only sets the label of the device.'),
  deviceid: z.string(),
  deviceIs: z.string(),
  label: textOrNull.describe('New label of the device; null if not given in the row.'),
  message: z.string().describe('Why the row is refused, or a warning about an accepted row; otherwise empty.'),
  id: intOrNull.describe('Id of the alias; null if refused, for a label, or if new in a dry run.'),
  before: aliasFields.nullable().describe('The alias before the change; null if it does not change.'),
  label_before: textOrNull.describe('The label before the change; null if it does not change.'),
});
export type ImportedRow = z.infer<typeof importedRowSchema>;

const countsSchema = z.object({
  new: z.int().describe('Number of rows that create an alias.'),
  changed: z.int().describe('Number of rows that change an alias or a label.'),
  unchanged: z.int().describe('Number of rows that change nothing.'),
  refused: z.int().describe('Number of refused rows, which are left out.'),
});

export const locationImportSchema = described(
  'LocationImport',
  'The outcome of each row, or the expected one in a dry run.',
  {
    id: intOrNull.describe('Id of the import, for its undo; null if nothing changed.'),
    dry_run: z.boolean(),
    delimiter: oneOf([',', ';', '\t', '|']).nullable().describe('Null for a workbook.'),
    columns: z
      .object({
        name: textOrNull,
        deviceid: textOrNull,
        deviceIs: textOrNull,
        label: textOrNull,
      })
      .nullable()
      .describe(
        'Name of each column in the first line; null for a missing column. The object is null if the first line has no column names.',
      ),
    ignored: z.array(z.string()).describe('Columns that were ignored.'),
    counts: countsSchema,
    rows: z.array(importedRowSchema),
  },
);
export type LocationImport = z.infer<typeof locationImportSchema>;

export const lastImportSchema = described(
  'LastLocationImport',
  'The last import that changed anything, until it is undone.',
  {
    id: z.int().describe('Id of the import, for its undo.'),
    at: timestamp,
    by: z.string().describe('Who imported it.'),
    counts: countsSchema,
  },
);
export type LastImport = z.infer<typeof lastImportSchema>;

export const importUndoRequestSchema = named('LocationImportUndo', {
  id: z.int().describe('Id of the import, from the answer to it.'),
});

export const importUndoSchema = named('LocationImportUndone', {
  undone: z.int().describe('Number of rows restored.'),
  kept: z
    .array(z.object({ name: z.string(), message: z.string() }))
    .describe('Rows that were changed after the import and are kept.'),
});
export type ImportUndo = z.infer<typeof importUndoSchema>;
