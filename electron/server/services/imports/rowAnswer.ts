import type { ImportRow } from '#shared/api/imports.ts';
import type { ReadRow } from '#shared/lib/tables/orders.ts';
import { findItemTarget } from '../orders/index.ts';
import { slowWarning, type Target, type TargetTables } from '../devices/index.ts';
import type { JudgedOrder } from './judge.ts';

const ZERO = 'It orders 0 pieces: the item is done and never lit.';

/** The outcome of an order's row, and the reason. */
export function fateOf(
  { judgment }: Pick<JudgedOrder, 'judgment'>,
  row: ReadRow,
): Pick<ImportRow, 'outcome' | 'message'> {
  const { message } = row;
  if (row.kind === 'left_out') return { outcome: 'left_out', message };
  if (row.isWrong) return { outcome: 'refused', message };
  if (judgment.outcome === 'known') return { outcome: 'known', message: judgment.message };
  if (judgment.outcome !== 'refused') return { outcome: judgment.outcome, message };
  if (judgment.line === 0) return { outcome: 'refused', message: judgment.message };
  return { outcome: 'held', message: `Line ${judgment.line} of this order is wrong: ${judgment.message}` };
}

/** A row in the answer, with the device that a launch would light. */
export function rowAnswer(tables: TargetTables, order: JudgedOrder, row: ReadRow): ImportRow {
  const { item } = row;
  const answer = { ...leftOutAnswer(row), ...fateOf(order, row) };
  if ((answer.outcome !== 'new' && answer.outcome !== 'changed') || item === undefined) return answer;
  const target: Target | undefined = findItemTarget(tables, {
    deviceId: item.deviceid ?? null,
    warehouseLocation: item.warehouse_location ?? null,
    sku: item.SKU ?? null,
    upc: item.UPC ?? null,
    name: item.name ?? null,
  });
  const warnings = [item.ordered_quantity === 0 ? ZERO : '', target === undefined ? '' : (slowWarning(target) ?? '')];
  return {
    ...answer,
    message: [row.message, ...warnings].filter((text) => text !== '').join(' '),
    quantity: item.ordered_quantity,
    deviceid: target?.deviceId ?? null,
  };
}

/** A row that belongs to no order. */
export function leftOutAnswer({ line, said, message }: ReadRow): ImportRow {
  return {
    line,
    outcome: 'left_out',
    message,
    order_number: said.order_number ?? '',
    shipment_number: said.shipment_number ?? '',
    SKU: said.SKU ?? '',
    UPC: said.UPC ?? '',
    name: said.name ?? '',
    ordered_quantity: said.ordered_quantity ?? '',
    quantity: null,
    warehouse_location: said.warehouse_location ?? '',
    deviceid: null,
  };
}
