import { expect, test } from 'vitest';
import { withNonceAlias } from '../../electron/server/domain/nonceAlias.ts';

const STRUCTURED = { order_event: 'order_fulfilled', order: 'A-1', nonce: 'n', vendor_nonce: 'n', ordernonce: 'n' };

test('a payload with a vendor_nonce says it under one more name, behind its own fields', () => {
  expect(JSON.stringify(withNonceAlias(STRUCTURED, 'acme_nonce'))).toBe(
    JSON.stringify({ ...STRUCTURED, acme_nonce: 'n' }),
  );
  expect(STRUCTURED).not.toHaveProperty('acme_nonce');
});

test('without an alias, and of a payload without a vendor_nonce, nothing changes', () => {
  const simple = { acknack: 'ack', deviceid: '51D000:000001', location: '', nonce: 'n', qty: 0 };
  expect(withNonceAlias(STRUCTURED, '')).toEqual(STRUCTURED);
  expect(withNonceAlias(simple, 'acme_nonce')).toEqual(simple);
});

test('no field of the payload is written over', () => {
  expect(withNonceAlias(STRUCTURED, 'order')).toEqual(STRUCTURED);
});

test('an empty vendor_nonce is said too', () => {
  expect(withNonceAlias({ vendor_nonce: '' }, 'x')).toEqual({ vendor_nonce: '', x: '' });
});
