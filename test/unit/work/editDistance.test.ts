import { expect, test } from 'vitest';
import { nearestName } from '#shared/lib/text/editDistance.ts';

const FIELDS = ['SKU', 'UPC', 'name', 'deviceIs', 'deviceid', 'warehouse_location'];

test.each([
  ['SKUU', 'SKU'],
  ['skus', 'SKU'],
  ['UPC_code', 'UPC'],
  ['deviceis', 'deviceIs'],
  ['warehouse_locaton', 'warehouse_location'],
  ['', undefined],
  ['e', undefined],
  ['unrelated words', undefined],
])('for %j, suggests %s', (name, nearest) => {
  expect(nearestName(name, FIELDS)).toBe(nearest);
});
