import { expect, test } from 'vitest';
import { fetchDocument, resolve, responseOf, type OpenApi } from '../contract/documents.ts';
import { toZod } from '../contract/strict.ts';
import { createRequests, type GeneratedRequest, type Pools } from '../helpers/openapiRequests.ts';
import { rawRequest, type RawAnswer, type RawRequest } from '../helpers/rawHttp.ts';
import { API_KEY, startTestStation, type TestStation } from '../helpers/startTestStation.ts';
import type { z } from 'zod';

/** FUZZ_REQUESTS says how many are sent, a hundred to each station; FUZZ_SEED runs the hundred of one seed alone. */
const { FUZZ_REQUESTS = '1000', FUZZ_SEED } = process.env;

const OF_A_STATION = 100;
const SEEDS =
  FUZZ_SEED === undefined
    ? Array.from({ length: Math.ceil(Number(FUZZ_REQUESTS) / OF_A_STATION) }, (_, index) => index + 1)
    : [Number(FUZZ_SEED)];

const DEVICES = ['51D000:000001', '51d000:000002', '51D000:000003', '51D0FF:00000A'];

const POOLS: Pools = {
  DeviceID: DEVICES,
  deviceid: DEVICES,
  SerialNo: ['SIM-1', 'SIM-2'],
  location: ['A-1-1', 'a-2', '51D000:000001', 'nowhere'],
  locationoverride: ['A-1-1', 'A-1-2', ''],
  name: ['A-1', 'A-2', 'beep', 'ERP'],
  id: ['1', '2', 'rack-a', 'shelf-a', 1, 2],
  shelf: ['shelf-a', 'shelf-b'],
  command_id: ['1', '2', '3', '4', '5', '9999'],
  command: ['flash', 'pick', 'kill', 'static', 'location', 'blink'],
  color: ['r', 'rg', '#00ff00', 'no colour'],
  arrow: ['left', 'up', 'bottomright', ''],
  sound: ['beep', '140,c5,2', 'none', 'no tune'],
  icon: ['hazardd', 'no-smoking', 'nothing'],
  deviceIs: ['Below', 'to the Left of', 'inside'],
  username: ['admin', 'Paula', 'nobody'],
  after: ['1', '20', '0'],
};

const ONLY: Pools = {
  // A hundred thousand devices are another test.
  count: [1, 2],
  // Nobody but this station is asked anything.
  callback_url: [''],
  public_urls: [[]],
  cors_origins: [[], ['https://shop.example']],
};

/** Passwords take long to hash; what never ends has no answer. */
const SELDOM = new Set(['signIn', 'addUser', 'changeUser', 'changePassword', 'issueToken', 'makeDemoShop']);
const OFTEN = new Set(['sendToDevice', 'sendToDevices', 'sendByAddressNonce', 'preview']);

function weightOf(operationId: string): number {
  if (operationId === 'streamEvents' || operationId === 'finishSetup') return 0;
  return SELDOM.has(operationId) ? 1 : OFTEN.has(operationId) ? 20 : 6;
}

/** What the document says of each answer, made once. */
function createJudge(document: OpenApi) {
  const schemas = new Map<unknown, z.ZodType>();
  const schemaOf = (schema: unknown): z.ZodType => {
    const known = schemas.get(schema) ?? toZod(schema, document);
    schemas.set(schema, known);
    return known;
  };
  const problem = resolve({ $ref: '#/components/schemas/Problem' }, document);

  /** Undefined where the answer is one that the document allows. */
  return (request: GeneratedRequest, { status, headers, text }: RawAnswer): string | undefined => {
    const { operation, kind } = request;
    const [type = ''] = headers['content-type']?.split(';') ?? [];
    const body: unknown = type.includes('json') && text !== '' ? JSON.parse(text) : undefined;
    if (status >= 500) return `${status}`;
    // Another path or method than that of the operation may have come of it.
    if (kind === 'hostile' && status >= 400) {
      const isProblem = schemaOf(problem).safeParse(body).success || operation.operationId === 'issueToken';
      return isProblem || request.method === 'HEAD' ? undefined : `no problem: ${JSON.stringify(body)}`;
    }
    if (kind === 'hostile') return undefined;
    if (!(String(status) in operation.responses)) return `${status} is not named`;
    const content = responseOf(operation, status, document)?.content ?? {};
    if (Object.keys(content).length === 0) return type === '' ? undefined : `a body of ${type}`;
    const described = content[type];
    if (described === undefined) return `${status} is of the type ${type}`;
    if (!type.includes('json')) return undefined;
    const { error } = schemaOf(described.schema).safeParse(body);
    return error === undefined ? undefined : `${error.message} in ${JSON.stringify(body)}`;
  };
}

/** With its length: without one Node announces no body of a DELETE, and what follows is another request, and no good one. */
function withBody(sent: RawRequest & { headers: Record<string, string> }, body: string): RawRequest {
  return { ...sent, body, headers: { ...sent.headers, 'content-length': String(Buffer.byteLength(body)) } };
}

/** Everything that the window would show, but for what a commit without effect may count. */
async function snapshot(station: TestStation): Promise<object> {
  return { ...(await station.get<object>('/api/station/')), revision: 0 };
}

test.each(SEEDS)('no request breaks the station, and what is refused changes nothing (seed %i)', async (seed) => {
  await using station = await startTestStation({ simulate: 3, refreshMs: 0, seed });
  const document = await fetchDocument(station, '/api/openapi.json');
  await station.request('PUT', '/api/map/', {
    racks: [{ id: 'rack-a', name: 'A', columns: 2, shelves: [{ id: 'shelf-a', name: 'A-1' }] }],
    places: [],
  });
  const judge = createJudge(document);
  const requests = createRequests({ document, seed, pools: POOLS, only: ONLY, weightOf });
  let before = await snapshot(station);
  for (let index = 0; index < OF_A_STATION; index += 1) {
    const request = requests.next();
    const said = `seed ${seed}, request ${index}: ${request.kind} ${request.method} ${request.path.slice(0, 300)} ${request.body?.slice(0, 500) ?? ''}`;
    const { method, path, headers, body } = request;
    const sent = { method, path, headers: { 'api-key': API_KEY, ...headers } };
    const answer = await rawRequest(station.url, body === undefined ? sent : withBody(sent, body));
    expect(judge(request, answer), said).toBeUndefined();
    await station.clock.advance(0);
    const after = await snapshot(station);
    if (answer.status >= 400) expect(after, said).toEqual(before);
    before = after;
    if (index % 10 === 9) {
      await station.clock.advance(1_000);
      before = await snapshot(station);
    }
  }
  expect(station.logged.filter(({ level }) => level === 'error')).toEqual([]);
});
