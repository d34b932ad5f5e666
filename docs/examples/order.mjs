// Lights an order and waits until it is picked: exits 0 if all was picked, 2 if less was picked or a place has no device.
//
//   API_KEY=my-key node order.mjs NUMBER PLACE=QUANTITY=NAME...
//   API_KEY=my-key node order.mjs SO-1001 "A-1-1=5=Cable tie 200" "A-1-2=2=Cable tie 300"
//
// PLACE is an alias, a label or a DeviceID. Optional: STATION_URL, COLOR (g), and CALLBACK_PORT (4681), where this program
// listens. Repeat the call to continue an interrupted order: picked items are not lit again. The station has one callback_url.
// If it is empty, this program sets it, which needs an admin's key; otherwise it does not change it.
import { once } from 'node:events';
import { createServer } from 'node:http';

const { API_KEY, STATION_URL = 'http://127.0.0.1:4680/', CALLBACK_PORT = '4681', COLOR = 'g' } = process.env;
const [number, ...rows] = process.argv.slice(2);

function fail(message, code = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

/** `allowed`: an expected status, for which the result is undefined. */
async function call(method, path, body, allowed) {
  const headers = { 'API-KEY': API_KEY, 'content-type': 'application/json' };
  const init = { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(30_000) };
  const answer = await fetch(new URL(path, STATION_URL), init).catch((error) =>
    fail(`The station at ${STATION_URL} cannot be reached: ${error.cause?.message ?? error.message}`),
  );
  const received = await answer.text();
  if (answer.ok) return JSON.parse(received);
  if (answer.status === allowed) return undefined;
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json');
  return fail(`The station answered ${answer.status}: ${isProblem ? JSON.parse(received).detail : received}`);
}

if (rows.length === 0) fail('Usage: node order.mjs NUMBER PLACE=QUANTITY=NAME...');
if (!API_KEY) fail('Set API_KEY to a key of the station.');

// A number may have a slash or a space in it.
const path = `/api/orders/${encodeURIComponent(number)}/`;
const items = rows.map((row) => {
  const [warehouse_location, ordered_quantity, name] = row.split('=');
  return { warehouse_location, ordered_quantity, name };
});

async function end() {
  const order = await call('GET', path);
  for (const { name, ordered_quantity, quantity_fulfilled } of order.items) {
    process.stdout.write(`${name}: ${quantity_fulfilled} of ${ordered_quantity}\n`);
  }
  process.exit(order.items.every(({ state }) => state === 'done') ? 0 : 2);
}

function received({ order_event: event, order, item, quantity }) {
  // Callbacks of other programs arrive here too, a callback can arrive twice, and the last one can arrive before the others.
  if (order !== number) return;
  if (event === 'device_ack') process.stdout.write(`Item ${item}: ${quantity} picked.\n`);
  if (event === 'order_fulfilled') void end();
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  // Answer first, then work: the station repeats a callback that gets no answer within ten seconds.
  request.on('end', () => {
    response.writeHead(204).end(() => received(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
  });
});
server.on('error', (error) => fail(`Port ${CALLBACK_PORT} cannot be opened (${error.message}). Set CALLBACK_PORT.`));
server.listen(Number(CALLBACK_PORT), '127.0.0.1');
await once(server, 'listening');

const mine = `http://127.0.0.1:${server.address().port}/`;
const { callback_url: known } = await call('GET', '/api/settings/');
if (known === '') await call('PATCH', '/api/settings/', { callback_url: mine });
else if (known !== mine) {
  fail(`Callbacks go to ${known} already. Set CALLBACK_PORT to its port, or empty callback_url first.`);
}

// Only orders with a nonce get a callback when they are fulfilled; with 0 seconds nothing times out. 409: the order exists.
const added = { order_number: number, ordernonce: `${number} is picked`, color: COLOR, seconds: 0, items };
await call('POST', '/api/orders/', added, 409);
const launched = await call('POST', `${path}launch/`);
for (const { name } of launched.unassigned) process.stderr.write(`No device was found for ${name}.\n`);
const lit = launched.items.filter(({ state }) => state === 'active').length;
process.stdout.write(`${lit} of ${launched.items.length} items are lit.\n`);
