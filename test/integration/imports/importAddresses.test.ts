import { afterEach, beforeEach, expect, test } from 'vitest';
import { getOrder, ONE } from '../../helpers/orders.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Addresses, dates and payments in files of orders.
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ simulate: 1 });
  await station.request('PATCH', '/api/settings/', { time_zone: 'Europe/Berlin' });
});

afterEach(() => station.stop());

/** Imports a file that contains the order 1001, and returns the order. */
async function imported(columns: Readonly<Record<string, string>>, more: object = {}) {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const csv = [Object.keys(columns), Object.values(columns)].map((row) => row.map(cell).join(',')).join('\n');
  const answer = await station.request('POST', '/api/order-import/', { csv, ...more });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
  return getOrder(station, '1001');
}

const ADDRESS = { lines: ['Eulenweg 7', 'Back door'], postcode: '04107', city: 'Leipzig', country: 'DE' };

const FILES = {
  Shopify: {
    Name: '1001',
    Email: 'erika@miller.example',
    'Financial Status': 'paid',
    'Fulfillment Status': 'unfulfilled',
    'Created at': '2026-11-18 10:30:00 +0100',
    'Lineitem quantity': '2',
    'Lineitem name': 'Mug',
    'Lineitem sku': 'MUG',
    'Lineitem fulfillment status': 'pending',
    'Billing Street': 'Amselweg 1',
    'Billing City': 'Halle',
    'Shipping Name': 'Erika Miller',
    'Shipping Street': 'Eulenweg 7, Back door',
    'Shipping Address1': 'Eulenweg 7',
    'Shipping Address2': 'Back door',
    'Shipping City': 'Leipzig',
    'Shipping Zip': "'04107",
    'Shipping Country': 'DE',
    'Shipping Phone': '+49 341 5550',
  },
  WooCommerce: {
    order_id: '1001',
    order_date: '2026-11-18 10:30:00',
    status: 'processing',
    billing_email: 'erika@miller.example',
    billing_city: 'Halle',
    shipping_phone: '+49 341 5550',
    shipping_address_1: 'Eulenweg 7',
    shipping_address_2: 'Back door',
    shipping_postcode: '04107',
    shipping_city: 'Leipzig',
    shipping_country: 'DE',
    item_name: 'Mug',
    item_sku: 'MUG',
    item_quantity: '2',
  },
  eBay: {
    'Sales Record Number': '7',
    'Order Number': '1001',
    'Buyer Email': 'erika@miller.example',
    'Buyer City': 'Halle',
    'Ship To Name': 'Erika Miller',
    'Ship To Phone': '+49 341 5550',
    'Ship To Address 1': 'Eulenweg 7',
    'Ship To Address 2': 'Back door',
    'Ship To City': 'Leipzig',
    'Ship To Zip': '04107',
    'Ship To Country': 'DE',
    'Item Title': 'Mug',
    'Custom Label': 'MUG',
    Quantity: '2',
    'Sale Date': 'Nov-18-26',
    'Paid On Date': 'Nov-18-26',
  },
  Etsy: {
    'Sale Date': '11/18/26',
    'Item Name': 'Mug',
    Quantity: '2',
    'Transaction ID': '1',
    'Listing ID': '2',
    'Date Paid': '11/18/26',
    'Ship Name': 'Erika Miller',
    'Ship Address1': 'Eulenweg 7',
    'Ship Address2': 'Back door',
    'Ship City': 'Leipzig',
    'Ship Zipcode': '04107',
    'Ship Country': 'DE',
    'Order ID': '1001',
    SKU: 'MUG',
  },
  Amazon: {
    'order-id': '1001',
    'order-item-id': '5',
    'purchase-date': '2026-11-18T09:30:00+00:00',
    'buyer-email': 'erika@miller.example',
    'buyer-phone-number': '+49 341 5550',
    sku: 'MUG',
    'product-name': 'Mug',
    'quantity-purchased': '2',
    'recipient-name': 'Erika Miller',
    'ship-address-1': 'Eulenweg 7',
    'ship-address-2': 'Back door',
    'ship-city': 'Leipzig',
    'ship-postal-code': '04107',
    'ship-country': 'DE',
  },
  'a German program': {
    Auftragsnummer: '1001',
    Bestelldatum: '18.11.2026 10:30',
    Kunde: 'Erika Miller',
    Straße: 'Eulenweg 7',
    Adresszusatz: 'Back door',
    PLZ: '04107',
    Stadt: 'Leipzig',
    Land: 'DE',
    'E-Mail': 'erika@miller.example',
    Telefon: '+49 341 5550',
    Artikelnummer: 'MUG',
    Menge: '2',
  },
} as const;

test.each(Object.entries(FILES))('an export of %s has the address and the date of the order', async (name, columns) => {
  const { address, ordered_at: at = '', paid } = await imported(columns, { date_order: 'mdy' });
  expect(address).toMatchObject(ADDRESS);
  expect(address).toMatchObject(name === 'Etsy' ? {} : { email: 'erika@miller.example', phone: '+49 341 5550' });
  expect(at.slice(0, 10)).toBe('2026-11-18');
  expect(paid).toBe(['Shopify', 'eBay', 'Etsy'].includes(name) ? true : undefined);
});

const COLUMNS = { order_number: '1001', SKU: 'MUG', ordered_quantity: '2', deviceid: ONE };

test('a column can be named as a part of the address, and a file without addresses keeps the one of the order', async () => {
  const odd = { ...COLUMNS, Plaza: 'Leipzig', Street: 'Eulenweg 7', Mail: 'e@miller.example' };
  const { address } = await imported(odd, { columns: { Plaza: 'city' } });
  expect(address).toEqual({ lines: ['Eulenweg 7'], city: 'Leipzig', email: 'e@miller.example' });
  const changed = await imported({ ...COLUMNS, ordered_quantity: '3' });
  expect(changed.shipments[0]?.items[0]?.ordered_quantity).toBe(3);
  expect(changed.address).toEqual(address);
});

test('a redo creates an order that the undo removed again with its address, date and payment', async () => {
  const { address, ordered_at, paid } = await imported(FILES.Shopify, { date_order: 'mdy' });
  expect(paid).toBe(true);
  const [kept] = await station.get<{ id: string }[]>('/api/imports/');
  for (const step of ['undo', 'redo']) await station.post(`/api/imports/${kept?.id}/${step}/`);
  expect(await getOrder(station, '1001')).toMatchObject({ address, ordered_at, paid });
});

test('neither an import nor its rows show an address to a key with the scope read', async () => {
  await imported(FILES.eBay);
  const { api_key } = await station.post<{ api_key: string }>('/api/api-users/', { name: 'R', scope: 'read' });
  const [kept] = await station.get<{ id: string }[]>('/api/imports/');
  for (const path of ['/api/order-import/', '/api/imports/', `/api/imports/${kept?.id}/`]) {
    const { body } = await station.request('GET', path, undefined, { 'api-key': api_key });
    expect(JSON.stringify(body), path).not.toMatch(/Eulenweg|Leipzig|04107/);
  }
  const csv = (await station.request('GET', '/api/orders/export/', undefined, { 'api-key': API_KEY })).body;
  expect(JSON.stringify(csv)).not.toMatch(/Eulenweg|Leipzig/);
});

test('the log of requests shows nothing of a file: neither the file nor the samples of its columns', async () => {
  await imported(FILES.Shopify, { date_order: 'mdy' });
  // The log keeps only the beginning of a long request.
  await station.request('POST', '/api/order-import/', { csv: Object.values(FILES.Shopify).join(',').repeat(2_000) });
  const logged = await station.get<{ id: string; path: string }[]>('/api/requests/');
  expect(logged.map(({ path }) => path)).toContain('/api/order-import/');
  for (const { id, path } of logged) {
    const whole = await station.get(`/api/requests/${id}/`);
    expect(JSON.stringify(whole), path).not.toMatch(/Miller|Eulenweg|Leipzig|04107/);
  }
});
