import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/**
 * Moment of an accident: `before` the request is passed to the server, or `after` the server has answered, but before the answer is passed
 * on.
 */
export type AccidentMoment = 'before' | 'after';

export type AccidentProxy = { url: string; close(): Promise<void> };

/** Creates a proxy between the connector and a server. At both moments of each request, the proxy waits for `at`. */
export async function createAccidentProxy(parts: {
  /** Returns the server's current address. */
  target: () => string;
  /** Names a request by its method, path and body. */
  nameOf: (request: { method: string; path: string; body: string }) => string;
  at: (moment: AccidentMoment, name: string) => Promise<void>;
}): Promise<AccidentProxy> {
  const { target, nameOf, at } = parts;
  const server = createServer((request, response) => {
    forward(request)
      .then(({ status, text }) => response.writeHead(status, { 'content-type': 'application/json' }).end(text))
      // The server was killed: break the connector's connection too.
      .catch(() => response.destroy());
  });

  async function forward(request: IncomingMessage): Promise<{ status: number; text: string }> {
    const { method = '', url: path = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const name = nameOf({ method, path, body });
    await at('before', name);
    const kept = ['authorization', 'api-key', 'content-type'].flatMap((header) => {
      const value = headers[header];
      return typeof value === 'string' ? [[header, value] as [string, string]] : [];
    });
    const answer = await fetch(new URL(path, target()), { method, headers: kept, body: body === '' ? null : body });
    const text = await answer.text();
    await at('after', name);
    return { status: answer.status, text };
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
