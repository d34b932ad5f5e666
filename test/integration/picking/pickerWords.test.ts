import { renameSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addArticle } from '../../helpers/articles.ts';
import { addBatch, addCart, addTies, PLACE, SLOT_A2 } from '../../helpers/batches.ts';
import { makeKiosk } from '../../helpers/kiosk.ts';
import { addOrder, anItem, itemsOf, orderPath } from '../../helpers/orders.ts';
import { apiWordsIn } from '../../helpers/pickerWords.ts';
import { rawConnection } from '../../helpers/servers/rawHttp.ts';
import { openSession } from '../../helpers/session.ts';
import { type Answer, startTestStation, type TestStation } from '../../helpers/startTestStation.ts';
import { addGoods, addWall, sort } from '../../helpers/walls.ts';

// The page shows pickers what the station refuses. They see no words of the API.
type Headers = Record<string, string>;

const PASSWORD = 'a few easy words';
const CHECK_MS = 2_000;

let station: TestStation;
let anna: Headers;
let ben: Headers;
/** What a picker did, and the sentences of the answers. */
let said: [what: string, sentence: string][] = [];

async function newPicker(username: string): Promise<Headers> {
  await station.post('/api/users/', { username, password: PASSWORD, role: 'picker', pin: '4711' });
  const { write } = await openSession(station, { username, password: PASSWORD });
  return { ...write, 'content-type': 'application/json' };
}

beforeEach(async () => {
  station = await startTestStation({ simulate: 6, refreshMs: 0, checkFolderMs: CHECK_MS });
  await station.post(`/api/device/${PLACE}/`, { locationoverride: 'A-3-1' });
  await station.patch('/api/settings/', { zero_check: true });
  anna = await newPicker('Anna');
  ben = await newPicker('Ben');
  said = [];
});
afterEach(() => station.stop());

/** Sends a request as a picker and keeps the sentences of the answer. */
async function tryTo(what: string, method: string, path: string, body: object = {}, as = anna): Promise<Answer> {
  const answer = await station.request(method, `/api/${path}`, body, as);
  await station.clock.advance(3_000);
  keep(what, answer.body);
  return answer;
}

function keep(what: string, body: unknown): void {
  // Safe cast: only the fields that exist are read.
  const { detail, says, warnings, outcomes, left_out } = body as {
    detail?: string;
    says?: string;
    warnings?: string[];
    outcomes?: { says: string; problem?: { detail: string } }[];
    left_out?: { reason: string }[];
  };
  const sentences = [
    detail,
    says,
    ...(warnings ?? []),
    ...(outcomes ?? []).flatMap((each) => [each.says, each.problem?.detail]),
    ...(left_out ?? []).map(({ reason }) => reason),
  ];
  for (const sentence of sentences) if (sentence !== undefined && sentence !== '') said.push([what, sentence]);
}

const scan = (what: string, code: string, given: object = {}, as = anna): Promise<Answer> =>
  tryTo(what, 'POST', 'scan/', { code, act: true, ...given }, as);

function expectPlain(atLeast: number): void {
  expect(said.filter(([, sentence]) => apiWordsIn(sentence) !== undefined)).toEqual([]);
  expect(said.length).toBeGreaterThanOrEqual(atLeast);
}

test('with an order, no refusal has words of the API', async () => {
  await addArticle(station, 'CT-200', [{ location: 'A-3-1', on_hand: 9 }]);
  await addOrder(station, '10418', [anItem({ SKU: 'CT-200' }), anItem({ name: 'Bolt', deviceid: SLOT_A2 })]);
  await addOrder(station, '10419', [anItem({ deviceid: undefined, warehouse_location: 'Q-1' })]);
  await addOrder(station, '10420', [anItem()]);
  await tryTo('launch', 'POST', 'orders/10418/launch/');
  const [one, two] = await itemsOf(station, '10418');
  const item = (id: number | undefined, rest: string): string => `orders/10418/items/${id}/${rest}`;
  await tryTo("somebody else's order", 'POST', 'orders/10418/launch/', {}, ben);
  await tryTo('join twice', 'POST', 'orders/10418/join/');
  await scan('a code that nobody knows', 'NOBODY');
  await scan('the wrong place', 'A-3-2', { order_number: '10418' });
  await scan('another article', 'CT-999', { order_number: '10418' });
  await scan('an order of somebody else', '10418', {}, ben);
  await scan('too many', 'A-3-1', { order_number: '10418', quantity: 5_000 });
  await scan('the article', 'CT-200', { order_number: '10418' });
  await tryTo('confirm a lit line', 'POST', item(one?.id, 'confirm/'), { quantity: 2, key: 'a' });
  await tryTo('outdated', 'POST', item(one?.id, 'confirm/'), { quantity: 2, seen: 1, key: 'b' });
  const late = new Date(station.clock.now() - 7_200_000).toISOString();
  await tryTo('two hours late', 'POST', item(one?.id, 'confirm/'), { quantity: 2, confirmed_at: late, key: 'c' });
  await tryTo('the same touch with another count', 'POST', item(one?.id, 'confirm/'), { quantity: 1, key: 'c' });
  await tryTo('short with more than found', 'POST', item(one?.id, 'short/'), {
    quantity_fulfilled: 99,
    reason: 'missing',
  });
  await tryTo('short', 'POST', item(two?.id, 'short/'), { quantity_fulfilled: 0, reason: 'missing' });
  await tryTo('short again', 'POST', item(two?.id, 'short/'), { quantity_fulfilled: 1, reason: 'missing' });
  await tryTo('light what is done', 'POST', item(two?.id, 'light/'));
  await tryTo('open what is open', 'POST', item(one?.id, 'reopen/'));
  await tryTo('dismiss', 'POST', item(one?.id, 'dismiss/'));
  await tryTo('a line that is gone', 'POST', item(9_999, 'confirm/'), { quantity: 1 });
  await tryTo('an order that is gone', 'POST', 'orders/99999/launch/');
  await tryTo('hand over to nobody', 'POST', 'orders/10418/handover/', { picker: 'Zoe' });
  await tryTo('hand over to oneself', 'POST', 'orders/10418/handover/', { picker: 'Anna' });
  await tryTo("pause somebody else's order", 'POST', 'orders/10418/pause/', {}, ben);
  await tryTo('pause', 'POST', 'orders/10418/pause/');
  await tryTo('light while paused', 'POST', item(one?.id, 'light/'));
  await tryTo('current line of a paused order', 'PUT', 'user/current/', { order_number: '10418', item_id: one?.id });
  await tryTo('a line that is not open', 'PUT', 'user/current/', { order_number: '10420', item_id: 3 });
  await tryTo('an order without lights', 'POST', 'orders/10419/launch/');
  await tryTo('what is left at an unknown place', 'POST', 'stock/left/', { sku: 'CT-200', location: 'Z-9', count: 1 });
  await tryTo('what is left without a question', 'POST', 'stock/left/', { sku: 'CT-200', location: 'A-3-1', count: 1 });
  await tryTo('what only others are allowed', 'POST', 'articles/', { sku: 'NEW' });
  await tryTo('a count', 'POST', 'stock/', { sku: 'CT-200', location: 'A-3-1', count: 1 });
  await station.post(orderPath('10418', 'abort/'));
  await tryTo('continue an aborted order', 'POST', item(one?.id, 'confirm/'), { quantity: 2 });
  await station.request('DELETE', '/api/orders/10420/');
  await tryTo('a deleted order', 'POST', 'orders/10420/launch/');
  expectPlain(28);
});

test('at a cart, no refusal has words of the API', async () => {
  await addCart(station);
  await addTies(station, '10418', 2);
  await addTies(station, '10419', 3);
  await addTies(station, '10420', 1);
  await addOrder(station, '10421', [anItem({ name: 'Bolt', deviceid: undefined, warehouse_location: 'Q-1' })]);
  await tryTo('nothing loaded', 'POST', 'batches/', { mode: 'cart', cart: 1, slots: [] });
  await station.post('/api/batches/1/abort/', { free: true }).catch(() => undefined);
  await addBatch(station, ['10418', '10419', '10421']).catch(() => undefined);
  await tryTo('a cart in use', 'POST', 'batches/', { mode: 'cart', cart: 1, slots: [{ order_number: '10420' }] });
  await tryTo('an order in a cart', 'POST', 'orders/10418/launch/');
  const { body: live } = await station.request('GET', '/api/batches/?limit=10');
  const id = (live as { id: number; state: string }[]).find(({ state }) => state !== 'done')?.id ?? 1;
  const at = (rest: string): string => `batches/${id}/${rest}`;
  await tryTo('put without pieces', 'POST', at('put/'), { slot: 'A1' });
  await tryTo('pause before the start', 'POST', at('pause/'));
  await tryTo('join before the start', 'POST', at('join/'), {}, ben);
  await tryTo('load twice', 'POST', at('slots/'), { order_number: '10418' });
  await tryTo('load into a taken slot', 'POST', at('slots/'), { order_number: '10420', slot: 'A1' });
  await tryTo('load into no slot', 'POST', at('slots/'), { order_number: '10420', slot: 'Z9' });
  await tryTo('load what is gone', 'POST', at('slots/'), { order_number: '99999' });
  await tryTo('start', 'POST', at('launch/'));
  await tryTo('start again', 'POST', at('launch/'));
  await scan('the cart', 'CART-1');
  await scan('the code of a slot, nothing in hand', 'C1-A1', { batch: id });
  await scan('a code that nobody knows', 'NOBODY', { batch: id });
  await scan('too few at once', 'A-3-1', { batch: id, quantity: 1 });
  const [tie] = await itemsOf(station, '10418');
  await tryTo('confirm a lit line', 'POST', `orders/10418/items/${tie?.id}/confirm/`, { quantity: 2 });
  const now = new Date(station.clock.now()).toISOString();
  const act = (key: string, item_id: number, seen: number) =>
    tryTo(`act ${key}`, 'POST', at('acts/'), {
      acts: [{ key, act: 'pick', acted_at: now, lines: [{ item_id, quantity: 1, seen }] }],
    });
  await act('for a line that is gone', 9_999, 0);
  await act('outdated', tie?.id ?? 0, 1);
  await scan('the place', 'A-3-1', { batch: id });
  await scan('the place again', 'A-3-1', { batch: id });
  await scan('a slot that needs nothing', 'C1-A2', { batch: id, quantity: 0 });
  await tryTo('put too many', 'POST', at('put/'), { slot: 'A1', quantity: 99 });
  await tryTo('put into a free slot', 'POST', at('put/'), { slot: 'B2' });
  await tryTo("put somebody else's pieces", 'POST', at('put/'), { slot: 'A1' }, ben);
  await tryTo('remove an order in hand', 'DELETE', at('slots/A1/'));
  await tryTo('free an open slot', 'POST', at('slots/A1/free/'));
  await tryTo('free a free slot', 'POST', at('slots/B2/free/'));
  await tryTo('undo what was not freed', 'POST', at('slots/B2/free/undo/'));
  await tryTo('take from nobody', 'POST', at('hand/'), { by: 'Zoe', do: 'take' });
  await tryTo('hand over to nobody', 'POST', at('handover/'), { picker: 'Zoe' });
  await tryTo("hand over somebody else's", 'POST', at('handover/'), { picker: 'Ben' }, ben);
  await tryTo('leave what one does not pick', 'POST', at('leave/'), {}, ben);
  await tryTo('give the slots too many', 'POST', at('shares/'), { shares: [{ item_id: tie?.id, quantity: 99 }] });
  await tryTo('give a line that is gone', 'POST', at('shares/'), { shares: [{ item_id: 9_999, quantity: 1 }] });
  await tryTo('put all', 'POST', at('put/'), { all: true });
  await tryTo('undo a put that was not', 'POST', at('put/undo/'), { slot: 'B2', item_id: tie?.id });
  await tryTo('join', 'POST', at('join/'), {}, ben);
  await tryTo('join twice', 'POST', at('join/'), {}, ben);
  await tryTo('end', 'POST', at('abort/'));
  await tryTo('end again', 'POST', at('abort/'));
  await tryTo('start what has ended', 'POST', at('launch/'));
  await tryTo('load what has ended', 'POST', at('slots/'), { order_number: '10420' });
  await tryTo('join what has ended', 'POST', at('join/'), {}, ben);
  await tryTo('pause what has ended', 'POST', at('pause/'));
  expectPlain(38);
});

test('at a wall, no refusal has words of the API', async () => {
  await addWall(station);
  await addGoods(station, '10418', { 'CT-200': 2 });
  await addGoods(station, '10419', { 'CT-200': 1, M8: 1 });
  await sort(station, ['10418', '10419']);
  const at = (rest: string): string => `batches/1/${rest}`;
  await scan('an article that nobody ordered', 'X-1', { batch: 1 });
  await scan('an article', 'CT-200', { batch: 1 });
  await scan('an article, without pieces', 'CT-200', { batch: 1, quantity: 0 });
  await scan('another article first', 'M8', { batch: 1 }, ben);
  await scan('the wall', 'WALL-1');
  await tryTo('the wrong slot', 'POST', at('put/'), { slot: 'B1' });
  await tryTo('a slot that is not there', 'POST', at('put/'), { slot: 'Z1' });
  await tryTo('join', 'POST', at('join/'), {}, ben);
  await tryTo('set aside for nobody', 'POST', at('hand/'), { by: 'Zoe', do: 'set_aside' });
  await tryTo('free what is not complete', 'POST', at('free/'), {});
  const [tie] = await itemsOf(station, '10418');
  await tryTo('confirm by hand', 'POST', `orders/10418/items/${tie?.id}/confirm/`, { quantity: 2 });
  await scan('a line that is gone', 'CT-200', { batch: 1, item_id: 9_999 });
  await tryTo('pause', 'POST', at('pause/'));
  await scan('an article while paused', 'CT-200', { batch: 1 });
  expectPlain(12);
});

test('at a kiosk, and when the station refuses everything, no sentence has words of the API', async () => {
  const kiosk = await makeKiosk(station);
  keep('a wrong PIN', (await kiosk.signIn('Anna', '0000')).body);
  keep('a person without a PIN', (await kiosk.signIn('admin', '4711')).body);
  for (let tries = 0; tries < 12; tries += 1) keep('many wrong PINs', (await kiosk.signIn('Ben', `000${tries}`)).body);
  const other = await station.request(
    'POST',
    '/api/user/pin/',
    { username: 'Anna', pin: '4711' },
    {
      'content-type': 'application/json',
    },
  );
  keep('a PIN elsewhere', other.body);
  expectPlain(5);
});

/** Prepares a lit order of Anna, and returns what she then does about it. */
async function lit(): Promise<[what: string, path: string, body: object][]> {
  await addArticle(station, 'CT-200', [{ location: 'A-3-1', on_hand: 9 }]);
  await addOrder(station, '10418', [anItem({ SKU: 'CT-200' })]);
  await addOrder(station, '10419', [anItem()]);
  await tryTo('launch', 'POST', 'orders/10418/launch/');
  const [item] = await itemsOf(station, '10418');
  said = [];
  return [
    ['confirm', `orders/10418/items/${item?.id}/confirm/`, { quantity: 1 }],
    ['short', `orders/10418/items/${item?.id}/short/`, { quantity_fulfilled: 0, reason: 'missing' }],
    ['launch', 'orders/10419/launch/', {}],
    ['pause', 'orders/10418/pause/', {}],
    ['scan', 'scan/', { code: 'CT-200', act: true, order_number: '10418' }],
    ['a kiosk', 'user/pin/', { username: 'Anna', pin: '4711' }],
  ];
}

test('while the data folder is gone, no refusal has words of the API', async () => {
  const acts = await lit();
  const away = `${station.dataFolder}-away`;
  renameSync(station.dataFolder, away);
  await station.clock.advance(CHECK_MS);
  for (const [what, path, body] of acts) expect((await tryTo(what, 'POST', path, body)).status, what).toBe(503);
  renameSync(away, station.dataFolder);
  expectPlain(acts.length);
});

test('while the station is stopping, its refusal has no words of the API', async () => {
  const [[what, path, given] = ['', '', {}]] = await lit();
  const connection = await rawConnection(station.url);
  const body = JSON.stringify(given);
  const headers = { host: new URL(station.url).host, ...anna, 'content-length': String(body.length) };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  connection.write(`POST /api/${path} HTTP/1.1\r\n${head.join('')}`);
  // The answer to a later request shows that the station has the beginning of this one.
  await station.request('GET', '/healthz');
  const stopped = station.stop();
  connection.write(`\r\n${body}`);
  const [top, text = ''] = (await connection.closed()).split('\r\n\r\n');
  expect(top).toMatch(/^HTTP\/1\.1 503 /);
  keep(what, JSON.parse(text));
  await stopped;
  expectPlain(1);
});
