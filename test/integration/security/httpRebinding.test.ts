import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawConnection } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let station: TestStation;
let host: string;
let port: string;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1 });
  ({ host, port } = new URL(station.url));
});

afterAll(() => station.stop());

/** Sends the request unchanged, with an API key. Returns the status, and the error code if the request is refused. */
async function ask(target: string, ...lines: string[]): Promise<string> {
  const connection = await rawConnection(station.url);
  const head = [`GET ${target} HTTP/1.1`, ...lines, `api-key: ${API_KEY}`, 'connection: close'];
  connection.write(`${head.join('\r\n')}\r\n\r\n`);
  const answer = await connection.closed();
  const code = /"code":"(\w+)"/.exec(answer)?.[1] ?? '';
  return `${answer.slice(9, 12)} ${code}`.trim();
}

test("refuses every spelling of a foreign host name, and names that only resemble the station's", async () => {
  for (const name of [
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    '127.0.0.1:0',
    '127.0.0.1:',
    '127.0.0.1',
    `127.0.0.1.:${port}`,
    `localhost.:${port}`,
    `local\u00adhost:${port}`,
    `l%6fcalhost:${port}`,
    `user@127.0.0.1:${port}`,
    `user:password@127.0.0.1:${port}`,
    `127.0.0.1:${port}@evil.example`,
    `127.0.0.1:${port}:80`,
    `127.0.0.1:0${port}`,
    `127.0.0.1:+${port}`,
    `127.0.0.1:${port}/`,
    `127.0.0.1:${port}#x`,
    `127.0.0.1:${port}?x`,
    `127.0.0.1 :${port}`,
    `127.0.0.1%00:${port}`,
    `http://127.0.0.1:${port}`,
    `//127.0.0.1:${port}`,
    `127.1:${port}`,
    `2130706433:${port}`,
    `0177.0.0.1:${port}`,
    `0.0.0.0:${port}`,
    `[::]:${port}`,
    `[::1%25lo]:${port}`,
    `127.0.0.1:${port}, evil.example`,
    `127.0.0.1:${port}; evil.example`,
  ]) {
    expect(await ask('/api/device/', `host: ${name}`), name).toBe('421 foreign_host');
  }
});

test('refuses a second host name, and ignores forwarded host names', async () => {
  for (const second of ['evil.example', `evil.example:${port}`, '', 'localhost']) {
    expect(await ask('/api/device/', `host: ${host}`, `Host: ${second}`), second).toBe('421 foreign_host');
    expect(await ask('/api/device/', `host: ${second}`, `HOST: ${host}`), second).toBe('421 foreign_host');
  }
  for (const header of ['x-forwarded-host', 'x-host', 'x-original-host', 'forwarded', 'x-forwarded-server']) {
    const named = header === 'forwarded' ? `host=${host}` : host;
    expect(await ask('/api/device/', 'host: evil.example', `${header}: ${named}`), header).toBe('421 foreign_host');
    expect(await ask('/api/device/', `host: ${host}`, `${header}: evil.example`), header).toBe('200');
  }
});

test('accepts an absolute request target only with a host of this station', async () => {
  for (const name of [`evil.example`, `evil.example:${port}`, `user@evil.example`, `127.0.0.1:${Number(port) + 1}`]) {
    for (const scheme of ['http', 'HTTP', 'https', 'ws', 'ftp']) {
      const target = `${scheme}://${name}/api/device/`;
      expect(await ask(target, `host: ${host}`), target).toBe('421 foreign_host');
    }
  }
  expect(await ask(`http://user@${host}/api/device/`, `host: ${host}`)).toBe('421 foreign_host');
  expect(await ask(`http://${host}@evil.example/api/device/`, `host: ${host}`)).toBe('421 foreign_host');
  expect(await ask(`http://${host}/api/device/`, `host: ${host}`)).toBe('200');
  expect(await ask(`http://LOCALHOST:${port}/api/device/`, `host: ${host}`)).toBe('200');
});

test('refuses a malformed host header line', async () => {
  for (const line of [
    `host:\r\n ${host}`,
    `host : ${host}`,
    `host: ${host}\0`,
    `host: evil\r${host}`,
    `\thost: ${host}`,
  ]) {
    expect(await ask('/api/device/', line), JSON.stringify(line)).toBe('400 malformed');
  }
});

test('none of these requests caused a warning, an error or an activity entry', async () => {
  expect(station.logged).toEqual([]);
  expect(await station.get('/api/audit/?limit=1')).toMatchObject([{ action: 'user.added' }]);
});
