/** The part of MQTT that the station needs. Implemented by mqttClient.ts. */

/** A broker, and how to sign in to it. */
export type BrokerSignIn = {
  /** `mqtt:` or `mqtts:`, with host and port. */
  url: string;
  /** Empty if the broker requires no sign-in. */
  username: string;
  password: string;
  /** PEM certificates to trust in addition to the standard root certificates; undefined to trust only those. */
  ca: string | undefined;
  /** Certificate and key of this client, in PEM; undefined if there is none. */
  certificate: { cert: string; key: string } | undefined;
  clientId: string;
  /** How long the broker keeps subscriptions and waiting messages after the connection ends, in seconds; 0 to keep none. */
  sessionS: number;
  /** Retained message that the broker publishes when the connection is lost. */
  will: { topic: string; payload: string } | undefined;
};

/** A message that the broker delivered. */
export type BrokerMessage = {
  topic: string;
  payload: Uint8Array;
  qos: 0 | 1 | 2;
  /** Whether the broker had stored the message before this subscription. */
  isRetained: boolean;
  /** Identifies the message until it is acknowledged; undefined with QoS 0. Used again for later messages. */
  packetId: number | undefined;
  /** Whether the broker may have delivered the message before, and delivers it again because it was not acknowledged. */
  isRedelivered: boolean;
  /** Whether the message arrived only through `watch`. */
  isWatched: boolean;
  /** Whether the message has an expiry time that has not passed. Always false over MQTT 3.1.1. */
  expires: boolean;
  /** The value of the user property `id`; the first one if there are several. */
  id: string | undefined;
  /** The names of all user properties, including repetitions. */
  propertyNames: readonly string[];
  responseTopic: string | undefined;
  correlation: Uint8Array | undefined;
};

export type PublishOptions = {
  retain?: boolean;
  correlation?: Uint8Array | undefined;
  /** Not sent over MQTT 3.1.1. */
  userProperties?: Readonly<Record<string, string>>;
  /** The broker no longer delivers the message after this many seconds. Not sent over MQTT 3.1.1. */
  expiryS?: number;
};

/**
 * A message is `taken` if the broker acknowledged it, and `lost` if the connection ended first. `problem` says in a sentence why it was
 * refused.
 */
export type PublishOutcome = { kind: 'taken' | 'lost' } | { kind: 'refused'; problem: string };

/**
 * The reason why a connection failed or ended. `isRefusal` tells whether the broker refused it, so that another attempt would fail, too.
 */
export class BrokerFault extends Error {
  readonly isRefusal: boolean;
  /** Whether the broker may support only MQTT 3.1.1. */
  readonly isOldProtocol: boolean;
  /** Whether another client with the same client id has taken over. */
  readonly isTakeover: boolean;

  constructor(message: string, kind: { isRefusal?: boolean; isOldProtocol?: boolean; isTakeover?: boolean } = {}) {
    super(message);
    this.isRefusal = kind.isRefusal ?? false;
    this.isOldProtocol = kind.isOldProtocol ?? false;
    this.isTakeover = kind.isTakeover ?? false;
  }
}

export type BrokerConnection = {
  protocol: '5' | '3.1.1';
  /** Whether the broker kept the session, so that messages may be waiting. */
  isResumed: boolean;
  /** Publishes with QoS 1. Never rejects. */
  publish(topic: string, payload: string, options?: PublishOptions): Promise<PublishOutcome>;
  /** Subscribes with QoS 1 by default. Rejects with a BrokerFault if the broker refuses a topic. */
  subscribe(topics: readonly string[], qos?: 0 | 1): Promise<void>;
  /**
   * Changes subscriptions to QoS 1, without getting their retained messages again. Over MQTT 3.1.1, the broker sends them again. Rejects as
   * `subscribe` does.
   */
  raiseQos(topics: readonly string[]): Promise<void>;
  /**
   * Subscribes to messages from other clients, with QoS 0 and without retained messages. They are delivered with `isWatched`. Does nothing
   * over MQTT 3.1.1, or if the broker lacks subscription identifiers. Rejects as `subscribe` does.
   */
  watch(topics: readonly string[]): Promise<void>;
  unsubscribe(topics: readonly string[]): Promise<void>;
  /** Ends the connection properly, so that the will is not published. */
  close(): Promise<void>;
};

export type BrokerEvents = {
  /** Called for each message. The message is acknowledged, and the next one read, when the promise settles. */
  message(message: BrokerMessage): Promise<void> | undefined;
  /** Called if the connection ended for a reason other than `close`. */
  closed(fault: BrokerFault): void;
};

export type BrokerClient = {
  /** Opens a connection. `ready` rejects with a BrokerFault if this fails. */
  connect(
    signIn: BrokerSignIn,
    protocol: BrokerConnection['protocol'],
    events: BrokerEvents,
  ): { ready: Promise<BrokerConnection>; giveUp(): void };
};
