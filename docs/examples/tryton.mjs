// Connects Tryton 6.0: lights an order for each assigned customer shipment, and books in Tryton what was picked.
//
//   TRYTON_URL=http://127.0.0.1:8000/ TRYTON_DB=shop TRYTON_USER=station TRYTON_PASSWORD=... API_KEY=my-key node tryton.mjs
//   node tryton.mjs --once     one round only
//
// Optional: STATION_URL and POLL_SECONDS (5). The key needs the scope control. The user in Tryton needs a company and the
// group Stock.
//
//   Tryton                                  Station
//   shipment, state assigned                order: order_number is the shipment's number, ordernonce "tryton 17" its id
//   its moves from a bin to the output      items: callback_nonce is the id of the move
//   code of the bin, else its name          warehouse_location: an alias, a label or part of one
//
// This program stores nothing. Each round compares both systems and does the next step, so you can stop this program, the
// station or Tryton at any moment: the next round continues. For the same reason it asks the station instead of receiving
// callbacks: the quantities of an order survive any restart, and one request returns all of them.
//
// After a short pick, Tryton reduces the shipment to the picked quantity. If it belongs to a sale, Tryton plans the rest again;
// otherwise nobody delivers the rest, so a note on the shipment says what is missing.
import { setTimeout as pause } from 'node:timers/promises';

const { STATION_URL = 'http://127.0.0.1:4680/', API_KEY, POLL_SECONDS = '5' } = process.env;
const { TRYTON_URL = 'http://127.0.0.1:8000/', TRYTON_DB, TRYTON_USER, TRYTON_PASSWORD } = process.env;
const SHIPMENT = 'model.stock.shipment.out';
const MOVE = 'model.stock.move';

/** A system is away: the round ends. */
class Away extends Error {}
/** A system refuses one step; the other shipments continue. */
class Refused extends Error {}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** The last sentence about each subject, so that the next round does not repeat it. */
const said = new Map();
function say(subject, sentence) {
  if (said.get(subject) === sentence) return;
  said.set(subject, sentence);
  process.stdout.write(`${subject}: ${sentence}\n`);
}

async function send(who, url, init) {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
    if (answer.status >= 500) throw new Error(`it answered ${answer.status}`);
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return { status: answer.status, value: isJson ? await answer.json() : undefined };
  } catch (error) {
    throw new Away(`${who} cannot be reached (${error.cause?.message ?? error.message}). Trying again.`);
  }
}

// ---- The station

/** `allowed`: expected statuses, for which the result is undefined. */
async function station(method, path, { body, allowed = [] } = {}) {
  const headers = { 'API-KEY': API_KEY, 'content-type': 'application/json' };
  const init = { method, headers, body: body && JSON.stringify(body) };
  const { status, value } = await send('The station', new URL(path, STATION_URL), init);
  if (allowed.includes(status)) return undefined;
  if (status === 401) fail('The station does not know the API_KEY.');
  if (status === 429) throw new Away('The station is busy. Trying again.');
  if (status >= 300) throw new Refused(`The station answered ${status}: ${value?.detail}`);
  return value;
}

const orderPath = (number) => `/api/orders/${encodeURIComponent(number)}/`;
const findOrder = (number) => station('GET', orderPath(number), { allowed: [404] });
const isOver = ({ state }) => state === 'done' || state === 'short';
const picked = ({ items }) => items.reduce((sum, { quantity_fulfilled: pieces }) => sum + pieces, 0);

/** Turns the light off and frees the number. Somebody has to return what was picked so far. */
async function drop(order, why) {
  await station('DELETE', orderPath(order.order_number), { allowed: [404] });
  const pieces = picked(order);
  const back = pieces === 0 ? '' : ` ${pieces} pieces were picked already: bring them back.`;
  say(order.order_number, `${why} Its lights are off.${back}`);
}

// ---- Tryton

let session;

async function signIn() {
  const params = [TRYTON_USER, { password: TRYTON_PASSWORD }, 'en'];
  const login = await post({}, 'common.db.login', params);
  if (!login) fail(`Tryton does not take the password of ${TRYTON_USER}.`);
  const [user, key] = login;
  const headers = { authorization: `Session ${Buffer.from(`${TRYTON_USER}:${user}:${key}`).toString('base64')}` };
  const context = await post(headers, 'model.res.user.get_preferences', [true, {}]);
  session = { headers, context };
}

/** Undefined: the session has expired. */
async function post(headers, method, params) {
  const body = JSON.stringify({ id: 1, method, params });
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
  const { status, value } = await send('Tryton', new URL(`/${TRYTON_DB}/`, TRYTON_URL), init);
  if (status === 401) return undefined;
  if (status === 404) fail(`Tryton at ${TRYTON_URL} has no database ${TRYTON_DB}.`);
  if (status >= 300 || value === undefined) throw new Away(`Tryton answered ${status}. Trying again.`);
  const { result, error } = value;
  if (error === undefined) return result;
  // ["UserError", ["what is wrong", "more", null]], or ["an exception of Python", "where"]
  const [kind, sentences] = error;
  throw new Refused(`Tryton refused it: ${Array.isArray(sentences) ? sentences.filter(Boolean).join(' ') : kind}`);
}

/** A call that can be repeated. Signs in first, and again after the session has expired. */
async function tryton(method, ...params) {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (session === undefined) await signIn();
    const result = await post(session.headers, method, [...params, session.context]);
    // Tryton answers null if it has no result.
    if (result !== undefined) return result;
    session = undefined;
  }
  throw new Away('Tryton ends each session at once. Trying again.');
}

async function readShipments() {
  const open = [['state', 'in', ['assigned', 'picked', 'packed']]];
  const fields = ['number', 'state', 'inventory_moves', 'customer.rec_name'];
  const shipments = await tryton(`${SHIPMENT}.search_read`, open, 0, null, [['id', 'ASC']], fields);
  const ids = shipments.flatMap((shipment) => shipment.inventory_moves);
  const ofMove = ['quantity', 'unit_digits', 'uom.symbol', 'product.code', 'product.rec_name'];
  const places = ['from_location.code', 'from_location.rec_name'];
  const moves = await tryton(`${MOVE}.search_read`, [['id', 'in', ids]], 0, null, null, [...ofMove, ...places]);
  const byId = new Map(moves.map((move) => [move.id, move]));
  return shipments.map((shipment) => ({
    ...shipment,
    moves: shipment.inventory_moves.flatMap((id) => byId.get(id) ?? []),
    // Unassigning a shipment between the two reads removes its moves. The next round reads its new state.
    isChanging: !shipment.inventory_moves.every((id) => byId.has(id)),
  }));
}

// ---- From one to the other

const nonceOf = ({ id }) => `tryton ${id}`;

/** 2.9999999999 means 3. */
const quantityOf = ({ quantity, unit_digits: digits }) => Number(quantity.toFixed(digits));

/** Whether the items are these moves. Unassigning a shipment removes its moves; assigning it again creates others. */
function isAbout(order, moves) {
  const ids = new Set(moves.map(({ id }) => String(id)));
  return order.items.length === ids.size && order.items.every(({ callback_nonce: nonce }) => ids.has(nonce));
}

async function light(shipment) {
  const { number, moves } = shipment;
  const broken = moves.find((move) => !Number.isInteger(quantityOf(move)));
  if (broken !== undefined) {
    const amount = `${quantityOf(broken)} ${broken['uom.'].symbol}`;
    throw new Refused(`${amount} of ${articleOf(broken)} is not a number of pieces. Pick this shipment by hand.`);
  }
  const items = moves.map((move) => ({
    name: move['product.'].rec_name,
    SKU: move['product.'].code ?? undefined,
    ordered_quantity: quantityOf(move),
    warehouse_location: move['from_location.'].code || move['from_location.'].rec_name,
    callback_nonce: String(move.id),
  }));
  // 0 seconds: lit until picked. 409: somebody has just created an order with this number; the next round handles it.
  const order = { order_number: number, ordernonce: nonceOf(shipment), seconds: 0, items };
  const created = await station('POST', '/api/orders/', { body: order, allowed: [409] });
  if (created !== undefined) await launch(shipment);
}

async function launch({ number, ...shipment }) {
  const { unassigned } = await station('POST', `${orderPath(number)}launch/`, { body: {} });
  const dark = unassigned.map(({ warehouse_location: place }) => place).join(', ');
  const gap = dark === '' ? '' : ` No device is known for ${dark}: label one and launch the order again.`;
  say(number, `is lit for ${shipment['customer.'].rec_name}.${gap}`);
}

const articleOf = ({ 'product.': { code, rec_name: name } }) => code || name;

/** What is missing in the order, in words. Empty: nothing. */
const shortOf = ({ items }) =>
  items
    .filter(({ quantity_fulfilled: pieces, ordered_quantity: ordered }) => pieces < ordered)
    .map(
      ({ SKU, name, quantity_fulfilled: pieces, ordered_quantity: ordered }) =>
        `${SKU ?? name}: ${pieces} of ${ordered}`,
    )
    .join(', ');

/** Writes what was picked into the moves. An earlier run may have done some of the steps. */
async function book({ id, number, moves }, order) {
  const items = new Map(order.items.map((item) => [item.callback_nonce, item]));
  for (const move of moves) {
    const { quantity_fulfilled: pieces, ordered_quantity: ordered } = items.get(String(move.id));
    const quantity = Math.min(pieces, ordered);
    if (pieces > ordered)
      say(`${number}, ${articleOf(move)}`, `${pieces} picked, ${ordered} booked. Bring the rest back.`);
    if (quantityOf(move) === quantity) continue;
    // Tryton changes the quantity of drafts only. Picks drafts of an earlier run too.
    await tryton(`${MOVE}.draft`, [move.id]);
    await tryton(`${MOVE}.write`, [move.id], { quantity });
    await tryton(`${MOVE}.assign`, [move.id]);
  }
  const short = shortOf(order);
  if (short !== '') await note(id, `Picked short. ${short}`);
  await tryton(`${SHIPMENT}.pick`, [id]);
}

/** Adds a note with this text to the shipment, unless it has one already. */
async function note(id, message) {
  const resource = `stock.shipment.out,${id}`;
  const same = [
    ['resource', '=', resource],
    ['message', '=', message],
  ];
  const known = await tryton('model.ir.note.search', same, 0, 1, null);
  if (known.length === 0) await tryton('model.ir.note.create', [{ resource, message }]);
}

async function finish(shipment, order) {
  const { id, number } = shipment;
  // Another station may have booked it since this round began.
  const state = await stateOf(id);
  if (!['assigned', 'picked', 'packed'].includes(state)) return warnOfDoublePick(number, state, order);
  if (state === 'assigned' && picked(order) === 0) {
    // Do not send an empty parcel: somebody counts the bins, and assigns the shipment again.
    await tryton(`${SHIPMENT}.wait`, [id]);
    say(number, 'nothing of it was found. It waits in Tryton again.');
    return;
  }
  if (state === 'assigned') await book(shipment, order);
  if (state !== 'packed') await tryton(`${SHIPMENT}.pack`, [id]);
  await tryton(`${SHIPMENT}.done`, [id]);
  watched.delete(number);
  const short = shortOf(order);
  say(number, short === '' ? 'is picked and booked.' : `is booked short. ${short}.`);
}

/** Unfinished shipments of the last round, with their ids: for the sentence about a double pick. */
const watched = new Map();

/** Does the next step of a shipment that Tryton wants picked, or that was picked here. */
async function serve(shipment) {
  const { number, state, moves } = shipment;
  watched.set(number, shipment.id);
  let order = await findOrder(number);
  if (order !== undefined && order.ordernonce !== nonceOf(shipment)) {
    throw new Refused('The station has an order of this number that is not from Tryton. Remove one of them.');
  }
  if (order !== undefined && !isAbout(order, moves)) {
    await drop(order, 'was assigned anew.');
    order = undefined;
  }
  if (order === undefined) return state === 'assigned' ? light(shipment) : undefined;
  if (order.items.every(isOver)) return finish(shipment, order);
  if (state !== 'assigned') return drop(order, `is ${state} in Tryton already.`);
  // Once launched, the people at the station decide: what they turned off stays off.
  return order.state === 'open' && order.launched_time === null ? launch(shipment) : undefined;
}

/** Removes our lit orders that Tryton no longer wants: unassigned, canceled, or done elsewhere. */
async function clear(numbers) {
  const lists = ['open', 'in_progress'].map((state) => station('GET', `/api/orders/?state=${state}&limit=10000`));
  await warnOfDoublePicks(numbers);
  const ours = (await Promise.all(lists)).flat().filter(({ ordernonce: nonce }) => /^tryton \d+$/.test(nonce ?? ''));
  for (const order of ours) {
    if (numbers.has(order.order_number)) continue;
    const state = await stateOf(Number(order.ordernonce.slice('tryton '.length)));
    // It has been assigned since this round began.
    if (state === 'assigned') continue;
    await drop(order, state === 'done' ? 'was picked elsewhere.' : `is ${state} in Tryton.`);
  }
}

async function stateOf(id) {
  const [shipment] = await tryton(`${SHIPMENT}.search_read`, [['id', '=', id]], 0, 1, null, ['state']);
  return shipment?.state ?? 'gone';
}

/** Two stations have picked the whole shipment, and the other one booked first. */
async function warnOfDoublePicks(numbers) {
  for (const [number, id] of watched) {
    if (numbers.has(number)) continue;
    const order = await findOrder(number);
    if (order?.ordernonce === `tryton ${id}` && order.items.every(isOver)) {
      warnOfDoublePick(number, await stateOf(id), order);
    }
    watched.delete(number);
  }
}

function warnOfDoublePick(number, state, order) {
  watched.delete(number);
  if (picked(order) === 0) return;
  say(number, `is ${state} in Tryton without these ${picked(order)} pieces: bring them back.`);
}

async function round() {
  const shipments = await readShipments();
  for (const shipment of shipments.filter(({ isChanging }) => !isChanging)) {
    try {
      await serve(shipment);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      say(shipment.number, error.message);
    }
  }
  await clear(new Set(shipments.map(({ number }) => number)));
}

for (const name of ['API_KEY', 'TRYTON_DB', 'TRYTON_USER', 'TRYTON_PASSWORD']) {
  if (!process.env[name]) fail(`Set ${name}.`);
}
const isOnce = process.argv.includes('--once');
for (;;) {
  try {
    await round();
    if (said.has('Connection')) say('Connection', 'is back.');
  } catch (error) {
    if (!(error instanceof Away || error instanceof Refused)) throw error;
    if (isOnce) fail(error.message);
    say('Connection', error.message);
  }
  if (isOnce) break;
  await pause(Number(POLL_SECONDS) * 1_000);
}
