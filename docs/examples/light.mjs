// Lights a place and waits for the callback: exits 0 if somebody presses, 2 if nobody does in time.
//
//   API_KEY=my-key node light.mjs PLACE TEXT [QUANTITY]
//   API_KEY=my-key node light.mjs A-3-2 "Cable tie 200" 5
//
// PLACE is an alias, a label or a DeviceID. Optional: STATION_URL, SECONDS_LIT (60), COLOR (b), and CALLBACK_PORT (4681), where
// this program listens. The station has one callback_url. If it is empty, this program sets it, which needs an admin's key;
// otherwise it does not change it.
import { once } from 'node:events';
import { createServer } from 'node:http';

const { API_KEY, STATION_URL = 'http://127.0.0.1:4680/', CALLBACK_PORT = '4681' } = process.env;
const { SECONDS_LIT = '60', COLOR = 'b' } = process.env;
const [place, text, quantity] = process.argv.slice(2);

function fail(message, code = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

async function call(method, path, body) {
  const headers = { 'API-KEY': API_KEY, 'content-type': 'application/json' };
  const init = { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(30_000) };
  const answer = await fetch(new URL(path, STATION_URL), init).catch((error) =>
    fail(`The station at ${STATION_URL} cannot be reached: ${error.cause?.message ?? error.message}`),
  );
  const received = await answer.text();
  if (answer.ok) return JSON.parse(received);
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json');
  fail(`The station answered ${answer.status}: ${isProblem ? JSON.parse(received).detail : received}`);
}

if (text === undefined) fail('Usage: node light.mjs PLACE TEXT [QUANTITY]');
if (!API_KEY) fail('Set API_KEY to a key of the station.');
// The nonce is how the callback is known again: one that nobody has used before.
const nonce = `light-${place}-${crypto.randomUUID()}`;

function received(callback) {
  // Callbacks of other programs arrive here too, and a callback can arrive twice.
  if (callback.nonce !== nonce) process.stderr.write(`Not ours: ${JSON.stringify(callback)}\n`);
  else if (callback.acknack === 'ack') {
    process.stdout.write(`Pressed, quantity ${callback.qty}.\n`);
    process.exit(0);
  } else fail('Nobody pressed in time.', 2);
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

const sent = await call('POST', '/api/devices/', {
  command: 'flash',
  location: place,
  line1: text,
  quantity,
  color: COLOR,
  seconds: SECONDS_LIT,
  nonce,
});
for (const warning of sent.warnings) process.stderr.write(`Warning: ${warning}\n`);
process.stdout.write(`${sent.deviceid} is lit for ${place}.\n`);
