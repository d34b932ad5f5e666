import { z } from 'zod';
import { deviceIdSchema } from './device.ts';
import { MAX_IMPORT_ROWS } from './locationImport.ts';
import { ORDER_IMPORT_OUTCOMES } from '../lib/orderCsv.ts';
import { described, intOrNull, named, oneOf, timestamp } from './fields.ts';

export const orderImportRequestSchema = named('OrderImportRequest', {
  csv: z
    .string({ error: 'Send the text of the file in csv.' })
    .describe(
      `A line of column names, then a line for each item, separated by comma, semicolon or tab; at most ${MAX_IMPORT_ROWS.toLocaleString('en')} rows. Required: order_number, ordered_quantity, and one of name, SKU and UPC. Optional: shipment_number, description, warehouse_location, deviceid, callback_nonce, color, seconds, due_time (with its zone) and priority. Common other names, such as order, qty, article and bin, are accepted, in any case and order.`,
    ),
  dry_run: z.boolean().default(false).describe('true: changes nothing; the answer says what the import would do.'),
});

const importedOrderRowSchema = z.object({
  line: z.int().describe('Where the row begins in the file. The first line is 1.'),
  outcome: oneOf(ORDER_IMPORT_OUTCOMES).describe(
    'new: part of an order that is created. known: an order of this number exists and stays unchanged. held: another row of its order is refused. refused: the row itself is wrong.',
  ),
  message: z.string().describe('Why the row is left out, or a warning about a row that is accepted; else empty.'),
  order_number: z.string(),
  shipment_number: z.string(),
  SKU: z.string(),
  UPC: z.string(),
  name: z.string(),
  ordered_quantity: z.string().describe('As in the file.'),
  warehouse_location: z.string(),
  deviceid: deviceIdSchema
    .nullable()
    .describe('The device that a launch would light now; null: none, or the row is left out.'),
});
export type ImportedOrderRow = z.infer<typeof importedOrderRowSchema>;

const countsSchema = z.object({
  orders: z.int().describe('Orders that are created.'),
  new: z.int().describe('Rows of these orders.'),
  known: z.int().describe('Rows whose order exists already.'),
  held: z.int().describe('Rows left out because another row of their order is refused.'),
  refused: z.int().describe('Rows that are wrong.'),
});

export const orderImportSchema = described('OrderImport', 'What became of each row, or would become of it.', {
  id: intOrNull.describe('The import, for its undo; null: no order was created.'),
  dry_run: z.boolean(),
  delimiter: oneOf([',', ';', '\t']),
  columns: z.array(z.string()).describe('Columns that were read, as the file names them.'),
  ignored: z.array(z.string()).describe('Columns without a meaning here.'),
  counts: countsSchema,
  rows: z.array(importedOrderRowSchema),
});
export type OrderImport = z.infer<typeof orderImportSchema>;

export const lastOrderImportSchema = described(
  'LastOrderImport',
  'The last import of orders that created any, until it is undone.',
  {
    id: z.int().describe('The import, for its undo.'),
    at: timestamp,
    by: z.string().describe('Who imported it.'),
    counts: countsSchema,
    undoable: z.int().describe('Orders that an undo would remove now. 0: it can no longer be undone.'),
  },
);
export type LastOrderImport = z.infer<typeof lastOrderImportSchema>;

export const orderImportUndoRequestSchema = named('OrderImportUndo', {
  id: z.int().optional().describe('Only if this import is still the last one. Left out: the last import.'),
});

export const orderImportUndoSchema = named('OrderImportUndone', {
  undone: z.int().describe('Orders that were removed.'),
  kept: z
    .array(z.object({ order_number: z.string(), message: z.string() }))
    .describe('Orders that somebody has worked on since, and why each was kept.'),
});
export type OrderImportUndo = z.infer<typeof orderImportUndoSchema>;
