import { expect, test } from 'vitest';
import { parseDataKey } from '../../../electron/server/db/keyRing.ts';
import { dataKeyOf, keyIdOf, newDataKey, seal, unseal } from '../../../electron/server/db/sealed.ts';

const KEY = dataKeyOf(Buffer.alloc(32, 7));
const PLACE = 'settings/mail_password';
/** A text sealed with KEY. */
const FIXED = 'sealed:1:b980afd9c5c3d536:0IyQ6hNrRWmQZeiUjeYBhrNV9YXTZrKEZ-ht1WcJEfz8_jXLgjM2Q_s';

test.for(['', 'a', 'Grüße ☂', 'x'.repeat(100_000), 'sealed:1:', JSON.stringify({ a: '"' })])(
  'opens a value that it sealed: %#',
  (text) => {
    const sealed = seal(KEY, PLACE, text);
    expect(sealed).toMatch(/^sealed:1:[0-9a-f]{16}:[\w-]+$/);
    expect(unseal(KEY, PLACE, sealed)).toBe(text);
    expect(keyIdOf(sealed)).toBe(KEY.id);
  },
);

test('seals the same text differently each time, and reveals only its length', () => {
  const [one, other] = [seal(KEY, PLACE, 'secret'), seal(KEY, PLACE, 'secret')];
  expect(one).not.toBe(other);
  expect(seal(KEY, PLACE, 'public')).toHaveLength(one.length);
});

test('does not open a value with a different key, a different place or a changed byte', () => {
  const sealed = seal(KEY, PLACE, 'secret');
  expect(unseal(newDataKey(), PLACE, sealed)).toBeUndefined();
  expect(unseal(KEY, 'settings/mqtt_password', sealed)).toBeUndefined();
  const head = sealed.lastIndexOf(':') + 1;
  const bytes = Buffer.from(sealed.slice(head), 'base64url');
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(unseal(KEY, PLACE, sealed.slice(0, head) + changed.toString('base64url')), `byte ${at}`).toBeUndefined();
  }
  expect(unseal(KEY, PLACE, sealed.slice(0, -4))).toBeUndefined();
});

test('the id of a key does not change, because databases store it', () => {
  expect(KEY.id).toBe('b980afd9c5c3d536');
  expect(KEY.id).not.toBe(dataKeyOf(Buffer.alloc(32, 8)).id);
});

test('opens a value sealed by an earlier version', () => {
  expect(unseal(KEY, PLACE, FIXED)).toBe('kept for ever');
});

test.for(['', 'a password', 'was sealed:1:', 'Sealed:1:', 'sealed:1:typed-by-a-person'])(
  'does not accept plain text as a sealed value: %s',
  (text) => {
    expect(keyIdOf(text)).toBe('');
    expect(unseal(KEY, PLACE, text)).toBeUndefined();
  },
);

test('does not open a sealed value after any change or truncation', () => {
  const changed = Array.from(FIXED, (_, at) => `${FIXED.slice(0, at)}!${FIXED.slice(at + 1)}`);
  const cut = Array.from(FIXED, (_, at) => FIXED.slice(0, at));
  for (const text of [...changed, ...cut, `sealed:2:${KEY.id}:${'A'.repeat(40)}`]) {
    expect(['', KEY.id], text).toContain(keyIdOf(text));
    expect(unseal(KEY, PLACE, text), text).toBeUndefined();
  }
});

test('a key is exactly 32 bytes as base64', () => {
  const text = Buffer.alloc(32, 7).toString('base64');
  expect(parseDataKey(`  ${text}\n`)?.id).toBe(KEY.id);
  for (const wrong of [
    '',
    'x',
    text.slice(0, -2),
    `${text}A`,
    Buffer.alloc(31).toString('base64'),
    text.replace('=', ''),
  ])
    expect(parseDataKey(wrong), wrong).toBeUndefined();
});
