import { expect, test } from 'vitest';
import { isThisMachine } from '#shared/api/addressFields.ts';

test.each([
  ['http://localhost/', true],
  ['https://localhost.:8443/', true],
  ['http://127.0.0.1/', true],
  ['http://127.1/', true],
  ['http://2130706433/', true],
  ['http://0.0.0.0/', true],
  ['http://[::1]/', true],
  ['http://[::]/', true],
  ['http://[::ffff:127.0.0.1]/', true],
  ['http://[::127.0.0.1]/', true],
  ['http://192.168.1.5/', false],
  ['http://128.0.0.1/', false],
  ['http://[::ffff:192.168.1.5]/', false],
  ['http://localhost.shop.example/', false],
  ['http://127.0.0.1.shop.example/', false],
])('%s is this machine: %s', (url, expected) => {
  expect(isThisMachine(new URL(url).hostname)).toBe(expected);
});
