import type { PickRule } from '../pickRules.ts';
import {
  CANCEL_REQUESTED,
  CANCELED_AT,
  LINE_STATE,
  NONE_LEFT,
  NOT_PAID,
  NOT_SHIPPED,
  ORDER_STATE,
  PAYMENT_STATE,
  SHIPPED_AT,
  type TableProfile,
} from './profile.ts';

/** WooCommerce's pending orders wait for the payment, and so do those on hold, whose names are translated by `pending`. */
const WOOCOMMERCE_STATE: PickRule = {
  ...ORDER_STATE,
  words: {
    pending: 'unpaid',
    wcpending: 'unpaid',
    checkoutdraft: 'unpaid',
    enattente: 'on_hold',
    wartend: 'on_hold',
    inattesa: 'on_hold',
  },
};

const AMAZON_CANCEL_REQUESTED = [
  'is-buyer-requested-cancellation',
  'buyer-requested-cancel',
  'is-buyer-requested-cancel',
];
const AMAZON_WAREHOUSE: PickRule = {
  field: 'fulfillment_channel',
  of: 'line',
  when: 'words',
  words: { amazon: 'shipped_by_others', afn: 'shipped_by_others' },
};
/** Amazon verifies the payment of a pending order, which is not to be shipped before. */
const AMAZON_STATE: PickRule = { ...ORDER_STATE, words: { pending: 'on_hold', pendingavailability: 'on_hold' } };

const SHOPIFY_NAMES = ['Name', 'Lineitem quantity', 'Lineitem name'];
const SHOPIFY_FIELDS: TableProfile['fields'] = {
  order_number: ['Name'],
  SKU: ['Lineitem sku'],
  name: ['Lineitem name'],
  ordered_quantity: ['Lineitem quantity'],
  customer: ['Shipping Name', 'Billing Name'],
  note: ['Notes'],
  payment_status: ['Financial Status'],
  canceled_at: ['Cancelled at', 'Canceled at'],
  requires_shipping: ['Lineitem requires shipping'],
};

/** Profiles of exports from shops and marketplaces. */
export const SHOP_PROFILES: readonly TableProfile[] = [
  {
    // Shopify Help Center, "Exporting orders"; also docs.xbp.app, "Shopify order export format".
    id: 'shopify_orders',
    title: 'Shopify orders',
    kind: 'orders',
    has: [...SHOPIFY_NAMES, 'Lineitem fulfillment status'],
    fields: { ...SHOPIFY_FIELDS, line_status: ['Lineitem fulfillment status'], order_status: ['Fulfillment Status'] },
    rules: [CANCELED_AT, LINE_STATE, { ...ORDER_STATE, behind: 'line_status' }, NOT_SHIPPED, PAYMENT_STATE],
    ignores: ['Fulfilled at', 'Paid at', 'Outstanding Balance'],
  },
  {
    // A shortened file without line states. The state of the order is in its first row.
    id: 'shopify_orders_short',
    title: 'Shopify orders without states of lines',
    kind: 'orders',
    has: SHOPIFY_NAMES,
    fields: { ...SHOPIFY_FIELDS, order_status: ['Fulfillment Status'] },
    rules: [CANCELED_AT, ORDER_STATE, NOT_SHIPPED, PAYMENT_STATE],
    ignores: ['Fulfilled at', 'Paid at', 'Outstanding Balance'],
  },
  {
    // wordpress.org, plug-in woo-order-export-lite ("Advanced Order Export For WooCommerce"), its default fields.
    id: 'woocommerce_advanced',
    title: 'WooCommerce, Advanced Order Export',
    kind: 'orders',
    has: [
      'Order Number',
      'Order Status',
      'Item Name|Name|Product Name',
      'Quantity (- Refund)|Quantity',
      'Customer Note|Item #|Order Date',
    ],
    fields: {
      order_number: ['Order Number'],
      SKU: ['SKU'],
      name: ['Item Name', 'Product Name', 'Name'],
      description: ['Product Variation'],
      ordered_quantity: ['Quantity (- Refund)', 'Quantity'],
      customer: ['Full Name (Shipping)', 'Full Name (Billing)'],
      customer_first_name: ['First Name (Shipping)', 'First Name (Billing)'],
      customer_last_name: ['Last Name (Shipping)', 'Last Name (Billing)'],
      note: ['Customer Note'],
      order_status: ['Order Status'],
    },
    rules: [WOOCOMMERCE_STATE, { field: 'ordered_quantity', of: 'line', when: 'zero', reason: 'refunded' }],
  },
  {
    // wordpress.org, plug-in order-import-export-for-woocommerce (WebToffee), line items in separate rows.
    id: 'woocommerce_webtoffee',
    title: 'WooCommerce, Order Export & Order Import',
    kind: 'orders',
    has: ['order_id', 'status', 'item_name', 'item_quantity'],
    fields: {
      order_number: ['order_number', 'order_id'],
      SKU: ['item_sku'],
      name: ['item_name'],
      ordered_quantity: ['item_quantity'],
      refunded_quantity: ['item_refunded_qty'],
      customer_first_name: ['shipping_first_name', 'billing_first_name'],
      customer_last_name: ['shipping_last_name', 'billing_last_name'],
      note: ['customer_note'],
      order_status: ['status'],
    },
    rules: [WOOCOMMERCE_STATE],
  },
  {
    // The default format of the same plug-in: one row per order, with the items side by side.
    id: 'woocommerce_webtoffee_wide',
    title: 'WooCommerce, Order Export & Order Import, one row per order',
    kind: 'orders',
    has: ['order_id', 'status', 'line_item_1|Product Item 1 Name|Product Item 1 SKU'],
    fields: {},
    rules: [],
    refusal:
      'The file has one row per order. In the export settings of the plug-in, choose to export line items in separate rows.',
  },
  {
    // Columns of ShipStation's order export, as in its help page on exporting orders.
    id: 'shipstation',
    title: 'ShipStation orders',
    kind: 'orders',
    has: ['Order - Number', 'Item - SKU|Item - Name', 'Item - Qty|Item - Quantity'],
    fields: {
      order_number: ['Order - Number'],
      SKU: ['Item - SKU'],
      UPC: ['Item - UPC'],
      name: ['Item - Name'],
      description: ['Item - Options'],
      ordered_quantity: ['Item - Qty', 'Item - Quantity'],
      warehouse_location: ['Item - Warehouse Location', 'Item - Location'],
      due_time: ['Date - Ship By Date'],
      customer: ['Ship To - Name', 'Recipient - Name', 'Bill To - Name'],
      note: ['Notes - From Buyer', 'Notes - Internal', 'Notes - To Buyer'],
      order_status: ['Order - Status'],
      shipped_at: ['Date - Shipped Date'],
    },
    rules: [SHIPPED_AT, ORDER_STATE],
  },
  {
    // Amazon Selling Partner API, "Flat file unshipped orders report" and "Flat file actionable order data".
    id: 'amazon_orders',
    title: 'Amazon order report',
    kind: 'orders',
    has: ['order-id', 'order-item-id', 'quantity-purchased'],
    fields: {
      order_number: ['order-id'],
      SKU: ['sku'],
      name: ['product-name'],
      ordered_quantity: ['quantity-purchased'],
      quantity_to_ship: ['quantity-to-ship'],
      shipped_quantity: ['quantity-shipped'],
      due_time: ['promise-date'],
      customer: ['recipient-name', 'buyer-name'],
      note: ['delivery-Instructions'],
      fulfillment_channel: ['fulfillment-channel'],
      order_status: ['order-status'],
      cancel_requested: AMAZON_CANCEL_REQUESTED,
    },
    rules: [AMAZON_WAREHOUSE, NONE_LEFT, AMAZON_STATE, CANCEL_REQUESTED],
    ignores: ['verge-of-cancellation', 'verge-of-lateShipment', 'is-business-order'],
  },
  {
    // Amazon Selling Partner API, "Flat file orders by order date" and "by last update": orders in every state.
    id: 'amazon_all_orders',
    title: 'Amazon report of all orders',
    kind: 'orders',
    has: ['amazon-order-id', 'order-status', 'sku', 'quantity'],
    fields: {
      order_number: ['amazon-order-id'],
      SKU: ['sku'],
      name: ['product-name'],
      ordered_quantity: ['quantity'],
      fulfillment_channel: ['fulfillment-channel'],
      order_status: ['order-status'],
      line_status: ['item-status'],
      cancel_requested: AMAZON_CANCEL_REQUESTED,
    },
    rules: [AMAZON_WAREHOUSE, AMAZON_STATE, LINE_STATE, CANCEL_REQUESTED],
    ignores: ['is-business-order'],
  },
  {
    // eBay Seller Hub, orders report. The file begins with an empty line. An order with several items has an additional row before them.
    id: 'ebay_orders',
    title: 'eBay orders report',
    kind: 'orders',
    has: ['Sales Record Number', 'Order Number', 'Item Title', 'Quantity'],
    fields: {
      order_number: ['Order Number'],
      SKU: ['Custom Label', 'Custom label (SKU)'],
      name: ['Item Title'],
      description: ['Variation Details'],
      ordered_quantity: ['Quantity'],
      due_time: ['Ship By Date', 'Post By Date', 'Dispatch By Date'],
      customer: ['Ship To Name', 'Post To Name', 'Buyer Name'],
      note: ['Buyer Note'],
      shipped_at: ['Shipped On Date', 'Posted On Date', 'Dispatched On Date'],
      is_paid: ['Paid On Date'],
    },
    rules: [SHIPPED_AT, NOT_PAID],
    ignores: ['Feedback Left', 'Feedback Received', 'Authenticity Verification Status'],
  },
  {
    // The German report, in its current and its older form. Its Artikelnummer is the number of the listing.
    id: 'ebay_orders_de',
    title: 'eBay orders report in German',
    kind: 'orders',
    has: ['Verkaufsprotokollnummer', 'Bestellnummer', 'Angebotstitel|Artikelbezeichnung', 'Anzahl|Stückzahl'],
    fields: {
      order_number: ['Bestellnummer'],
      SKU: ['Bestandseinheit'],
      name: ['Angebotstitel', 'Artikelbezeichnung'],
      description: ['Variantendetails'],
      ordered_quantity: ['Anzahl', 'Stückzahl'],
      due_time: ['Versand bis', 'Voraussichtliches Versanddatum'],
      customer: ['Name des Empfängers', 'Name des Käufers', 'Vollständiger Name des Käufers'],
      note: ['Anmerkung des Käufers', 'Notizzettel'],
      shipped_at: ['Verschickt am - Datum', 'Verschickt am', 'Versanddatum'],
      is_paid: ['Zahlungsdatum', 'Bezahldatum'],
    },
    rules: [SHIPPED_AT, NOT_PAID],
  },
  {
    // Etsy Help, "How to download your shop data": sold order items.
    id: 'etsy_items',
    title: 'Etsy sold order items',
    kind: 'orders',
    has: ['Item Name', 'Quantity', 'Transaction ID', 'Listing ID', 'Order ID'],
    fields: {
      order_number: ['Order ID'],
      SKU: ['SKU'],
      name: ['Item Name'],
      description: ['Variations'],
      ordered_quantity: ['Quantity'],
      customer: ['Ship Name', 'Buyer'],
      shipped_at: ['Date Shipped'],
      is_paid: ['Date Paid'],
    },
    rules: [SHIPPED_AT, NOT_PAID],
  },
  {
    // Etsy's orders file does not contain items.
    id: 'etsy_orders',
    title: 'Etsy sold orders',
    kind: 'orders',
    has: ['Sale Date', 'Order ID', 'Number of Items', 'Order Value'],
    fields: {},
    rules: [],
    refusal: 'The file has orders without their items. In Etsy, download the CSV type "Order items" instead.',
  },
];
