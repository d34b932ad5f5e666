import type { Response } from 'express';
import { z } from 'zod';
import { isThisMachine } from '#shared/api/addressFields.ts';
import { rememberedColumnsSchema } from '#shared/api/importColumns.ts';
import type { ArticlePlace } from '#shared/api/article.ts';
import { importRunSchema } from '#shared/api/importDrafts.ts';
import * as api from '#shared/api/imports.ts';
import { orderQuerySchema } from '#shared/api/order.ts';
import { type StockQuery, stockQuerySchema } from '#shared/api/stock.ts';
import { isLow, isNegative, isToReorder } from '#shared/lib/articles/stockLevels.ts';
import { StationError } from '../../errors.ts';
import type { ExportedArticles, ImportFile, Imports } from '../../services/imports/index.ts';
import { csvSeparatorFor } from '../bodies/csvSeparator.ts';
import { endpointsOf, nextLink, type Call, type Endpoint, type Raw } from '../endpoint.ts';
import { lenientImport } from '../compat/lenientImport.ts';
import { goneSignal, sendCsv, untilGone } from '../bodies/longReads.ts';
import { OTHER_DEVICE } from './examples.ts';

const define = endpointsOf('orders');

const ORDER_CSV =
  'order_number;SKU;ordered_quantity;warehouse_location\nSO-2001;CT-200;5;A-3-3\nSO-2001;CT-300;2;B-1-1\nSO-2002;CT-500;many;A-3-3';

export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const FILE =
  'Send the file in one of these ways: as text in `csv`; as the body, with its content type (`text/csv` with its charset, or the type of .xlsx) and the options in the query; as `file` in a form (`multipart/form-data`), with the options in `options` (JSON); or as its URL in `url`.';
const ORDERS =
  'An invalid row causes its whole order to be refused, but no other orders. An existing order is `known` if its content in the file is the imported or the current content. Otherwise, the order is changed if it was imported and nobody has started or edited it. If not, it is refused, and the message names the first difference.';
const LOCATIONS =
  'A file of locations creates and changes aliases, labels, places that wait for a device and notes on places, and gives places to articles. Each row is either imported completely or refused. If several rows name the same place, all of them are refused.';

/** Rights, one of which an import requires, depending on the kind of file. */
const EITHER = ['import_orders', 'edit_stock', 'import_locations'] as const;
const RIGHT_OF = { orders: 'import_orders', articles: 'edit_stock', locations: 'import_locations' } as const;

const ARTICLES =
  'In a file of articles, the rows with the same SKU are the places and barcodes of one article. A blank cell changes nothing, and values that are not in the file are kept. The stock of existing articles changes only with `stock`. An unknown place is created without a device, with a warning.';

const importId = z.object({ id: z.coerce.number().int().min(1).describe('The id of the import.') });
const importRow = importId.extend({
  line: z.coerce.number().int().min(1).describe('Line on which the row begins in the file.'),
});

/** Endpoints for importing and exporting orders, articles and locations as files (sections 14 and 22 of the contract). */
export const importEndpoints = ({ imports }: { imports: Imports }): Endpoint[] => [
  define('importOrders', 'import_orders', 'Create orders from a file', {
    description: `${FILE} ${ORDERS} Preview the file with \`dry_run\` first. Nothing is lit before a launch. You can undo the import.`,
    body: api.importRequestSchema,
    dialect: lenientImport(api.importRequestSchema),
    files: true,
    examples: {
      preview: { summary: 'A preview, which creates nothing', value: { csv: ORDER_CSV, dry_run: true } },
      import: { summary: 'SO-2001 is created, SO-2002 is refused', value: { csv: ORDER_CSV } },
      columns: {
        summary: 'Read the column Amount as the quantity, also in later files with these column names',
        value: { csv: 'order_number,SKU,Amount\nSO-2003,CT-200,5', columns: { Amount: 'ordered_quantity' } },
      },
    },
    limit: api.MAX_FILE_BYTES,
    answer: api.orderImportSchema,
    handle: async (call) =>
      imports.runOrders(await fileOf(imports, call), { dryRun: call.body.dry_run, keeps: false, by: call.by }),
  }),
  define('createImport', EITHER, 'Import a file, or preview it', {
    description: `${FILE} ${ORDERS} ${ARTICLES} ${LOCATIONS} With \`dry_run\`, returns the id of a preview, which you can correct and import.`,
    body: api.fileImportRequestSchema,
    dialect: lenientImport(api.fileImportRequestSchema),
    files: true,
    examples: {
      preview: { summary: 'A preview of orders', value: { csv: ORDER_CSV, dry_run: true } },
      articles: {
        summary: 'A preview of articles',
        value: {
          kind: 'articles',
          csv: 'sku;name;location;on_hand\nCT-700;Cable tie 700;A-7-1;40\nCT-700;;A-7-2;',
          dry_run: true,
        },
      },
      locations: {
        summary: 'A preview of locations',
        value: { kind: 'locations', csv: `name;device;where\nC-1-1;${OTHER_DEVICE};Above`, dry_run: true },
      },
    },
    limit: api.MAX_FILE_BYTES,
    answer: api.anyImportSchema,
    async handle(call) {
      call.demand(RIGHT_OF[call.body.kind]);
      return imports.run(await fileOf(imports, call), { dryRun: call.body.dry_run, keeps: true, by: call.by });
    },
  }),
  define('listImports', 'read', 'List imports', {
    description:
      'Returns the last 50 imports of the last 30 days, newest first, including those of the inbox and the published sheet.',
    answer: z.array(api.importEntrySchema),
    handle: () => imports.list(),
  }),
  define('getImport', 'read', 'Get an import with its rows', {
    params: importId,
    query: api.importRowsQuerySchema,
    parameterExamples: { id: 2, outcome: 'refused', after: 200, limit: 200 },
    description:
      '`undo` has what an undo would remove, restore and keep now, and why, so that a program can ask before it. The undo decides again: its answer lists what it kept.',
    answer: api.importWithUndoSchema,
    refusals: { 404: 'There is no such import.' },
    handle: ({ params, query }) => imports.getWithUndo(params.id, query),
  }),
  define('correctImportRow', EITHER, 'Correct a row of a preview', {
    description: 'Changes the text of cells in one of your previews. Returns only the rows that have changed.',
    params: importRow,
    parameterExamples: { id: 2, line: 4 },
    body: api.importCorrectionSchema,
    examples: { quantity: { summary: 'Another quantity', value: { cells: { ordered_quantity: '5' } } } },
    answer: api.importCorrectedSchema,
    refusals: { 404: 'You have no such preview, or it has no such line.', 409: 'The preview was already imported.' },
    handle(call) {
      const { params, body, by } = call;
      call.demand(rightFor(imports, params.id));
      return imports.correct(params.id, params.line, body.cells, by);
    },
  }),
  define('runImport', EITHER, 'Import a preview', {
    description:
      'Imports one of your previews with its corrections. Refused orders become drafts. Returns the first 200 rows.',
    body: importRunSchema,
    bodyOptional: true,
    examples: {
      aside: { summary: 'Also keep these orders as drafts', value: { set_aside: [2, 4] } },
    },
    params: importId,
    parameterExamples: { id: 2 },
    answer: api.importWithRowsSchema,
    refusals: { 404: 'You have no such preview.', 409: 'The preview was already imported.' },
    handle(call) {
      call.demand(rightFor(imports, call.params.id));
      return imports.runPreview(call.params.id, call.by, call.body);
    },
  }),
  define('undoImport', EITHER, 'Undo an import', {
    description:
      'Removes created orders that nobody has started, and restores the fields of changed orders that nobody has started, if they still have the imported values; the lines are one field. `kept` lists the others with the reason. For articles, removes created articles without later edits, movements or open lines, and restores values that nobody has changed since, and the stock by counter-movements. Movements of the import itself do not protect an article. For locations, removes created aliases and waiting places that are not in use, takes the places from the articles again that do not use them, renames places back, and restores values that nobody has changed since the import.',
    params: importId,
    parameterExamples: { id: 2 },
    answer: api.anyImportUndoSchema,
    refusals: { 404: 'There is no such import.', 409: 'The import was already undone, or is a preview.' },
    handle(call) {
      call.demand(rightFor(imports, call.params.id));
      return imports.undo(call.params.id, call.by);
    },
  }),
  define('redoImport', EITHER, 'Undo the undo of an import', {
    description:
      'For 7 days, restores what the undo has removed or reverted, with changes that people made before the undo. `kept` lists what was not restored and why: orders, articles and aliases whose number, SKU or name was created again, and what was changed or started since. The import can then be undone again.',
    params: importId,
    parameterExamples: { id: 2 },
    answer: api.importRedoneSchema,
    refusals: { 404: 'There is no such import.', 409: 'The import was not undone, or its undo is older than 7 days.' },
    handle(call) {
      call.demand(rightFor(imports, call.params.id));
      return imports.redo(call.params.id, call.by);
    },
  }),
  define('listImportColumns', EITHER, 'List remembered columns', {
    description:
      'Remembered columns determine how files with the same column names are read, also in the inbox and the published sheet. Lists only kinds of files that you are allowed to import, most recently used first; at most 100.',
    answer: z.array(rememberedColumnsSchema),
    handle: (call) => imports.listColumns().filter(({ kind }) => call.may(RIGHT_OF[kind])),
  }),
  define('forgetImportColumns', EITHER, 'Forget remembered columns', {
    params: z.object({ id: z.coerce.number().int().min(1).describe('The id from `GET /api/import-columns/`.') }),
    parameterExamples: { id: 1 },
    refusals: { 404: 'There are no such columns. They may already be forgotten.' },
    handle(call) {
      const { id } = call.params;
      const entry = imports.listColumns().find((each) => each.id === id);
      if (entry !== undefined) call.demand(RIGHT_OF[entry.kind]);
      return imports.forgetColumns(id);
    },
  }),
  define('getLastOrderImport', 'read', 'Get your last import of orders', {
    description: 'Includes the number of orders that an undo would remove or restore now.',
    answer: api.lastOrderImportSchema,
    refusals: { 404: 'You have not imported orders, or the import was undone.' },
    handle: ({ by }) => imports.last(by),
  }),
  define('undoOrderImport', 'import_orders', 'Undo your last import of orders', {
    description: 'Does the same as undoing an import by its id.',
    body: api.orderImportUndoRequestSchema,
    bodyOptional: true,
    examples: { last: { summary: 'The last import', value: {} } },
    answer: api.orderImportUndoSchema,
    refusals: { 404: 'The import was already undone, or you have imported another file since.' },
    handle: ({ body, by }) => imports.undoLast(body.id, by),
  }),
  define('exportArticles', 'read', 'Export articles as a file', {
    description:
      'Writes one line for each place or barcode of an article, including hidden articles. The columns are those of the import, which can read the file unchanged. With `below_minimum`, `to_reorder` or `negative`, exports only active articles that have such places, and only these places. CSV has the same format as in the export of orders.',
    query: stockQuerySchema
      .pick({ q: true, below_minimum: true, to_reorder: true, negative: true })
      .extend({ format: z.enum(['csv', 'xlsx']).optional().describe('Default: csv.') }),
    parameterExamples: { format: 'csv', q: 'tie' },
    answer: { contentType: 'text/csv' },
    alternative: { contentType: WORKBOOK_TYPE },
    async handle({ query: { format = 'csv', ...query }, caller, req, res }) {
      const separator = csvSeparatorFor(req, caller);
      const wanted = exportedArticles(query);
      res.vary('Accept-Language');
      if (format === 'csv')
        return sendCsv({ req, res }, 'articles.csv', imports.exportArticlesCsv(wanted, separator, goneSignal(res)));
      return workbook(res, 'articles.xlsx', (signal) => imports.exportArticlesWorkbook(wanted, signal));
    },
  }),
  define('exportOrders', 'read', 'Export orders as a file', {
    description:
      'Writes one line per item. The columns are those of the import, which can read the file unchanged. Accepts the filters of the list of orders. Without `limit`, exports all orders; with it, the header `Link` has the address of the next part. A workbook has at most 100,000 lines; a CSV file has no limit. CSV follows RFC 4180 and has a byte order mark. The separator is `;` if the language has a decimal comma, otherwise a comma. The language is that of `Accept-Language`. Without this header, people get the language of the system, and keys and tokens get commas. Cells that a spreadsheet would run as a formula begin with an apostrophe, and codes that it would change are written as ="code"; the import removes both. Orders without items have no line.',
    query: orderQuerySchema.extend({ format: z.enum(['csv', 'xlsx']).optional().describe('Default: csv.') }),
    parameterExamples: { state: 'open', limit: 100, after: 'SO-1000', format: 'csv' },
    answer: { contentType: 'text/csv' },
    alternative: { contentType: WORKBOOK_TYPE },
    async handle({ query: { format = 'csv', ...query }, caller, req, res }) {
      const separator = csvSeparatorFor(req, caller);
      const next = imports.exportNext(query);
      if (next !== undefined) res.setHeader('link', nextLink(req, next));
      res.vary('Accept-Language');
      if (format === 'csv') {
        return sendCsv({ req, res }, 'orders.csv', imports.exportCsv(query, separator, goneSignal(res)));
      }
      return workbook(res, 'orders.xlsx', (signal) => imports.exportWorkbook(query, signal));
    },
  }),
];

/** Returns the articles and places that the stock list shows with these filters. */
function exportedArticles({ q, below_minimum, to_reorder, negative }: StockQuery): ExportedArticles {
  const given = [below_minimum && isLow, to_reorder && isToReorder, negative && isNegative];
  const rules = given.filter((rule) => typeof rule === 'function');
  return {
    q,
    isListed: rules.length === 0 ? undefined : (place: ArticlePlace) => rules.every((rule) => rule(place)),
  };
}

/** Returns the right that an import requires. Throws `not_found` if there is no such import. */
const rightFor = (imports: Imports, id: number) => RIGHT_OF[imports.kindOf(id)];

/** Returns a workbook as an attachment, or undefined if the caller has disconnected. */
export async function workbook(
  res: Response,
  name: string,
  write: (signal: AbortSignal) => Promise<Uint8Array>,
): Promise<Raw | undefined> {
  const bytes = await untilGone(res, write);
  if (bytes === undefined) return undefined;
  res.setHeader('content-disposition', `attachment; filename="${name}"`);
  return { contentType: WORKBOOK_TYPE, bytes };
}

/** Returns the uploaded file, the text in `csv`, or the sheet at `url`. Throws `invalid` unless the request has exactly one of them. */
export async function fileOf(
  imports: Imports,
  call: Pick<Call<unknown, unknown, Partial<api.ImportRequest>>, 'body' | 'demand' | 'file'>,
): Promise<ImportFile> {
  const { csv, url, dry_run: _dryRun, ...options } = call.body;
  const given = [call.file, csv, url].filter((each) => each !== undefined);
  if (given.length !== 1) {
    const message = `Send ${given.length === 0 ? 'one' : 'only one'} of these: the text of the file in csv, the address of a sheet in url, or the file itself as the body.`;
    throw new StationError('invalid', message, [{ path: '/csv', message }]);
  }
  if (call.file !== undefined) return { ...call.file, options };
  if (url === undefined) return { bytes: Buffer.from(csv ?? '', 'utf8'), name: '', options };
  // Only admins can name an address on this machine, where other services may trust the station. The same rule applies to the published
  // sheet.
  if (isThisMachine(new URL(url).hostname)) call.demand('change_settings');
  return { ...(await imports.readSheet(url)), options };
}
