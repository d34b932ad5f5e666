import { expect, test } from 'vitest';
import { withoutSecrets } from '../../../electron/server/domain/callbacks/redactResponse.ts';
import {
  hideInBody,
  hideInForm,
  hideInUrl,
  isSecretName,
} from '../../../electron/server/domain/station/hiddenSecrets.ts';

test.each([
  'password',
  'oldPassword',
  'new_password',
  'passwd',
  'pwd',
  'pw',
  'token',
  'access_token',
  'csrftoken',
  'x-csrf-token',
  'apikey',
  'apiKey',
  'api_key',
  'API-KEY',
  'callback_api_key',
  'X-API-Key',
  'client_secret',
  'callback_signing_secret',
  'Authorization',
  'cookie',
  'sessionid',
  'callback_headers',
  'key',
  'myKey',
])('%s is the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(true);
});

/** One name of each kind of secret, split into words. If any of the words is missing, the name is not secret. */
const SECRETS = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pin code',
  'pwd',
  'pass',
  'pin',
  'pins',
  'psk',
  'secret',
  'client secret',
  'signing secret',
  'signing key',
  'token',
  'cookie',
  'set cookie',
  'credential',
  'credentials',
  'authorization',
  'authorisation',
  'proxy authorization',
  'session id',
  'api key',
  'api keys',
  'access key',
  'encryption key',
  'network key',
  'private key',
  'pre shared key',
  'wifi password',
  'wifi key',
  'key',
  'keys',
];

/** Ways in which programs join the words of a name. Names of a single word have the same forms. */
const WRITINGS: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join('_'),
  (words) => words.join('-'),
  (words) => words.join('.'),
  (words) => words.join(' '),
  (words) => words.join(''),
  (words) => words.join('_').toUpperCase(),
  (words) => words.join('').toUpperCase(),
  (words) => words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('-'),
  ([first = '', ...rest]) => first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
];

test.each(SECRETS)('%s is hidden in any letter case, with any separator, everywhere', (words) => {
  for (const write of WRITINGS) {
    const name = write(words.split(' '));
    expect(isSecretName(name), name).toBe(true);
    expect(withoutSecrets({ [name]: 'hunter2' }), name).toEqual({ [name]: '***' });
    for (const value of ['hunter2', 4711, ['hunter2', 4711], [{ a: 'hunter2' }], { a: ['hunter2'] }]) {
      expect(hideInBody(JSON.stringify([{ list: [{ [name]: value }] }])), name).not.toMatch(/hunter2|4711/);
    }
    expect(hideInBody(JSON.stringify({ fields: [{ name, value: 'hunter2' }, [name, 'hunter2']] })), name).not.toMatch(
      /hunter2/,
    );
    const form = new URLSearchParams({ [name]: 'hunter2', a: 'b' }).toString();
    expect(hideInForm(form), name).not.toContain('hunter2');
    expect(hideInUrl(`/api/device/?${form}`), name).not.toContain('hunter2');
    if (name.includes(' ')) continue;
    expect(hideInBody(`<a><${name}>hunter2</${name}></a>`), name).not.toContain('hunter2');
    expect(hideInBody(`<a><${name}><i>hunter2</i></${name}></a>`), name).not.toContain('hunter2');
    expect(hideInBody(`<a ${name}="hunter2"/>`), name).not.toContain('hunter2');
    expect(hideInBody(`<a><name>${name}</name><value>hunter2</value></a>`), name).not.toContain('hunter2');
    expect(hideInBody(`{"${name}": ["hunter2", "hunter2`), name).not.toContain('hunter2');
    expect(hideInBody(JSON.stringify([`${name}: hunter2`])), name).not.toContain('hunter2');
  }
});

test.each([
  'name',
  'shipping',
  'spin',
  'keyword',
  'bypass',
  'username',
  'warehouse_location',
  'deviceid',
  'nonce',
  'token_type',
  'turbo_plain_passwords',
  'keyboard',
  'monkey',
  'line1',
  'client_id',
  'compass',
  'scope',
])('%s is not the name of a secret', (name) => {
  expect(isSecretName(name)).toBe(false);
});

const HIDDEN_IN_BODIES: readonly (readonly [what: string, body: string, shown: string])[] = [
  ['a field', '{"username":"ann","password":"hunter2"}', '{"username":"ann","password":"***"}'],
  ['a number', '{"token": 4711}', '{"token":"***"}'],
  ['all that is in a field', '{"callback_headers":{"x":["hunter2"]}}', '{"callback_headers":{"x":["***"]}}'],
  ['a field of the last of two names', '{"password":"hunter2","password":""}', '{"password":""}'],
  ['a name with an escape', '{"pass\\u0077ord":"hunter2"}', '{"password":"***"}'],
  [
    'an address in a field',
    '{"url":"https://shop.example/?key=hunter2&n=1"}',
    '{"url":"https://shop.example/?key=***&n=1"}',
  ],
  ['a password in an address', '{"url":"https://ann:hunter2@shop.example/"}', '{"url":"https://***@shop.example/"}'],
  ['JSON that was cut', '{"a":1,"password":"hunt', '{"a":1,"password":***'],
  ['JSON with wrong quotes', "{'password': 'hun,ter2'}", "{'password': ***}"],
  ['JSON without quotes', '{password: hunter2}', '{password: ***}'],
  ['XML', '<a><password>hunter2</password><b>c</b></a>', '<a><password>***</password><b>c</b></a>'],
  ['XML with a comment', '<password>hun<!-- -->ter2</password>', '<password>***</password>'],
  ['XML with a section', '<password><![CDATA[hun</x>ter2]]></password>', '<password>***</password>'],
  ['XML that was cut', '<a><password>hunt', '<a><password>***'],
  ['an attribute', '<a password="hunter2"/>', '<a password=***/>'],
  ['a key as a station makes it', 'psk_0123456789abcdefghijklmnop', '***'],
];

test.each(HIDDEN_IN_BODIES)('hides the secret in a body: %s', (_what, body, shown) => {
  expect(hideInBody(body)).toBe(shown);
});

test('leaves a body without secrets unchanged', () => {
  for (const body of ['{"line1":"Cable tie 200","quantity":12,"nonce":"pick-1","color":null}', '<a><b>c</b></a>', '']) {
    expect(hideInBody(body)).toBe(body);
  }
});

test('leaves empty secrets visible, and fields that say whether a secret is set', () => {
  const body = '{"callback_api_key_set":true,"callback_api_key":null,"token":""}';
  expect(hideInBody(body)).toBe(body);
});

test('hides the values of secret names in an address, in any encoding', () => {
  expect(hideInUrl('/api/device/?api_key=hunter2&limit=1')).toBe('/api/device/?api_key=***&limit=1');
  expect(hideInUrl('/api/device/?limit=1&%61pi_key=hunter2')).toBe('/api/device/?limit=1&%61pi_key=***');
  expect(hideInUrl('/api/device/?access_token=a%20b')).toBe('/api/device/?access_token=***');
  expect(hideInUrl('/api/device/51D000:000001/')).toBe('/api/device/51D000:000001/');
});

test('hides the values of secret names in a form', () => {
  expect(hideInForm('grant_type=client_credentials&client_id=a&client_secret=hun%26ter2')).toBe(
    'grant_type=client_credentials&client_id=a&client_secret=***',
  );
});
