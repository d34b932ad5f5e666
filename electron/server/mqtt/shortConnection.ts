import type { TestMqtt } from '#shared/api/mqtt.ts';
import { BrokerFault } from '../ports/broker.ts';
import type { Clock, Ids } from '../ports.ts';
import type { BrokerSessionParts } from './brokerSession.ts';
import type { BrokerConnector } from './connector.ts';
import type { Topics } from './topics.ts';

/** Time limit for the echo of a message, in milliseconds. */
const ECHO_MS = 10_000;

const NO_ECHO =
  'The broker took a message and did not deliver it. Check the rights of this user at the broker (ACL): it must read and write everything below mqtt_prefix and mqtt_station.';

/** Fault that is thrown if another station with the same id is online. */
export class TwinFound extends BrokerFault {}

type Parts = {
  connector: BrokerConnector;
  topics: Topics;
  about: BrokerSessionParts['about'];
  ids: Pick<Ids, 'bytes'>;
  clock: Clock;
};

/**
 * Opens a short connection in addition to the permanent one. `collect` returns the retained messages for these filters, by topic. It sends
 * a message to this station itself: when that message arrives, the broker has sent all retained ones.
 */
async function openShort({ connector, topics, about, ids, clock }: Parts) {
  const found = new Map<string, string>();
  const mark = Buffer.from(ids.bytes(6)).toString('hex');
  let echoed: (fault?: BrokerFault) => void = () => undefined;
  const opened = await connector.connect(
    { clientId: `${about().station}-${mark}`, sessionS: 0, will: undefined },
    {
      message({ topic, payload, isRetained }) {
        if (topic === topics.echo(mark)) echoed();
        else if (isRetained && payload.length > 0) found.set(topic, Buffer.from(payload).toString('utf8'));
        return undefined;
      },
      closed: (fault) => echoed(fault),
    },
  );
  return {
    close: () => opened.close(),
    async collect(filters: readonly string[], states: readonly string[] = []): Promise<ReadonlyMap<string, string>> {
      const arrival = Promise.withResolvers<void>();
      echoed = (fault) => (fault === undefined ? arrival.resolve() : arrival.reject(fault));
      const limit = clock.setTimer(ECHO_MS, () => arrival.reject(new BrokerFault(NO_ECHO, { isRefusal: true })));
      async function send(): Promise<void> {
        await opened.subscribe([...filters, topics.echo(mark)]);
        // With QoS 1, mosquitto drops messages beyond its queue limit for a subscription (1,000).
        if (states.length > 0) await opened.subscribe(states, 0);
        const outcome = await opened.publish(topics.echo(mark), 'echo');
        if (outcome.kind === 'refused') throw new BrokerFault(outcome.problem, { isRefusal: true });
      }
      try {
        await Promise.all([send(), arrival.promise]);
      } finally {
        limit.cancel();
      }
      return found;
    },
  };
}

/**
 * Reads the retained messages of this station. Throws TwinFound if another station with the same id is online. `isOwn` tells whether a mark
 * belongs to a run of this station.
 */
export async function lookAround(
  parts: Parts & { isOwn: (instance: string) => boolean },
): Promise<ReadonlyMap<string, string>> {
  const { topics, about, isOwn } = parts;
  const look = await openShort(parts);
  try {
    const found = await look.collect([topics.availability, topics.info], topics.states);
    const info = parseInfo(found.get(topics.info));
    if (found.get(topics.availability) === 'online' && !isOwn(textOf(info['instance']))) {
      const other = [info['name'], info['url']].map(textOf).filter(Boolean).join(', ');
      throw new TwinFound(
        `Another station with the id "${about().station}" is online at this broker${other === '' ? '' : ` (${other})`}. This one stays off: give one of them another mqtt_station.`,
      );
    }
    return found;
  } finally {
    await look.close();
  }
}

/** Checks the broker by sending a message to this station over a separate connection. */
export async function testBroker(parts: Parts): Promise<TestMqtt> {
  const { clock, connector } = parts;
  const beganMs = clock.monotonic();
  const sinceMs = (from: number): number => Math.round(clock.monotonic() - from);
  let opened: Awaited<ReturnType<typeof openShort>> | undefined;
  try {
    opened = await openShort(parts);
    const sentMs = clock.monotonic();
    await opened.collect([]);
    return { state: 'passed', protocol: connector.protocol(), problem: null, milliseconds: sinceMs(sentMs) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const protocol = opened === undefined ? null : connector.protocol();
    return { state: 'failed', protocol, problem, milliseconds: sinceMs(beganMs) };
  } finally {
    await opened?.close();
  }
}

/** Returns a value as a short text, because any client of the broker may have written it. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : '');

function parseInfo(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const info: unknown = JSON.parse(text ?? '{}');
    return typeof info === 'object' && info !== null ? (info as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
