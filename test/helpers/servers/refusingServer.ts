import { createServer, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * Starts a server that closes each connection immediately. It runs until the test has finished. `connections` returns the number of closed
 * connections.
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
