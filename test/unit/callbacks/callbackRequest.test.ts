import * as fc from '../../helpers/fastCheck.ts';
import { describe, expect, test } from 'vitest';
import { callbackRequest } from '../../../electron/server/domain/callbacks/callbackRequest.ts';
import { withNonceAlias } from '../../../electron/server/domain/commands/nonceAlias.ts';

const PAYLOAD = JSON.stringify({ acknack: 'ack', deviceid: '51D000:000001', location: 'A 1', nonce: 'tx1', qty: 3 });

describe('a URL without replacement fields', () => {
  test('gets the unchanged payload by POST', () => {
    expect(callbackRequest('http://wms.local/hook?x=1', PAYLOAD)).toEqual({
      method: 'POST',
      url: 'http://wms.local/hook?x=1',
      body: PAYLOAD,
    });
  });

  test('may contain braces that are not fields', () => {
    for (const url of [
      'http://wms.local/{}',
      'http://wms.local/{a b}',
      'http://wms.local/{1}',
      'http://wms.local/}{',
    ]) {
      expect(callbackRequest(url, PAYLOAD)).toMatchObject({ method: 'POST', url });
    }
  });
});

describe('a URL with replacement fields', () => {
  const fill = (template: string, payload: object) => {
    const { method, url, body } = callbackRequest(template, JSON.stringify(payload));
    expect(method).toBe('GET');
    expect(body).toBeUndefined();
    return url;
  };

  test('is filled from the payload, even if a field is repeated', () => {
    expect(
      callbackRequest('http://wms.local/{deviceid}/{acknack}/{nonce}?q={qty}&l={location}&again={nonce}', PAYLOAD),
    ).toEqual({
      method: 'GET',
      url: 'http://wms.local/51D000%3A000001/ack/tx1?q=3&l=A%201&again=tx1',
      body: undefined,
    });
  });

  test('keeps its path when a value consists only of dots', () => {
    for (const dots of ['.', '..', '...']) {
      const url = fill('http://wms.local/hook/{nonce}/{location}{nonce}/{acknack}?n={nonce}', {
        acknack: 'ack',
        location: dots,
        nonce: dots,
      });
      const { pathname, searchParams } = new URL(url);
      expect(pathname).toMatch(/^\/hook\/[^/]+\/[^/]+\/ack$/);
      expect(decodeURIComponent(pathname)).not.toMatch(/\/\.+\//);
      expect(searchParams.get('n')).toBe(dots);
    }
    expect(fill('http://wms.local/{nonce}/x', { nonce: 'v1.2' })).toBe('http://wms.local/v1.2/x');
  });

  test('knows the fields of every kind of callback, and the alias of vendor_nonce', () => {
    const item = {
      order_event: 'item_added',
      order: 'A/1',
      shipment: 'S 1',
      item: 7,
      SKU: 'tie-200',
      UPC: '',
      location: 'A-1',
      device: '51D000:000001',
      deviceid: '51D000:000001',
      quantity: 2,
      ordered_quantity: 5,
      quantity_fulfilled: 2,
      quantity_remaining: 3,
      nonce: 'n&1',
      vendor_nonce: 'n&1',
    };
    const said = withNonceAlias(item, 'acme_nonce');
    for (const [name, value] of Object.entries(said)) {
      const url = new URL(fill(`http://wms.local/x?value={${name}}`, said));
      expect(url.searchParams.get('value')).toBe(String(value));
    }
    expect(fill('http://wms.local/{acme_nonce}/{acknack}/', said)).toBe('http://wms.local/n%261//');
    const alert = { condition_event: 'alert_raised', kind: 'battery_low', alert: '7', ended: null, value: 12 };
    expect(fill('http://wms.local/{condition_event}/{kind}/{alert}/{ended}/{value}', alert)).toBe(
      'http://wms.local/alert_raised/battery_low/7//12',
    );
  });

  test('leaves unknown and empty fields empty', () => {
    expect(fill('http://wms.local/{nothing}/{nonce}/x', { nonce: '', location: null })).toBe('http://wms.local///x');
    expect(fill('http://wms.local/{location}.', { location: null })).toBe('http://wms.local/.');
    expect(fill('http://wms.local/{qty}', { qty: 0 })).toBe('http://wms.local/0');
  });

  test("fills only the payload's own fields, not inherited ones", () => {
    expect(fill('http://wms.local/{constructor}{__proto__}{toString}', { nonce: 'a' })).toBe('http://wms.local/');
  });

  test('a value cannot change the structure of the URL', () => {
    const value = '../?x=1&y=2#z/\\%2f"\'<{nonce}>\r\nHost: evil';
    const url = fill('http://wms.local/a/{nonce}/b', { nonce: value });
    expect(url).toMatch(/^http:\/\/wms\.local\/a\/[^/?#\s]*\/b$/);
    expect(decodeURIComponent(url)).toBe(`http://wms.local/a/${value}/b`);
  });

  test('does not fill a value that looks like a field', () => {
    expect(decodeURIComponent(fill('http://wms.local/{nonce}/{qty}', { nonce: '{qty}', qty: 7 }))).toBe(
      'http://wms.local/{qty}/7',
    );
  });

  test('encodes any Unicode text, and replaces a lone surrogate with U+FFFD', () => {
    expect(fill('http://wms.local/{nonce}', { nonce: 'Schraube Größe 8 – ✓ 🔩' })).toBe(
      'http://wms.local/Schraube%20Gr%C3%B6%C3%9Fe%208%20%E2%80%93%20%E2%9C%93%20%F0%9F%94%A9',
    );
    expect(callbackRequest('http://wms.local/{nonce}', String.raw`{"nonce":"a\ud83d"}`).url).toBe(
      'http://wms.local/a%EF%BF%BD',
    );
  });

  test('encodes any text so that it can be decoded from the URL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (nonce) => {
        const url = new URL(fill('http://wms.local/x?n={nonce}&end=1', { nonce }));
        expect(url.searchParams.get('n')).toBe(nonce.toWellFormed());
        expect(url.searchParams.get('end')).toBe('1');
      }),
    );
  });
});
