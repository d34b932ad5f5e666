import { rootCertificates } from 'node:tls';
import type { IClientOptions, IClientSubscribeOptions, IConnackPacket, IPublishPacket, MqttClient } from 'mqtt';
import {
  type BrokerClient,
  type BrokerConnection,
  type BrokerEvents,
  BrokerFault,
  type BrokerMessage,
  type BrokerSignIn,
  type PublishOptions,
  type PublishOutcome,
} from '../ports/broker.ts';
import { describeBrokerError, describeReason, isRefusal, reasonOfCode } from '../domain/station/describeBrokerFault.ts';

/**
 * Keep-alive interval in seconds. The broker publishes the station's last will after one and a half times this interval without a message.
 */
const KEEPALIVE_S = 30;
const CONNECT_MS = 15_000;
/** Maximum number of unacknowledged messages that the broker may send. During a flood, further messages wait at the broker. */
const RECEIVE_MAXIMUM = 32;
/** Maximum size of a received message. A broker with MQTT 5 drops larger messages. */
const MAX_PACKET_BYTES = 2 * 1024 * 1024;
/** Maximum number of unacknowledged messages to the broker if the broker states no limit. */
const MAX_UNACKNOWLEDGED = 64;

const UNSUPPORTED_VERSION = 0x84;
const TAKEN_OVER = 0x8e;
/** Retain handling of a subscription that requests no retained messages. */
const NO_STORED = 2;
/** Subscription identifiers. A broker may deliver a message once for each matching subscription. */
const ORDINARY = 1;
const WATCHED = 2;
const GONE = 'The broker closed the connection. Check its log.';

/**
 * Creates an MQTT client over mqtt.js, which is loaded with the first connection. Each connection has its own mqtt.js client, and the
 * caller decides when to reconnect.
 */
export function createMqttClient(): BrokerClient {
  return {
    connect(signIn, protocol, events) {
      let client: MqttClient | undefined;
      let isOver = false;
      const { promise: ready, resolve, reject } = Promise.withResolvers<BrokerConnection>();
      const giveUp = (): void => {
        isOver = true;
        client?.end(true);
        reject(new BrokerFault('The attempt was abandoned.'));
      };
      import('mqtt')
        .then(({ default: mqtt }) => {
          if (isOver) return;
          client = mqtt.connect(signIn.url, optionsOf(signIn, protocol));
          follow(client, protocol, events, { resolve, reject });
        })
        .catch((error: unknown) => reject(faultOf(error)));
      return { ready, giveUp };
    },
  };
}

function optionsOf(signIn: BrokerSignIn, protocol: BrokerConnection['protocol']): IClientOptions {
  const { username, password, ca, certificate, clientId, sessionS, will } = signIn;
  const isNew = protocol === '5';
  return {
    protocolVersion: isNew ? 5 : 4,
    clientId,
    ...(username === '' ? {} : { username, password }),
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    ...certificate,
    clean: sessionS === 0,
    keepalive: KEEPALIVE_S,
    connectTimeout: CONNECT_MS,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    // Otherwise, each message causes a dozen disabled calls to the `debug` package.
    log: () => undefined,
    ...(will === undefined
      ? {}
      : { will: { topic: will.topic, payload: Buffer.from(will.payload, 'utf8'), qos: 1, retain: true } }),
    ...(isNew
      ? {
          properties: {
            sessionExpiryInterval: sessionS,
            receiveMaximum: RECEIVE_MAXIMUM,
            maximumPacketSize: MAX_PACKET_BYTES,
          },
        }
      : {}),
  };
}

/** Handles the beginning and end of a connection. */
function follow(
  client: MqttClient,
  protocol: BrokerConnection['protocol'],
  events: BrokerEvents,
  { resolve, reject }: { resolve: (connection: BrokerConnection) => void; reject: (fault: BrokerFault) => void },
): void {
  let fault: BrokerFault | undefined;
  let connection: ReturnType<typeof connectionOf> | undefined;
  client.on('connect', (connack: IConnackPacket) => {
    // Otherwise, small messages wait for the acknowledgement of previous ones: 40 ms each way.
    const { stream } = client;
    if ('setNoDelay' in stream && typeof stream.setNoDelay === 'function') stream.setNoDelay(true);
    connection = connectionOf(client, protocol, connack);
    resolve(connection);
  });
  // Acknowledges this message and reads the next one only once it has been handled.
  client.handleMessage = (packet, done) => {
    const handled = events.message(messageOf(packet));
    if (handled === undefined) return done();
    void handled.finally(() => done());
  };
  client.on('disconnect', ({ reasonCode = 0, properties }) => {
    fault = new BrokerFault(describeReason(reasonCode, properties?.reasonString), {
      isRefusal: isRefusal(reasonCode),
      isTakeover: reasonCode === TAKEN_OVER,
    });
  });
  client.on('error', (error) => {
    fault ??= faultOf(error);
    client.end(true);
  });
  client.on('close', () => {
    // Some old brokers close the connection instead of refusing the version.
    const ended = fault ?? new BrokerFault(GONE, { isOldProtocol: connection === undefined && protocol === '5' });
    connection?.ended();
    client.end(true);
    reject(ended);
    if (connection !== undefined && !connection.isClosing()) events.closed(ended);
  });
}

function connectionOf(client: MqttClient, protocol: BrokerConnection['protocol'], connack: IConnackPacket) {
  const most = Math.min(connack.properties?.receiveMaximum ?? MAX_UNACKNOWLEDGED, MAX_UNACKNOWLEDGED);
  // Without subscription identifiers, a command that also matches a watched filter could run twice.
  const hasIds = protocol === '5' && connack.properties?.subscriptionIdentifiersAvailable !== false;
  const waiting: (() => void)[] = [];
  const unsettled = new Set<(outcome: PublishOutcome) => void>();
  let unacknowledged = 0;
  let isEnded = false;
  let isClosing = false;
  let isCorked = false;

  /** Collects all messages of one turn of the event loop into one write, because a write costs more than the messages in it. */
  function holdTurn(): void {
    const { stream } = client;
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    setImmediate(() => {
      isCorked = false;
      stream.uncork();
    });
  }

  function send(
    topic: string,
    payload: string,
    options: PublishOptions,
    settle: (outcome: PublishOutcome) => void,
  ): void {
    unacknowledged += 1;
    holdTurn();
    client.publish(topic, payload, { qos: 1, retain: options.retain ?? false, ...propertiesOf(options) }, (error) => {
      unacknowledged -= 1;
      settle(error === undefined || error === null ? { kind: 'taken' } : outcomeOf(error));
      waiting.shift()?.();
    });
  }

  function propertiesOf({ userProperties, correlation, expiryS }: PublishOptions): object {
    if (protocol !== '5') return {};
    const properties = {
      ...(userProperties === undefined ? {} : { userProperties }),
      ...(correlation === undefined ? {} : { correlationData: Buffer.from(correlation) }),
      ...(expiryS === undefined ? {} : { messageExpiryInterval: expiryS }),
    };
    return Object.keys(properties).length === 0 ? {} : { properties };
  }

  async function subscribe(topics: readonly string[], wish: IClientSubscribeOptions, id: number): Promise<void> {
    const wishes = Object.fromEntries(topics.map((topic) => [topic, wish]));
    try {
      const granted = await (hasIds
        ? client.subscribeAsync(wishes, { ...wish, properties: { subscriptionIdentifier: id } })
        : client.subscribeAsync(wishes));
      const refused = granted.find(({ qos }) => (qos as number) >= 0x80);
      if (refused !== undefined) throw new BrokerFault(describeReason(refused.qos), { isRefusal: true });
    } catch (error) {
      throw faultOf(error);
    }
  }

  return {
    protocol,
    isResumed: connack.sessionPresent,
    isClosing: (): boolean => isClosing,
    publish(topic: string, payload: string, options: PublishOptions = {}): Promise<PublishOutcome> {
      if (isEnded) return Promise.resolve({ kind: 'lost' });
      return new Promise((resolve) => {
        const settle = (outcome: PublishOutcome): void => {
          unsettled.delete(settle);
          resolve(outcome);
        };
        unsettled.add(settle);
        if (unacknowledged < most) send(topic, payload, options, settle);
        else waiting.push(() => send(topic, payload, options, settle));
      });
    },
    subscribe: (topics: readonly string[], qos: 0 | 1 = 1): Promise<void> => subscribe(topics, { qos }, ORDINARY),
    raiseQos: (topics: readonly string[]): Promise<void> => subscribe(topics, { qos: 1, rh: NO_STORED }, ORDINARY),
    async watch(topics: readonly string[]): Promise<void> {
      if (hasIds) await subscribe(topics, { qos: 0, nl: true, rh: NO_STORED }, WATCHED);
    },
    async unsubscribe(topics: readonly string[]): Promise<void> {
      await client.unsubscribeAsync([...topics]).catch(() => undefined);
    },
    async close(): Promise<void> {
      isClosing = true;
      await client.endAsync().catch(() => undefined);
    },
    /** Reports as lost all messages that were not acknowledged. Call when the connection has ended. */
    ended(): void {
      isEnded = true;
      waiting.length = 0;
      for (const settle of unsettled) settle({ kind: 'lost' });
    },
  };
}

function outcomeOf(error: Error): PublishOutcome {
  const code = codeOf(error);
  return code === undefined || code < 0x80 ? { kind: 'lost' } : { kind: 'refused', problem: describeReason(code) };
}

function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}

function faultOf(error: unknown): BrokerFault {
  if (error instanceof BrokerFault) return error;
  const code = codeOf(error);
  if (code === undefined) return new BrokerFault(describeBrokerError(error));
  const reason = reasonOfCode(code);
  const isOldProtocol = reason === UNSUPPORTED_VERSION;
  return new BrokerFault(describeReason(reason), { isRefusal: isRefusal(reason), isOldProtocol });
}

function messageOf({ topic, payload, qos, retain, dup, messageId, properties }: IPublishPacket): BrokerMessage {
  const id = properties?.userProperties?.['id'];
  const through = [properties?.subscriptionIdentifier ?? []].flat();
  return {
    topic,
    payload: Buffer.from(payload),
    qos,
    isRetained: retain,
    packetId: qos === 0 ? undefined : messageId,
    isRedelivered: dup,
    isWatched: through.length > 0 && through.every((subscription) => subscription === WATCHED),
    expires: properties?.messageExpiryInterval !== undefined,
    id: Array.isArray(id) ? id[0] : id,
    propertyNames: Object.entries(properties?.userProperties ?? {}).flatMap(([name, value]) =>
      [value].flat().map(() => name),
    ),
    responseTopic: properties?.responseTopic,
    correlation: properties?.correlationData,
  };
}
