import { expect, test } from 'vitest';
import { parseDataKey } from '../../electron/server/db/keyRing.ts';
import { dataKeyOf, keyIdOf, newDataKey, seal, unseal, wholeKeyIdOf } from '../../electron/server/db/sealed.ts';

const KEY = dataKeyOf(Buffer.alloc(32, 7));
const PLACE = 'settings/mail_password';
/** A text sealed with KEY. */
const FIXED = 'sealed:1:b980afd9c5c3d536:0IyQ6hNrRWmQZeiUjeYBhrNV9YXTZrKEZ-ht1WcJEfz8_jXLgjM2Q_s';

test.for(['', 'a', 'Grüße ☂', 'x'.repeat(100_000), 'sealed:1:', JSON.stringify({ a: '"' })])(
  'opens what it sealed: %#',
  (text) => {
    const sealed = seal(KEY, PLACE, text);
    expect(sealed).toMatch(/^sealed:1:[0-9a-f]{16}:[\w-]+$/);
    expect(unseal(KEY, PLACE, sealed)).toBe(text);
    expect(keyIdOf(sealed)).toBe(KEY.id);
  },
);

test('the same text is sealed differently each time, and says nothing but its length', () => {
  const [one, other] = [seal(KEY, PLACE, 'secret'), seal(KEY, PLACE, 'secret')];
  expect(one).not.toBe(other);
  expect(seal(KEY, PLACE, 'public')).toHaveLength(one.length);
});

test('another key, another place, and any changed byte do not open it', () => {
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

test('the id of a key does not change: databases hold it', () => {
  expect(KEY.id).toBe('b980afd9c5c3d536');
  expect(KEY.id).not.toBe(dataKeyOf(Buffer.alloc(32, 8)).id);
});

test('a value of this version is opened by every later one', () => {
  expect(unseal(KEY, PLACE, FIXED)).toBe('kept for ever');
});

test.for(['', 'a password', 'was sealed:1:', 'Sealed:1:'])('a plain text is none that was sealed: %s', (text) => {
  expect(keyIdOf(text)).toBeUndefined();
  expect(unseal(KEY, PLACE, text)).toBeUndefined();
});

test('one that was sealed stays one, whatever is changed behind its first word, and wherever it is cut', () => {
  const changed = Array.from(FIXED, (_, at) => `${FIXED.slice(0, at)}!${FIXED.slice(at + 1)}`);
  const cut = Array.from(FIXED, (_, at) => FIXED.slice(0, at));
  const word = 'sealed:'.length;
  for (const text of [...changed.slice(word), ...cut.slice(word), `sealed:2:${KEY.id}:${'A'.repeat(40)}`]) {
    expect(keyIdOf(text), text).toBeDefined();
    expect(unseal(KEY, PLACE, text), text).toBeUndefined();
    expect([undefined, KEY.id], text).toContain(wholeKeyIdOf(text));
  }
});

test('a key is 32 bytes as base64, and nothing else', () => {
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
