import { expect, test } from 'vitest';
import { USB_IDENTITIES, usbName } from '../../../electron/server/domain/devices/usbIdentities.ts';

test('the table of USB identities has four lower-case digits per id, each pair once, and a name for each', () => {
  for (const { vendorId, productId, name } of USB_IDENTITIES) {
    expect(vendorId, name).toMatch(/^[0-9a-f]{4}$/);
    expect(productId, name).toMatch(/^[0-9a-f]{4}$/);
    expect(name.trim(), `${vendorId}:${productId}`).not.toBe('');
  }
  const pairs = USB_IDENTITIES.map(({ vendorId, productId }) => `${vendorId}:${productId}`);
  expect(new Set(pairs).size).toBe(pairs.length);
});

test.each([
  ['10c4', 'ea60', 'Silicon Labs CP210x'],
  ['1a86', '7523', 'WCH CH340'],
  ['0403', '6001', 'FTDI FT232'],
  ['303a', '1001', 'ESP32 with native USB'],
])('%s:%s is a %s', (vendorId, productId, name) => {
  expect(usbName(vendorId, productId)).toBe(name);
});

test('has no name for a product that is not in the table, even of a known vendor, or for a port without ids', () => {
  expect(usbName('10c4', 'ffff')).toBeUndefined();
  expect(usbName('ffff', 'ea60')).toBeUndefined();
  expect(usbName('', '')).toBeUndefined();
});
