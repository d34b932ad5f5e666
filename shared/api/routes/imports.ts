import type { z } from 'zod';
import type { RememberedColumns } from '../importColumns.ts';
import type * as drafts from '../importDrafts.ts';
import type * as imports from '../imports.ts';
import type * as order from '../order.ts';
import type * as stock from '../stock.ts';
import { del, get, patch, post, type WithBody, type Download } from './route.ts';

/** Imports and exports of files, and the drafts of imports. */
export const IMPORT_ROUTES = {
  importOrders: post('/api/order-import/')<WithBody<typeof imports.importRequestSchema, imports.OrderImport>>(),
  getLastOrderImport: get('/api/order-import/')<{ answer: imports.LastOrderImport }>(),
  undoOrderImport: post('/api/order-import/undo/')<{
    body?: z.input<typeof imports.orderImportUndoRequestSchema>;
    answer: imports.OrderImportUndo;
  }>(),
  exportArticles: get('/api/article-export/')<{
    query: Pick<stock.StockQuery, 'below_minimum' | 'negative' | 'q' | 'to_reorder'> & { format?: 'csv' | 'xlsx' };
    answer: Download;
  }>(),
  exportOrders: get('/api/order-export/')<{
    query: order.OrderQuery & { format?: 'csv' | 'xlsx' };
    answer: Download;
  }>(),
  createImport: post('/api/imports/')<{
    body: z.input<typeof imports.fileImportRequestSchema> | FormData;
    answer: imports.AnyImport;
  }>(),
  listImports: get('/api/imports/')<{ answer: imports.ImportEntry[] }>(),
  getImport: get('/api/imports/{id}/')<{ query: imports.ImportRowsQuery; answer: imports.ImportWithUndo }>(),
  correctImportRow: patch('/api/imports/{id}/rows/{line}/')<
    WithBody<typeof imports.importCorrectionSchema, imports.ImportCorrected>
  >(),
  runImport: post('/api/imports/{id}/run/')<{
    body?: z.input<typeof drafts.importRunSchema>;
    answer: imports.ImportWithRows;
  }>(),
  undoImport: post('/api/imports/{id}/undo/')<{ answer: imports.AnyImportUndo }>(),
  redoImport: post('/api/imports/{id}/redo/')<{ answer: imports.ImportRedone }>(),
  listImportDrafts: get('/api/import-drafts/')<{ query: drafts.DraftsQuery; answer: drafts.DraftEntry[] }>(),
  getImportDraft: get('/api/import-drafts/{id}/')<{ answer: drafts.Draft }>(),
  correctImportDraft: patch('/api/import-drafts/{id}/')<WithBody<typeof drafts.draftCorrectionSchema, drafts.Draft>>(),
  createOrderFromDraft: post('/api/import-drafts/{id}/create/')<{
    answer: z.infer<typeof drafts.draftCreatedSchema>;
  }>(),
  discardImportDraft: del('/api/import-drafts/{id}/')(),
  listImportColumns: get('/api/import-columns/')<{ answer: RememberedColumns[] }>(),
  forgetImportColumns: del('/api/import-columns/{id}/')(),
} as const;
