import type { Device } from '#shared/api/device.ts';
import { VERSION } from '#shared/api/version.ts';
import type { BrokerConnection, BrokerMessage } from '../brokerPort.ts';
import { createAlarm } from '../alarm.ts';
import type { Clock, Log } from '../ports.ts';
import type { Bus } from '../services/base/index.ts';
import type { BrokerQueue, Published } from '../services/callbacks/index.ts';
import type { createCommands } from './commands.ts';
import { discoveryOf } from './discovery.ts';
import type { Retained } from './retained.ts';
import type { Topics } from './topics.ts';
import type { Vitals } from './vitals.ts';
import { publicFacts } from './privateWords.ts';

/** Events under way: further ones are left out, since nobody could follow them. Their revisions show the gap. */
const MAX_EVENTS = 1_000;

const ONLINE = 'online';
/** Collects overwritten topics for this long before restoring them. */
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
  /** The station, as its page and other stations show it. */
  about: () => { station: string; name: string; url: string; instance: string };
  hasDiscovery: boolean;
  vitals: () => Vitals;
  /** Called when topics that another client overwrote are restored. */
  restored: (overwritten: readonly string[]) => void;
};

/** Publishes a message and notes it for people. False: the connection ended. */
export type Publish = (
  topic: string,
  payload: string,
  options?: Parameters<BrokerConnection['publish']>[2],
) => Promise<Published>;

/** What the station does over one connection, from its begin to its end. */
export function createBrokerSession(
  parts: BrokerSessionParts & { publish: Publish; retained: Retained; resumedAt: number | undefined },
) {
  const {
    topics,
    bus,
    queue,
    devices,
    commands,
    about,
    hasDiscovery,
    publish,
    retained,
    resumedAt,
    log,
    clock,
    vitals,
    restored,
  } = parts;
  let said = '';
  /** The broker has stored `online`. Until then, the will of the previous connection can still arrive. */
  let isOnline = false;
  /** Monotonic time of the last restore. */
  let restoredAt = Number.NEGATIVE_INFINITY;
  const overwritten = new Set<string>();
  const restoring = createAlarm(clock, restore);
  let eventsUnderWay = 0;
  let eventsLeftOut = 0;

  function sayHello(): void {
    const { station, name, url, instance } = about();
    const identity = { station, name, version: VERSION, url, devices: devices.count(), protocol: 1, instance };
    const info = { ...identity, ...vitals() };
    const text = JSON.stringify(info);
    if (text === said) return;
    said = text;
    const time = new Date(clock.now()).toISOString();
    void publish(topics.info, JSON.stringify({ ...info, time }), { retain: true });
  }

  async function sayOnline(): Promise<void> {
    await publish(topics.availability, ONLINE, { retain: true });
    isOnline = true;
  }

  function noteOverwritten(topic: string, text: string): boolean {
    if (topic === topics.availability) return isOnline && text !== ONLINE;
    if (topic === topics.info) return isOnline;
    return topics.stateOf(topic) !== undefined && retained.noteOverwritten(topic, text);
  }

  function restore(): void {
    restoredAt = clock.monotonic();
    const all = [...overwritten];
    overwritten.clear();
    if (all.includes(topics.availability)) void sayOnline();
    if (all.includes(topics.info)) {
      said = '';
      sayHello();
    }
    retained.restore(all.filter((topic) => topics.stateOf(topic) !== undefined));
    restored(all);
  }

  function discover(deviceId: string, label: string): void {
    if (!hasDiscovery) return;
    const { station, url } = about();
    const text = discoveryOf({ deviceid: deviceId, label }, { topics, station, version: VERSION, url });
    void publish(topics.discovery(deviceId), text, { retain: true });
  }

  const discoverAll = (): void => {
    if (hasDiscovery) for (const { deviceid, locationoverride } of devices.list()) discover(deviceid, locationoverride);
  };

  function tell(revision: number, facts: string): void {
    if (eventsUnderWay >= MAX_EVENTS) {
      if (eventsLeftOut === 0) log.warn({ revision }, 'the broker does not keep up, and events are left out');
      eventsLeftOut += 1;
      return;
    }
    eventsUnderWay += 1;
    void publish(topics.events, `{"revision":${revision},"facts":${facts}}`).then(() => {
      eventsUnderWay -= 1;
      if (eventsUnderWay === 0) eventsLeftOut = 0;
    });
  }

  const unsubscribe = bus.subscribe({
    commit(commit) {
      tell(commit.revision, publicFacts(commit.facts, commit.text));
      retained.heard(commit);
      for (const fact of commit.facts) {
        if (fact.type === 'device.added') discover(fact.device.deviceid, fact.device.locationoverride);
        else if (fact.type === 'device.changed' && fact.changed.locationoverride !== undefined)
          discover(fact.deviceid, fact.changed.locationoverride);
        else if (fact.type === 'device.removed' && hasDiscovery)
          void publish(topics.discovery(fact.deviceid), '', { retain: true });
      }
    },
    ephemera(ephemera) {
      retained.heardConditions(ephemera.devices.map(({ deviceid }) => deviceid));
    },
  });

  return {
    /** Publishes `info` again, if it changed. */
    sayHello,
    /** `found`: the retained messages of the station, by topic. */
    async start(found: ReadonlyMap<string, string>): Promise<void> {
      sayHello();
      void sayOnline();
      queue.connected(({ family, payload, userProperties }) =>
        publish(topics.callbacks(family), payload, { userProperties }),
      );
      discoverAll();
      await retained.start(found);
    },
    /** Resolves when the message may be acknowledged. Returns why nothing was done; null: it was. */
    async take(message: BrokerMessage): Promise<string | null> {
      if (message.topic === topics.discoveryStatus) {
        if (Buffer.from(message.payload).toString('utf8') === 'online') discoverAll();
        return null;
      }
      const { problem, answer } = await commands.take(message, resumedAt);
      if (answer !== undefined) {
        const { topic, text, ...properties } = answer;
        void publish(topic, text, { ...properties, correlation: message.correlation });
      }
      return problem;
    },
    /** Handles what another client wrote to a topic of this station. False: nothing to restore. */
    heardOwnTopic({ topic, payload }: BrokerMessage): boolean {
      if (!noteOverwritten(topic, Buffer.from(payload).toString('utf8'))) return false;
      overwritten.add(topic);
      // Limits two clients that restore the same topic in turn to one message a minute.
      restoring.within(Math.max(SETTLE_MS, restoredAt + RESTORE_EVERY_MS - clock.monotonic()));
      return true;
    },
    stop(): void {
      restoring.stop();
      unsubscribe();
      queue.disconnected();
      retained.stop();
    },
  };
}

export type BrokerSession = ReturnType<typeof createBrokerSession>;
