/** Texts that have caused errors in some program. */
export const TEXTS: readonly string[] = [
  '',
  'x',
  'Cable tie 200',
  '60',
  'a'.repeat(27),
  'ä€漢\u{1f600}',
  '\\bc4006381333931',
  '\\ic',
  'line~line',
  '"; DROP TABLE devices; --',
  '../../etc/passwd',
  '<b>&amp;</b> ]]>',
  '\u0000\u0007\u2028',
  '\ud800',
  '__proto__',
  ' \r\n\t ',
  'x'.repeat(5_000),
];

/** Values of unexpected types. */
export const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  2 ** 31,
  2 ** 53,
  1e300,
  '',
  '-1',
  '1e3',
  ' 7 ',
  'NaN',
  [],
  {},
  [[]],
  [null],
  { toString: 1 },
  'x'.repeat(100_000),
];

export const BODIES: readonly string[] = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '1e999',
  '{"a":1}{"b":2}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  `[${'{},'.repeat(2_000)}{}]`,
  '\ufeff{}',
  '{"line1":"\\ud800"}',
  '{"line1":"a","line1":{"b":1}}',
  '<!DOCTYPE x [<!ENTITY e "boo">]><x><line1>&e;</line1></x>',
  '<x><line1>text</line1></x>',
  '<x><line1>text</line1>',
  '<x xsi:nil="true"/>',
  `${'<x>'.repeat(5_000)}${'</x>'.repeat(5_000)}`,
  '<x>&#0;&#xD800;</x>',
  '%00=%ff&&&=',
];

export const TYPES: readonly string[] = [
  'application/json',
  'application/xml',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/json; charset=utf-16',
  'application/xml; charset=utf-7',
  'multipart/form-data; boundary=x',
  'application/json, application/xml',
  '/',
  '',
];

/** Hostile path segments. */
export const SEGMENTS: readonly string[] = [
  '%00',
  '%ff',
  '..%2f',
  '..',
  '.',
  '%',
  '',
  ';x=1',
  'x'.repeat(3_000),
  '~',
  '%F0%9F%98%80',
  "'--",
  'constructor',
  '51D000:00000g',
  '51d000%3A000001',
];

export const QUERIES: readonly string[] = [
  'limit=1&limit=2',
  'after[$gt]=1',
  'limit[]=1',
  'x[y]=1',
  '%',
  '__proto__=1',
  '&&=',
  '?',
  'api_key=test-key',
  `x=${'y'.repeat(3_000)}`,
];

/** Unusual sets of headers. Each of them is added to an otherwise valid request. */
export const HEADERS: readonly Readonly<Record<string, string>>[] = [
  { accept: 'application/xml;q=abc,,;q=' },
  { accept: 'text/html, application/xml;q=2' },
  { accept: 'image/png' },
  { 'accept-encoding': 'identity;q=0, *;q=0' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br, gzip' },
  { 'content-encoding': 'no such' },
  { 'transfer-encoding': 'chunked' },
  { expect: '100-continue' },
  { 'if-none-match': '*' },
  { 'if-match': '"x"' },
  { range: 'bytes=0-0' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
  { cookie: 'sessionid=%00; =; __proto__=1; sessionid' },
  { authorization: 'Basic Og==' },
  { authorization: 'Bearer' },
  { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
  { purpose: 'prefetch' },
  { 'last-event-id': '-1' },
  { connection: 'close' },
  { te: 'trailers' },
  { 'x-long': 'y'.repeat(8_000) },
];

/** Host names that do not belong to a station. */
export const HOSTS: readonly string[] = ['evil.example', 'localhost:1', '127.0.0.1.evil.example', '[', 'a b'];
export const ORIGINS: readonly string[] = ['https://evil.example', 'null', 'http://[', 'file://', ''];

export const METHODS: readonly string[] = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'QUERY',
];
