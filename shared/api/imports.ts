import { countText } from '../lib/text/locale.ts';
import { z } from 'zod';
import { DATE_ORDERS } from '../lib/tables/cells/dateOrders.ts';
import { UNPAID_ANSWERS } from '../lib/tables/pickRules.ts';
import {
  MAX_PATH_CHARACTERS,
  MAX_PLACE_PATHS,
  MAX_STATE_CHARACTERS,
  MAX_STATES,
  MAX_UNIT_CHARACTERS,
  MAX_UNITS,
} from '../lib/tables/tableLimits.ts';
import { STATE_MEANINGS } from '../lib/tables/states.ts';
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
/** Maximum number of pieces in a unit that a caller can give. */
const MAX_UNIT = 1_000_000;
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
  'Meaning of columns, by name: a field, or null to ignore the column. Overrides everything that the station recognizes. Names that do not occur in the file are refused.';

/** How to read a file. See the contract, section 22. */
const readingFields = {
  columns: z.record(z.string(), orderField.nullable()).optional().describe(COLUMNS),
  decimal: oneOf(DECIMAL_SIGNS)
    .optional()
    .describe(
      'The decimal sign of numbers that can be read in two ways, such as 1.000. Defaults to the sign in the other numbers of the column.',
    ),
  date_order: oneOf(DATE_ORDERS)
    .optional()
    .describe('How to read due times such as 11/05/26. By default, such times are left out.'),
  encoding: textUpTo(40)
    .optional()
    .describe(
      'Encoding of a file that is not Unicode, such as windows-1252 or windows-1250. Defaults to the setting `file_encoding`.',
    ),
  sheet: textUpTo(100)
    .optional()
    .describe('Name of the sheet in a workbook. Defaults to the first visible sheet that has the columns.'),
  order_prefix: textUpTo(40)
    .optional()
    .describe('Prefix for each order number, to distinguish the orders of two shops.'),
  unpaid: oneOf(UNPAID_ANSWERS)
    .optional()
    .describe(
      'What to do with orders that are not paid: pick imports them like the others, and leave_out does not import them. Without it, they are refused.',
    ),
  states: z
    .record(z.string().min(1).max(MAX_STATE_CHARACTERS), oneOf(STATE_MEANINGS))
    .refine((states) => Object.keys(states).length <= MAX_STATES, `Give at most ${MAX_STATES} states.`)
    .optional()
    .describe(
      'Meaning of states that are not understood, by the word in the file. open: to be picked. Orders with an unknown state are refused without it.',
    ),
  units: z
    .record(textUpTo(MAX_UNIT_CHARACTERS), z.int().min(1).max(MAX_UNIT))
    .refine((units) => Object.keys(units).length <= MAX_UNITS, `Give at most ${MAX_UNITS} units.`)
    .optional()
    .describe(
      'Number of pieces in each unit, such as {"box": 12}, for quantities in units other than pieces. boxes is the same unit. dozen and gross are known. Orders with any other unit are refused.',
    ),
  place_paths: z
    .array(textUpTo(MAX_PATH_CHARACTERS))
    .max(MAX_PLACE_PATHS)
    .optional()
    .describe(
      'Paths before names of places, such as WH/Stock and WH2/Stock. Equal names at these paths are one place. Without it, rows are refused if several paths lead to a place.',
    ),
  include_left_out: z
    .boolean()
    .default(false)
    .describe(
      'true also imports lines whose state says that they are shipped, canceled, refunded, on hold, not paid or not to be shipped.',
    ),
  remembered: z
    .boolean()
    .default(true)
    .describe(
      'false ignores the answers remembered for these column names. If an import sets columns, decimal, date_order, encoding, sheet, order_prefix, unpaid, states, units or place_paths, these answers are remembered for later files with the same column names. Options of a request override remembered answers.',
    ),
};

export const importRequestSchema = named('OrderImportRequest', {
  csv: z
    .string()
    .optional()
    .describe(
      `Text of the file. Alternatively, send the file itself as the body, or as \`file\` in a form. At most ${countText(MAX_ORDER_ROWS)} lines. It needs columns for the order number, the quantity, and name, SKU or UPC. Common column names in English, German, French and Spanish are recognized, and so are the exports of common shops.`,
    ),
  url: sheetUrl
    .min(1)
    .optional()
    .describe(
      "Address to read the file from: a CSV or .xlsx file, a public Google sheet, or a Nextcloud share. Only https://, except for addresses of the station's machine, which only admins can use.",
    ),
  dry_run: z.boolean().default(false).describe('true changes nothing; the answer shows what the import would do.'),
  ...readingFields,
});

export const MOVES = ['devices', 'rename'] as const;
const moves = oneOf(MOVES)
  .optional()
  .describe(
    'What rows mean that take a label or alias from a place. devices: the devices hang elsewhere, and goods stay at their places. rename: the places have new names, and their goods, tasks and open lines go with them. Without it, rows are refused that would leave a place with goods without a light.',
  );

export const fileImportRequestSchema = named('ImportRequest', {
  ...importRequestSchema.shape,
  kind: oneOf([...TABLE_KINDS, 'places'])
    .default('orders')
    .transform((kind) => (kind === 'places' ? 'locations' : kind))
    .describe(
      `Content of the file. articles: rows with at least a SKU, one for each place and barcode. places, formerly locations: aliases and device labels, at most ${countText(MAX_LOCATION_ROWS)} rows, with the columns name, deviceid and deviceIs, or deviceid and label. A row with a name and no DeviceID is a place that waits for its device. note, article (SKUs of articles that get the place, one in each line of the cell) and the position on the map (rack, shelf and column) are optional.`,
    ),
  stock: z
    .boolean()
    .default(false)
    .describe('true also changes the stock of existing articles, as movements of the kind `import`.'),
  moves,
  columns: z.record(z.string(), anyField.nullable()).optional().describe(COLUMNS),
});
export type ImportRequest = z.infer<typeof fileImportRequestSchema>;

export const locationImportRequestSchema = named('LocationImportRequest', {
  csv: z
    .string({ error: 'Send the text of the file in csv.' })
    .optional()
    .describe(
      'Text of the file. Alternatively, send the file itself as the body, or as `file` in a form. Lines have name, deviceid and deviceIs; if the first line has column names, the columns can be in any order. A label that only one device has can replace its DeviceID. A column label changes labels: an empty label clears the label of the device in a line without a name, and changes nothing in a line with a name.',
    ),
  dry_run: importRequestSchema.shape.dry_run,
  moves,
  columns: z.record(z.string(), oneOf(LOCATION_FIELDS).nullable()).optional().describe(COLUMNS),
  encoding: readingFields.encoding,
  sheet: readingFields.sheet,
});

export const importRowSchema = named('ImportRow', {
  line: z.int().describe('Line on which the row begins in the file. The first line is 1.'),
  outcome: oneOf(IMPORT_ROW_OUTCOMES).describe(
    'new: part of an order that is created. changed: part of an order that is changed to match the file, because nobody has started or edited it. known: the order exists with the same content. held: another row of the order is refused, or the order was set aside as a draft. refused: the row itself is invalid. left_out: not to be picked.',
  ),
  message: z.string().describe('Why the row is left out, or what was read in an unusual way; otherwise empty.'),
  conflict: z
    .boolean()
    .describe('Whether the row was refused although it can be read, because its order or SKU contradicts the station.'),
  order_number: z.string(),
  shipment_number: z.string(),
  SKU: z.string(),
  UPC: z.string(),
  name: z.string(),
  ordered_quantity: z.string().describe('Quantity as in the file.'),
  quantity: intOrNull.describe('Number of pieces to pick, as read; null if the row is invalid or left out.'),
  warehouse_location: z.string(),
  deviceid: deviceIdSchema
    .nullable()
    .describe('The device that a launch would light now; null if none or if the row is left out.'),
});
export type ImportRow = z.infer<typeof importRowSchema>;

const locationRowSchema = named('ImportLocationRow', {
  line: z.int().describe('Line on which the row begins in the file. The first line is 1.'),
  outcome: oneOf(IMPORT_ROW_OUTCOMES).describe(
    'new: creates an alias, or a place that waits for a device. changed: changes an alias, a label, a note or the map, renames a place, or gives it to an article. known: matches the station. refused: the row is invalid, or another row names the same place. left_out: not a location.',
  ),
  message: z.string().describe('Why the row is not imported, the previous values, or a warning; otherwise empty.'),
  conflict: z
    .boolean()
    .describe(
      'Whether the row was refused although it can be read, because it contradicts another row, or because it names something unknown or ambiguous.',
    ),
  name: z.string().describe('Name as in the file. Empty if the row only sets the label of the device.'),
  deviceid: z.string().describe('DeviceID or label, as in the file.'),
  deviceIs: z.string().describe('Position as in the file.'),
  label: z.string().describe('Label as in the file.'),
  note: z.string().describe('Note as in the file.'),
  article: z.string().describe('Articles as in the file.'),
  rack: z.string().describe('Rack as in the file.'),
  shelf: z.string().describe('Shelf as in the file.'),
  column: z.string().describe('Column as in the file.'),
  found_deviceid: deviceIdSchema
    .nullable()
    .describe('The device that was found; null if the row names none, is invalid or left out.'),
  loses: z
    .string()
    .describe(
      'The place with goods that loses its last light by this row; empty if none. Without `moves`, the row is refused.',
    ),
});
export type ImportLocationRow = z.infer<typeof locationRowSchema>;

const articleRowSchema = named('ImportArticleRow', {
  line: z.int().describe('Line on which the row begins in the file. The first line is 1.'),
  outcome: oneOf(IMPORT_ROW_OUTCOMES).describe(
    'new: part of an article that is created. changed: part of an article that is changed. known: the article already matches the file. held: another row of the article is refused. refused: the row is invalid. left_out: not an article.',
  ),
  message: z.string().describe('Why the row is not imported, the previous values, or a note; otherwise empty.'),
  SKU: z.string().describe('SKU as read.'),
  name: z
    .string()
    .describe('Name as in the file, or as composed by the import: title and options, or the name after the SKU.'),
  UPC: z.string().describe('Barcode as in the file.'),
  location: z.string().describe('Place as in the file.'),
  minimum: z.string().describe('Minimum as in the file.'),
  on_hand: z.string().describe('Stock as in the file.'),
  level: intOrNull.describe('Minimum of the place after the import; null if the row sets none.'),
  level_before: intOrNull.describe('Minimum before the import; null if none or if the row sets none.'),
  stock: intOrNull.describe('Pieces at the place after the import; null if the import does not set the stock.'),
  stock_before: intOrNull.describe(
    'Pieces before the import; null if not counted or if the import does not set the stock.',
  ),
  stock_left_out: z
    .boolean()
    .describe(
      'Whether `on_hand` is ignored, because it is not a whole number or cannot be assigned to a single place.',
    ),
  conflict: z
    .boolean()
    .describe('Whether the row was refused although it can be read, because it contradicts another row or article.'),
  without_light: z.boolean().describe('Whether no device or alias has the name of the place.'),
});
export type ImportArticleRow = z.infer<typeof articleRowSchema>;

/** A row in any kind of file. */
export type AnyImportRow = ImportRow | ImportArticleRow | ImportLocationRow;
const anyRow = z.union([importRowSchema, articleRowSchema, locationRowSchema]);

const countsSchema = z.object({
  orders: z.int().describe('Number of orders or articles that are created.'),
  new: z
    .int()
    .describe(
      'Number of rows of created orders or articles, or rows that create an alias or a place that waits for a device.',
    ),
  changed: z.int().describe('Number of rows of changed orders or articles, or rows that change a place.'),
  known: z.int().describe('Number of rows that match an existing order, article or location.'),
  held: z
    .int()
    .describe(
      'Number of rows left out because another row of their order is refused, or because the order was set aside as a draft.',
    ),
  refused: z.int().describe('Number of invalid rows.'),
  left_out: z.int().describe('Number of rows that are not to be picked.'),
});
export type ImportCounts = z.infer<typeof countsSchema>;

const columnOf = (field: z.ZodType<TableField>) =>
  z.object({
    name: z.string(),
    field: field.nullable().describe('Meaning of the column; null if ignored.'),
    samples: z.array(z.string()).describe('Up to three first values of the column.'),
  });

const questionOf = (field: z.ZodType<TableField>) =>
  z.object({
    column: z.string().describe('Name of the column in the file.'),
    fields: z.array(field).describe('Possible meanings, most likely first. Answer with `columns`.'),
    samples: z.array(z.string()),
  });

const OUTCOME = 'The outcome of each row, or the expected one in a dry run.';

/** Fields of the answer for any kind of file. `mapping`, `questions` and `rows` depend on the kind. */
const readFields = {
  id: intOrNull.describe('Id of the import, for its undo; null if nothing was created or changed.'),
  dry_run: z.boolean(),
  delimiter: oneOf([',', ';', '\t', '|']).nullable().describe('Null for a workbook.'),
  encoding: textOrNull.describe('Null for a workbook.'),
  sheet: textOrNull.describe('The sheet that was read; null if the file is not a workbook.'),
  sheets: z.array(z.string()).describe('The visible sheets of a workbook, which `sheet` can name.'),
  profile: textOrNull.describe('The shop export that the file was recognized as; null if none.'),
  columns: z.array(z.string()).describe('Columns that were read, as named in the file.'),
  ignored: z.array(z.string()).describe('Columns that were ignored.'),
  remembered: rememberedColumnsSchema
    .nullable()
    .describe('Remembered answers that were used; null if none. Send `remembered: false` to ignore them.'),
  asks_date_order: z
    .boolean()
    .describe('Whether some due times are ambiguous and therefore left out. Send `date_order` to decide.'),
  asks_units: z
    .array(z.string())
    .describe(
      'Units whose number of pieces is unknown. Orders with these units are refused. Send `units` to decide; at most 20.',
    ),
  asks_place_paths: z
    .array(z.string())
    .describe(
      'Paths that lead to places with the same name. Rows with these paths are refused. Send `place_paths` if they are the same places; at most 20.',
    ),
  skipped: z
    .object({
      hidden_rows: z.int().describe('Number of hidden rows of the sheet.'),
      hidden_columns: z.int().describe('Number of hidden columns of the sheet.'),
    })
    .describe('Hidden parts of a workbook, which are not read.'),
  notes: z.array(z.string()).describe('Notes about the whole file, such as values that were read in an unusual way.'),
  counts: countsSchema,
};

const ALL_COLUMNS = 'All columns and their meanings.';
const QUESTIONS =
  'Columns whose meaning only a person can decide. Until these questions are answered, no rows are read, and an import is refused.';

export const orderImportSchema = described('OrderImport', OUTCOME, {
  kind: oneOf(['orders']),
  ...readFields,
  asks_unpaid: z.boolean().describe('Whether orders are refused because they are not paid. Send `unpaid` to decide.'),
  asks_states: z
    .array(z.object({ word: z.string(), line: z.int().describe('The first row of an order with this state.') }))
    .describe('States that are not understood, so that their orders are refused. Send `states` to decide.'),
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
    id: z.int().describe('Id of the import, for its undo.'),
    at: timestamp,
    by: z.string().describe('Who imported it.'),
    counts: countsSchema,
    undoable: z
      .int()
      .describe('Number of orders that an undo would remove or restore now. 0 if the import can no longer be undone.'),
  },
);
export type LastOrderImport = z.infer<typeof lastOrderImportSchema>;

export const orderImportUndoRequestSchema = named('OrderImportUndo', {
  id: z.int().optional().describe('Undoes this import only if it is still the last one. Defaults to the last import.'),
});

export const orderImportUndoSchema = named('OrderImportUndone', {
  undone: z.int().describe('Number of orders that were removed or restored.'),
  kept: z
    .array(z.object({ order_number: z.string(), message: z.string() }))
    .describe('Orders that somebody has worked on since the import, and why each was kept.'),
});
export type OrderImportUndo = z.infer<typeof orderImportUndoSchema>;

export const importEntrySchema = described('Import', 'An import of a file, without its rows.', {
  id: z.int().describe('Id of the import, for its undo.'),
  kind: oneOf(TABLE_KINDS),
  source: oneOf(['api', 'inbox', 'sheet']).describe('Source of the file.'),
  name: z.string().describe('Name of the file; empty if not given.'),
  state: oneOf(IMPORT_STATES).describe(
    'preview: nothing has been imported yet; the preview is kept for 7 days. importing: in progress, or interrupted by a stop.',
  ),
  at: timestamp,
  by: z.string().describe('Who sent the file; empty for the station.'),
  counts: countsSchema,
  undoable: z
    .int()
    .describe(
      'Number of orders, articles or locations that an undo would remove or restore now. Exact where `undo` is given; elsewhere the highest possible number.',
    ),
  undone_time: timestampOrNull,
  redo_until: timestampOrNull.describe(
    'Until when the undo can be undone (`POST /api/imports/{id}/redo/`); null if there is nothing to restore.',
  ),
});
export type ImportEntry = z.infer<typeof importEntrySchema>;

const undoGroup = {
  count: z.int().describe('Number of all of them.'),
  names: z.array(z.string()).describe('Up to five of the order numbers, SKUs or names.'),
};

export const importUndoForecastSchema = described('ImportUndoForecast', 'What an undo of an import would do now.', {
  removed: z
    .object(undoGroup)
    .describe('Orders, articles or aliases that the import created and that an undo would remove.'),
  restored: z.object(undoGroup).describe('Changed orders, articles or rows of locations that an undo would restore.'),
  kept: z
    .object({
      count: z.int().describe('Number of reasons to keep an order, an article or a row.'),
      reasons: z
        .array(z.object({ message: z.string(), ...undoGroup }))
        .describe('Why they would be kept, in whole or in part; up to ten reasons, most frequent first.'),
    })
    .describe('What an undo would keep, because somebody has used or changed it since.'),
});
export type ImportUndoForecast = z.infer<typeof importUndoForecastSchema>;

export const importRowsQuerySchema = z.object({
  outcome: oneOf(IMPORT_ROW_OUTCOMES).optional().describe('Only rows with this outcome.'),
  after: z.coerce.number().int().min(0).optional().describe('Line of the last row of the previous page.'),
  limit: z.coerce.number().int().min(1).max(1_000).optional().describe('Defaults to 200.'),
});
export type ImportRowsQuery = z.infer<typeof importRowsQuerySchema>;

export const importWithRowsSchema = named('ImportWithRows', {
  ...importEntrySchema.shape,
  rows: z.array(anyRow).describe('In the order of the file.'),
});
export type ImportWithRows = z.infer<typeof importWithRowsSchema>;

export const importWithUndoSchema = named('ImportWithUndo', {
  ...importWithRowsSchema.shape,
  undo: importUndoForecastSchema
    .nullable()
    .describe('What an undo would do now; null for a preview, after an undo, and with `after`.'),
});
export type ImportWithUndo = z.infer<typeof importWithUndoSchema>;

export const importCorrectionSchema = named('ImportCorrection', {
  cells: z
    .partialRecord(anyField, z.string().max(10_000))
    .refine((cells) => Object.keys(cells).length > 0, 'Give at least one cell: without one, nothing changes.')
    .describe('New text of each cell of the row, by field. The file must have a column for each field.'),
});

export const importCorrectedSchema = named('ImportCorrected', {
  counts: countsSchema,
  rows: z.array(anyRow).describe('Only rows that have changed.'),
});
export type ImportCorrected = z.infer<typeof importCorrectedSchema>;

/** The answer to an undo. It depends on the kind of file; articles and locations have the same form. */
export const anyImportUndoSchema = z.union([orderImportUndoSchema, importUndoSchema]);
export type AnyImportUndo = z.infer<typeof anyImportUndoSchema>;

export const importRedoneSchema = named('ImportRedone', {
  redone: z.int().describe('Number of orders, articles or rows of locations that were restored completely.'),
  kept: z
    .array(z.object({ name: z.string().describe('The order number, SKU or place.'), message: z.string() }))
    .describe('What was not restored, or only in part, and why.'),
});
export type ImportRedone = z.infer<typeof importRedoneSchema>;
