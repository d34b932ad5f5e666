import { z } from 'zod';
import { described, named, timestamp } from './fields.ts';
import { anyField } from './importColumns.ts';
import { importRowSchema, MAX_ORDER_ROWS } from './imports.ts';

const MAX_CORRECTED_ROWS = 1_000;

export const importRunSchema = named('ImportRun', {
  drafts: z
    .boolean()
    .default(true)
    .describe('Keeps orders that are refused as drafts, to be corrected later. false: they are only in the rows.'),
  set_aside: z
    .array(z.int().min(1))
    .max(MAX_ORDER_ROWS)
    .default([])
    .describe(
      'Lines of the preview. Orders with one of these lines become drafts instead of being created or changed.',
    ),
});
export type ImportRun = z.infer<typeof importRunSchema>;

const draftFields = {
  id: z.int().describe('Of the draft.'),
  import_id: z.int().describe('The import of its file.'),
  name: z.string().describe('Of the file; empty: not given.'),
  by: z.string().describe('Who imported the file.'),
  at: timestamp,
  expires_time: timestamp.describe('When it is deleted, at the latest: 30 days after the import.'),
  order_number: z.string().describe('With the prefix.'),
  message: z.string().describe('Why it was not created when it was last read; empty: it can be created.'),
  exists: z.boolean().describe('An order with this number exists now: the draft needs another number.'),
};

export const draftEntrySchema = described(
  'ImportDraft',
  'The rows of one order of an imported file, kept to be corrected. It is not an order.',
  draftFields,
);
export type DraftEntry = z.infer<typeof draftEntrySchema>;

export const draftSchema = named('ImportDraftWithRows', {
  ...draftFields,
  fields: z.array(anyField).describe('Fields with a column in the file, which can be corrected.'),
  rows: z.array(importRowSchema).describe('As a preview of only these rows would answer now.'),
});
export type Draft = z.infer<typeof draftSchema>;

export const draftsQuerySchema = z.object({
  after: z.coerce.number().int().min(1).optional().describe('Id of the last draft of the page before.'),
  limit: z.coerce.number().int().min(1).max(1_000).optional().describe('Default: 200.'),
});
export type DraftsQuery = z.infer<typeof draftsQuerySchema>;

export const draftCreatedSchema = named('ImportDraftCreated', { order_number: z.string() });

export const draftCorrectionSchema = named('ImportDraftCorrection', {
  rows: z
    .array(
      z.object({
        line: z.int().min(1).describe('Where the row begins in the file.'),
        cells: z
          .partialRecord(anyField, z.string().max(10_000))
          .describe(
            'The new texts of cells, by field. The file needs a column for each. The order number changes in all rows.',
          ),
      }),
    )
    .min(1)
    .max(MAX_CORRECTED_ROWS)
    .describe('The rows to correct; the others stay.'),
});
export type DraftCorrection = z.infer<typeof draftCorrectionSchema>['rows'];
