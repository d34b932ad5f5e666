import { createServer as createHttpServer, request, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Delivery } from '#shared/api/callback.ts';
import { createHttpClient, proxiesOf } from '../../../electron/server/network/httpClient.ts';
import { selfSigned } from '../../helpers/servers/selfSigned.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
/** A host name that only the proxy resolves. */
const NAME = 'wms.invalid';

const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

async function listen(server: Server & { closeAllConnections(): void }): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a receiver that stores the bodies of its requests. */
async function startReceiver(tls?: { key: string; cert: string }): Promise<{ port: number; bodies: string[] }> {
  const bodies: string[] = [];
  const handle = (req: IncomingMessage, answer: () => void): void => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      bodies.push(body);
      answer();
    });
  };
  const server =
    tls === undefined
      ? createHttpServer((req, res) => handle(req, () => res.end()))
      : createHttpsServer(tls, (req, res) => handle(req, () => res.end()));
  return { port: await listen(server), bodies };
}

/** Starts a proxy that resolves every name to this machine. `asked` lists its requests with their credentials. */
async function startProxy(): Promise<{ url: string; asked: { what: string; signIn: string }[] }> {
  const asked: { what: string; signIn: string }[] = [];
  const note = (req: IncomingMessage): void => {
    const credentials = (req.headers['proxy-authorization'] ?? '').replace('Basic ', '');
    asked.push({
      what: `${req.method ?? ''} ${req.url ?? ''}`,
      signIn: Buffer.from(credentials, 'base64').toString(),
    });
  };
  const server = createHttpServer((req, res) => {
    note(req);
    const { port, pathname } = new URL(req.url ?? '');
    const onward = request({ host: '127.0.0.1', port, path: pathname, method: req.method, headers: req.headers });
    onward.on('response', (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    req.pipe(onward);
  });
  server.on('connect', (req, socket) => {
    note(req);
    const through = connect(Number(/:(\d+)$/.exec(req.url ?? '')?.[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    for (const end of [through, socket]) {
      end.on('error', () => undefined);
      end.on('close', () => [through, socket].forEach((other) => void other.destroy()));
    }
  });
  return { url: `http://user:secret@127.0.0.1:${await listen(server)}`, asked };
}

/** Starts a station in this environment, presses a device, and returns the resulting delivery. */
async function tell(environment: Record<string, string>, settings: object): Promise<Delivery | undefined> {
  const station: TestStation = await startTestStation({
    simulate: 1,
    refreshMs: 0,
    http: createHttpClient(proxiesOf(environment)),
  });
  stops.push(() => station.stop());
  await station.patch('/api/settings/', settings);
  await station.clock.advance(5_000);
  await station.press(DEVICE, 'front', 'long');
  await station.clock.advance(0);
  const [newest] = await station.get<Delivery[]>('/api/callbacks/');
  return newest;
}

test('sends callbacks through the proxy from the environment, with its password', async () => {
  const [receiver, proxy] = [await startReceiver(), await startProxy()];
  const callback_url = `http://${NAME}:${receiver.port}/hook`;
  expect(await tell({ HTTP_PROXY: proxy.url }, { callback_url })).toMatchObject({ state: 'delivered' });
  expect(receiver.bodies).toEqual([expect.stringContaining('"call"')]);
  expect(proxy.asked).toEqual([{ what: `POST ${callback_url}`, signIn: 'user:secret' }]);
});

test('sends HTTPS callbacks through a tunnel, and still checks the certificate', async () => {
  const tls = selfSigned('receiver', NAME);
  const [receiver, proxy] = [await startReceiver(tls), await startProxy()];
  const callback_url = `https://${NAME}:${receiver.port}/`;
  const environment = { https_proxy: proxy.url.replace('http://', '') };
  expect(await tell(environment, { callback_url })).toMatchObject({ state: 'pending', last_status: null });
  expect(receiver.bodies).toEqual([]);
  expect(await tell(environment, { callback_url, callback_ca: tls.cert })).toMatchObject({ state: 'delivered' });
  expect(receiver.bodies).toHaveLength(1);
  for (const { what } of proxy.asked) expect(what).toBe(`CONNECT ${NAME}:${receiver.port}`);
});

test('with verification off, accepts any certificate through a tunnel', async () => {
  const [receiver, proxy] = [await startReceiver(selfSigned('receiver')), await startProxy()];
  const settings = { callback_url: `https://${NAME}:${receiver.port}/`, callback_verify: false };
  expect(await tell({ HTTPS_PROXY: proxy.url }, settings)).toMatchObject({ state: 'delivered' });
});

test('NO_PROXY exempts names, and local addresses never use the proxy', async () => {
  const [receiver, proxy] = [await startReceiver(), await startProxy()];
  const environment = { HTTP_PROXY: proxy.url, NO_PROXY: '*.example,wms.invalid' };
  const left = await tell(environment, { callback_url: `http://${NAME}:${receiver.port}/` });
  expect(left?.last_error).toMatch(/ENOTFOUND|EAI_AGAIN/);
  for (const name of ['127.0.0.1', 'localhost']) {
    const told = await tell({ HTTP_PROXY: proxy.url }, { callback_url: `http://${name}:${receiver.port}/` });
    expect(told).toMatchObject({ state: 'delivered' });
  }
  expect(proxy.asked).toEqual([]);
});

test('a delivery through an unreachable or invalid proxy fails with an error that names the problem', async () => {
  const callback_url = `http://${NAME}:80/`;
  const gone = await startProxy();
  await stops.pop()?.();
  expect((await tell({ HTTP_PROXY: gone.url }, { callback_url }))?.last_error).toMatch(/ECONNREFUSED/);
  const none = await tell({ HTTP_PROXY: 'http://[' }, { callback_url });
  expect(none).toMatchObject({ state: 'pending', last_error: expect.stringMatching(/HTTP_PROXY/) as string });
});

test('lower-case variables override upper-case ones, and a missing one is empty', () => {
  expect(proxiesOf({ http_proxy: 'http://a', HTTP_PROXY: 'http://b', NO_PROXY: 'x' })).toEqual({
    http: 'http://a',
    https: '',
    except: 'x',
  });
});
