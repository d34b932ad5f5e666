import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A receiver that violates HTTP on request. */
export type RudeReceiver = {
  url: string;
  /** Returns the number of open connections. */
  open(): number;
  /** Returns the highest number of simultaneously open connections. */
  most(): number;
  stop(): Promise<void>;
};

/** Starts a receiver that passes each new connection to `connected`. */
export async function startRudeReceiver(connected: (socket: Socket) => void): Promise<RudeReceiver> {
  const sockets = new Set<Socket>();
  let most = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    connected(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    open: () => sockets.size,
    most: () => most,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
