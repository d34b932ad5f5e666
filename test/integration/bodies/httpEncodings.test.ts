import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { problemSchema } from '#shared/api/problem.ts';
import { rawConnection, rawRequest, type RawAnswer } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICES = '/api/devices/';
const DEVICE = '51D000:000001';
const PATH = `/api/device/${DEVICE}/`;
const JSON_TYPE = 'application/json';
const XML_TYPE = 'application/xml';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
});
beforeEach(async () => {
  await station.post(PATH, { statica: 'before' });
});
afterAll(() => station.stop());

function send(type: string, body: Buffer, path = PATH): Promise<RawAnswer> {
  const headers = { 'api-key': API_KEY, 'content-type': type };
  return rawRequest(station.url, { method: 'POST', path, headers, body });
}

async function shown(): Promise<unknown> {
  return ((await station.device(DEVICE)) as { statica?: unknown }).statica;
}

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const wide = (text: string, isBig = false): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};
const json = (text: string): string => `{"statica":"${text}"}`;
const xml = (text: string, declaration = ''): string => `${declaration}<device><statica>${text}</statica></device>`;

/** Checks that the request was refused and that the device is unchanged. Returns the problem's detail. */
async function refused(answer: RawAnswer, status: number, code: string): Promise<string> {
  const problem = problemSchema.parse(JSON.parse(answer.text));
  expect(problem).toMatchObject({ status, code });
  expect(await shown()).toBe('before');
  return problem.detail;
}

describe('a body is decoded exactly', () => {
  test.each<[charset: string, body: Buffer, expected: string]>([
    [JSON_TYPE, Buffer.from(json('Größe €')), 'Größe €'],
    [`${JSON_TYPE}; charset=UTF-8`, Buffer.from(`\ufeff${json('Bär')}`), 'Bär'],
    [`${JSON_TYPE}; charset=iso-8859-1`, latin(json('B\xe4r')), 'Bär'],
    [`${JSON_TYPE}; charset="Latin1"`, latin(json('B\xfcr')), 'Bür'],
    [`${JSON_TYPE}; charset=windows-1252`, latin(json('\x80 \xe4')), '€ ä'],
    [`${JSON_TYPE};charset=utf-16`, wide(`\ufeff${json('Bär')}`), 'Bär'],
    [`${JSON_TYPE};charset=utf-16`, wide(`\ufeff${json('Bär')}`, true), 'Bär'],
    [`${JSON_TYPE};charset=utf-16`, wide(json('Bär')), 'Bär'],
    [`${JSON_TYPE};charset=utf-16`, wide(json('Bär'), true), 'Bär'],
    [`${JSON_TYPE};charset=utf-16le`, wide(json('Bär')), 'Bär'],
    [`${JSON_TYPE};charset=utf-16be`, wide(json('Bär'), true), 'Bär'],
    [XML_TYPE, Buffer.from(xml('Bär')), 'Bär'],
    [XML_TYPE, latin(xml('B\xe4r', '<?xml version="1.0" encoding="ISO-8859-1"?>')), 'Bär'],
    [XML_TYPE, latin(xml('\x80', "<?xml version='1.0' encoding='windows-1252'?>")), '€'],
    [XML_TYPE, wide(`\ufeff${xml('Bär', '<?xml version="1.0" encoding="UTF-16"?>')}`), 'Bär'],
    [`${XML_TYPE}; charset=iso-8859-1`, latin(xml('B\xe4r')), 'Bär'],
    [`text/xml; charset=utf-16le`, wide(xml('Bär', '<?xml version="1.0" encoding="utf-16"?>')), 'Bär'],
  ])('as %s', async (type, body, expected) => {
    expect(await send(type, body)).toMatchObject({ status: 200 });
    expect(await shown()).toBe(expected);
  });

  test('even if it is long', async () => {
    const elements = Array.from({ length: 900 }, () => ({ deviceid: DEVICE, statica: 'ä'.repeat(400) }));
    const body = latin(JSON.stringify([...elements, { deviceid: DEVICE, statica: 'Bär' }]));
    expect(body.length).toBeGreaterThan(300 * 1024);
    expect((await send(`${JSON_TYPE}; charset=iso-8859-1`, body, DEVICES)).status).toBeLessThan(300);
    expect(await shown()).toBe('Bär');
    await station.post(PATH, { statica: 'before' });
    await refused(await send(JSON_TYPE, body, DEVICES), 400, 'encoding');
  });
});

describe('a body that is invalid in its charset is refused', () => {
  test.each<[type: string, body: Buffer]>([
    [JSON_TYPE, latin(json('B\xfcr'))],
    [`${JSON_TYPE}; charset=utf-8`, latin(json('B\xe4r'))],
    [JSON_TYPE, wide(`\ufeff${json('Bär')}`)],
    [JSON_TYPE, latin(json('\xed\xa0\x80'))],
    [JSON_TYPE, latin(json('\xc0\xaf'))],
    [JSON_TYPE, Buffer.from(json('Bä')).subarray(0, -3)],
    [JSON_TYPE, latin(json(String.raw`B\ud83dr`))],
    [`${JSON_TYPE}; charset=iso-8859-1`, latin(json('\x80'))],
    [`${JSON_TYPE}; charset=windows-1252`, latin(json('\x81'))],
    [`${JSON_TYPE}; charset=utf-16`, wide(json('x')).subarray(0, -1)],
    [`${JSON_TYPE}; charset=utf-16`, wide(json('\ud800'))],
    [XML_TYPE, latin(xml('B\xfcr'))],
    [XML_TYPE, latin(xml('B\xfcr', '<?xml version="1.0" encoding="UTF-8"?>'))],
  ])('with 400: %s %j', async (type, body) => {
    const detail = await refused(await send(type, body), 400, 'encoding');
    expect(detail).toMatch(/UTF-8/);
  });

  test('and the answer names the byte and explains how to send UTF-8', async () => {
    const detail = await refused(await send(JSON_TYPE, latin(json('B\xfcr'))), 400, 'encoding');
    expect(detail).toBe(
      'The body is not UTF-8: byte 14 is 0xFC. Encode it as UTF-8, or declare the charset that it has in the header content-type, such as "application/json; charset=windows-1252".',
    );
  });

  test.each([
    [`${JSON_TYPE}; charset=klingon`, latin(json('x'))],
    [`${JSON_TYPE}; charset=windows-1250`, latin(json('x'))],
    [`${XML_TYPE}; charset=iso-8859-15`, latin(xml('x'))],
    [XML_TYPE, latin(xml('x', '<?xml version="1.0" encoding="shift_jis"?>'))],
    [`${XML_TYPE}; charset=utf-8`, latin(xml('x', '<?xml version="1.0" encoding="ISO-8859-1"?>'))],
  ])('with 415 in an unsupported charset: %s', async (type, body) => {
    expect(await refused(await send(type, body), 415, 'unsupported_media_type')).toMatch(/UTF-8/);
  });

  test('so that a label in a wrong encoding never lights a different device', async () => {
    await station.post('/api/location-aliases/', { name: 'Bär', deviceid: DEVICE, deviceIs: 'Below' });
    const body = latin('{"warehouse_location":"B\xfcr","line1":"x"}');
    await refused(await send(JSON_TYPE, body, DEVICES), 400, 'encoding');
    expect(await station.get(PATH)).toMatchObject({ statica: 'before' });
  });

  test('and so is such a form', async () => {
    const type = 'application/x-www-form-urlencoded';
    for (const form of ['client_id=B%fcr', 'client_id=B\xfcr']) {
      const answer = await send(type, latin(`grant_type=client_credentials&${form}`), '/api/oauth/token/');
      await refused(answer, 400, 'encoding');
    }
  });
});

describe('a path', () => {
  const get = (path: string): Promise<RawAnswer> => rawRequest(station.url, { path, headers: { 'api-key': API_KEY } });

  test.each([
    `/api/${DEVICE}/message/B%fcr/`,
    `/api/${DEVICE}/static/%e4~x/`,
    '/api/location-aliases/B%FCr/',
    '/api/history/?q=B%fcr',
    '/api/history/?B%fcr=1',
    '/api/find/?q=%c3%bc%ff',
    '/api/history/?q=%ed%a0%80',
  ])('is refused if it is not UTF-8: %s', async (path) => {
    expect(await refused(await get(path), 400, 'encoding')).toContain('an ü is %C3%BC');
  });

  test('is refused if its bytes are not percent-encoded', async () => {
    const connection = await rawConnection(station.url);
    connection.write('GET /api/history/?q=Bür HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    expect(await connection.closed()).toContain('"code":"encoding"');
  });

  test('is accepted in UTF-8, with plain percent signs and with other escapes', async () => {
    for (const query of ['picker=B%c3%bcr', 'picker=100%', 'picker=a%20%26%25', 'picker=%F0%9F%98%80']) {
      expect((await get(`/api/orders/?${query}`)).status, query).toBe(200);
    }
  });
});
