/** Minimal HTTP over bare sockets. The load generator shares the machine with the station, so it must use little processor time itself. */
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { API_KEY } from './processes.ts';

const HEAD_END = '\r\n\r\n';

/** Calls `message` for each complete message. All messages in the benchmarks have a content-length. */
function readMessages(socket: Socket, message: (head: string, body: string) => void): void {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    for (;;) {
      const end = text.indexOf(HEAD_END);
      if (end === -1) return;
      const head = text.slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      const total = end + HEAD_END.length + length;
      if (text.length < total) return;
      const body = text.slice(end + HEAD_END.length, total);
      text = text.slice(total);
      message(head, body);
    }
  });
}

/** Opens a keep-alive connection that sends one request at a time. */
export async function openConnection(url: URL) {
  const socket = connect(Number(url.port), url.hostname);
  socket.setNoDelay(true);
  await new Promise((resolve) => socket.once('connect', resolve));
  let answered: ((body: string) => void) | undefined;
  readMessages(socket, (head, body) => {
    if (!/^HTTP\/1.1 20/.test(head)) throw new Error(`${head.split('\r\n')[0]}: ${body}`);
    answered?.(body);
  });
  return {
    request(method: string, path: string, body: string): Promise<string> {
      return new Promise((resolve) => {
        answered = resolve;
        socket.write(
          `${method} ${path} HTTP/1.1\r\nhost: ${url.host}\r\napi-key: ${API_KEY}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}${HEAD_END}${body}`,
        );
      });
    },
    close: () => void socket.destroy(),
  };
}

/** Opens a receiver that answers 200 and calls `received` with the nonce of each callback. */
export async function openReceiver(received: (nonce: string) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    readMessages(socket, (_head, body) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      received((JSON.parse(body) as { nonce: string }).nonce);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
