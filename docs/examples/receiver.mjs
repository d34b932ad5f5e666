// A receiver of callbacks in a few lines: prints each one that Pickstation sends. `node docs/examples/receiver.mjs [PORT]`
import { createServer } from 'node:http';

const port = Number(process.argv[2] ?? 4681);

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    process.stdout.write(`${request.method} ${request.url} ${body}\n`);
    response.end();
  });
})
  .on('error', (error) =>
    process.stderr.write(`Port ${port} cannot be opened (${error.message}). Name another one behind the command.\n`),
  )
  .listen(port, '127.0.0.1', () => process.stdout.write(`Waiting for callbacks at http://127.0.0.1:${port}/\n`));
