import { notifyManager, type Query, QueryClient } from '@tanstack/react-query';
import type { Told } from './followed.ts';
import type { StationStore } from './store.ts';

/** What is read of the station beside its live copy. */
export type Subject =
  | 'apiUsers'
  | 'audit'
  | 'backups'
  | 'deliveries'
  | 'delivery'
  | 'deliveryCounts'
  | 'deliveryTimeline'
  | 'diagnostics'
  | 'endedAlerts'
  | 'history'
  | 'historySummary'
  | 'order'
  | 'orderTimeline'
  | 'received'
  | 'request'
  | 'requests'
  | 'sequence'
  | 'serialPorts'
  | 'settings'
  | 'simulatedHardware'
  | 'timeline'
  | 'traffic'
  | 'turboFrames'
  | 'turboNetwork'
  | 'users'
  | 'waiting';

export type Key = readonly [Subject, ...(readonly string[])];

/** The queries that each fact invalidates. A snapshot, which may have leapt over facts, invalidates all of them. */
const INVALIDATES: Readonly<Partial<Record<Told['type'], readonly Subject[]>>> = {
  'access.changed': ['apiUsers', 'audit', 'users'],
  'alert.ended': ['endedAlerts'],
  'settings.changed': ['settings'],
  'waiting.changed': ['waiting'],
  deliveries: ['deliveries', 'delivery', 'deliveryCounts', 'deliveryTimeline', 'received'],
};
/** Kept up to date by `useWork.ts`, which applies the facts to them. */
const FOLLOWED: readonly Subject[] = ['order', 'sequence'];
const OF_SNAPSHOT: ReadonlySet<string> = new Set([...FOLLOWED, ...Object.values(INVALIDATES).flat()]);

export type Queries = {
  client: QueryClient;
  /** Reads this again. What is being read at the moment is read once more afterwards, however often it was invalidated. */
  refresh(key: Key): void;
};

// What was read is drawn at once, and not after a timer.
notifyManager.setScheduler(queueMicrotask);

/** The queries of the window, kept as new as the store. Nothing is read from a lost station, and all anew when it is back. */
export function createQueries(store: StationStore): Queries {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        gcTime: 0,
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
    },
  });
  const again = new WeakSet<Query>();

  function read(query: Query): void {
    const { connection, session } = store.getState();
    if (!query.isActive() || connection.kind === 'lost' || session === 'signedOut') return;
    if (query.state.fetchStatus === 'idle') return void query.fetch().catch(() => undefined);
    if (again.has(query)) return;
    again.add(query);
    const readAgain = () => {
      again.delete(query);
      read(query);
    };
    query.promise?.then(readAgain, readAgain);
  }

  function readAll(isOld: (subject: string) => boolean): void {
    for (const query of client.getQueryCache().findAll({ predicate: ({ queryKey }) => isOld(String(queryKey[0])) })) {
      read(query);
    }
  }

  store.subscribe(({ connection, snapshots, told }, before) => {
    if (connection.kind === 'lost' && before.connection.kind !== 'lost') void client.cancelQueries();
    if (snapshots !== before.snapshots) return readAll((subject) => OF_SNAPSHOT.has(subject));
    if (told === before.told) return;
    const old = new Set<string>(told.flatMap(({ type }) => INVALIDATES[type] ?? []));
    if (old.size > 0) readAll((subject) => old.has(subject));
  });

  return {
    client,
    refresh(key) {
      for (const query of client.getQueryCache().findAll({ queryKey: key, exact: true })) read(query);
    },
  };
}
