import { afterEach, beforeEach, expect, test } from 'vitest';
import { addArticle } from '../../helpers/articles.ts';
import { halves } from '../../helpers/files/pictures.ts';
import { rawConnection, type RawConnection } from '../../helpers/servers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const HELD = 8;
const WAITING = 60;

let station: TestStation;
let open: RawConnection[];
beforeEach(async () => {
  open = [];
  station = await startTestStation();
  await addArticle(station, 'M8');
});
afterEach(async () => {
  for (const connection of open) connection.destroy();
  await station.stop();
});

/** Sends the head of a request with a file. Resolves once the station has answered 100. */
async function begin(path: string, length = 1_000): Promise<RawConnection> {
  const connection = await rawConnection(station.url);
  open.push(connection);
  const head = [
    `${path} HTTP/1.1`,
    `host: ${new URL(station.url).host}`,
    `api-key: ${API_KEY}`,
    'content-type: text/csv',
    `content-length: ${length}`,
    'expect: 100-continue',
    'connection: close',
  ];
  connection.write(`${head.join('\r\n')}\r\n\r\n`);
  await connection.until('100 Continue');
  return connection;
}

test.for(['PUT /api/articles/M8/picture/', 'POST /api/imports/'])(
  '%s: the number of files in memory is limited; other requests wait or are refused',
  async (path) => {
    const [first] = await Promise.all(Array.from({ length: HELD }, () => begin(path)));
    const picture = halves('png', 30, 20);
    const waits = await begin('PUT /api/articles/M8/picture/', picture.length);
    waits.writeBytes(picture);
    const others = await Promise.all(Array.from({ length: WAITING - 1 }, () => begin(path)));
    const refused = await begin(path);
    expect(await refused.closed()).toMatch(/HTTP\/1\.1 429 [\s\S]*retry-after: 10\r\n[\s\S]*one after another/i);
    expect(waits.received()).not.toContain('200 OK');
    first?.destroy();
    expect(await waits.closed()).toMatch(/HTTP\/1\.1 200 OK[\s\S]*"picture"/);
    for (const connection of others) connection.destroy();
    expect((await station.request('GET', '/api/articles/M8/')).body).toMatchObject({
      picture: expect.stringContaining('?v=') as string,
    });
  },
);
