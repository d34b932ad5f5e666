/** Kinds of table files. */
export const TABLE_KINDS = ['orders', 'articles', 'locations'] as const;
export type TableKind = (typeof TABLE_KINDS)[number];

/** Fields of an order file. `light_color` is the color of the light, called `color` in our own export. */
export const ORDER_FIELDS = [
  'order_number',
  'shipment_number',
  'SKU',
  'UPC',
  'name',
  'description',
  'ordered_quantity',
  'warehouse_location',
  'deviceid',
  'callback_nonce',
  'light_color',
  'seconds',
  'due_time',
  'priority',
  'customer',
  'note',
] as const;
export type OrderField = (typeof ORDER_FIELDS)[number];

/** Pieces of a line that no longer have to be picked. */
export const DONE_FIELDS = ['shipped_quantity', 'refunded_quantity', 'canceled_quantity'] as const;

/** Pieces of a line that are left or done. `quantity_to_ship` overrides the ordered quantity. */
export const COUNT_FIELDS = ['quantity_to_ship', ...DONE_FIELDS] as const;
export type CountField = (typeof COUNT_FIELDS)[number];

/** Fields about quantities that do not count pieces. */
export const UNIT_FIELDS = [
  /** Unit of the quantities, such as `dozen`. */
  'unit',
  /** Number of pieces in one unit. */
  'unit_pieces',
  /** The ordered quantity in pieces, which overrides the unit. */
  'stock_quantity',
] as const;

/** The options that distinguish the variants of an article. */
export const OPTION_FIELDS = ['option_1', 'option_2', 'option_3'] as const;

/** Parts of the address of the customer, and when the customer ordered. No export has them, and no row is refused because of them. */
export const ADDRESS_FIELDS = [
  'company',
  'address_1',
  'address_2',
  'address_3',
  'postcode',
  'city',
  /** State or province. */
  'region',
  'country',
  'email',
  'phone',
  'ordered_at',
] as const;
export type AddressField = (typeof ADDRESS_FIELDS)[number];

/** Fields that determine whether a row is picked and how many pieces, or that are parts of fields in `ORDER_FIELDS`. */
export const HELPER_FIELDS = [
  /** SKU in brackets, then the name: `[K-100] Mug`. */
  'sku_and_name',
  'customer_first_name',
  'customer_last_name',
  /** State of the order, such as `Processing`. */
  'order_status',
  /** State of the line, such as `fulfilled`. */
  'line_status',
  /** State of the delivery, such as `shipped`. */
  'shipping_status',
  /** State of the payment, such as `refunded`. */
  'payment_status',
  /** The shipper, such as `Amazon` for its own warehouse. */
  'fulfillment_channel',
  /** Whether or when the order was canceled: `yes`, a date, or the state of the cancellation. */
  'canceled_at',
  /** Whether or when the buyer asked to cancel the order. */
  'cancel_requested',
  /** Whether the order is on hold, or until when. */
  'on_hold',
  /** Whether or when the line was shipped. */
  'shipped_at',
  /** Whether or when the order was refunded. */
  'refunded_at',
  /** Whether or when the order was paid. */
  'is_paid',
  /** Whether there is something to ship, which is not the case for a gift card. */
  'requires_shipping',
  /** Shop or series of the order. Equal order numbers of two shops are two orders. */
  'shop',
  /** Variant of an article without a code, such as its color. */
  ...OPTION_FIELDS,
  ...COUNT_FIELDS,
  ...UNIT_FIELDS,
  ...ADDRESS_FIELDS,
] as const;
export type HelperField = (typeof HELPER_FIELDS)[number];

/** Fields of an order file that name the article. */
export const ARTICLE_FIELDS = ['name', 'SKU', 'UPC', 'sku_and_name'] as const;

/** Fields of an article file. A row is an article with one of its places and one of its barcodes. */
export const ARTICLE_FILE_FIELDS = [
  'SKU',
  'name',
  'description',
  'unit',
  'note',
  'active',
  'UPC',
  'barcode_quantity',
  'location',
  'priority',
  'minimum',
  'maximum',
  'on_hand',
] as const;
export type ArticleFileField = (typeof ARTICLE_FILE_FIELDS)[number];

/** Fields that determine whether a row is an article, or that are parts of fields in `ARTICLE_FILE_FIELDS`. */
export const ARTICLE_HELPER_FIELDS = [
  /** SKU in brackets, then the name: `[K-100] Mug`. */
  'sku_and_name',
  /** Identifies a product whose variants are in several rows. */
  'handle',
  /** Title of the product, which its variants share. */
  'title',
  ...OPTION_FIELDS,
  /** Type of the product. Of a `variable` product, only the variants are articles. */
  'product_type',
] as const;
export type ArticleHelperField = (typeof ARTICLE_HELPER_FIELDS)[number];

export const LOCATION_FIELDS = [
  'name',
  'deviceid',
  'deviceIs',
  'label',
  'note',
  'article',
  'rack',
  'shelf',
  'column',
] as const;
export type LocationField = (typeof LOCATION_FIELDS)[number];

/** A field of any kind of file. */
export type TableField = OrderField | HelperField | ArticleFileField | ArticleHelperField | LocationField;

/** Possible fields of a column, by kind of file. */
export const FIELDS_OF: Readonly<Record<TableKind, readonly TableField[]>> = {
  orders: [...ORDER_FIELDS, ...HELPER_FIELDS],
  articles: [...ARTICLE_FILE_FIELDS, ...ARTICLE_HELPER_FIELDS],
  locations: LOCATION_FIELDS,
};

/** Required fields by kind of file. A file must satisfy every entry of one of the lists; any field of an entry satisfies it. */
export const REQUIRED: Readonly<Record<TableKind, readonly (readonly (readonly TableField[])[])[]>> = {
  orders: [[['order_number'], ['ordered_quantity', 'quantity_to_ship'], ARTICLE_FIELDS]],
  articles: [[['SKU', 'sku_and_name']]],
  // A file of places lists aliases, device labels, or both. If it has only names and devices, the names become labels. If it has only
  // names, they are places that wait for a device.
  locations: [
    [['name'], ['deviceid'], ['deviceIs']],
    [['deviceid'], ['label']],
  ],
};

/** The required columns as text, for messages. */
export const WANTED: Readonly<Record<TableKind, string>> = {
  orders: 'order_number, ordered_quantity, and name, SKU or UPC',
  articles: 'sku',
  locations:
    'name, deviceid and deviceIs, or for labels: deviceid and label, or for places that wait for a device: only name',
};

/** Returns the field with this name, or undefined if there is none. */
export function fieldOf(kind: TableKind, text: string): TableField | undefined {
  return FIELDS_OF[kind].find((field) => field === text);
}
