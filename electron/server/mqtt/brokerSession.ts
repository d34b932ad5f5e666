import type { Device } from '#shared/api/device.ts';
import { VERSION } from '#shared/api/version.ts';
import type { BrokerConnection, BrokerMessage } from '../ports/broker.ts';
import { type Alarm, createAlarm } from '../scheduling/alarm.ts';
import type { Commit } from '../db/writer.ts';
import type { Clock, Log } from '../ports.ts';
import type { Bus } from '../services/base/index.ts';
import type { BrokerQueue, Published } from '../services/callbacks/index.ts';
import type { createCommands } from './commands.ts';
import { discoveryOf } from './discovery.ts';
import type { Retained } from './retained.ts';
import { PROTOCOL, type Topics } from './topics.ts';
import type { Vitals } from './vitals.ts';
import { publicFacts } from './privateWords.ts';

/** Maximum number of events that the broker has not accepted yet. Further events are dropped, which leaves a gap in the revisions. */
const MAX_EVENTS = 1_000;

const ONLINE = 'online';
/** Time to collect overwritten topics before they are restored, in milliseconds. */
const SETTLE_MS = 250;
const RESTORE_EVERY_MS = 60_000;

export type BrokerSessionParts = {
  topics: Topics;
  clock: Clock;
  log: Log;
  bus: Pick<Bus, 'subscribe'>;
  queue: Pick<BrokerQueue, 'connected' | 'disconnected'>;
  devices: { list(): Device[]; count(): number };
  commands: ReturnType<typeof createCommands>;
  /** Identity of the station, which the topic `info` publishes. `instance` is a random mark of this run of the station. */
  about: () => { station: string; name: string; url: string; instance: string };
  hasDiscovery: boolean;
  vitals: () => Vitals;
  /** Called when the station restores topics that another client overwrote. */
  restored: (overwritten: readonly string[]) => void;
};

/** Publishes a message, and lists it in the log of messages. */
export type Publish = (
  topic: string,
  payload: string,
  options?: Parameters<BrokerConnection['publish']>[2],
) => Promise<Published>;

type SessionContext = BrokerSessionParts & {
  publish: Publish;
  retained: Retained;
  /** Monotonic time at which the broker resumed the session, or undefined if the session is new. */
  resumedAt: number | undefined;
  /** Last published text of the topic `info`, without the time in it. */
  said: string;
  /** Whether the broker has stored `online`. Until then, the last will of the previous connection may still arrive. */
  isOnline: boolean;
  /** Topics that another client overwrote and that are not restored yet. */
  overwritten: Set<string>;
  restoring: Alarm;
  /** Monotonic time of the last restore. */
  restoredAt: number;
  eventsUnderWay: number;
  eventsLeftOut: number;
};

/** Creates the session for one connection. Publishes commits and conditions, and handles messages, until `stop` is called. */
export function createBrokerSession(
  parts: BrokerSessionParts & { publish: Publish; retained: Retained; resumedAt: number | undefined },
) {
  const { bus, queue, retained, clock } = parts;
  const context: SessionContext = {
    ...parts,
    said: '',
    isOnline: false,
    overwritten: new Set(),
    restoring: createAlarm(clock, () => restore(context)),
    restoredAt: Number.NEGATIVE_INFINITY,
    eventsUnderWay: 0,
    eventsLeftOut: 0,
  };
  const unsubscribe = bus.subscribe({
    commit: (commit) => publishCommit(context, commit),
    ephemera: ({ devices }) => retained.heardConditions(devices.map(({ deviceid }) => deviceid)),
  });
  return {
    publishInfo: () => publishInfo(context),
    start: (found: ReadonlyMap<string, string>) => start(context, found),
    take: (message: BrokerMessage) => take(context, message),
    acknowledged: (message: BrokerMessage) => parts.commands.acknowledged(message),
    heardOwnTopic: (message: BrokerMessage) => heardOwnTopic(context, message),
    stop(): void {
      context.restoring.stop();
      unsubscribe();
      queue.disconnected();
      retained.stop();
    },
  };
}

/** Starts publishing. `found` contains the station's retained messages by topic. */
async function start(context: SessionContext, found: ReadonlyMap<string, string>): Promise<void> {
  const { topics, queue, publish, retained } = context;
  publishInfo(context);
  void publishOnline(context);
  queue.connected(({ family, payload, userProperties }) =>
    publish(topics.callbacks(family), payload, { userProperties }),
  );
  discoverAll(context);
  await retained.start(found);
}

/**
 * Handles a message. Resolves when the message can be acknowledged, with the reason why it had no effect, or with null if it was accepted.
 */
async function take(context: SessionContext, message: BrokerMessage): Promise<string | null> {
  const { topics, commands, publish, resumedAt } = context;
  if (message.topic === topics.discoveryStatus) {
    if (Buffer.from(message.payload).toString('utf8') === 'online') discoverAll(context);
    return null;
  }
  const { problem, answer } = await commands.take(message, resumedAt);
  if (answer !== undefined) {
    const { topic, text, ...properties } = answer;
    void publish(topic, text, { ...properties, correlation: message.correlation });
  }
  return problem;
}

/** Handles a message from another client on a topic that only this station writes. Returns false if there is nothing to restore. */
function heardOwnTopic(context: SessionContext, { topic, payload }: BrokerMessage): boolean {
  if (!isOverwritten(context, topic, Buffer.from(payload).toString('utf8'))) return false;
  context.overwritten.add(topic);
  // If two clients restore the same topic in turn, limit them to one message a minute.
  const pausedMs = context.restoredAt + RESTORE_EVERY_MS - context.clock.monotonic();
  context.restoring.within(Math.max(SETTLE_MS, pausedMs));
  return true;
}

function isOverwritten({ topics, retained, isOnline }: SessionContext, topic: string, text: string): boolean {
  if (topic === topics.availability) return isOnline && text !== ONLINE;
  if (topic === topics.info) return isOnline;
  return topics.stateOf(topic) !== undefined && retained.noteOverwritten(topic, text);
}

function restore(context: SessionContext): void {
  const { topics, retained, overwritten, restored } = context;
  context.restoredAt = context.clock.monotonic();
  const all = [...overwritten];
  overwritten.clear();
  if (all.includes(topics.availability)) void publishOnline(context);
  if (all.includes(topics.info)) {
    context.said = '';
    publishInfo(context);
  }
  retained.restore(all.filter((topic) => topics.stateOf(topic) !== undefined));
  restored(all);
}

/** Publishes the topic `info` if its content has changed. */
function publishInfo(context: SessionContext): void {
  const { topics, clock, devices, about, vitals, publish } = context;
  const { station, name, url, instance } = about();
  const identity = { station, name, version: VERSION, url, devices: devices.count(), protocol: PROTOCOL, instance };
  const info = { ...identity, ...vitals() };
  const text = JSON.stringify(info);
  if (text === context.said) return;
  context.said = text;
  const time = new Date(clock.now()).toISOString();
  void publish(topics.info, JSON.stringify({ ...info, time }), { retain: true });
}

async function publishOnline(context: SessionContext): Promise<void> {
  await context.publish(context.topics.availability, ONLINE, { retain: true });
  context.isOnline = true;
}

function discoverAll(context: SessionContext): void {
  if (!context.hasDiscovery) return;
  for (const { deviceid, locationoverride } of context.devices.list()) discover(context, deviceid, locationoverride);
}

/** Publishes the discovery message of a device for Home Assistant, if the setting is on. */
function discover(context: SessionContext, deviceId: string, label: string): void {
  const { topics, about, hasDiscovery, publish } = context;
  if (!hasDiscovery) return;
  const { station, url } = about();
  const text = discoveryOf({ deviceid: deviceId, label }, { topics, station, version: VERSION, url });
  void publish(topics.discovery(deviceId), text, { retain: true });
}

function publishCommit(context: SessionContext, commit: Commit): void {
  const { topics, retained, hasDiscovery, publish } = context;
  publishEvent(context, commit.revision, publicFacts(commit.facts, commit.text));
  retained.committed(commit);
  for (const fact of commit.facts) {
    if (fact.type === 'device.added') discover(context, fact.device.deviceid, fact.device.locationoverride);
    else if (fact.type === 'device.changed' && fact.changed.locationoverride !== undefined)
      discover(context, fact.deviceid, fact.changed.locationoverride);
    else if (fact.type === 'device.removed' && hasDiscovery)
      void publish(topics.discovery(fact.deviceid), '', { retain: true });
  }
}

function publishEvent(context: SessionContext, revision: number, facts: string): void {
  if (context.eventsUnderWay >= MAX_EVENTS) {
    if (context.eventsLeftOut === 0)
      context.log.warn({ revision }, 'the broker does not keep up, so events are left out');
    context.eventsLeftOut += 1;
    return;
  }
  context.eventsUnderWay += 1;
  void context.publish(context.topics.events, `{"revision":${revision},"facts":${facts}}`).then(() => {
    context.eventsUnderWay -= 1;
    if (context.eventsUnderWay === 0) context.eventsLeftOut = 0;
  });
}

export type BrokerSession = ReturnType<typeof createBrokerSession>;
