import type { Order, OrderQuery } from '#shared/api/order.ts';
import { BYTE_ORDER_MARK, type CsvCell, csvLines } from '#shared/lib/tables/cells/csv.ts';
import { explicitPlace, explicitText } from '#shared/lib/tables/cells/codes.ts';
import type { OrderField } from '#shared/lib/tables/fields.ts';
import { explicitNumber } from '#shared/lib/tables/orderNumbers.ts';
import type { TablesOf } from '../../../core.ts';
import type { OrderRow } from '../../../db/repositories/orders.ts';
import type { StepQueue } from '../../../scheduling/index.ts';
import { StationError } from '../../../errors.ts';
import { orderAnswer, type OrderTables, pageOfOrders } from '../../orders/index.ts';
import { MAX_WORKBOOK_LINES, type TableFiles } from '../../tables/index.ts';

/** Number of orders to export per step. A step takes about 1 ms. */
const EXPORTED_ORDERS = 20;

/** Columns of the export, with names that the import recognizes. */
const COLUMNS: readonly (readonly [name: string, field: OrderField])[] = [
  ['order_number', 'order_number'],
  ['shipment_number', 'shipment_number'],
  ['SKU', 'SKU'],
  ['UPC', 'UPC'],
  ['name', 'name'],
  ['description', 'description'],
  ['ordered_quantity', 'ordered_quantity'],
  ['warehouse_location', 'warehouse_location'],
  ['deviceid', 'deviceid'],
  ['callback_nonce', 'callback_nonce'],
  ['color', 'light_color'],
  ['seconds', 'seconds'],
  ['due_time', 'due_time'],
  ['priority', 'priority'],
  ['customer', 'customer'],
  ['note', 'note'],
];
const HEAD = COLUMNS.map(([name]) => name);

type ExportContext = {
  reads: TablesOf<'imports'>;
  foregroundReads: Pick<StepQueue, 'take'>;
  tables: Pick<TableFiles, 'writeWorkbook'>;
};

/**
 * Returns the last order number of an export with a limit. The next export continues after that order. Returns undefined if no orders
 * follow.
 */
export function nextExported({ reads }: Pick<ExportContext, 'reads'>, query: OrderQuery): string | undefined {
  const { limit } = query;
  if (limit === undefined) return undefined;
  const some = pageOfOrders(reads, { ...query, limit: limit + 1 });
  return some.length > limit ? some[limit - 1]?.orderNumber : undefined;
}

/**
 * Yields the parts of a CSV file of orders. Importing the file changes nothing. Orders without items have no line. Rejects once `signal` is
 * aborted.
 */
export async function* exportOrdersCsv(
  context: ExportContext,
  query: OrderQuery,
  separator: ',' | ';',
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  yield BYTE_ORDER_MARK + csvLines([HEAD], separator);
  for await (const rows of rowsOfOrders(context, query, signal)) yield csvLines(rows, separator);
}

/** Exports the same lines as `exportOrdersCsv` as a workbook. Also rejects with `invalid` if the workbook would have too many lines. */
export async function exportOrdersWorkbook(
  context: ExportContext,
  query: OrderQuery,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const all: CsvCell[][] = [];
  for await (const rows of rowsOfOrders(context, query, signal)) {
    all.push(...rows);
    if (all.length > MAX_WORKBOOK_LINES) {
      throw new StationError(
        'invalid',
        `A workbook has at most ${MAX_WORKBOOK_LINES.toLocaleString('en')} lines. Export these orders as CSV (\`format=csv\`), or fewer orders at a time.`,
      );
    }
  }
  return context.tables.writeWorkbook('Orders', HEAD, all);
}

async function* rowsOfOrders(
  { reads, foregroundReads }: ExportContext,
  { after: start = '', limit = Number.POSITIVE_INFINITY, ...filter }: OrderQuery,
  signal: AbortSignal,
): AsyncGenerator<CsvCell[][], void, void> {
  let after = start;
  let left = limit;
  while (left > 0) {
    const most = Math.min(left, EXPORTED_ORDERS);
    const from = after;
    const some = await foregroundReads.take(() => {
      signal.throwIfAborted();
      return pageOfOrders(reads, { ...filter, after: from, limit: most });
    });
    for (const order of some) yield await foregroundReads.take(() => rowsOf(reads, order));
    after = some.at(-1)?.orderNumber ?? after;
    left -= some.length;
    if (some.length < most) return;
  }
}

/** Returns one row per item, with the requested device rather than the lit one. */
function rowsOf(reads: OrderTables, row: OrderRow): CsvCell[][] {
  const items = reads.items.listOf(row.id).map((item) => ({ ...item, litDeviceId: null, foundDeviceId: null }));
  const order = orderAnswer(row, reads.orders.listShipments(row.id), items, { scan_required: false });
  return order.shipments.flatMap(({ shipment_number: shipment, items: lines }) =>
    lines.map((item) => {
      const cells = cellsOf(order, item, order.items === undefined ? shipment : '');
      return COLUMNS.map(([, field]) => cells[field]);
    }),
  );
}

function cellsOf(
  order: Order,
  item: Order['shipments'][number]['items'][number],
  shipment: string,
): Record<OrderField, CsvCell> {
  return {
    order_number: explicitNumber(order.order_number),
    shipment_number: shipment,
    SKU: explicitText(item.SKU ?? ''),
    UPC: explicitText(item.UPC ?? ''),
    name: item.name ?? '',
    description: item.description ?? '',
    ordered_quantity: item.ordered_quantity,
    warehouse_location: explicitPlace(item.warehouse_location ?? ''),
    deviceid: item.deviceid ?? '',
    callback_nonce: item.callback_nonce ?? '',
    light_color: order.color ?? '',
    seconds: order.seconds ?? '',
    due_time: order.due_time ?? '',
    priority: order.priority === 0 ? '' : order.priority,
    customer: order.customer ?? '',
    note: order.note ?? '',
  };
}
