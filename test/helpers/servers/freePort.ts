import { once } from 'node:events';
import { createServer } from 'node:net';

/** Range of ports below those that the system assigns, so that no other program takes a port before it is used. */
const [FIRST, COUNT] = [10_000, 20_000];

/** Finds a free port that other programs are unlikely to take. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + 100 + Math.floor(Math.random() * COUNT);
    const server = createServer();
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    } catch {
      continue;
    }
    await once(server.close(), 'close');
    return port;
  }
}
