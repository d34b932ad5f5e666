import type { TableProfile } from './profile.ts';

const NOT_ON_HAND =
  'is not read: it does not say at which site and place the pieces are. To use it as the stock on hand, choose that meaning for the column.';

const SHOPIFY: TableProfile['fields'] = {
  handle: ['Handle', 'URL handle'],
  title: ['Title'],
  option_1: ['Option1 Value'],
  option_2: ['Option2 Value'],
  option_3: ['Option3 Value'],
};

/** Pickstation's own column names. */
const OWN_NAMES: TableProfile['fields'] = {
  SKU: ['sku'],
  name: ['name'],
  description: ['description'],
  unit: ['unit'],
  note: ['note'],
  active: ['active'],
  UPC: ['barcode'],
  barcode_quantity: ['barcode_quantity'],
  location: ['location'],
  priority: ['priority'],
  minimum: ['minimum'],
  maximum: ['maximum'],
  on_hand: ['on_hand'],
};

/** Profiles of article exports. */
export const ARTICLE_PROFILES: readonly TableProfile[] = [
  {
    id: 'pickstation_articles',
    title: 'Pickstation articles',
    kind: 'articles',
    isExport: true,
    has: ['sku', 'barcode', 'barcode_quantity', 'location', 'minimum', 'maximum', 'on_hand'],
    isExact: true,
    fields: OWN_NAMES,
    rules: [],
  },
  {
    // For handwritten files with the field names of the API.
    id: 'pickstation_article_names',
    title: 'Pickstation column names',
    kind: 'articles',
    has: ['sku', 'location'],
    isExact: true,
    fields: OWN_NAMES,
    takesOthers: true,
    rules: [],
  },
  {
    // Shopify Help Center, "Using CSV files to import and export products". The stock in this file is the total of all sites.
    id: 'shopify_products',
    title: 'Shopify products',
    kind: 'articles',
    has: ['Handle|URL handle', 'Title', 'Option1 Value', 'Variant SKU|SKU', 'Variant Price|Price'],
    fields: {
      ...SHOPIFY,
      SKU: ['Variant SKU', 'SKU'],
      UPC: ['Variant Barcode', 'Barcode'],
      location: ['Bin name', 'Bin'],
    },
    unread: { 'Variant Inventory Qty': NOT_ON_HAND, 'Inventory quantity': NOT_ON_HAND },
    rules: [],
  },
  {
    // Shopify Help Center, "Exporting or importing inventory with a CSV file". `Location` is the site.
    id: 'shopify_inventory',
    title: 'Shopify inventory',
    kind: 'articles',
    has: ['Handle', 'Title', 'SKU', 'Location', 'On hand|On hand (current)'],
    fields: {
      ...SHOPIFY,
      SKU: ['SKU'],
      location: ['Bin name'],
      on_hand: ['On hand', 'On hand (current)'],
    },
    rules: [],
  },
  {
    // WooCommerce, Products > Export: class-wc-product-csv-exporter.php.
    id: 'woocommerce_products',
    title: 'WooCommerce products',
    kind: 'articles',
    has: ['Type', 'SKU', 'Name', 'Published', 'In stock?|Stock'],
    fields: {
      SKU: ['SKU'],
      UPC: ['GTIN, UPC, EAN, or ISBN'],
      name: ['Name'],
      minimum: ['Low stock amount'],
      on_hand: ['Stock'],
      product_type: ['Type'],
    },
    rules: [],
  },
  {
    // Odoo export of product.product or product.template.
    id: 'odoo_products',
    title: 'Odoo products',
    kind: 'articles',
    has: ['Internal Reference', 'Name|Display Name'],
    fields: {
      SKU: ['Internal Reference'],
      name: ['Name', 'Display Name'],
      UPC: ['Barcode'],
      unit: ['Unit of Measure', 'Unit'],
      on_hand: ['Quantity On Hand', 'On Hand Quantity'],
    },
    rules: [],
  },
  {
    // Odoo export of stock.quant. The menu item is called Locations or Physical Inventory.
    id: 'odoo_stock',
    title: 'Odoo stock by location',
    kind: 'articles',
    has: ['Location', 'Product', 'Quantity|On Hand Quantity|Inventoried Quantity'],
    fields: {
      sku_and_name: ['Product'],
      SKU: ['Product/Internal Reference'],
      UPC: ['Product/Barcode'],
      location: ['Location'],
      unit: ['Unit of Measure', 'Unit'],
      on_hand: ['On Hand Quantity', 'Quantity', 'Inventoried Quantity'],
    },
    rules: [],
  },
];
