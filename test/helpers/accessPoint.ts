import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

/** Events of the access point, each sent again over a new socket until its `id` is confirmed. */
export type AccessPointEvent =
  | { id: number; type: 'tag'; mac: string; batteryMv: number; rssiDbm: number }
  | { id: number; type: 'drawn'; mac: string; job: number }
  | { id: number; type: 'pressed'; mac: string; job: number };

export type Tag = { mac: string; image: Buffer | undefined; led: string; job: number };

/**
 * Hardware of another maker, as on the market: `PUT /tags/{mac}/image` accepts a picture (PBM) and a colour, a
 * WebSocket at `/events` reports events. It has no frames, tokens, quantities or seconds.
 */
export type AccessPoint = {
  url: string;
  tags: ReadonlyMap<string, Tag>;
  /** Pictures received, for all tags. */
  uploads(): number;
  press(mac: string): void;
  /** Cuts the socket; the client reconnects. */
  cut(): void;
  /** Events not confirmed yet. */
  unconfirmed(): number;
  stop(): Promise<void>;
};

export async function startAccessPoint(macs: readonly string[]): Promise<AccessPoint> {
  const tags = new Map<string, Tag>(macs.map((mac) => [mac, { mac, image: undefined, led: '', job: 0 }]));
  const waiting: AccessPointEvent[] = [];
  const sockets = new Set<WebSocket>();
  let events = 0;
  let uploads = 0;

  // Event types are checked where they are created.
  function tell(event: Record<string, unknown>): void {
    const told = { id: ++events, ...event } as AccessPointEvent;
    waiting.push(told);
    for (const socket of sockets) socket.send(JSON.stringify(told));
  }

  async function upload(mac: string, req: IncomingMessage): Promise<number> {
    const tag = tags.get(mac);
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const image = Buffer.concat(chunks);
    if (tag === undefined) return 404;
    if (!image.subarray(0, 11).equals(Buffer.from('P4\n296 128\n')) || image.length !== 11 + 37 * 128) return 415;
    uploads += 1;
    Object.assign(tag, { image, led: String(req.headers['x-led']), job: Number(req.headers['x-job']) });
    tell({ type: 'drawn', mac, job: tag.job });
    return 202;
  }

  const server = createServer((req, res) => {
    const mac = /^\/tags\/([^/]+)\/image$/.exec(req.url ?? '')?.[1] ?? '';
    upload(mac, req).then(
      (status) => res.writeHead(status).end(),
      () => res.destroy(),
    );
  });
  const socketServer = new WebSocketServer({ server, path: '/events' });
  socketServer.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('message', (text) => {
      const { confirm } = JSON.parse((text as Buffer).toString('utf8')) as { confirm: number };
      const place = waiting.findIndex(({ id }) => id === confirm);
      if (place >= 0) waiting.splice(place, 1);
    });
    const status = macs.map((mac) => ({ type: 'tag', mac, batteryMv: 2_900, rssiDbm: -50 }));
    for (const event of waiting) socket.send(JSON.stringify(event));
    for (const event of status) tell(event);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    tags,
    uploads: () => uploads,
    press: (mac) => tell({ type: 'pressed', mac, job: tags.get(mac)?.job ?? 0 }),
    cut() {
      for (const socket of sockets) socket.terminate();
      sockets.clear();
    },
    unconfirmed: () => waiting.length,
    async stop() {
      for (const socket of sockets) socket.terminate();
      socketServer.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
