import { expect, test } from 'vitest';
import { hideValues, secretValuesOf } from '../../../electron/server/domain/callbacks/echoedSecrets.ts';

const basic = `Basic ${Buffer.from('wms:pass:word').toString('base64')}`;

test('secrets are the values of secret headers, their words, and the password of a sign-in', () => {
  const headers = { authorization: basic, 'x-shop': 'Bearer abcdefgh', 'x-no': 'no', 'webhook-id': 'msg_1' };
  const values = secretValuesOf(headers, ['authorization', 'x-shop', 'x-no', 'x-missing']);
  expect(new Set(values)).toEqual(new Set([basic, basic.slice(6), 'pass:word', 'Bearer abcdefgh', 'abcdefgh']));
});

test('hides a value in its JSON and URL encodings too', () => {
  const value = 'a"b/ü c';
  const text = [
    value,
    JSON.stringify({ value }),
    JSON.stringify(value).replaceAll('/', '\\/'),
    encodeURIComponent(value),
  ];
  expect(hideValues(text.join(' '), [value], false)).toBe('*** {"value":"***"} "***" ***');
});

test('hides the beginning of a value at the end of a truncated text', () => {
  expect(hideValues('got secret-47', ['secret-4711'], true)).toBe('got ***');
  expect(hideValues('got secret-47', ['secret-4711'], false)).toBe('got secret-47');
  expect(hideValues('got sec', ['secret-4711'], true)).toBe('got sec');
});
