import { connectAsync } from 'mqtt';
import { until } from '../test/shells/until.ts';

const SESSION_S = 86_400;

/** A program that takes the callbacks of all stations, with a session that the broker keeps. */
export async function openFleetReceiver(brokerUrl: string, prefix: string) {
  /** The picks of the callbacks, by their ids. */
  const received = new Map<string, string>();
  let repeated = 0;
  /** Milliseconds from the press to here. */
  let delays: number[] = [];
  const client = await connectAsync(brokerUrl, {
    protocolVersion: 5,
    clientId: 'erp',
    clean: false,
    reconnectPeriod: 200,
    properties: { sessionExpiryInterval: SESSION_S, receiveMaximum: 1_000 },
  });
  client.on('error', () => undefined);
  client.on('message', (_topic, payload, packet) => {
    const { 'webhook-id': id = '' } = (packet.properties?.userProperties ?? {}) as Record<string, string>;
    const { nonce } = JSON.parse(payload.toString('utf8')) as { nonce: string };
    if (received.has(id)) repeated += 1;
    else received.set(id, nonce);
    delays.push(Date.now() - Number(nonce.slice(nonce.lastIndexOf('.') + 1)));
  });
  await client.subscribeAsync(`${prefix}/+/callbacks/#`, { qos: 1 });

  return {
    received: received as ReadonlyMap<string, string>,
    repeated: (): number => repeated,
    /** Milliseconds from each press to here, since this was last asked. */
    takeDelays(): number[] {
      const taken = delays;
      delays = [];
      return taken;
    },
    async leave(): Promise<void> {
      // Without a DISCONNECT, as a program that ends.
      await client.endAsync(true);
    },
    /** Callbacks a second that it takes from the broker until it has so many more than before. */
    async catchUp(many: number): Promise<number> {
      const before = received.size;
      const startedAt = performance.now();
      client.reconnect();
      await until('what waited', () => received.size >= before + many);
      return (many / (performance.now() - startedAt)) * 1_000;
    },
    close: () => client.endAsync(true),
  };
}

export type FleetReceiver = Awaited<ReturnType<typeof openFleetReceiver>>;

/** `lost`: booked and never received. `doubled`: picks with more than one id. `invented`: received and never booked. */
export type FleetVerdict = { booked: number; lost: number; doubled: number; invented: number };

export function judge(booked: ReadonlyMap<string, string>, received: ReadonlyMap<string, string>): FleetVerdict {
  const picks = Map.groupBy(received, ([, nonce]) => nonce);
  return {
    booked: booked.size,
    lost: [...booked.keys()].filter((id) => !received.has(id)).length,
    doubled: [...picks.values()].filter((ids) => ids.length > 1).length,
    invented: [...received.keys()].filter((id) => !booked.has(id)).length,
  };
}
