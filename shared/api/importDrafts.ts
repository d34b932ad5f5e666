import { z } from 'zod';
import { described, named, timestamp } from './fields.ts';
import { anyField } from './importColumns.ts';
import { importRowSchema, MAX_ORDER_ROWS } from './imports.ts';

const MAX_CORRECTED_ROWS = 1_000;

export const importRunSchema = named('ImportRun', {
  drafts: z
    .boolean()
    .default(true)
    .describe(
      'Keeps refused orders as drafts that can be corrected later. If false, refused orders appear only in the rows.',
    ),
  set_aside: z
    .array(z.int().min(1))
    .max(MAX_ORDER_ROWS)
    .default([])
    .describe(
      'Line numbers of the preview. An order with any of these lines becomes a draft instead of being created or changed.',
    ),
});
export type ImportRun = z.infer<typeof importRunSchema>;

const draftFields = {
  id: z.int().describe('Id of the draft.'),
  import_id: z.int().describe('Id of the import of the file.'),
  name: z.string().describe('Name of the file; empty if not given.'),
  by: z.string().describe('Who imported the file.'),
  at: timestamp,
  expires_time: timestamp.describe('Latest time of deletion: 30 days after the import.'),
  order_number: z.string().describe('Order number, including the prefix.'),
  message: z
    .string()
    .describe('Why the order could not be created when the draft was last evaluated; empty if it can be created.'),
  exists: z.boolean().describe('Whether an order with this number exists now. If so, the draft needs another number.'),
};

export const draftEntrySchema = described(
  'ImportDraft',
  'The rows of one order from an imported file, kept for correction. A draft is not an order.',
  draftFields,
);
export type DraftEntry = z.infer<typeof draftEntrySchema>;

export const draftSchema = named('ImportDraftWithRows', {
  ...draftFields,
  fields: z.array(anyField).describe('Fields with a column in the file, which can be corrected.'),
  rows: z.array(importRowSchema).describe('The rows, as a preview of only these rows would show them now.'),
});
export type Draft = z.infer<typeof draftSchema>;

export const draftsQuerySchema = z.object({
  after: z.coerce.number().int().min(1).optional().describe('Id of the last draft on the previous page.'),
  limit: z.coerce.number().int().min(1).max(1_000).optional().describe('Defaults to 200.'),
});
export type DraftsQuery = z.infer<typeof draftsQuerySchema>;

export const draftCreatedSchema = named('ImportDraftCreated', { order_number: z.string() });

export const draftCorrectionSchema = named('ImportDraftCorrection', {
  rows: z
    .array(
      z.object({
        line: z.int().min(1).describe('Line on which the row begins in the file.'),
        cells: z
          .partialRecord(anyField, z.string().max(10_000))
          .refine((cells) => Object.keys(cells).length > 0, 'Give at least one cell: without one, nothing changes.')
          .describe(
            'New text of each cell, by field. The file must have a column for each field. A new order number applies to all rows.',
          ),
      }),
    )
    .min(1)
    .max(MAX_CORRECTED_ROWS)
    .describe('The rows to correct; other rows are unchanged.'),
});
export type DraftCorrection = z.infer<typeof draftCorrectionSchema>['rows'];
