import { expect, test } from 'vitest';
import { withNonceAlias } from '../../../electron/server/domain/commands/nonceAlias.ts';

const STRUCTURED = { order_event: 'order_fulfilled', order: 'A-1', nonce: 'n', vendor_nonce: 'n', ordernonce: 'n' };

test('adds the vendor_nonce under the alias, after the fields of the payload', () => {
  expect(JSON.stringify(withNonceAlias(STRUCTURED, 'acme_nonce'))).toBe(
    JSON.stringify({ ...STRUCTURED, acme_nonce: 'n' }),
  );
  expect(STRUCTURED).not.toHaveProperty('acme_nonce');
});

test('changes nothing without an alias or without a vendor_nonce', () => {
  const simple = { acknack: 'ack', deviceid: '51D000:000001', location: '', nonce: 'n', qty: 0 };
  expect(withNonceAlias(STRUCTURED, '')).toEqual(STRUCTURED);
  expect(withNonceAlias(simple, 'acme_nonce')).toEqual(simple);
});

test('does not overwrite a field of the payload', () => {
  expect(withNonceAlias(STRUCTURED, 'order')).toEqual(STRUCTURED);
});

test('adds an empty vendor_nonce too', () => {
  expect(withNonceAlias({ vendor_nonce: '' }, 'x')).toEqual({ vendor_nonce: '', x: '' });
});
