import { createAlarm } from '../scheduling/alarm.ts';
import type { Clock } from '../ports.ts';
import type { DeviceSync } from './devices/deviceSync.ts';
import type { ConnectionTraffic } from './traffic/trafficRegistry.ts';
import type { TurboConnection, ConnectionWatch } from './types.ts';

/** Maximum number of connections that have not signed in yet. Turbos sign in immediately, so few such connections are open at a time. */
const MAX_STRANGERS = 64;
const RECOUNT_MS = 500;

/** State of one connection. `inRange` contains the devices that the turbo receives. */
export type Connected = {
  inRange: Set<DeviceSync>;
  watch: ConnectionWatch | undefined;
  traffic: ConnectionTraffic;
};

/** Tracks the open connections. Calls `recounted` when the number of devices that a turbo receives changes. */
export function createConnections(clock: Clock, recounted: (connection: TurboConnection) => void) {
  const connected = new Map<TurboConnection, Connected>();
  const strangers = new Set<TurboConnection>();
  const changed = new Set<TurboConnection>();
  const alarm = createAlarm(clock, () => {
    for (const connection of changed) recounted(connection);
    changed.clear();
  });

  return {
    add: (connection: TurboConnection, one: Connected): void => void connected.set(connection, one),
    find: (connection: TurboConnection): Connected | undefined => connected.get(connection),
    entries: (): MapIterator<[TurboConnection, Connected]> => connected.entries(),
    remove(connection: TurboConnection): void {
      strangers.delete(connection);
      connected.delete(connection);
    },
    /** Counts the connection as not signed in until `signedIn` is called. Closes a connection if too many are not signed in. */
    awaitSignIn(connection: TurboConnection): void {
      strangers.add(connection);
      if (strangers.size > MAX_STRANGERS)
        mostCrowded(strangers)?.close('too many connections on which nobody signs in');
    },
    signedIn: (connection: TurboConnection): void => void strangers.delete(connection),
    /** Reports changes to the device count together, because devices often appear by the hundred. */
    recount(connection: TurboConnection): void {
      changed.add(connection);
      alarm.within(RECOUNT_MS);
    },
    /** Calls `wait` for every connection. Resolves when all are done, at the latest after `limitMs`. */
    async all(limitMs: number, wait: (connection: TurboConnection) => Promise<void>): Promise<void> {
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

/** Returns the oldest connection from the address with the most connections, so that one address cannot lock out others. */
function mostCrowded(connections: ReadonlySet<TurboConnection>): TurboConnection | undefined {
  const byAddress = Map.groupBy(connections, ({ transport }) => transport.port.replace(/:\d+$/, ''));
  const [first = [], ...others] = byAddress.values();
  return others.reduce((most, one) => (one.length > most.length ? one : most), first)[0];
}
