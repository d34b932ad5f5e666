import { expect, test } from 'vitest';
import { sheetFileUrl } from '#shared/lib/connections/sheetFileUrl.ts';

const GOOGLE = 'https://docs.google.com/spreadsheets';
const CLOUD = 'https://cloud.shop.example';

test.each([
  [`${GOOGLE}/d/1AbC-x_9/edit?usp=sharing`, `${GOOGLE}/d/1AbC-x_9/export?format=csv`],
  [`${GOOGLE}/d/1AbC-x_9/edit?gid=12#gid=12`, `${GOOGLE}/d/1AbC-x_9/export?format=csv&gid=12`],
  [`${GOOGLE}/d/1AbC-x_9/edit#gid=7`, `${GOOGLE}/d/1AbC-x_9/export?format=csv&gid=7`],
  [`${GOOGLE}/u/0/d/1AbC-x_9/`, `${GOOGLE}/d/1AbC-x_9/export?format=csv`],
  [`${GOOGLE}/d/e/2PACX-1v/pubhtml`, `${GOOGLE}/d/e/2PACX-1v/pub?output=csv`],
  [`${GOOGLE}/d/e/2PACX-1v/pubhtml?gid=3&single=true`, `${GOOGLE}/d/e/2PACX-1v/pub?output=csv&gid=3&single=true`],
  [`${CLOUD}/s/Ab3dEf6hIj9kLmN`, `${CLOUD}/s/Ab3dEf6hIj9kLmN/download`],
  [`${CLOUD}/index.php/s/Ab3dEf6hIj9kLmN/`, `${CLOUD}/index.php/s/Ab3dEf6hIj9kLmN/download`],
])('%s is read as %s', (address, file) => {
  expect(sheetFileUrl(address)).toBe(file);
});

test.each([
  `${GOOGLE}/d/1AbC-x_9/export?format=xlsx`,
  `${GOOGLE}/d/1AbC-x_9/gviz/tq?tqx=out:csv`,
  `${CLOUD}/s/Ab3dEf6hIj9kLmN/download`,
  `${CLOUD}/apps/files/files/12`,
  `${CLOUD}/s/Ab3dEf6hIj9kLmN?path=%2Forders`,
  'https://shop.example/s/orders2026?token=1',
  'https://docs.google.com.shop.example/spreadsheets/d/1AbC-x_9/edit',
  'https://shop.example/orders.csv?gid=1',
  'no address',
])('%s stays unchanged', (address) => {
  expect(sheetFileUrl(address)).toBe(address);
});
