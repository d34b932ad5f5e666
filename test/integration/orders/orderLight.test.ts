import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type OpenDatabase } from '../../../electron/server/db/database.ts';
import type { ItemRow } from '../../../electron/server/db/repositories/items.ts';
import { createRepositories, type Repositories } from '../../../electron/server/db/repositories.ts';
import { contentOfItem, contentOfOrder, findItemTarget } from '../../../electron/server/services/orders/light.ts';

let folder: string;
let database: OpenDatabase;
let repositories: Repositories;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pickstation-light-'));
  database = openDatabase(folder);
  repositories = createRepositories(database.writer);
  for (const [number, label] of ['PLACE', 'SKU-1', '4012345678901', 'Cable tie', 'PLACE-NEXT'].entries()) {
    const deviceId = `51D000:00000${number + 1}`;
    repositories.devices.insert({ deviceId, buttons: 1, firmware: 70 });
    const row = repositories.devices.find(deviceId);
    if (row !== undefined) repositories.devices.update({ ...row, label });
  }
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function item(given: Partial<ItemRow>): ItemRow {
  return {
    id: 1,
    orderId: 1,
    shipmentId: 1,
    deviceId: null,
    foundDeviceId: null,
    name: 'Cable tie',
    sku: 'SKU-1',
    upc: '4012345678901',
    description: null,
    warehouseLocation: 'PLACE',
    callbackNonce: null,
    ordered: 3,
    fulfilled: 1,
    state: 'open',
    trouble: null,
    picker: null,
    isVerified: false,
    awaitsScan: false,
    isScanWaived: false,
    isGuessed: false,
    lastBooked: 0,
    lastBookedAt: null,
    articleId: null,
    place: null,
    articleName: null,
    articleDescription: null,
    lacksStock: false,
    ...given,
  };
}

const placeOf = (given: Partial<ItemRow>) => findItemTarget(repositories, item(given))?.label;

test('lights an item at its device, or else by warehouse_location, SKU, UPC or name, in this order', () => {
  expect(placeOf({ deviceId: '51D000:000005' })).toBe('PLACE-NEXT');
  expect(placeOf({})).toBe('PLACE');
  expect(placeOf({ warehouseLocation: 'next' })).toBe('PLACE-NEXT');
  expect(placeOf({ warehouseLocation: 'unknown' })).toBe('SKU-1');
  expect(placeOf({ warehouseLocation: null })).toBe('SKU-1');
  expect(placeOf({ warehouseLocation: null, sku: 'other' })).toBe('4012345678901');
  expect(placeOf({ warehouseLocation: null, sku: null, upc: 'other' })).toBe('Cable tie');
  expect(placeOf({ warehouseLocation: null, sku: 'SKU', upc: '40123', name: 'Cable' })).toBeUndefined();
});

const contentOf = (given: Partial<ItemRow>, label = 'A-1') =>
  contentOfItem(
    contentOfOrder({ color: null, seconds: null, sound: null }, { order_seconds: 60, order_color: 'red' }),
    item(given),
    label,
  );

test('shows the name, or else the SKU, or else the UPC, followed by the description or the place', () => {
  expect(contentOf({})).toMatchObject({ lines: ['Cable tie', 'PLACE'], quantity: 2 });
  expect(contentOf({ name: null }).lines).toEqual(['SKU-1', 'PLACE']);
  expect(contentOf({ name: null, sku: null }).lines).toEqual(['4012345678901', 'PLACE']);
  expect(contentOf({ warehouseLocation: null }).lines).toEqual(['Cable tie']);
  expect(contentOf({ description: 'black, 100 pcs' }).lines).toEqual(['Cable tie', 'black, 100 pcs']);
  // The header of the screen already shows the place.
  expect(contentOf({}, 'place').lines).toEqual(['Cable tie']);
});

test('the barcode is the UPC, or else the SKU, if it fits', () => {
  const tooLong = '1'.repeat(24);
  expect(contentOf({}).barcode).toBe('4012345678901');
  expect(contentOf({ upc: null }).barcode).toBe('SKU-1');
  expect(contentOf({ upc: tooLong }).barcode).toBe('SKU-1');
  expect(contentOf({ upc: tooLong, sku: tooLong }).barcode).toBe('');
});
