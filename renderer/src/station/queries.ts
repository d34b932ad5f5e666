import { notifyManager, type Query, QueryClient } from '@tanstack/react-query';
import { isConcerned } from './concerns.ts';
import * as followed from './live/followed.ts';
import type { StreamNews } from './live/followed.ts';
import type { StationStore } from './live/store.ts';

/** Data that is read from the station in addition to the page's copy of its state. */
export type Subject =
  | followed.FollowedSubject
  | 'apiUsers'
  | 'article'
  | 'articles'
  | 'articlesFound'
  | 'darkPlaces'
  | 'audit'
  | 'backups'
  | 'batch'
  | 'batches'
  | 'carriers'
  | 'cartWalk'
  | 'deliveries'
  | 'delivery'
  | 'deliveryCounts'
  | 'deliveryTimeline'
  | 'diagnostics'
  | 'draft'
  | 'drafts'
  | 'endedAlerts'
  | 'demoShop'
  | 'find'
  | 'firstDay'
  | 'callbackReceivers'
  | 'fleet'
  | 'fleetFound'
  | 'folders'
  | 'history'
  | 'kiosks'
  | 'screens'
  | 'locate'
  | 'nextOrder'
  | 'packGoods'
  | 'pickers'
  | 'historyReport'
  | 'item'
  | 'work'
  | 'historySummary'
  | 'liveBatches'
  | 'mail'
  | 'movements'
  | 'mqtt'
  | 'notices'
  | 'orderTimeline'
  | 'printedOrders'
  | 'received'
  | 'request'
  | 'requests'
  | 'serialPorts'
  | 'boards'
  | 'boardJob'
  | 'boardJobs'
  | 'boardUpdates'
  | 'shortNumbers'
  | 'shortReasons'
  | 'settings'
  | 'simulatedHardware'
  | 'tasks'
  | 'timeline'
  | 'traffic'
  | 'turboFrames'
  | 'turboNetwork'
  | 'undoneImport'
  | 'unlitPlaces'
  | 'updates'
  | 'users'
  | 'waiting';

export type Key = readonly [Subject, ...(readonly string[])];

/** The queries that each fact invalidates. A snapshot invalidates all of them, because it may have skipped facts. */
const INVALIDATES: Readonly<Partial<Record<followed.StreamNews['type'], readonly Subject[]>>> = {
  'access.changed': ['apiUsers', 'audit', 'firstDay', 'kiosks', 'screens', 'users'],
  'article.changed': ['article', 'articles', 'articlesFound', 'firstDay', 'packGoods'],
  'article.removed': ['article', 'articles', 'articlesFound'],
  'batch.removed': ['batches'],
  'batch.changed': ['batch', 'batches', 'cartWalk', 'liveBatches'],
  'carrier.changed': ['carriers'],
  'carrier.removed': ['carriers'],
  movement: ['movements'],
  'task.changed': ['batch', 'tasks'],
  'alert.ended': ['endedAlerts', 'folders', 'mail'],
  'alert.raised': ['folders', 'mail'],
  'settings.changed': [
    'callbackReceivers',
    'firstDay',
    'fleet',
    'folders',
    'mail',
    'mqtt',
    'settings',
    'shortReasons',
    'updates',
  ],
  'waiting.changed': ['waiting'],
  'device.added': ['firstDay'],
  'device.changed': ['firstDay'],
  'device.removed': ['carriers', 'firstDay'],
  'map.placed': ['firstDay'],
  'map.racks': ['firstDay', 'work'],
  'command.queued': ['work', 'locate'],
  'command.shown': ['work', 'cartWalk'],
  'command.adjusted': ['work'],
  'command.replaced': ['work', 'cartWalk'],
  'command.moved': ['work', 'cartWalk'],
  'command.acknowledged': ['work', 'locate'],
  'command.killed': ['work', 'locate'],
  'command.timedOut': ['work', 'locate'],
  'command.reached': ['work', 'cartWalk'],
  'command.unreachable': ['work', 'cartWalk'],
  'order.item': ['work'],
  'order.line': ['work'],
  'order.changed': ['article', 'firstDay', 'work', 'nextOrder', 'packGoods', 'pickers', 'shortNumbers'],
  'order.removed': ['article', 'firstDay', 'work', 'nextOrder', 'pickers'],
  deliveries: ['callbackReceivers', 'deliveries', 'delivery', 'deliveryCounts', 'deliveryTimeline', 'received'],
};
const OF_SNAPSHOT: ReadonlySet<string> = new Set([
  ...Object.keys(followed.FOLLOWERS),
  ...Object.values(INVALIDATES).flat(),
]);

export type Queries = {
  client: QueryClient;
  /** Reads the value of this key again. If a read is in progress, exactly one more follows it. */
  refresh(key: Key): void;
  /** Reads a value that is then kept current by facts. Facts that arrive during the read are at least as new as its result. */
  follow<S extends followed.FollowedSubject>(
    key: readonly [S, ...string[]],
    load: () => Promise<followed.FollowedValues[S]>,
  ): Promise<followed.FollowedValues[S]>;
};

// Render responses immediately instead of after a timer.
notifyManager.setScheduler(queueMicrotask);

/**
 * Creates the queries of the page. Their values are as current as the store. They read nothing while the connection
 * is lost, and read everything again once it is back.
 */
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

  const find = (isWanted: (subject: string) => boolean) =>
    client.getQueryCache().findAll({ predicate: ({ queryKey }) => isWanted(String(queryKey[0])) });

  function read(query: Query): void {
    const { connection, session } = store.getState();
    // Mark an unused query as outdated, so that it is read when it is next used.
    if (!query.isActive()) return query.invalidate();
    if (connection.kind === 'lost' || session === 'signedOut') return;
    if (query.state.fetchStatus === 'idle') return void query.fetch().catch(() => undefined);
    if (again.has(query)) return;
    again.add(query);
    const readAgain = () => {
      again.delete(query);
      read(query);
    };
    query.promise?.then(readAgain, readAgain);
  }

  function apply<T>(
    [subject, id = '']: readonly string[],
    value: T,
    facts: readonly followed.WorkFact[],
  ): { value: T; isWhole: boolean } {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the value has the type of its subject
    const follow = followed.FOLLOWERS[subject as followed.FollowedSubject] as unknown as (
      value: T,
      facts: readonly followed.WorkFact[],
      id: string,
    ) => { value: T; isWhole: boolean };
    return follow(value, facts, id);
  }

  function follow(facts: readonly followed.WorkFact[]): void {
    for (const query of find((subject) => subject in followed.FOLLOWERS)) {
      const known = query.state.data as { value: unknown } | undefined;
      if (known?.value === undefined) continue;
      const { value, isWhole } = apply(query.queryKey as readonly string[], known.value, facts);
      if (value !== known.value) client.setQueryData(query.queryKey, { ...known, value });
      if (!isWhole) read(query);
    }
  }

  store.subscribe(({ connection, session, snapshots, told }, before) => {
    if (connection.kind === 'lost' && before.connection.kind !== 'lost') void client.cancelQueries();
    if (session === 'signedOut') return before.session === 'signedOut' ? undefined : client.clear();
    if (snapshots !== before.snapshots) return find((subject) => OF_SNAPSHOT.has(subject)).forEach(read);
    if (told === before.told) return;
    const work = told.filter(followed.isWorkFact);
    // Wait until the store has published these facts: a read that starts now could return newer data, to which they
    // would be applied again.
    if (work.length > 0) queueMicrotask(() => follow(work));
    const old = new Map<string, StreamNews[]>();
    for (const fact of told) {
      for (const subject of INVALIDATES[fact.type] ?? []) old.set(subject, [...(old.get(subject) ?? []), fact]);
    }
    for (const query of find((subject) => old.has(subject))) {
      const key = query.queryKey as readonly string[];
      const known = query.state.data as { value: unknown } | undefined;
      // Read again during a read in progress, which may return data older than the fact.
      const isReading = query.state.fetchStatus !== 'idle';
      if (isReading || isConcerned(key, known?.value, old.get(key[0] ?? '') ?? [])) read(query);
    }
  });

  return {
    client,
    refresh(key) {
      client.getQueryCache().findAll({ queryKey: key, exact: true }).forEach(read);
    },
    async follow(key, load) {
      const heard: followed.WorkFact[] = [];
      const stop = store.subscribe(({ told }, before) => {
        if (told !== before.told) heard.push(...told.filter(followed.isWorkFact));
      });
      try {
        const { value, isWhole } = apply(key, await load(), heard);
        if (!isWhole) this.refresh(key);
        return value;
      } finally {
        stop();
      }
    },
  };
}
