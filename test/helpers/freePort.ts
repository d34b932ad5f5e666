import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that a system gives away by itself, so that no other program gets it before it is used. */
const [FIRST, COUNT] = [10_000, 20_000];

/** A port that nobody has, and hardly anybody will have. Not of those that browsers refuse: 10080. */
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
