import { createServer, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Starts a server that ends each connection at once, until the test has finished. `connections`: how many it has ended.
 */
export async function startRefusing(): Promise<{ port: number; connections(): number }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, connections: () => count };
}
