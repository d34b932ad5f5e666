import { expect, test } from 'vitest';
import { CallError, createClient, type ClientOptions } from '../../../packages/client/client.ts';

const DeviceID = '51D000:000001';

type Asked = { url: string; init: RequestInit };

function clientThatIsAnswered(answer: () => Response | Promise<Response>, options: Partial<ClientOptions> = {}) {
  const asked: Asked[] = [];
  const client = createClient({
    baseUrl: 'http://station.example/',
    fetch: async (url, init) => {
      asked.push({ url, init });
      return answer();
    },
    ...options,
  });
  return { client, asked };
}

const json = (status: number, body: unknown): Response => new Response(JSON.stringify(body), { status });

/** Acts like a `fetch` that gets no response: stays pending until its signal aborts. */
function neverAnswers(_url: string, { signal }: RequestInit): Promise<Response> {
  return new Promise((_resolve, reject) => {
    if (signal?.aborted === true) reject(signal.reason as Error);
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call did not fail as it should');
}

test('encodes path and query values, and leaves out undefined ones', async () => {
  const { client, asked } = clientThatIsAnswered(() => json(200, []));
  await client.changeUser({ username: 'Åsa / 50 %?#' }, { role: 'admin' });
  await client.getDevice({ DeviceID });
  await client.listHistory();
  await client.listHistory({ deviceid: DeviceID, limit: 5, after: undefined });
  expect(asked.map(({ url }) => url)).toEqual([
    'http://station.example/api/users/%C3%85sa%20%2F%2050%20%25%3F%23/',
    'http://station.example/api/device/51D000:000001/',
    'http://station.example/api/history/',
    'http://station.example/api/history/?deviceid=51D000%3A000001&limit=5',
  ]);
});

test('sends a body as JSON or as a form, as the operation requires, and no body if the operation has none', async () => {
  const { client, asked } = clientThatIsAnswered(() => json(200, {}));
  await client.sendToDevice({ DeviceID }, { command: 'flash', line1: 'M8', quantity: undefined });
  await client.addSimulatedDevices();
  await client.identifyDevice({ DeviceID });
  await client.issueToken({ grant_type: 'client_credentials', client_id: 'erp 1' });
  const sent = asked.map(({ url, init }) => new Request(url, init));
  expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'POST']);
  expect(sent.map(({ headers }) => headers.get('content-type'))).toEqual([
    'application/json',
    null,
    null,
    'application/x-www-form-urlencoded;charset=UTF-8',
  ]);
  expect(await Promise.all(sent.map((request) => request.text()))).toEqual([
    '{"command":"flash","line1":"M8"}',
    '',
    '',
    'grant_type=client_credentials&client_id=erp+1',
  ]);
});

test('sends nothing when a path value is missing or would change the path', async () => {
  const { client, asked } = clientThatIsAnswered(() => json(200, {}));
  for (const command_id of ['.', '..']) {
    expect(await failureOf(client.removeCommand({ DeviceID, command_id }))).toBeInstanceOf(TypeError);
  }
  // A JavaScript program may leave the field out.
  const nothing: { DeviceID: string } = JSON.parse('{}');
  expect(String(await failureOf(client.removeDevice(nothing)))).toMatch(/removeDevice needs DeviceID/);
  expect(asked).toEqual([]);
});

test("sends the client's headers for the operation, overridden by those of the call", async () => {
  const { client, asked } = clientThatIsAnswered(() => json(200, {}), {
    headers: ({ method }) => ({ 'api-key': 'key', 'x-method': method }),
  });
  await client.getStation({ headers: { 'API-Key': 'other', 'last-event-id': '7' } });
  expect(Object.fromEntries(new Headers(asked[0]?.init.headers))).toEqual({
    accept: 'application/json',
    'api-key': 'other',
    'x-method': 'GET',
    'last-event-id': '7',
  });
});

test('a refusal contains status, code, message and the error of each field', async () => {
  const errors = [{ path: '/color', message: 'No color.' }];
  const { client } = clientThatIsAnswered(() =>
    json(400, { type: 'about:blank', title: 'Invalid', status: 400, code: 'invalid', detail: 'One is wrong.', errors }),
  );
  const failure = await failureOf(client.sendToDevice({ DeviceID }, { color: 'beige-ish' }));
  expect(failure).toBeInstanceOf(CallError);
  expect(failure).toMatchObject({ status: 400, code: 'invalid', detail: 'One is wrong.', errors });
  expect(String(failure)).toBe('CallError: One is wrong.');
});

test('an error keeps the whole problem, also fields that this version of the client does not know', async () => {
  const problem = {
    type: 'about:blank',
    title: 'Conflict',
    status: 409,
    code: 'conflict',
    detail: 'Order SO-1 already exists, with the same content.',
    same: true,
    later_field: { place: 'A-1' },
  };
  const { client } = clientThatIsAnswered(() => json(409, problem));
  const failure = await failureOf(client.addOrder({}, { order_number: 'SO-1', items: [] }));
  expect(failure).toMatchObject({ status: 409, errors: [] });
  expect((failure as CallError).problem).toEqual(problem);
  const page = clientThatIsAnswered(() => new Response('<html>', { status: 502 })).client;
  expect(await failureOf(page.getStation())).toMatchObject({ problem: null });
});

test('a refused token request gives the same kind of error', async () => {
  const { client } = clientThatIsAnswered(() =>
    json(401, { error: 'invalid_client', error_description: 'Client id or secret are wrong.' }),
  );
  const failure = await failureOf(client.issueToken({ grant_type: 'client_credentials' }));
  expect(failure).toMatchObject({ status: 401, code: 'unauthenticated', detail: 'Client id or secret are wrong.' });
});

test('reports an answer from a different program as unreadable', async () => {
  const page = (status: number) => clientThatIsAnswered(() => new Response('<html>', { status })).client;
  expect(await failureOf(page(200).getStation())).toMatchObject({ status: 200, code: 'unreadable', errors: [] });
  expect(await failureOf(page(502).getStation())).toMatchObject({ status: 502, code: 'unreadable' });
  const other = clientThatIsAnswered(() => json(404, { message: 'no route' })).client;
  expect(await failureOf(other.getStation())).toMatchObject({ status: 404, code: 'unreadable' });
});

test('reports a missing or incomplete answer as unreachable, with address and cause', async () => {
  const reason = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
  const silent = clientThatIsAnswered(() => Promise.reject(reason)).client;
  const failure = await failureOf(silent.getStation());
  expect(failure).toMatchObject({ status: 0, code: 'unreachable', cause: reason });
  expect(String(failure)).toMatch(/http:\/\/station\.example\/api\/station\/ gave no answer: connect ECONNREFUSED/);
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('terminated')) });
  const short = clientThatIsAnswered(() => new Response(broken)).client;
  const brokenOff = await failureOf(short.getStation());
  expect(brokenOff).toMatchObject({ status: 0, code: 'unreachable' });
  expect(String(brokenOff)).toMatch(/http:\/\/station\.example\/api\/station\/ gave no answer: terminated/);
});

test('a call ends at its own timeout, the timeout of its client, or the signal of its caller', async () => {
  const patient = createClient({ baseUrl: '', fetch: neverAnswers });
  const timedOut = { code: 'unreachable', cause: { name: 'TimeoutError' } };
  expect(await failureOf(patient.getStation({ timeoutMs: 1 }))).toMatchObject(timedOut);
  expect(await failureOf(createClient({ baseUrl: '', fetch: neverAnswers, timeoutMs: 1 }).getMap())).toMatchObject(
    timedOut,
  );
  const caller = new AbortController();
  const call = failureOf(patient.getStation({ signal: caller.signal }));
  const reason = new Error('no longer wanted');
  caller.abort(reason);
  expect(await call).toBe(reason);
  expect(await failureOf(patient.getStation({ signal: caller.signal }))).toBe(reason);
});

test('a program can throw its own errors instead of ours, and observe each answer', async () => {
  const seen: string[] = [];
  const { client } = clientThatIsAnswered(() => json(409, { code: 'conflict', detail: 'There is one.' }), {
    onFailure: (failure, operation) => new RangeError(`${operation}: ${failure.code}`),
  });
  const call = client.addRack({ name: 'A' }, { onAnswer: ({ status }) => seen.push(`answered ${status}`) });
  expect(String(await failureOf(call))).toBe('RangeError: addRack: conflict');
  expect(seen).toEqual(['answered 409']);
});
