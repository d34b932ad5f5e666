import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startReceiver, type Receiver } from '../helpers/servers/receiver.ts';
import { startTestStation, type TestStation } from '../helpers/startTestStation.ts';

const DEVICE = '51D000:000001';
const SECRET = `whsec_${Buffer.from('\u0000\u0001 a secret with any bytes ÿ').toString('base64')}`;

/** An independent verifier, written from the Standard Webhooks specification with Python's hmac module. */
const VERIFY = `
import base64, hashlib, hmac, json, sys
told = json.load(sys.stdin)
key = base64.b64decode(told["secret"].removeprefix("whsec_"))
for request in told["requests"]:
    headers = request["headers"]
    signed = ".".join([headers["webhook-id"], headers["webhook-timestamp"], request["body"]]).encode()
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = [part.split(",", 1) for part in headers["webhook-signature"].split(" ")]
    print(any(version == "v1" and hmac.compare_digest(text, expected) for version, text in given))
`;

let station: TestStation;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  station = await startTestStation({ simulate: 1, refreshMs: 0 });
  await station.clock.advance(5_000);
});

afterEach(async () => {
  await station.stop();
  await receiver.stop();
});

/** Returns the verifier's result for each received request: `True` if the signature is valid. */
function verified(secret: string): string[] {
  const input = JSON.stringify({ secret, requests: receiver.requests });
  const { stdout, stderr, status } = spawnSync('python3', ['-c', VERIFY], { input, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout.trim().split('\n');
}

test('a standard verifier accepts the signatures of posts, retries, templates and tests', async () => {
  await station.patch('/api/settings/', { callback_url: receiver.url, callback_signing_secret: SECRET });
  await station.post(`/api/device/${DEVICE}/`, { line1: 'x', nonce: 'Größe "8" 🔩 \u0001', quantity: 3 });
  await station.clock.advance(1_000);
  receiver.reply(500);
  await station.press(DEVICE);
  await station.clock.advance(40_000);
  receiver.reply(200);
  await station.post('/api/callbacks/test/');
  await station.patch('/api/settings/', { callback_url: `${receiver.url}?n={nonce}` });
  await station.press(DEVICE, 'front', 'long');
  await station.clock.advance(0);
  // The last request failed above and is repeated as soon as the receiver is back.
  const methods = receiver.requests.map(({ method }) => method);
  expect(methods.slice(0, 4)).toEqual(['POST', 'POST', 'POST', 'POST']);
  expect(methods.slice(-2)).toEqual(['GET', 'GET']);
  expect(receiver.requests.at(-1)?.headers['webhook-id']).toBe(receiver.requests[0]?.headers['webhook-id']);
  expect(verified(SECRET)).toEqual(methods.map(() => 'True'));
  const other = `whsec_${Buffer.from('another').toString('base64')}`;
  expect(new Set(verified(other))).toEqual(new Set(['False']));
});
