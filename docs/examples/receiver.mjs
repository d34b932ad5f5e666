// A simple receiver: prints each callback that Pickstation sends. `node docs/examples/receiver.mjs [PORT]`
// Set SIGNING_SECRET to the setting callback_signing_secret to refuse callbacks that the station has not signed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const port = Number(process.argv[2] ?? 4681);
const secret = process.env['SIGNING_SECRET'] ?? '';

/** Whether the signature is valid and recent. `body`: the bytes as they arrived. */
function isSigned({ headers }, body) {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature = '' } = headers;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const hash = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64');
  const [given, expected] = [Buffer.from(signature), Buffer.from(`v1,${hash}`)];
  const isFresh = Math.abs(Date.now() / 1_000 - Number(seconds)) < 300;
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected);
}

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (secret !== '' && !isSigned(request, body)) {
      process.stderr.write('Refused: it is not signed with SIGNING_SECRET.\n');
      response.writeHead(401).end();
      return;
    }
    process.stdout.write(`${request.method} ${request.url} ${body.toString('utf8')}\n`);
    response.end();
  });
})
  .on('error', (error) =>
    process.stderr.write(`Port ${port} cannot be opened (${error.message}). Name another one behind the command.\n`),
  )
  .listen(port, '127.0.0.1', function () {
    process.stdout.write(`Waiting for callbacks at http://127.0.0.1:${this.address().port}/\n`);
  });
