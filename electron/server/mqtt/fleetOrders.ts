import { type FleetOrder, orderAnswerSchema } from '#shared/api/fleet.ts';
import type { NewOrder } from '#shared/api/order.ts';
import type { BrokerConnection } from '../ports/broker.ts';
import { StationError, TooManyRequests } from '../errors.ts';
import type { Clock, Ids } from '../ports.ts';
import { parse, type Watched } from './fleetState.ts';
import { topicsOf } from './topics.ts';

/** Time limit in seconds for the other station's response. After that, the broker drops the order. */
const ANSWER_S = 10;
/** Maximum number of orders that wait for a response. */
const MAX_WAITING = 100;

/** Creates a service that sends orders to other stations. The responses arrive on the topic `orders/result` of those stations. */
export function createFleetOrders(parts: {
  clock: Pick<Clock, 'setTimer'>;
  ids: Pick<Ids, 'bytes'>;
  prefix: string;
  find(station: string): Readonly<Watched> | undefined;
  connection(): BrokerConnection | undefined;
}) {
  const { clock, ids, prefix, find, connection } = parts;
  /** Orders that wait for a response, by the nonce of their command. */
  const waiting = new Map<string, { topic: string; settle: (answer: string | undefined) => void }>();

  /** Waits for the response to an order. Resolves to undefined if none arrives in time, or if the connection ends. */
  function answerTo(key: string, topic: string): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const timer = clock.setTimer(ANSWER_S * 1_000, () => resolve(undefined));
    waiting.set(key, { topic, settle: resolve });
    return promise.finally(() => {
      timer.cancel();
      waiting.delete(key);
    });
  }

  return {
    /** Call with each message that is not retained. Ignores messages that are not responses to these orders. */
    receive(topic: string, text: string): void {
      if (![...waiting.values()].some((asked) => asked.topic === topic)) return;
      const { nonce } = orderAnswerSchema.safeParse(parse(text)).data ?? {};
      const asked = waiting.get(nonce ?? '');
      // Ignore other topics: a different station may have read the nonce and answer with it.
      if (asked?.topic === topic) asked.settle(text);
    },
    /** Call when the connection has ended. Fails all orders that wait for a response. */
    lost(): void {
      for (const { settle } of waiting.values()) settle(undefined);
    },
    /**
     * Sends an order to another station. Rejects with that station's refusal, with `not_found` for an unknown station, or with `conflict`
     * if the order cannot be delivered or gets no response.
     */
    async send(station: string, order: NewOrder, isLaunched: boolean): Promise<FleetOrder> {
      const watched = find(station);
      if (watched === undefined) throw new StationError('not_found', unknown(station));
      const open = connection();
      if (open === undefined) throw new StationError('conflict', NOT_CONNECTED);
      if (watched.availability !== 'online' || watched.info === undefined)
        throw new StationError('conflict', away(station));
      if (waiting.size >= MAX_WAITING) throw new TooManyRequests(BUSY, 1);
      const key = `fleet-${Buffer.from(ids.bytes(12)).toString('hex')}`;
      // The answer contains the nonce, even over MQTT 3.1.1, where `id` is that of the order.
      const body = { ...order, ...(isLaunched ? { launch: true } : {}), nonce: key };
      const topics = topicsOf({ prefix, station });
      const answer = answerTo(key, topics.newOrderResult);
      const published = open.publish(topics.newOrder, JSON.stringify(body), {
        userProperties: { id: key },
        expiryS: ANSWER_S,
      });
      // A broker that hangs neither accepts the order nor reports an error, so stop waiting when `answer` settles.
      const outcome = await Promise.race([published, answer.then(() => undefined)]);
      if (outcome?.kind === 'refused') {
        waiting.get(key)?.settle(undefined);
        throw new StationError('conflict', refused(topics.newOrder, outcome.problem));
      }
      return read(station, await answer);
    },
  };
}

export type FleetOrders = ReturnType<typeof createFleetOrders>;

function read(station: string, text: string | undefined): FleetOrder {
  const answer = text === undefined ? undefined : orderAnswerSchema.safeParse(parse(text)).data;
  if (answer === undefined) throw new StationError('conflict', noAnswer(station));
  const { status, detail, code, errors, order_number: number, state, warnings } = answer;
  if (status >= 200 && status < 300 && number !== undefined && state !== undefined)
    return { station, order_number: number, state, warnings };
  const words = detail === '' ? noAnswer(station) : `Station "${station}": ${detail}`;
  if (code === 'too_many_requests') throw new TooManyRequests(words, 1);
  throw new StationError(code, words, errors);
}

const NOT_CONNECTED = 'There is no connection to the broker: GET /api/fleet/ says why. Nothing was sent.';
const BUSY = `${MAX_WAITING} orders wait for answers of other stations. Nothing was sent: try again in a moment.`;
const unknown = (station: string): string =>
  `There is no station "${station}" below mqtt_prefix. GET /api/fleet/ lists them.`;
const away = (station: string): string =>
  `Station "${station}" is away. Nothing was sent: send the order when it is online again.`;
const refused = (topic: string, problem: string): string =>
  `The broker refused the order. ${problem} The topic is ${topic}.`;
const noAnswer = (station: string): string =>
  `Station "${station}" did not answer. Check there whether the order arrived. You can send it again: a station creates each order number only once.`;
