import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rawConnection } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

// Requests as the programs in docs/scripts.md send them, according to their vendors. The programs are not run.

const ONE = '51D000:000001';
const TEXT = 'Tür 7';

let station: TestStation;
let host: string;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  ({ host } = new URL(station.url));
  await station.post(`/api/device/${ONE}/`, { locationoverride: 'A-1-1' });
});

beforeEach(() => station.post(`/api/device/${ONE}/`, { command: 'kill' }));

afterAll(() => station.stop());

/**
 * Sends a request with exactly these lines. `head` has no content length and no empty line. With `waits`, the body follows after "100
 * Continue".
 */
async function send(head: readonly string[], body: Buffer, { isChunked = false, waits = false } = {}) {
  const connection = await rawConnection(station.url);
  const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  connection.write(`${[...head, length].join('\r\n')}\r\n\r\n`);
  if (waits) await connection.until('HTTP/1.1 100 Continue\r\n\r\n');
  const bytes = isChunked
    ? Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')])
    : body;
  connection.writeBytes(bytes);
  await connection.until('\r\n\r\n{');
  await connection.until('}');
  connection.destroy();
  const [, status = ''] = /HTTP\/1\.1 ((?!100)\d{3})/.exec(connection.received()) ?? [];
  return { status: Number(status), text: connection.received() };
}

const shownLine = async (): Promise<unknown> => (await station.device(ONE)).commands[0]?.line1;

/** The body as written by `ConvertTo-Json`. */
const POWERSHELL_BODY = `{\r\n    "quantity":  5,\r\n    "line1":  "${TEXT}",\r\n    "location":  "A-1-1"\r\n}`;
const powershell51 = (type: string): string[] => [
  'POST /api/devices/ HTTP/1.1',
  `API-KEY: ${API_KEY}`,
  'Idempotency-Key: create SO-1001',
  'User-Agent: Mozilla/5.0 (Windows NT; Windows NT 10.0; de-DE) WindowsPowerShell/5.1.22621.4391',
  `Content-Type: ${type}`,
  `Host: ${host}`,
  'Expect: 100-continue',
  'Connection: Keep-Alive',
];
const powershell7 = (type: string): string[] => [
  'POST /api/devices/ HTTP/1.1',
  `Host: ${host}`,
  `API-KEY: ${API_KEY}`,
  'User-Agent: Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.22631; de-DE) PowerShell/7.4.6',
  'Accept-Encoding: gzip, deflate, br',
  `Content-Type: ${type}`,
];
const UTF8 = 'application/json; charset=utf-8';

test('Windows PowerShell 5.1: the documented charset works, even after waiting for "100 Continue"', async () => {
  const { status } = await send(powershell51(UTF8), Buffer.from(POWERSHELL_BODY), { waits: true });
  expect([status, await shownLine()]).toEqual([200, TEXT]);
});

test('Windows PowerShell 5.1: without a charset, it sends Latin-1, which is refused; so is its default form type', async () => {
  const latin1 = Buffer.from(POWERSHELL_BODY, 'latin1');
  const plain = await send(powershell51('application/json'), latin1, { waits: true });
  expect(plain).toMatchObject({ status: 400, text: expect.stringContaining('"encoding"') as string });
  const form = await send(powershell51('application/x-www-form-urlencoded'), latin1, { waits: true });
  expect(form).toMatchObject({ status: 415, text: expect.stringContaining('Send application/json') as string });
  expect(await shownLine()).toBeUndefined();
});

test('PowerShell 7: the charset can be omitted since 7.4; earlier versions are refused without it', async () => {
  const body = POWERSHELL_BODY.replaceAll('\r\n    ', '\r\n  ').replaceAll('":  ', '": ');
  expect(await send(powershell7('application/json'), Buffer.from(body))).toMatchObject({ status: 200 });
  expect(await shownLine()).toBe(TEXT);
  expect(await send(powershell7(UTF8), Buffer.from(body))).toMatchObject({ status: 200 });
  expect(await send(powershell7('application/json'), Buffer.from(body, 'latin1'))).toMatchObject({ status: 400 });
});

test('PowerShell: a body truncated by ConvertTo-Json without -Depth is refused with instructions', async () => {
  const body = '{"order_number":"SO-9","shipments":[{"shipment_number":"a","items":"System.Collections.Hashtable"}]}';
  const head = powershell7(UTF8).with(0, 'POST /api/orders/ HTTP/1.1');
  expect(await send(head, Buffer.from(body))).toMatchObject({
    status: 400,
    text: expect.stringContaining('/shipments/0/items: This has to be an array.') as string,
  });
});

const csharp = (path: string, type = UTF8): string[] => [
  `POST ${path} HTTP/1.1`,
  `Host: ${host}`,
  `API-KEY: ${API_KEY}`,
  `Content-Type: ${type}`,
];

test('C#: the chunks and escaped umlauts that JsonContent sends are accepted', async () => {
  const order =
    '{"order_number":"CS-1","items":[{"SKU":"CT-200","name":"T\\u00FCr 7","ordered_quantity":5,"warehouse_location":"A-1-1"}]}';
  const { status } = await send(csharp('/api/orders/'), Buffer.from(order), { isChunked: true });
  expect(status).toBe(201);
  expect(await station.get('/api/orders/CS-1/')).toMatchObject({ items: [{ SKU: 'CT-200', name: TEXT }] });
});

test('C#: names without JsonPropertyName are refused, and a byte order mark is ignored', async () => {
  const names = '{"number":"CS-2","items":[{"sku":"CT-200","name":"x","quantity":5,"place":"A-1-1"}]}';
  expect(await send(csharp('/api/orders/'), Buffer.from(names), { isChunked: true })).toMatchObject({
    status: 400,
    text: expect.stringContaining('/order_number: This is missing') as string,
  });
  const marked = Buffer.from(`\ufeff{"location":"A-1-1","line1":"${TEXT}"}`);
  expect(await send(csharp('/api/devices/', 'application/json'), marked)).toMatchObject({ status: 200 });
  expect(await shownLine()).toBe(TEXT);
});

const winHttp = (type: string): string[] => [
  'POST /api/devices/ HTTP/1.1',
  'Connection: Keep-Alive',
  `Content-Type: ${type}`,
  'Accept: */*',
  'User-Agent: Mozilla/4.0 (compatible; Win32; WinHttp.WinHttpRequest.5)',
  `API-KEY: ${API_KEY}`,
  `Host: ${host}`,
];

test('Excel VBA: WinHttpRequest\'s "Charset" is accepted, but its default type text/plain is refused', async () => {
  const body = Buffer.from(`{"location":"A-1-1","line1":"${TEXT}","quantity":5}`);
  expect(await send(winHttp('application/json; Charset=UTF-8'), body)).toMatchObject({ status: 200 });
  expect(await shownLine()).toBe(TEXT);
  expect(await send(winHttp('text/plain; Charset=UTF-8'), body)).toMatchObject({ status: 415 });
});

test('Excel VBA: bytes from StrConv work if their charset is declared, and a decimal comma is refused', async () => {
  const ansi = Buffer.from(`{"location":"A-1-1","line1":"${TEXT}"}`, 'latin1');
  expect(await send(winHttp('application/json; charset=windows-1252'), ansi)).toMatchObject({ status: 200 });
  expect(await shownLine()).toBe(TEXT);
  expect(await send(winHttp('application/json'), Buffer.from('{"location":"A-1-1","quantity":2,5}'))).toMatchObject({
    status: 400,
    text: expect.stringContaining('The body is not JSON') as string,
  });
});

const appsScript = (type: string): string[] => [
  'POST /api/devices/ HTTP/1.1',
  `Host: ${host}`,
  'User-Agent: Mozilla/5.0 (compatible; Google-Apps-Script; beanserver; +https://script.google.com; id: UAEmdDd-x)',
  'Accept-Encoding: gzip,deflate,br',
  `api-key: ${API_KEY}`,
  `Content-Type: ${type}`,
  'Connection: close',
];

test('Google Apps Script: contentType replaces the default form type', async () => {
  const body = Buffer.from(JSON.stringify({ location: 'A-1-1', line1: TEXT }));
  expect(await send(appsScript('application/json'), body)).toMatchObject({ status: 200 });
  expect(await shownLine()).toBe(TEXT);
  expect(await send(appsScript('application/x-www-form-urlencoded'), body)).toMatchObject({ status: 415 });
});
