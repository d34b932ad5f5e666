import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiUserSecrets } from '#shared/api/access.ts';
import type { LoggedExchange, LoggedRequest } from '#shared/api/requestLog.ts';
import { isSecretName } from '../../../electron/server/domain/station/hiddenSecrets.ts';
import { fetchDocument, operations, type JsonObject, type OpenApi } from '../../contract/documents.ts';
import { openSession } from '../../helpers/session.ts';
import { ADMIN_PASSWORD, API_KEY, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const SECRET = 'hunter2-hunter2';
const XML = { 'api-key': API_KEY, 'content-type': 'application/xml' };
const DEVICE = '/api/device/51D000:000001/';

let station: TestStation;

beforeAll(async () => {
  station = await startTestStation({ simulate: 1 });
});

afterAll(() => station.stop());

/** Returns everything that the API shows about the log, as one text. */
async function shown(): Promise<string> {
  const all = await station.get<LoggedRequest[]>('/api/requests/?limit=1000');
  const whole: LoggedExchange[] = [];
  for (const { id } of all) whole.push(await station.get(`/api/requests/${id}/`));
  return JSON.stringify([all, whole]);
}

test('the log never shows a password, key, token, cookie or secret, regardless of how it was sent or returned', async () => {
  const program = await station.post<ApiUserSecrets>('/api/api-users/', { name: 'ERP', scope: 'control' });
  const { write } = await openSession(station);
  const login = (await station.request(
    'POST',
    '/api/user/login/',
    { username: 'admin', password: ADMIN_PASSWORD },
    {
      'content-type': 'application/json',
    },
  )) as { body: { token: string; apikey: string }; headers: Headers };
  await station.request('GET', '/api/device/', undefined, { authorization: `Bearer ${SECRET}` });
  await station.request('GET', `/api/device/?api_key=${SECRET}`);
  await station.request('GET', '/api/device/', undefined, { 'api-key': SECRET, 'user-agent': `x Bearer ${SECRET}` });
  await station.request('POST', '/api/users/', { username: 'Ann', password: SECRET, role: 'picker' });
  await station.request('POST', '/api/users/', `{'username': 'Bo', 'word': '${SECRET}'`);
  await station.request('POST', '/api/users/', `<a><word>${SECRET}</word></a>`, XML);
  await station.request('POST', '/api/users/', { username: 'Cy', passphrase: [SECRET], role: 'picker' });
  await station.request('PUT', '/api/secrets/passphrase/', { passphrase: SECRET });
  await station.request('POST', '/api/secrets/open/', { passphrase: SECRET });
  await station.request('POST', '/api/secrets/open/', `{'word': '${SECRET}'`);
  await station.request('POST', DEVICE, { statica: 'x', password: SECRET });
  await station.request('POST', DEVICE, `{'password': '${SECRET}'}`);
  await station.request('POST', DEVICE, `<a><statica>x</statica><password>${SECRET}</password></a>`, XML);
  const grant = {
    grant_type: 'client_credentials',
    client_id: program.client_id,
    client_secret: program.client_secret,
  };
  const token = (await station.request('POST', '/api/oauth/token/', new URLSearchParams(grant).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })) as { body: { access_token: string } };
  const settings = {
    callback_url: `https://shop.example/?key=${SECRET}`,
    callback_headers: { 'x-own': SECRET },
    callback_api_key: SECRET,
    callback_password: SECRET,
    callback_signing_secret: `whsec_${Buffer.from(SECRET).toString('base64')}`,
  };
  expect((await station.request('PATCH', '/api/settings/', settings)).status).toBe(200);
  expect(
    (await station.request('PATCH', '/api/settings/', undefined, { ...write, 'content-type': 'application/json' }))
      .status,
  ).toBe(400);
  await station.get('/api/settings/');

  const text = await shown();
  const secrets = {
    SECRET,
    API_KEY: `"${API_KEY}"`,
    ADMIN_PASSWORD,
    base64: settings.callback_signing_secret.slice(6),
    key: program.api_key,
    client: program.client_secret,
    csrf: login.body.token,
    apikey: login.body.apikey,
    access: token.body.access_token,
    cookie: write.cookie?.slice(10, 40) ?? '',
  };
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(8);
    expect(text.includes(secret), name).toBe(false);
  }
  // Everything that is not secret is shown.
  for (const word of ['"Ann', 'client_credentials', program.client_id, 'https://shop.example/?key=***', '"statica']) {
    expect(text.replaceAll('\\"', '"')).toContain(word);
  }
});

test('a sign-in in an unusual shape leaves no password in the log', async () => {
  const word = 'corridor-blue-77';
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const bodies: readonly unknown[] = [
    ['admin', word],
    [['admin', word]],
    `admin:${word}`,
    { username: 'admin', kennwort: word },
    { username: 'admin', passwort: { value: word } },
    { username: ['admin', word] },
    { username: { name: 'admin', code: word } },
    { user: { name: 'admin', code: word } },
    { fields: [{ id: 'password', value: word }] },
    { login: `admin ${word}` },
  ];
  const texts = [
    ...bodies.map((body) => JSON.stringify(body)),
    `username=admin&kennwort=${word}`,
    `admin:${word}`,
    `<a><username>admin</username><kennwort>${word}</kennwort></a>`,
  ];
  for (const path of ['/api/user/login/', '/api/user/pin/', '/api/user/password/', '/api/oauth/token/', '/api/users/'])
    for (const text of [...texts, JSON.stringify({ username: 'admin', password: word })])
      for (const headers of [{ 'content-type': 'application/json' }, form, XML])
        await station.request('POST', path, text, { 'api-key': API_KEY, ...headers });
  expect(await shown()).not.toContain(word);
  expect(JSON.stringify(station.logged)).not.toContain(word);
  // The rest of such a body is shown.
  expect((await shown()).replaceAll('\\"', '"')).toContain('"username":"admin","kennwort":"***"');
});

test('an error in the JSON of a body is located without quoting the body, in the answer, the log and the request log', async () => {
  const piece = SECRET.slice(0, 6);
  const bodies = [
    `{"username": "Di", "password": ${SECRET}}`,
    `{"password": "${SECRET}" "role": "picker"}`,
    `{"password": '${SECRET}'}`,
    `{"password": "${SECRET}\n"}`,
    `{"password": "${SECRET}`,
    SECRET,
  ];
  for (const [path, text] of bodies.flatMap((body) =>
    ['/api/users/', '/api/settings/', DEVICE].map((to) => [to, body]),
  )) {
    const { status, body } = await station.request(path === '/api/settings/' ? 'PATCH' : 'POST', path ?? '', text);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'malformed' });
    const { detail } = body as { detail: string };
    expect(detail).toMatch(/^The body is not JSON: line \d+, column \d+: /);
    expect(detail).not.toContain(piece);
  }
  expect(JSON.stringify(station.logged)).not.toContain(piece);
  const whole = (await station.get<LoggedRequest[]>('/api/requests/?limit=1000')).filter(
    ({ code }) => code === 'malformed',
  );
  expect(whole.length).toBeGreaterThanOrEqual(bodies.length * 3);
  for (const { id } of whole) {
    const { answer } = await station.get<LoggedExchange>(`/api/requests/${id}/`);
    expect(JSON.stringify(answer)).not.toContain(piece);
  }
});

test('hides unreadable bodies for every endpoint group that has fields with the names of secrets', async () => {
  const document = await fetchDocument(station, '/api/openapi.json');
  const found = operations(document).filter(({ operation }) => {
    const parts = [operation.requestBody, ...Object.values(operation.responses)] as unknown as JsonObject[];
    // The `key` of a confirmation is an id chosen by the caller; `key_set` says whether a key exists.
    // `customer` and `note` are private, not secret: an unreadable body with neither can be stored.
    const others = namesIn(parts, document, new Set()).filter(
      (name) => !['key', 'customer', 'note'].includes(name) && !name.endsWith('_set'),
    );
    return others.some(isSecretName);
  });
  const tags = new Set(found.flatMap(({ operation }) => operation.tags ?? []));
  // Requests to the log itself are not logged.
  tags.delete('requests');
  expect(tags).toContain('access');
  const hidden = new Set<string>();
  for (const { path, method, operation } of operations(document)) {
    const [tag = ''] = operation.tags ?? [];
    const takesJson = JSON.stringify(operation.requestBody ?? {}).includes('"application/json"');
    if (!tags.has(tag) || !takesJson) continue;
    const to = path.replaceAll(/\{\w+\}/g, '1');
    await station.request(method, to, `{'word': '${SECRET}'`);
    await station.clock.advance(0);
    const [logged] = await station.get<LoggedRequest[]>('/api/requests/?limit=1');
    const { request } = await station.get<LoggedExchange>(`/api/requests/${logged?.id}/`);
    expect(request, `${method} ${path}`).toMatchObject({ kept: 'secret', text: null });
    hidden.add(tag);
  }
  expect([...hidden].toSorted()).toEqual([...tags].toSorted());
});

/** Returns all field names in a schema, including those in referenced schemas. */
function namesIn(value: unknown, document: OpenApi, seen: Set<string>): string[] {
  if (Array.isArray(value)) return value.flatMap((part) => namesIn(part, document, seen));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    if (key === 'example' || key === 'examples' || key === 'headers') return [];
    if (key === 'properties')
      return [...Object.keys(part as object), ...namesIn(Object.values(part as object), document, seen)];
    if (key !== '$ref' || seen.has(part as string)) return namesIn(part, document, seen);
    seen.add(part as string);
    const path = (part as string).slice(2).split('/');
    return namesIn(
      path.reduce<unknown>((at, name) => (at as JsonObject)[name], document),
      document,
      seen,
    );
  });
}
