import type { FleetAnswer } from '#shared/api/fleet.ts';
import { TEST_RECEIVER } from '#shared/lib/connections/testReceiver.ts';
import type { Multicast, SerialPorts } from '../../electron/server/ports.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeUpdater } from '../helpers/fakeUpdater.ts';
import { outdatedBoard } from '../helpers/boards/outdatedBoard.ts';
import { startBroker } from '../helpers/servers/broker.ts';
import { accessPointReply } from '../helpers/devices/multicastDevices.ts';
import { halves } from '../helpers/files/pictures.ts';
import { startMailServer } from '../helpers/servers/mailServer.ts';
import { startReceiver } from '../helpers/servers/receiver.ts';
import { API_KEY, startTestStation, type Answer, type TestStation } from '../helpers/startTestStation.ts';
import { until } from '../shells/until.ts';
import { fetchDocument, type Described, type OpenApi, type Parameter } from './documents.ts';
import { inScenarioOrder } from './exampleOrder.ts';

/** The serial ports of a machine with two plugged-in devices, neither of which can be opened. */
const MACHINE: SerialPorts = {
  list: () =>
    Promise.resolve([
      {
        path: '/dev/ttyUSB0',
        vendorId: '303a',
        productId: '1001',
        serialNumber: '7C:DF:A1:00:00:01',
        manufacturer: 'Espressif',
        locationId: '1-2',
      },
      {
        path: '/dev/ttyACM0',
        vendorId: '2e8a',
        productId: '0005',
        serialNumber: 'e6614104030b2c37',
        manufacturer: 'MicroPython',
        locationId: '1-3',
      },
    ]),
  open: ({ path }) => Promise.reject(new Error(`Permission denied, cannot open ${path}`)),
  reset: () => Promise.resolve(),
};

/** A network in which an access point answers. */
const NETWORK: Multicast = {
  ask({ answersToGroup }, heard) {
    if (answersToGroup) heard(accessPointReply('Shop'), '192.168.1.20');
    return Promise.resolve();
  },
};

/** An example from the document as it was sent, and the station's answer. */
export type SentExample = Described & { request: string; target: string; answer: Answer; variant: Variant };

/** The name used for an operation without a request body. */
const NO_BODY = 'answer';
const ADMIN_PASSWORD = 'harbour street';
/** The first and the last of the operations that run while a turbo is offline for longer than allowed. */
const WITHOUT_A_TURBO = { first: 'listAlerts', last: 'endAlert' };
const OF_A_DELIVERY = ['getCallback', 'replayCallback', 'getDeliveryTimeline'];
/** Operations that are sent with a kiosk's cookie. */
const OF_A_KIOSK = ['getKioskScreen', 'signInWithPin'];
const OF_A_FLEET = ['findInFleet', 'sendFleetOrder'];
/** Operations that are sent to a station that has just started. */
const OF_A_FRESH_STATION = ['finishSetup', 'makeDemoShop', 'getDemoShop', 'removeDemoShop'];

/** A variant that replaces an example: a different body and additional query fields. */
type Variant = { body: unknown; query?: string };
type Altered = (body: unknown, described: Described) => readonly Variant[];

/** Sends every example of the whole document to a station, in the order of the scenario. */
export async function sendExamples(altered?: (document: OpenApi) => Altered): Promise<{
  document: OpenApi;
  sent: SentExample[];
}> {
  const board = outdatedBoard();
  await using station = await startTestStation({
    simulate: 2,
    refreshMs: 0,
    adminPassword: ADMIN_PASSWORD,
    serial: MACHINE,
    multicast: NETWORK,
    joinTurbos: board.joinTurbos,
    // The download never ends, so that the answers are the same in each run.
    updater: fakeUpdater({ slowly: new Promise(() => undefined) }),
  });
  const folder = mkdtempSync(join(tmpdir(), 'pickstation-examples-'));
  const fresh = await startTestStation({ dataFolder: folder, firstRun: 'window' });
  const receiver = await startReceiver();
  const mailServer = await startMailServer();
  const broker = await startBroker();
  const document = await fetchDocument(station, '/api/openapi.json');
  const sent: SentExample[] = [];
  const alter = altered?.(document);
  try {
    for (const described of inScenarioOrder(document)) {
      const { operationId } = described.operation;
      const at = OF_A_FRESH_STATION.includes(operationId) ? fresh : station;
      if (operationId === 'testMqtt') await station.patch('/api/settings/', { mqtt_url: broker.url });
      if (OF_A_FLEET.includes(operationId))
        await station.patch('/api/settings/', { mqtt_url: broker.url, mqtt_station: 'berlin', fleet: true });
      if (operationId === 'testMail') await mailOver(station, mailServer.port);
      if (operationId === 'listBoardUpdates') board.connect();
      await prepareBatch(at, operationId);
      sent.push(...(await sendOperation(at, described, { receiver: receiver.url, sent, alter })));
      // Remove the board, so that it is not in the lists of turbos.
      if (operationId === 'updateBoards') {
        board.disconnect();
        await station.request('DELETE', `/api/turbo/${board.serialNumber}/`);
      }
    }
  } finally {
    await mailServer.stop();
    await broker.stop();
    await receiver.stop();
    await fresh.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return { document, sent };
}

/** Prepares what batch operations need: orders with lines without a light, and later pieces in hand or in slots. */
async function prepareBatch(station: TestStation, operationId: string): Promise<void> {
  if (operationId === 'addBatch') {
    for (const order_number of ['SO-7001', 'SO-7002', 'SO-7003'])
      await station.post('/api/orders/', { order_number, items: [{ name: 'Leaflet', ordered_quantity: 3 }] });
  }
  if (operationId === 'removeOrderFromBatch') {
    await station.post('/api/orders/', { order_number: 'SO-7004', items: [{ name: 'Leaflet', ordered_quantity: 3 }] });
    await station.post('/api/batches/1/slots/', { order_number: 'SO-7004' });
  }
  if (operationId === 'removeWall') await station.request('DELETE', '/api/batches/2/');
  if (operationId === 'freeSlot') {
    await station.request('POST', '/api/batches/1/put/', { all: true });
    await station.request('POST', '/api/batches/1/slots/B2/move/', { to: 'A1' });
  }
}

/** Returns the id of the item in the batch's first order. */
async function leafletOf(station: TestStation): Promise<number> {
  const { items = [] } = await station.get<{ items?: { id: number }[] }>('/api/orders/SO-7001/');
  return items[0]?.id ?? 0;
}

/** Makes the station send unencrypted e-mail through this server. */
async function mailOver(station: TestStation, port: number): Promise<void> {
  await station.patch('/api/settings/', {
    mail_host: '127.0.0.1',
    mail_port: port,
    mail_security: 'none',
    mail_from: 'lights@shop.example',
    mail_to: ['office@shop.example'],
    mail_kinds: [],
  });
}

type So = { receiver: string; sent: readonly SentExample[]; alter: Altered | undefined };

async function sendOperation(station: TestStation, described: Described, so: So): Promise<SentExample[]> {
  const { path, method, operation } = described;
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [undefined, undefined];
  const bodies = content?.examples ?? { [NO_BODY]: { value: undefined } };
  const headers = headersOf(operation.operationId, station, so.sent);
  if (operation.operationId === WITHOUT_A_TURBO.first) await connect(station, false);
  if (operation.operationId === 'listReceivedCallbacks') await sendToOwnReceiver(station);
  const done: SentExample[] = [];
  for (const [request, { value }] of Object.entries(bodies)) {
    for (const target of targets(
      path,
      operation.parameters ?? [],
      await realParameters(station, operation.operationId),
    )) {
      // A stream never ends, so request only its headers.
      const verb = operation.operationId === 'streamEvents' ? 'HEAD' : method;
      const real = await withLeaflet(station, operation.operationId, realBody(operation.operationId, value, so));
      for (const variant of so.alter?.(real, described) ?? [{ body: real }]) {
        const { body, query } = variant;
        const text =
          type === 'application/x-www-form-urlencoded'
            ? new URLSearchParams(body as Record<string, string>).toString()
            : body;
        const to = query === undefined ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;
        const answer = await station.request(verb, to, text, {
          ...headers,
          ...(body === undefined || type === undefined ? {} : { 'content-type': type }),
        });
        await station.clock.advance(1_000);
        done.push({ ...described, request, target: to, answer, variant });
      }
    }
  }
  if ([WITHOUT_A_TURBO.last, 'forgetTurbo'].includes(operation.operationId)) await connect(station, true);
  return done;
}

async function sendToOwnReceiver(station: TestStation): Promise<void> {
  const { callback_url } = await station.get('/api/settings/');
  await station.patch('/api/settings/', { callback_url: TEST_RECEIVER });
  await station.post('/api/callbacks/test/');
  await station.patch('/api/settings/', { callback_url });
}

async function connect(station: TestStation, connected: boolean): Promise<void> {
  await station.patch('/api/simulator/turbos/SIM-1/', { connected });
  await station.clock.advance(120_000);
}

/** Fills the path with the examples of its parameters. Returns the path with only the required query fields, and with all of them. */
function targets(path: string, parameters: readonly Parameter[], real: Readonly<Record<string, string>>): string[] {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = real[name] ?? parameters.find((parameter) => parameter.name === name)?.example;
    if (example === undefined) throw new Error(`${path}: there is no example of ${name}.`);
    return encodeURIComponent(example);
  });
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.example !== undefined);
  const asking = (of: readonly Parameter[]): string =>
    `${filled}?${new URLSearchParams(of.map(({ name, example }): [string, string] => [name, String(example)])).toString()}`;
  const required = query.filter((parameter) => parameter.required);
  const first = required.length === 0 ? filled : asking(required);
  return required.length === query.length ? [first] : [first, asking(query)];
}

function headersOf(operationId: string, station: TestStation, sent: readonly SentExample[]): Record<string, string> {
  if (operationId === 'signIn') return {};
  if (OF_A_KIOSK.includes(operationId)) return { cookie: cookiesOf('addKiosk', sent) };
  if (operationId !== 'signOut' && operationId !== 'changePassword') return { 'api-key': API_KEY };
  const signedIn = sent.findLast(({ operation }) => operation.operationId === 'signIn');
  const { token = '' } = (signedIn?.answer.body ?? {}) as { token?: string };
  return { cookie: cookiesOf('signIn', sent), 'x-csrf-token': token, referer: station.url };
}

function cookiesOf(operationId: string, sent: readonly SentExample[]): string {
  const last = sent.findLast(({ operation }) => operation.operationId === operationId);
  return (last?.answer.headers.getSetCookie() ?? []).map((cookie) => cookie.split(';')[0]).join('; ');
}

/** Returns the path parameters whose values are only known at run time. */
async function realParameters(station: TestStation, operationId: string): Promise<Record<string, string>> {
  if (/Backup/.test(operationId)) {
    const backups = await station.get<{ name: string; kind: string }[]>('/api/backups/');
    const wanted = operationId === 'removeBackup' ? 'uploaded' : 'manual';
    return { name: backups.find(({ kind }) => kind === wanted)?.name ?? '' };
  }
  if (operationId === 'sendFleetOrder') {
    // The station sends an order to itself, so wait until it is in its own fleet.
    await until('the fleet', async () => {
      await station.clock.advance(1_000);
      const { stations } = await station.get<FleetAnswer>('/api/fleet/');
      return stations.some(({ availability }) => availability === 'online');
    });
  }
  if (operationId === 'forgetTurbo') {
    // Only an offline turbo can be forgotten.
    await station.patch('/api/simulator/turbos/SIM-1/', { connected: false });
    return {};
  }
  if (operationId === 'allowRefusedCaller' || operationId === 'neverAllowRefusedCaller') {
    await station.request('GET', '/healthz', undefined, { origin: `chrome-extension://${operationId.toLowerCase()}` });
    await station.clock.advance(1_000);
    const [alert] = await station.get<{ id: string }[]>('/api/alerts/');
    return { id: alert?.id ?? '' };
  }
  if (operationId === 'acknowledgeAlert' || operationId === 'endAlert') {
    const alerts = await station.get<{ id: string; kind: string }[]>('/api/alerts/');
    return { id: alerts.find(({ kind }) => kind === 'turbo_offline')?.id ?? '' };
  }
  if (!OF_A_DELIVERY.includes(operationId)) return {};
  const [delivery] = await station.get<{ id: string }[]>('/api/callbacks/');
  return { id: delivery?.id ?? '' };
}

const WITH_LEAFLET: ReadonlySet<string> = new Set(['actInBatch', 'undoPut', 'reassignShares', 'closeBatchItemsShort']);

/** Inserts the id of the batch's item into the body. */
async function withLeaflet(station: TestStation, operationId: string, body: unknown): Promise<unknown> {
  if (!WITH_LEAFLET.has(operationId)) return body;
  const item_id = await leafletOf(station);
  if (operationId === 'closeBatchItemsShort') return { ...(body as object), items: [item_id] };
  if (operationId === 'actInBatch') {
    // Safe cast: the examples of this operation have one act.
    const {
      acts: [act],
      ...rest
    } = body as { acts: [{ lines: { seen: number }[] }] };
    return { ...rest, acts: [{ ...act, lines: [{ ...act.lines[0], item_id }] }] };
  }
  if (operationId === 'undoPut') return { ...(body as object), item_id };
  return { ...(body as object), shares: [{ item_id, quantity: 3 }] };
}

/** Inserts values into the body that are only known at run time. */
function realBody(operationId: string, value: unknown, { receiver, sent }: Pick<So, 'receiver' | 'sent'>): unknown {
  if (operationId === 'changeSettings') {
    const { callback_url: url, ...rest } = value as { callback_url: string };
    return { ...rest, callback_url: url.replace(/^https?:\/\/[^/]+\//, receiver) };
  }
  if (operationId === 'uploadBackup') {
    return sent.find(({ operation }) => operation.operationId === 'downloadBackup')?.answer.body;
  }
  if (operationId === 'setArticlePicture' || operationId === 'setLogo') return halves('jpeg');
  if (operationId === 'openScreen') {
    const made = sent.findLast(({ operation }) => operation.operationId === 'addScreen');
    const { url = '' } = (made?.answer.body ?? {}) as { url?: string };
    return { secret: url.split('#')[1] };
  }
  if (operationId !== 'issueToken') return value;
  const added = sent.find(({ operation, answer }) => operation.operationId === 'addApiUser' && answer.status === 201);
  const { client_id, client_secret } = (added?.answer.body ?? {}) as { client_id?: string; client_secret?: string };
  return { ...(value as object), client_id, client_secret };
}
