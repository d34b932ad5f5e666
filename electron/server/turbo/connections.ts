import { createAlarm } from '../alarm.ts';
import type { Clock } from '../ports.ts';
import type { DeviceSync } from './devices/deviceSync.ts';
import type { ConnectionTraffic } from './traffic/trafficRegistry.ts';
import type { Connection, ConnectionWatch } from './types.ts';

/** Connections on which nobody has signed in yet: the oldest goes when there are more, since a turbo is done in a moment. */
const MAX_STRANGERS = 64;
const RECOUNT_MS = 500;

/** What belongs to one connection. `heard`: the devices that its turbo hears. */
export type Connected = {
  heard: Set<DeviceSync>;
  watch: ConnectionWatch | undefined;
  traffic: ConnectionTraffic;
};

/** The connections that are up. `recounted`: the turbo hears more or fewer devices. */
export function createConnections(clock: Clock, recounted: (connection: Connection) => void) {
  const connected = new Map<Connection, Connected>();
  const strangers = new Set<Connection>();
  const changed = new Set<Connection>();
  const alarm = createAlarm(clock, () => {
    for (const connection of changed) recounted(connection);
    changed.clear();
  });

  return {
    add: (connection: Connection, one: Connected): void => void connected.set(connection, one),
    find: (connection: Connection): Connected | undefined => connected.get(connection),
    entries: (): MapIterator<[Connection, Connected]> => connected.entries(),
    remove(connection: Connection): void {
      strangers.delete(connection);
      connected.delete(connection);
    },
    /** Its turbo has to sign in. */
    awaitSignIn(connection: Connection): void {
      strangers.add(connection);
      const [oldest] = strangers;
      if (strangers.size > MAX_STRANGERS) oldest?.close('too many connections on which nobody signs in');
    },
    signedIn: (connection: Connection): void => void strangers.delete(connection),
    /** Tells of more devices once for many: they come by the hundred. */
    recount(connection: Connection): void {
      changed.add(connection);
      alarm.within(RECOUNT_MS);
    },
    /** Waits until this is over for every connection, or for `limitMs`. */
    async all(limitMs: number, wait: (connection: Connection) => Promise<void>): Promise<void> {
      const limit = Promise.withResolvers<void>();
      const timer = clock.setTimer(limitMs, limit.resolve);
      await Promise.race([Promise.all([...connected.keys()].map(wait)), limit.promise]);
      timer.cancel();
    },
    stop(): void {
      alarm.stop();
      for (const connection of connected.keys()) connection.close('the station stops');
    },
  };
}

export type Connections = ReturnType<typeof createConnections>;
