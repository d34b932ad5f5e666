// Prints the progress of each order, even across restarts of the station and of this program. Ends with Ctrl+C.
//
//   API_KEY=my-key node events.mjs [FILE]
//
// FILE (orders.json) stores what was printed and the id of the last event: the next start prints what happened meanwhile.
// STATION_URL is optional.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const { API_KEY, STATION_URL = 'http://127.0.0.1:4680/' } = process.env;
const [FILE = 'orders.json'] = process.argv.slice(2);
// The station sends at least a comment every 15 seconds.
const SILENCE_MS = 45_000;

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

if (!API_KEY) fail('Set API_KEY to a key of the station.');

async function get(path, { headers = {}, signal = AbortSignal.timeout(SILENCE_MS) } = {}) {
  const answer = await fetch(new URL(path, STATION_URL), { headers: { 'API-KEY': API_KEY, ...headers }, signal });
  if (answer.ok) return answer;
  const text = await answer.text();
  if (answer.status !== 503) fail(`The station answered ${answer.status}: ${text}`);
  throw new Error(text);
}

const state = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : { last: null, orders: {} };

function save() {
  const file = openSync(`${FILE}.new`, 'w');
  writeSync(file, JSON.stringify(state));
  fsyncSync(file);
  closeSync(file);
  renameSync(`${FILE}.new`, FILE);
}

const words = (order) => `${order.state}, ${order.quantity_fulfilled} of ${order.ordered_quantity}`;

function show(number, text) {
  if (state.orders[number] === text) return;
  process.stdout.write(`${number}: ${text ?? 'deleted'}\n`);
  state.orders[number] = text;
}

/** Reads all orders: at the first start, and if the station no longer has the events since the last one. */
async function load() {
  const orders = {};
  let revision;
  for (let path = '/api/order-progress/'; path !== undefined;) {
    const answer = await get(path);
    for (const order of await answer.json()) orders[order.order_number] = words(order);
    // Resume from the first page: changes made while later pages were read arrive again as events.
    revision ??= answer.headers.get('pickstation-revision');
    path = /^<([^>]*)>/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  for (const number of Object.keys({ ...state.orders, ...orders })) show(number, orders[number]);
  state.last = revision;
  save();
}

function take(facts) {
  for (const fact of facts) {
    if (fact.type === 'order.changed') show(fact.order.order_number, words(fact.order));
    else if (fact.type === 'order.removed') show(fact.order_number, undefined);
  }
}

/** One block of the stream: lines with a name and a value. */
async function takeEvent(block) {
  const { event, id, data } = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
  if (event === 'reset') await load();
  if (event !== 'facts') return;
  take(JSON.parse(data));
  // Everything up to this id has been printed.
  state.last = id;
  save();
}

async function follow() {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const stream = await get('/api/events/', { headers: { 'last-event-id': state.last }, signal: silence.signal });
    let text = '';
    for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) {
      timer.refresh();
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop();
      for (const block of blocks) await takeEvent(block);
    }
  } finally {
    clearTimeout(timer);
  }
}

for (;;) {
  try {
    if (state.last === null) await load();
    await follow();
  } catch {
    // The station is unreachable. It sends the missed events after the next connection.
  }
  await sleep(1_000);
}
