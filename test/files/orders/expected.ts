/** A line as a person reads it in a file. Fields that the file leaves blank are absent. */
export type ExpectedLine = {
  SKU?: string;
  UPC?: string;
  name?: string;
  description?: string;
  quantity: number;
  place?: string;
  deviceid?: string;
  nonce?: string;
};

/**
 * An order as a person reads it. `due` is a date, a date and time in the shop's time zone, or a time with an offset, as ISO 8601. A date
 * means the end of that day. `shipments` contains the shipment of each line, if the file names any.
 */
export type ExpectedOrder = {
  number: string;
  customer?: string;
  note?: string;
  due?: string;
  color?: string;
  seconds?: number;
  priority?: number;
  lines: ExpectedLine[];
  shipments?: string[];
};

/**
 * A row that is left out. `reason` is a reason of the profile, such as `shipped`, `nothing_left` if no pieces remain, or the kind of a row
 * that is not a line: `total`, `names` or `after_orders`.
 */
export type ExpectedLeftOut = { line: number; reason: string };

/** The content of a file as a person reads it. `refused` lists the refused orders. A null number means that the whole file is refused. */
export type ExpectedRead = {
  orders: ExpectedOrder[];
  leftOut: ExpectedLeftOut[];
  refused: { number: string | null; why: string }[];
};

export type ExpectedSample = ExpectedRead & { file: string; profile: string };

/** The expected content of each sample in this folder. The places A-1-1, A-1-2 and B-2-1 are known. */
export const SAMPLES: readonly ExpectedSample[] = [
  {
    file: 'shopify-orders.csv',
    profile: 'shopify_orders',
    orders: [
      {
        number: '#1001',
        customer: 'Example Customer One',
        note: 'Please wrap',
        lines: [
          { SKU: 'MUG-BL', name: 'Mug - Blue', quantity: 2 },
          { SKU: 'COA-1', name: 'Coaster', quantity: 1 },
        ],
      },
      { number: '#1002', customer: 'Example Customer Two', lines: [{ SKU: 'TEA-1', name: 'Teapot', quantity: 3 }] },
      { number: '#1005', customer: 'Example Customer Five', lines: [{ SKU: 'COA-1', name: 'Coaster', quantity: 4 }] },
    ],
    leftOut: [
      { line: 4, reason: 'shipped' },
      { line: 6, reason: 'canceled' },
      { line: 7, reason: 'refunded' },
      { line: 8, reason: 'not_shippable' },
      { line: 10, reason: 'shipped' },
    ],
    refused: [{ number: '#1007', why: 'Six saucers are partly shipped; the file does not say how many are left.' }],
  },
  {
    file: 'shopify-orders-short.csv',
    profile: 'shopify_orders_short',
    orders: [
      {
        number: '#1011',
        customer: 'Example Customer One',
        lines: [
          { SKU: 'MUG-BL', name: 'Mug - Blue', quantity: 2 },
          { SKU: 'COA-1', name: 'Coaster', quantity: 1 },
        ],
      },
    ],
    leftOut: [
      { line: 4, reason: 'shipped' },
      { line: 5, reason: 'shipped' },
      { line: 8, reason: 'canceled' },
    ],
    refused: [{ number: '#1013', why: 'The order is partly shipped; the file does not say which lines.' }],
  },
  {
    file: 'woocommerce-advanced.csv',
    profile: 'woocommerce_advanced',
    orders: [
      {
        number: '2001',
        customer: 'Example One',
        note: 'Leave at the door',
        lines: [
          { SKU: 'MUG-BL', name: 'Mug, blue', quantity: 2 },
          { SKU: 'COA-1', name: 'Coaster', quantity: 1 },
        ],
      },
      { number: '2004', customer: 'Example Four', lines: [{ SKU: 'SAU-1', name: 'Saucer', quantity: 3 }] },
    ],
    leftOut: [
      { line: 4, reason: 'shipped' },
      { line: 5, reason: 'canceled' },
      { line: 6, reason: 'refunded' },
      { line: 8, reason: 'refunded' },
    ],
    refused: [],
  },
  {
    file: 'woocommerce-webtoffee.csv',
    profile: 'woocommerce_webtoffee',
    orders: [
      {
        number: '3001',
        customer: 'Example One',
        note: 'Ring twice',
        lines: [
          { SKU: 'MUG-BL', name: 'Mug blue', quantity: 2 },
          { SKU: 'COA-1', name: 'Coaster', quantity: 3 },
        ],
      },
      { number: '3004', customer: 'Example Four', lines: [{ SKU: 'MUG-RD', name: 'Mug red', quantity: 1 }] },
    ],
    leftOut: [
      { line: 4, reason: 'shipped' },
      { line: 5, reason: 'canceled' },
      { line: 6, reason: 'nothing_left' },
    ],
    refused: [],
  },
  {
    file: 'woocommerce-wide.csv',
    profile: 'woocommerce_webtoffee_wide',
    orders: [],
    leftOut: [],
    refused: [{ number: null, why: 'The items of an order are side by side, not in rows.' }],
  },
  {
    file: 'shipstation-orders.csv',
    profile: 'shipstation',
    orders: [
      {
        number: 'SS-4001',
        customer: 'Example Customer One',
        note: 'No plastic',
        due: '2026-11-28T22:30',
        lines: [
          { SKU: 'MUG-BL', name: 'Mug', description: 'Color: Blue', quantity: 2, place: 'A-1-1' },
          { SKU: 'COA-1', name: 'Coaster', quantity: 1, place: 'A-1-2' },
        ],
      },
      {
        number: 'SS-4004',
        customer: 'Example Customer Four',
        due: '2026-11-28T22:30',
        lines: [{ SKU: 'MUG-RD', name: 'Mug', description: 'Color: Red', quantity: 1, place: 'A-1-1' }],
      },
    ],
    leftOut: [
      { line: 4, reason: 'shipped' },
      { line: 5, reason: 'canceled' },
      { line: 6, reason: 'shipped' },
    ],
    refused: [],
  },
  {
    file: 'amazon-unshipped.txt',
    profile: 'amazon_orders',
    orders: [
      {
        number: '000-0000001-0000001',
        customer: 'Example Customer One',
        due: '2026-11-28T22:59:59+00:00',
        lines: [
          { SKU: 'MUG-BL', name: 'Mug 12" tall', quantity: 2 },
          { SKU: 'COA-1', name: 'Coaster', quantity: 1 },
        ],
      },
      {
        number: '000-0000002-0000002',
        customer: 'Example Customer Two',
        due: '2026-11-28T22:59:59+00:00',
        lines: [{ SKU: 'SAU-1', name: 'Saucer', quantity: 4 }],
      },
    ],
    leftOut: [
      { line: 4, reason: 'shipped' },
      { line: 6, reason: 'shipped' },
    ],
    refused: [],
  },
  {
    file: 'amazon-all-orders.txt',
    profile: 'amazon_all_orders',
    orders: [{ number: '000-0000001-0000001', lines: [{ SKU: 'MUG-BL', name: 'Mug 12" tall', quantity: 2 }] }],
    leftOut: [
      { line: 3, reason: 'shipped' },
      { line: 4, reason: 'canceled' },
      { line: 5, reason: 'on_hold' },
      { line: 6, reason: 'shipped_by_others' },
    ],
    refused: [],
  },
  {
    file: 'ebay-orders-de.csv',
    profile: 'ebay_orders_de',
    orders: [
      {
        number: '12-00001-00001',
        customer: 'Example Customer One',
        note: 'Danke',
        lines: [
          { SKU: 'MUG-BL', name: 'Tasse', description: '[Farbe:Blau]', quantity: 2 },
          { SKU: 'COA-1', name: 'Untersetzer', quantity: 1 },
        ],
      },
    ],
    leftOut: [
      { line: 6, reason: 'shipped' },
      { line: 8, reason: 'after_orders' },
    ],
    refused: [],
  },
  {
    file: 'ebay-orders.csv',
    profile: 'ebay_orders',
    orders: [
      {
        number: '11-00001-00001',
        customer: 'Example Customer One',
        note: 'Thanks',
        due: '2026-11-28',
        lines: [
          { SKU: 'MUG-BL', name: 'Mug', description: '[Color:Blue]', quantity: 2 },
          { SKU: 'COA-1', name: 'Coaster', quantity: 1 },
        ],
      },
      {
        number: '11-00003-00003',
        customer: 'Example Customer Three',
        due: '2026-11-28',
        lines: [{ SKU: 'MUG-RD', name: 'Mug', description: '[Color:Red]', quantity: 1 }],
      },
    ],
    leftOut: [
      { line: 6, reason: 'shipped' },
      { line: 8, reason: 'shipped' },
      { line: 11, reason: 'after_orders' },
      { line: 12, reason: 'after_orders' },
    ],
    refused: [],
  },
  {
    file: 'etsy-sold-order-items.csv',
    profile: 'etsy_items',
    orders: [
      {
        number: '6001',
        customer: 'Example Customer One',
        lines: [
          { SKU: 'MUG-BL', name: 'Mug, hand-made', description: 'Color:Blue', quantity: 2 },
          { name: 'Coaster', quantity: 1 },
        ],
      },
      { number: '6003', customer: 'Example Customer Three', lines: [{ SKU: 'TEA-1', name: 'Teapot', quantity: 1 }] },
    ],
    leftOut: [
      { line: 4, reason: 'shipped' },
      { line: 5, reason: 'shipped' },
    ],
    refused: [],
  },
  {
    file: 'etsy-sold-orders.csv',
    profile: 'etsy_orders',
    orders: [],
    leftOut: [],
    refused: [{ number: null, why: 'The file does not say which items are in an order.' }],
  },
  {
    file: 'odoo-sales-orders.csv',
    profile: 'odoo_orders',
    orders: [
      {
        number: 'S00081',
        customer: 'Example Customer One',
        due: '2026-11-28T12:00',
        lines: [
          { SKU: 'MUG-BL', name: 'Mug (Blue)', quantity: 2 },
          { SKU: 'COA-1', name: 'Coaster', quantity: 1 },
        ],
      },
      { number: 'S00083', customer: 'Example Customer Three', lines: [{ name: 'Saucer', quantity: 4 }] },
    ],
    leftOut: [
      { line: 4, reason: 'nothing_left' },
      { line: 5, reason: 'canceled' },
    ],
    refused: [],
  },
  {
    file: 'odoo-sales-order-lines.csv',
    profile: 'odoo_order_lines',
    orders: [
      {
        number: 'S00081',
        customer: 'Example Customer One',
        lines: [
          { SKU: 'MUG-BL', name: 'Mug (Blue)', quantity: 2 },
          { SKU: 'COA-1', name: 'Coaster', quantity: 1 },
        ],
      },
      { number: 'S00083', customer: 'Example Customer Three', lines: [{ SKU: 'SAU-1', name: 'Saucer', quantity: 4 }] },
    ],
    leftOut: [
      { line: 4, reason: 'canceled' },
      { line: 5, reason: 'nothing_left' },
    ],
    refused: [],
  },
  {
    file: 'odoo-stock-moves.csv',
    profile: 'odoo_moves',
    orders: [
      {
        number: 'WH/OUT/00012',
        due: '2026-11-28T12:00',
        lines: [
          { SKU: 'MUG-BL', name: 'Mug (Blue)', quantity: 3, place: 'A-1-1' },
          { SKU: 'COA-1', name: 'Coaster', quantity: 1, place: 'A-1-2' },
        ],
      },
      {
        number: 'WH/OUT/00014',
        due: '2026-11-27T12:00',
        lines: [{ SKU: 'SAU-1', name: 'Saucer', quantity: 4, place: 'A-1-2' }],
      },
    ],
    leftOut: [
      { line: 4, reason: 'shipped' },
      { line: 5, reason: 'canceled' },
    ],
    refused: [],
  },
  {
    file: 'odoo-transfers.csv',
    profile: 'odoo_transfers',
    orders: [
      {
        number: 'WH/OUT/00021',
        customer: 'Example Customer One',
        due: '2026-11-28T12:00',
        lines: [
          { SKU: 'MUG-BL', name: 'Mug (Blue)', quantity: 3, place: 'A-1-1' },
          { SKU: 'COA-1', name: 'Coaster', quantity: 1, place: 'A-1-2' },
        ],
      },
    ],
    leftOut: [
      { line: 4, reason: 'shipped' },
      { line: 5, reason: 'shipped' },
      { line: 6, reason: 'canceled' },
    ],
    refused: [],
  },
  {
    file: 'erpnext-sales-orders.csv',
    profile: 'erpnext_items',
    orders: [
      {
        number: 'SAL-ORD-2026-00011',
        customer: 'Example Customer One',
        due: '2026-11-28',
        lines: [
          { SKU: 'MUG-BL', name: 'Mug blue', quantity: 2 },
          { SKU: 'COA-1', name: 'Coaster', quantity: 1 },
        ],
      },
      {
        number: 'SAL-ORD-2026-00014',
        customer: 'Example Customer Four',
        due: '2026-11-29',
        lines: [{ SKU: 'MUG-RD', name: 'Mug red', quantity: 2 }],
      },
    ],
    leftOut: [
      { line: 4, reason: 'shipped' },
      { line: 5, reason: 'canceled' },
      { line: 6, reason: 'nothing_left' },
    ],
    refused: [],
  },
  {
    file: 'erpnext-delivery-notes.csv',
    profile: 'erpnext_items',
    orders: [
      {
        number: 'MAT-DN-2026-00031',
        customer: 'Example Customer One',
        lines: [
          { SKU: 'MUG-BL', name: 'Mug blue', quantity: 2 },
          { SKU: 'COA-1', name: 'Coaster', quantity: 1 },
        ],
      },
    ],
    leftOut: [
      { line: 4, reason: 'shipped' },
      { line: 5, reason: 'refunded' },
    ],
    refused: [],
  },
  {
    file: 'pickstation-orders.csv',
    profile: 'pickstation_orders',
    orders: [
      {
        number: '9001',
        due: '2026-11-28T14:30:00+01:00',
        color: 'g',
        seconds: 90,
        priority: 5,
        lines: [
          {
            SKU: 'MUG-BL',
            UPC: '4006381333931',
            name: 'Mug',
            description: 'Blue',
            quantity: 2,
            place: 'A-1-1',
            nonce: 'n-1',
          },
          { SKU: 'COA-1', name: 'Coaster', quantity: 1, deviceid: '51D000:000006' },
        ],
      },
      {
        number: '9002',
        lines: [
          { SKU: 'TEA-1', name: 'Teapot', quantity: 1, place: 'B-2-1' },
          { SKU: 'SAU-1', name: 'Saucer', quantity: 4, place: 'A-1-2' },
        ],
        shipments: ['P1', 'P2'],
      },
    ],
    leftOut: [],
    refused: [],
  },
];
