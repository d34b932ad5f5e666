import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Aedes, type AedesOptions } from 'aedes';

export type BrokerSaw = { topic: string; payload: string; retain: boolean };

export type TestBroker = {
  url: string;
  /** All messages from clients, oldest first. */
  saw: BrokerSaw[];
  /** Returns the payloads published to a topic, oldest first. */
  at(topic: string): string[];
  /** Returns the retained messages, by topic. */
  stored(): ReadonlyMap<string, string>;
  /** Publishes a message as another client would. */
  publish(topic: string, payload: string | Uint8Array, retain?: boolean): Promise<void>;
  /** Cuts all client connections. */
  cut(): void;
  stop(): Promise<void>;
};

/** Starts a real MQTT 3.1.1 broker, which refuses MQTT 5. `port` defaults to a free one. */
export async function startBroker(options: AedesOptions = {}, port = 0): Promise<TestBroker> {
  const broker = await Aedes.createBroker(options);
  const saw: BrokerSaw[] = [];
  const stored = new Map<string, string>();
  const sockets = new Set<Socket>();
  broker.on('publish', ({ topic, payload, retain }, client) => {
    if (client === null && !retain) return;
    const text = payload.toString();
    saw.push({ topic, payload: text, retain });
    if (!retain) return;
    if (text === '') stored.delete(topic);
    else stored.set(topic, text);
  });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    broker.handle(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    saw,
    at: (topic) => saw.filter((message) => message.topic === topic).map(({ payload }) => payload),
    stored: () => stored,
    publish: (topic, payload, retain = false) =>
      new Promise((resolve, reject) => {
        const packet = { cmd: 'publish', topic, payload: Buffer.from(payload), qos: 1, retain, dup: false } as const;
        broker.publish(packet, (error) => (error === undefined || error === null ? resolve() : reject(error)));
      }),
    cut: () => sockets.forEach((socket) => socket.destroy()),
    async stop() {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
      await new Promise<void>((resolve) => broker.close(resolve));
    },
  };
}
