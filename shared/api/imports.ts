import { countText } from '../lib/text/locale.ts';
import { z } from 'zod';
import { DATE_ORDERS } from '../lib/tables/cells/dates.ts';
import { FIELDS_OF, LOCATION_FIELDS, TABLE_KINDS, type TableField } from '../lib/tables/fields.ts';
import { sheetUrl } from './addressFields.ts';
import { deviceIdSchema } from './device.ts';
import { anyField, DECIMAL_SIGNS, rememberedColumnsSchema } from './importColumns.ts';
import { importUndoSchema } from './locationImport.ts';
import { described, intOrNull, named, oneOf, textOrNull, textUpTo, timestamp, timestampOrNull } from './fields.ts';

/** Maximum number of rows in an order file. */
export const MAX_ORDER_ROWS = 10_000;
/** Maximum number of rows in a location file. */
export const MAX_LOCATION_ROWS = 5_000;
/** Maximum size of a file in bytes. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Possible outcomes of a row in a file. */
export const IMPORT_ROW_OUTCOMES = ['new', 'changed', 'known', 'held', 'refused', 'left_out'] as const;
export type ImportRowOutcome = (typeof IMPORT_ROW_OUTCOMES)[number];

export const IMPORT_STATES = ['preview', 'importing', 'imported', 'undone'] as const;

const orderField = oneOf(FIELDS_OF.orders);
const articleField = oneOf(FIELDS_OF.articles);
const locationField = oneOf(FIELDS_OF.locations);

const COLUMNS =
  'Meaning of columns, by name: a field, or null to ignore the column. Overrides everything that the station recognizes. Names that the file does not have are refused.';

/** How to read a file. See the contract, section 22. */
const readingFields = {
  columns: z.record(z.string(), orderField.nullable()).optional().describe(COLUMNS),
  decimal: oneOf(DECIMAL_SIGNS)
    .optional()
    .describe(
      'The decimal sign of numbers that can be read in two ways, such as 1.000. Default: as the other numbers of the column show.',
    ),
  date_order: oneOf(DATE_ORDERS)
    .optional()
    .describe('How to read due times such as 11/05/26. Default: they are left out.'),
  encoding: textUpTo(40)
    .optional()
    .describe(
      'Of a file that is not Unicode, such as windows-1252 or windows-1250. Default: the setting `file_encoding`.',
    ),
  sheet: textUpTo(100)
    .optional()
    .describe('Name of the sheet of a workbook. Default: the first visible one that has the columns.'),
  order_prefix: textUpTo(40).optional().describe('Written before each order number, so that two shops stay apart.'),
  include_left_out: z
    .boolean()
    .default(false)
    .describe('true: also lines that an export marks as shipped, canceled, refunded or not to be shipped.'),
  remembered: z
    .boolean()
    .default(true)
    .describe(
      'false: ignores the answers remembered for these column names. If an import sets columns, decimal, date_order, encoding, sheet or order_prefix, they are remembered for later files with the same column names. Options of a request override remembered ones.',
    ),
};

export const importRequestSchema = named('OrderImportRequest', {
  csv: z
    .string()
    .optional()
    .describe(
      `The text of the file; or send the file itself as the body, or as \`file\` of a form. At most ${countText(MAX_ORDER_ROWS)} lines. It needs columns for the order number, the quantity, and name, SKU or UPC; common names in English, German, French and Spanish are known, and so are the exports of common shops.`,
    ),
  url: sheetUrl
    .min(1)
    .optional()
    .describe(
      "Address to read the file from: a CSV or .xlsx file, a public Google sheet, or a Nextcloud share. Only https://, except for addresses of the station's machine, which only admins can use.",
    ),
  dry_run: z.boolean().default(false).describe('true: changes nothing; the answer says what the import would do.'),
  ...readingFields,
});

export const fileImportRequestSchema = named('ImportRequest', {
  ...importRequestSchema.shape,
  kind: oneOf(TABLE_KINDS)
    .default('orders')
    .describe(
      `Content of the file. articles: rows with at least a SKU, one for each place and barcode. locations: aliases and device labels, at most ${countText(MAX_LOCATION_ROWS)} rows, with the columns name, deviceid and deviceIs, or deviceid and label.`,
    ),
  stock: z
    .boolean()
    .default(false)
    .describe('true: also changes the stock of existing articles, as movements of the kind `import`.'),
  columns: z.record(z.string(), anyField.nullable()).optional().describe(COLUMNS),
});
export type ImportRequest = z.infer<typeof fileImportRequestSchema>;

export const locationImportRequestSchema = named('LocationImportRequest', {
  csv: z
    .string({ error: 'Send the text of the file in csv.' })
    .optional()
    .describe(
      'The text of the file; or send the file itself as the body, or as `file` of a form. Lines with name, deviceid and deviceIs; if the first line has column names, the columns can be in any order. A label that only one device has can replace its DeviceID. A column label changes labels: in a line without a name, an empty label clears the label of the device; in a line with a name, it changes nothing.',
    ),
  dry_run: importRequestSchema.shape.dry_run,
  columns: z.record(z.string(), oneOf(LOCATION_FIELDS).nullable()).optional().describe(COLUMNS),
  encoding: readingFields.encoding,
  sheet: readingFields.sheet,
});

export const importRowSchema = named('ImportRow', {
  line: z.int().describe('Line on which the row begins in the file. The first line is 1.'),
  outcome: oneOf(IMPORT_ROW_OUTCOMES).describe(
    'new: part of an order that is created. changed: part of an order that follows the file, since nobody has started or edited it. known: the order exists with the same content. held: another row of its order is refused, or the order was set aside as a draft. refused: the row itself is wrong. left_out: not to be picked.',
  ),
  message: z.string().describe('Why the row is left out, or what was read in an unusual way; else empty.'),
  conflict: z
    .boolean()
    .describe('Whether the row was refused because its order or SKU contradicts the station, although it can be read.'),
  order_number: z.string(),
  shipment_number: z.string(),
  SKU: z.string(),
  UPC: z.string(),
  name: z.string(),
  ordered_quantity: z.string().describe('As in the file.'),
  quantity: intOrNull.describe('Pieces to pick, as read; null: the row is wrong or left out.'),
  warehouse_location: z.string(),
  deviceid: deviceIdSchema
    .nullable()
    .describe('The device that a launch would light now; null: none, or the row is left out.'),
});
export type ImportRow = z.infer<typeof importRowSchema>;

const locationRowSchema = named('ImportLocationRow', {
  line: z.int().describe('Line on which the row begins in the file. The first line is 1.'),
  outcome: oneOf(IMPORT_ROW_OUTCOMES).describe(
    'new: creates an alias. changed: changes an alias or a label. known: matches the station. refused: the row is wrong, or another row names the same place. left_out: not a location.',
  ),
  message: z.string().describe('Why the row is not imported, the previous values, or a warning; otherwise empty.'),
  conflict: z
    .boolean()
    .describe(
      'Whether the row was refused because it contradicts another row, or names what the station does not know or cannot tell apart, although it can be read.',
    ),
  name: z.string().describe('As in the file. Empty: the row only sets the label of the device.'),
  deviceid: z.string().describe('As in the file: a DeviceID or a label.'),
  deviceIs: z.string().describe('As in the file.'),
  label: z.string().describe('As in the file.'),
  found_deviceid: deviceIdSchema.nullable().describe('The device that was found; null: the row is wrong or left out.'),
});
export type ImportLocationRow = z.infer<typeof locationRowSchema>;

const articleRowSchema = named('ImportArticleRow', {
  line: z.int().describe('Line on which the row begins in the file. The first line is 1.'),
  outcome: oneOf(IMPORT_ROW_OUTCOMES).describe(
    'new: part of an article that is created. changed: part of an article that is changed. known: the article is as in the file. held: another row of its article is refused. refused: the row is wrong. left_out: not an article.',
  ),
  message: z.string().describe('Why the row is not imported, the previous values, or a note; otherwise empty.'),
  SKU: z.string().describe('As read.'),
  name: z
    .string()
    .describe('As in the file, or composed as the import does: title and options, or the name after the SKU.'),
  UPC: z.string().describe('The barcode, as in the file.'),
  location: z.string().describe('The place, as in the file.'),
  minimum: z.string().describe('As in the file.'),
  on_hand: z.string().describe('As in the file.'),
  level: intOrNull.describe('The minimum of the place after the import; null: the row sets none.'),
  level_before: intOrNull.describe('The minimum before; null: none, or the row sets none.'),
  stock: intOrNull.describe('Pieces that the place has after the import; null: the import does not set it.'),
  stock_before: intOrNull.describe('Pieces before; null: not counted, or the import does not set it.'),
  stock_left_out: z
    .boolean()
    .describe('Whether `on_hand` is left out, since it is not a whole number or no single place can get it.'),
  conflict: z
    .boolean()
    .describe('Whether the row was refused because it contradicts another row or article, although it can be read.'),
  without_light: z.boolean().describe('Whether no device or alias has the name of its place.'),
});
export type ImportArticleRow = z.infer<typeof articleRowSchema>;

/** A row in any kind of file. */
export type AnyImportRow = ImportRow | ImportArticleRow | ImportLocationRow;
const anyRow = z.union([importRowSchema, articleRowSchema, locationRowSchema]);

const countsSchema = z.object({
  orders: z.int().describe('Orders or articles that are created.'),
  new: z.int().describe('Rows of created orders or articles, or rows that create an alias.'),
  changed: z.int().describe('Rows of changed orders or articles, or rows that change an alias or a label.'),
  known: z.int().describe('Rows that match an existing order, article or location.'),
  held: z
    .int()
    .describe('Rows left out because another row of their order is refused, or because it was set aside as a draft.'),
  refused: z.int().describe('Rows that are wrong.'),
  left_out: z.int().describe('Rows that are not to be picked.'),
});
export type ImportCounts = z.infer<typeof countsSchema>;

const columnOf = (field: z.ZodType<TableField>) =>
  z.object({
    name: z.string(),
    field: field.nullable().describe('Its meaning; null: ignored.'),
    samples: z.array(z.string()).describe('Its first values, up to three.'),
  });

const questionOf = (field: z.ZodType<TableField>) =>
  z.object({
    column: z.string().describe('Its name in the file.'),
    fields: z.array(field).describe('Possible meanings, likeliest first. Answer with `columns`.'),
    samples: z.array(z.string()),
  });

const OUTCOME = 'The outcome of each row, or the expected one in a dry run.';

/** Fields of the answer for any kind of file. `mapping`, `questions` and `rows` depend on the kind. */
const readFields = {
  id: intOrNull.describe('The import, for its undo; null: nothing was created or changed.'),
  dry_run: z.boolean(),
  delimiter: oneOf([',', ';', '\t', '|']).nullable().describe('Null: a workbook.'),
  encoding: textOrNull.describe('Null: a workbook.'),
  sheet: textOrNull.describe('The sheet of a workbook that was read.'),
  sheets: z.array(z.string()).describe('The visible sheets of a workbook, which `sheet` can name.'),
  profile: textOrNull.describe('The export that it was recognized as; null: none.'),
  columns: z.array(z.string()).describe('Columns that were read, as the file names them.'),
  ignored: z.array(z.string()).describe('Columns without a meaning here.'),
  remembered: rememberedColumnsSchema
    .nullable()
    .describe('Remembered answers that were used; null: none. Send `remembered: false` to ignore them.'),
  asks_date_order: z.boolean().describe('Some due times can be several days and are left out: `date_order` decides.'),
  skipped: z
    .object({
      hidden_rows: z.int().describe('Rows of the sheet.'),
      hidden_columns: z.int().describe('Columns of the sheet.'),
    })
    .describe('What a workbook hides, which is not read.'),
  notes: z.array(z.string()).describe('What was read in an unusual way in the whole file.'),
  counts: countsSchema,
};

const ALL_COLUMNS = 'All columns and their meaning.';
const QUESTIONS =
  'Columns whose meaning only a person can decide. Until they are answered, no rows are read, and an import is refused.';

export const orderImportSchema = described('OrderImport', OUTCOME, {
  kind: oneOf(['orders']),
  ...readFields,
  mapping: z.array(columnOf(orderField)).describe(ALL_COLUMNS),
  questions: z.array(questionOf(orderField)).describe(QUESTIONS),
  rows: z.array(importRowSchema),
});
export type OrderImport = z.infer<typeof orderImportSchema>;

export const locationFileImportSchema = described('ImportOfLocations', OUTCOME, {
  kind: oneOf(['locations']),
  ...readFields,
  mapping: z.array(columnOf(locationField)).describe(ALL_COLUMNS),
  questions: z.array(questionOf(locationField)).describe(QUESTIONS),
  rows: z.array(locationRowSchema),
});
export type LocationFileImport = z.infer<typeof locationFileImportSchema>;

export const articleImportSchema = described('ImportOfArticles', OUTCOME, {
  kind: oneOf(['articles']),
  ...readFields,
  mapping: z.array(columnOf(articleField)).describe(ALL_COLUMNS),
  questions: z.array(questionOf(articleField)).describe(QUESTIONS),
  rows: z.array(articleRowSchema),
});
export type ArticleImport = z.infer<typeof articleImportSchema>;

export const anyImportSchema = z.union([orderImportSchema, articleImportSchema, locationFileImportSchema]);
export type AnyImport = z.infer<typeof anyImportSchema>;

export const lastOrderImportSchema = described(
  'LastOrderImport',
  "The caller's last import of orders that created or changed any, until it is undone.",
  {
    id: z.int().describe('The import, for its undo.'),
    at: timestamp,
    by: z.string().describe('Who imported it.'),
    counts: countsSchema,
    undoable: z.int().describe('Orders that an undo would remove or restore now. 0: it can no longer be undone.'),
  },
);
export type LastOrderImport = z.infer<typeof lastOrderImportSchema>;

export const orderImportUndoRequestSchema = named('OrderImportUndo', {
  id: z.int().optional().describe('Only if this import is still the last one. Left out: the last import.'),
});

export const orderImportUndoSchema = named('OrderImportUndone', {
  undone: z.int().describe('Orders that were removed or have their former content again.'),
  kept: z
    .array(z.object({ order_number: z.string(), message: z.string() }))
    .describe('Orders that somebody has worked on since, and why each was kept.'),
});
export type OrderImportUndo = z.infer<typeof orderImportUndoSchema>;

export const importEntrySchema = described('Import', 'An import of a file, without its rows.', {
  id: z.int().describe('The import, for its undo.'),
  kind: oneOf(TABLE_KINDS),
  source: oneOf(['api', 'inbox', 'sheet']).describe('Where the file came from.'),
  name: z.string().describe('Name of the file; empty if not given.'),
  state: oneOf(IMPORT_STATES).describe(
    'preview: nothing was imported yet; it is kept for 7 days. importing: under way, or cut off by a stop.',
  ),
  at: timestamp,
  by: z.string().describe('Who sent the file; empty: the station.'),
  counts: countsSchema,
  undoable: z.int().describe('Orders, articles or locations that an undo would now remove or restore.'),
  undone_time: timestampOrNull,
});
export type ImportEntry = z.infer<typeof importEntrySchema>;

export const importRowsQuerySchema = z.object({
  outcome: oneOf(IMPORT_ROW_OUTCOMES).optional().describe('Only these rows.'),
  after: z.coerce.number().int().min(0).optional().describe('Line of the last row of the page before.'),
  limit: z.coerce.number().int().min(1).max(1_000).optional().describe('Default: 200.'),
});
export type ImportRowsQuery = z.infer<typeof importRowsQuerySchema>;

export const importWithRowsSchema = named('ImportWithRows', {
  ...importEntrySchema.shape,
  rows: z.array(anyRow).describe('In the order of the file.'),
});
export type ImportWithRows = z.infer<typeof importWithRowsSchema>;

export const importCorrectionSchema = named('ImportCorrection', {
  cells: z
    .partialRecord(anyField, z.string().max(10_000))
    .refine((cells) => Object.keys(cells).length > 0, 'Give at least one cell: without one, nothing changes.')
    .describe('The new texts of cells of this row, by field. The file needs a column for each.'),
});

export const importCorrectedSchema = named('ImportCorrected', {
  counts: countsSchema,
  rows: z.array(anyRow).describe('Only the rows that have changed.'),
});
export type ImportCorrected = z.infer<typeof importCorrectedSchema>;

/** The answer to an undo. It depends on the kind of file; articles and locations have the same form. */
export const anyImportUndoSchema = z.union([orderImportUndoSchema, importUndoSchema]);
export type AnyImportUndo = z.infer<typeof anyImportUndoSchema>;
