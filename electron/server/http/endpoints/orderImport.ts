import { MAX_IMPORT_BYTES } from '#shared/api/locationImport.ts';
import * as api from '#shared/api/orderImport.ts';
import { orderQuerySchema } from '#shared/api/order.ts';
import type { OrderImports } from '../../services/orders/index.ts';
import { endpointsOf, type Endpoint } from '../endpoint.ts';

const define = endpointsOf('orders');

const ORDER_CSV =
  'order_number;SKU;ordered_quantity;warehouse_location\nSO-2001;CT-200;5;A-3-3\nSO-2001;CT-300;2;B-1-1\nSO-2002;CT-500;many;A-3-3';

/** Orders as files. Contract, section 14. */
export const orderImportEndpoints = ({ orderImports }: { orderImports: OrderImports }): Endpoint[] => [
  define('importOrders', 'import', 'Create orders from a CSV file', {
    description:
      'Put the text of the file into `csv`. Rows with the same `order_number` are one order. A wrong row leaves out its whole order and no other; an order that exists already stays as it is. Try it with `dry_run` first. Nothing is lit before a launch. The station keeps the last import, so that it can be undone.',
    body: api.orderImportRequestSchema,
    examples: {
      preview: { summary: 'A preview: nothing is created', value: { csv: ORDER_CSV, dry_run: true } },
      import: { summary: 'SO-2001 is created, SO-2002 is left out', value: { csv: ORDER_CSV } },
    },
    limit: MAX_IMPORT_BYTES,
    answer: api.orderImportSchema,
    handle: ({ body, by }) => orderImports.run(body.csv, { dryRun: body.dry_run, by }),
  }),
  define('getLastOrderImport', 'read', 'Get the last import of orders', {
    description: 'With the number of orders that an undo would remove now. The station keeps it across restarts.',
    answer: api.lastOrderImportSchema,
    refusals: { 404: 'No orders were imported, or the import was undone.' },
    handle: () => orderImports.last(),
  }),
  define('undoOrderImport', 'import', 'Undo the last import of orders', {
    description:
      'Removes the orders that the import created. Orders that were launched, aborted or corrected since are kept, and `kept` says why; orders that were deleted since are not listed.',
    body: api.orderImportUndoRequestSchema,
    bodyOptional: true,
    examples: { last: { summary: 'The last import', value: { id: 1 } } },
    answer: api.orderImportUndoSchema,
    refusals: { 404: 'It was undone already, or another import followed.' },
    handle: ({ body, by }) => orderImports.undo(body.id, by),
  }),
  define('exportOrders', 'read', 'Export orders as a CSV file', {
    description:
      'A line for each item, with the columns of the import, so that it can be imported again. Takes the filters of the list of orders, and exports all of them without a limit. RFC 4180 with a byte order mark. Cells that a spreadsheet would run as a formula begin with an apostrophe, which the import removes. Orders without items have no line.',
    query: orderQuerySchema,
    parameterExamples: { state: 'open', limit: 100, after: 'SO-1000' },
    answer: { contentType: 'text/csv' },
    async handle({ query, res }) {
      const csv = await orderImports.export(query);
      res.setHeader('content-disposition', 'attachment; filename="orders.csv"');
      return { contentType: 'text/csv; charset=utf-8', bytes: Buffer.from(csv, 'utf8') };
    },
  }),
];
