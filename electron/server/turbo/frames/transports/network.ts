import type { IncomingMessage } from 'node:http';
import { createServer as createPlainServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import type { Admission, Clock } from '../../../ports.ts';
import type { MessageTurns } from '../../../scheduling/messageTurns.ts';
import { streamTransport } from './stream.ts';
import type { Transport } from './transport.ts';

/** The other end of a network connection whose turbo has not signed in yet. */
export type TurboPeer = { address: string; isEncrypted: boolean };

export type NetworkOptions = {
  clock: Clock;
  /** Creates the access control for a new connection. */
  admission: (caller: TurboPeer) => Admission;
  attach: (transport: Transport) => void;
  /** The turns in which connections are read. */
  turns?: MessageTurns | undefined;
};

/** Maximum number of open connections: far more turbos than a site has, and few enough to be harmless. */
const MAX_CONNECTIONS = 200;
/** Maximum size of a WebSocket message: many times the largest frame. */
const MAX_MESSAGE_BYTES = 256 * 1_024;
/** Time limit for the TLS handshake. */
const HANDSHAKE_MS = 10_000;

/** Listener for turbos over plain TCP, or over TLS with a certificate. The stream contains only the bytes of the protocol. */
export type TurboListener = {
  port: number;
  /** Uses a different certificate for new connections. */
  renew(tls: { cert: string; key: string }): void;
  /** Stops listening, but keeps existing connections. Resolves when the last connection has ended. */
  retire(): Promise<void>;
  stop(): Promise<void>;
};

/** Listens for turbos on a TCP port. Rejects with the system's error if the port cannot be opened. */
export async function listenForTurbos(
  where: { host: string; port: number; tls: { cert: string; key: string } | undefined },
  { clock, admission, attach, turns }: NetworkOptions,
): Promise<TurboListener> {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.setNoDelay(true);
    // Keep-alive probes detect a pulled cable; the heartbeat detects it even sooner.
    socket.setKeepAlive(true, 30_000);
    const caller = { address: plain(socket.remoteAddress), isEncrypted: socket instanceof TLSSocket };
    const port = nameOf(socket);
    attach(streamTransport(socket, { clock, kind: 'network', port, admission: admission(caller), turns }));
  };
  const secure =
    where.tls === undefined
      ? undefined
      : createTlsServer({ ...where.tls, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS }, accept);
  const server: Server = secure ?? createPlainServer(accept);
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where.port, where.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    renew: (tls) => secure?.setSecureContext({ ...tls, minVersion: 'TLSv1.2' }),
    retire: () => new Promise<void>((resolve) => void server.close(() => resolve())),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Accepts turbos over WebSocket. Binary messages form a byte stream that can be split anywhere. */
export function createTurboSockets({ clock, attach, turns }: Omit<NetworkOptions, 'admission'>) {
  let server: WebSocketServer | undefined;
  let stopped = false;
  return {
    /** Upgrades an admitted connection to a WebSocket. */
    async accept(req: IncomingMessage, socket: Duplex, head: Buffer, admission: Admission): Promise<void> {
      // Loaded on demand, because most stations have no such turbo.
      const { createWebSocketStream, WebSocketServer } = await import('ws');
      if (stopped) socket.destroy();
      if (socket.destroyed) return;
      const taking = (server ??= new WebSocketServer({
        noServer: true,
        maxPayload: MAX_MESSAGE_BYTES,
        perMessageDeflate: false,
        // Handle one message per turn of the event loop.
        allowSynchronousEvents: false,
      }));
      taking.handleUpgrade(req, socket, head, (webSocket) => {
        const closing = [...taking.clients].filter(({ readyState, OPEN }) => readyState !== OPEN);
        if (taking.clients.size - closing.length > MAX_CONNECTIONS) return webSocket.close(1013, 'Too many turbos');
        // Terminate closing connections, which wait for the other side and may never end.
        if (taking.clients.size > MAX_CONNECTIONS) for (const one of closing) one.terminate();
        const stream = createWebSocketStream(webSocket);
        attach(streamTransport(stream, { clock, kind: 'network', port: nameOf(req.socket), admission, turns }));
      });
    },
    stop(): void {
      stopped = true;
      for (const webSocket of server?.clients ?? []) webSocket.terminate();
      server?.close();
    },
  };
}

function nameOf(socket: Socket): string {
  const address = plain(socket.remoteAddress);
  return `${address.includes(':') ? `[${address}]` : address}:${socket.remotePort ?? 0}`;
}

function plain(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:/, '');
}
