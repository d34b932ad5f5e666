import type { PickRule } from '../pickRules.ts';
import { NONE_LEFT, ORDER_STATE, type TableProfile } from './profile.ts';

/** Drafts of ERP systems, which these programs also export for picking. */
const DRAFTS = {
  draft: 'open',
  quotation: 'open',
  entwurf: 'open',
  brouillon: 'open',
  borrador: 'open',
  bozza: 'open',
  concept: 'open',
  szkic: 'open',
} as const;

/** Odoo can lock orders and send quotations before anything is delivered, so these states count as open. */
const ODOO_STATE: PickRule = {
  field: 'order_status',
  of: 'order',
  when: 'state',
  words: {
    ...DRAFTS,
    locked: 'open',
    done: 'open',
    sent: 'open',
    quotationsent: 'open',
    gesperrt: 'open',
    verrouille: 'open',
    bloqueado: 'open',
  },
};

/** Profiles of exports from ERP systems. */
export const ERP_PROFILES: readonly TableProfile[] = [
  {
    // Odoo export of sale.order with its lines. The column labels come from addons/sale/models/sale_order_line.py.
    id: 'odoo_orders',
    title: 'Odoo sales orders',
    kind: 'orders',
    has: ['Order Reference', 'Order Lines/Product|Order Lines/Description', 'Order Lines/Quantity'],
    fields: {
      order_number: ['Order Reference'],
      sku_and_name: ['Order Lines/Product', 'Order Lines/Description'],
      SKU: ['Order Lines/Product/Internal Reference'],
      UPC: ['Order Lines/Product/Barcode'],
      ordered_quantity: ['Order Lines/Quantity'],
      quantity_to_ship: ['Order Lines/Qty To Deliver', 'Order Lines/Quantity To Deliver'],
      unit: ['Order Lines/Unit of Measure', 'Order Lines/Unit', 'Order Lines/UoM'],
      shipped_quantity: ['Order Lines/Delivery Quantity', 'Order Lines/Delivered Quantity', 'Order Lines/Delivered'],
      due_time: ['Delivery Date', 'Commitment Date', 'Expected Date'],
      customer: ['Customer', 'Delivery Address'],
      order_status: ['Status', 'Order Status'],
    },
    rules: [ODOO_STATE, NONE_LEFT],
    ignores: ['Status', 'Order Status', 'Invoice Status', 'Locked'],
  },
  {
    // Odoo export of sale.order.line.
    id: 'odoo_order_lines',
    title: 'Odoo sales order lines',
    kind: 'orders',
    has: ['Order Reference', 'Product', 'Quantity'],
    fields: {
      order_number: ['Order Reference'],
      sku_and_name: ['Product'],
      SKU: ['Product/Internal Reference'],
      UPC: ['Product/Barcode'],
      ordered_quantity: ['Quantity'],
      quantity_to_ship: ['Qty To Deliver', 'Quantity To Deliver'],
      unit: ['Unit of Measure', 'Unit', 'UoM'],
      shipped_quantity: ['Delivery Quantity', 'Delivered Quantity', 'Delivered'],
      customer: ['Customer'],
      order_status: ['Order Status', 'Status'],
    },
    rules: [ODOO_STATE, NONE_LEFT],
    ignores: ['Status', 'Order Status', 'Invoice Status', 'Locked'],
  },
  {
    // Odoo export of stock.move. The column labels come from addons/stock/models/stock_move.py. `Quantity` is the reserved quantity.
    id: 'odoo_moves',
    title: 'Odoo stock moves',
    kind: 'orders',
    has: ['Reference', 'Product', 'Demand'],
    fields: {
      order_number: ['Reference'],
      sku_and_name: ['Product'],
      SKU: ['Product/Internal Reference'],
      UPC: ['Product/Barcode'],
      ordered_quantity: ['Demand'],
      unit: ['Unit of Measure', 'Unit', 'UoM'],
      warehouse_location: ['From', 'Source Location'],
      due_time: ['Deadline', 'Date Scheduled', 'Scheduled Date'],
      customer: ['Contact', 'Partner'],
      order_status: ['Status'],
    },
    rules: [{ field: 'order_status', of: 'line', when: 'state', words: DRAFTS }],
  },
  {
    // Odoo export of stock.picking with its moves. Only the first row contains the cells of the transfer.
    id: 'odoo_transfers',
    title: 'Odoo transfers',
    kind: 'orders',
    has: ['Reference', 'Stock Moves/Product|Operations/Product', 'Stock Moves/Demand|Operations/Demand'],
    fields: {
      order_number: ['Reference'],
      sku_and_name: ['Stock Moves/Product', 'Operations/Product'],
      SKU: ['Stock Moves/Product/Internal Reference'],
      UPC: ['Stock Moves/Product/Barcode'],
      ordered_quantity: ['Stock Moves/Demand', 'Operations/Demand'],
      unit: ['Stock Moves/Unit of Measure', 'Operations/Unit of Measure', 'Stock Moves/UoM', 'Stock Moves/Unit'],
      warehouse_location: ['Stock Moves/From', 'Stock Moves/Source Location'],
      due_time: ['Deadline', 'Scheduled Date'],
      customer: ['Contact', 'Partner'],
      order_status: ['Status'],
    },
    rules: [{ ...ORDER_STATE, words: DRAFTS }],
  },
  {
    // Frappe Data Export of Sales Order or Delivery Note with its items. The column labels come from sales_order_item.json.
    id: 'erpnext_items',
    title: 'ERPNext sales orders or delivery notes',
    kind: 'orders',
    has: ['ID', 'Item Code (Items)', 'Quantity (Items)|Qty (Items)'],
    fields: {
      order_number: ['ID'],
      SKU: ['Item Code (Items)'],
      UPC: ['Barcode (Items)'],
      name: ['Item Name (Items)'],
      ordered_quantity: ['Quantity (Items)', 'Qty (Items)'],
      unit: ['UOM (Items)'],
      unit_pieces: ['UOM Conversion Factor (Items)', 'Conversion Factor (Items)'],
      stock_quantity: ['Qty as per Stock UOM (Items)', 'Stock Qty (Items)', 'Qty in Stock UOM (Items)'],
      shipped_quantity: ['Delivered Qty (Items)'],
      refunded_quantity: ['Returned Qty (Items)'],
      due_time: ['Delivery Date (Items)', 'Delivery Date'],
      customer: ['Customer Name', 'Customer'],
      order_status: ['Status'],
    },
    rules: [
      {
        field: 'order_status',
        of: 'order',
        when: 'state',
        words: { ...DRAFTS, closed: 'canceled', return: 'refunded', tobill: 'shipped' },
      },
    ],
  },
];
