import type { RequestListener } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { closeServer, listen, type Listening } from '../../../electron/server/http/port/server.ts';
import { rawConnection, rawRequest, type RawConnection } from '../../helpers/servers/rawHttp.ts';

const say = () => undefined;
const LOG = { debug: say, info: say, warn: say, error: say };

let listening: Listening;
let turn = 0;
let isOver = true;

afterEach(async () => {
  isOver = true;
  await closeServer(listening);
});

async function connectTo(app: RequestListener): Promise<{ url: string; connection: RawConnection }> {
  listening = await listen(app, { host: '127.0.0.1', port: 0, key: undefined }, LOG);
  const url = `http://127.0.0.1:${listening.port}/`;
  return { url, connection: await rawConnection(url) };
}

/** Counts the turns of the event loop until the test ends. */
function countTurns(): void {
  isOver = false;
  turn += 1;
  setImmediate(() => (isOver ? undefined : countTurns()));
}

const requests = (count: number, method = 'GET', rest = 'Host: x\r\n\r\n'): string =>
  Array.from({ length: count }, (_, at) => `${method} /${at} HTTP/1.1\r\n${rest}`).join('');
const answersIn = (text: string): string[] => [...text.matchAll(/answer (\/\d+)/g)].map(([, path = '']) => path);

test('the requests of a packet are handled one after another, each in a later turn of the event loop', async () => {
  const turns: number[] = [];
  const { connection } = await connectTo((req, res) => {
    turns.push(turn);
    res.end(`answer ${req.url}`);
  });
  countTurns();
  connection.write(requests(16));
  await connection.until('answer /15');
  expect(answersIn(connection.received())).toEqual(Array.from({ length: 16 }, (_, at) => `/${at}`));
  expect(new Set(turns).size).toBe(16);
});

test('the requests of many connections that arrive together are handled a few per turn, in order', async () => {
  const turns: number[] = [];
  const { connection, url } = await connectTo((_req, res) => {
    turns.push(turn);
    res.end('answer');
  });
  const connections = [connection];
  while (connections.length < 100) connections.push(await rawConnection(url));
  countTurns();
  for (const each of connections) each.write(requests(1));
  for (const each of connections) await each.until('answer');
  const perTurn = Map.groupBy(turns, (each) => each).values();
  expect(Math.max(...[...perTurn].map(({ length }) => length))).toBeLessThanOrEqual(16);
});

test('a request waits for the answer of the previous one', async () => {
  const begun: string[] = [];
  let answer = (): void => undefined;
  const { connection, url } = await connectTo((req, res) => {
    begun.push(req.url ?? '');
    if (req.url === '/0') answer = () => void res.end('answer /0');
    else res.end(`answer ${req.url}`);
  });
  connection.write(requests(3));
  // Requests of other connections do not wait.
  expect((await rawRequest(url, { path: '/9' })).text).toBe('answer /9');
  expect(begun).toEqual(['/0', '/9']);
  answer();
  await connection.until('answer /2');
  expect(begun).toEqual(['/0', '/9', '/1', '/2']);
});

test('more than 16 unanswered requests end the connection, and those that have not started never do', async () => {
  const begun: string[] = [];
  const { connection, url } = await connectTo((req, res) => {
    begun.push(req.url ?? '');
    req.socket.once('close', () => res.end());
    if (req.url === '/9') res.end();
  });
  connection.write(requests(17));
  await connection.closed();
  await rawRequest(url, { path: '/9' });
  expect(begun).toEqual(['/0', '/9']);
});

test('any number of requests is answered while at most 16 are unanswered', async () => {
  let answered = 0;
  const { connection } = await connectTo((req, res) => void res.end(`answer ${req.url} ${(answered += 1)}.`));
  for (let round = 1; round <= 4; round += 1) {
    connection.write(requests(16));
    await connection.until(` ${16 * round}.`);
  }
});

test('the bodies of requests of one packet reach them', async () => {
  const { connection } = await connectTo((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (text: string) => (body += text));
    req.on('end', () => res.end(`answer ${req.url} ${body.length}`));
  });
  const long = 100_000;
  connection.write(requests(3, 'POST', `Host: x\r\nContent-Length: ${long}\r\n\r\n${'b'.repeat(long)}`));
  await connection.until(`answer /2 ${long}`);
  expect(answersIn(connection.received())).toEqual(['/0', '/1', '/2']);
});

test('a request with an unknown expectation waits, too', async () => {
  const answered: string[] = [];
  const { connection } = await connectTo((req, res) => {
    res.once('close', () => answered.push(req.url ?? ''));
    setImmediate(() => res.end(`answer ${req.url} after ${answered.join()}.`));
  });
  connection.write(requests(2, 'GET', 'Host: x\r\nExpect: banana\r\n\r\n'));
  await connection.until('answer /1 after /0.');
});
