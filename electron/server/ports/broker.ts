/** The part of MQTT that the station needs. Implemented by mqttClient.ts. */

/** A broker, and how to sign in to it. */
export type BrokerSignIn = {
  /** `mqtt:` or `mqtts:`, with host and port. */
  url: string;
  /** Empty: no sign-in. */
  username: string;
  password: string;
  /** PEM certificates to trust in addition to the well-known ones. Undefined: only the well-known ones. */
  ca: string | undefined;
  /** Certificate and key of this client, in PEM. Undefined: none. */
  certificate: { cert: string; key: string } | undefined;
  clientId: string;
  /** Seconds for which the broker keeps subscriptions and waiting messages. 0: only during the connection. */
  sessionS: number;
  /** Published by the broker, retained, when the connection is lost. */
  will: { topic: string; payload: string } | undefined;
};

/** A message that the broker delivered. */
export type BrokerMessage = {
  topic: string;
  payload: Uint8Array;
  qos: 0 | 1 | 2;
  /** Whether the broker had stored the message before this subscription. */
  isRetained: boolean;
  /** Whether the message arrived only through `watch`. */
  isWatched: boolean;
  /** Whether the message has an expiry, which has not passed. Always false over MQTT 3.1.1. */
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
  /** Seconds after which the broker no longer delivers the message. Not sent over MQTT 3.1.1. */
  expiryS?: number;
};

/** `taken`: acknowledged. `refused`: why, as a sentence. `lost`: the connection ended before either. */
export type PublishOutcome = { kind: 'taken' | 'lost' } | { kind: 'refused'; problem: string };

/** The reason why a connection failed or ended. `isRefusal`: the broker refused it, so another attempt would fail, too. */
export class BrokerFault extends Error {
  readonly isRefusal: boolean;
  /** The broker may support only MQTT 3.1.1. */
  readonly isOldProtocol: boolean;
  /** Another client with the same client id has taken over. */
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
   * Subscribes to messages from other clients, with QoS 0 and without retained messages. They are delivered as `isWatched`. Does nothing
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
  /** Called if the connection ended for another reason than `close`. */
  closed(fault: BrokerFault): void;
};

export type BrokerClient = {
  /** `ready` rejects with a BrokerFault. */
  connect(
    signIn: BrokerSignIn,
    protocol: BrokerConnection['protocol'],
    events: BrokerEvents,
  ): { ready: Promise<BrokerConnection>; giveUp(): void };
};
