import type { Repositories } from '../../db/repositories.ts';

/** What audit, running time and repeated requests use. core.ts, which creates them, lists those of all other nouns. */
export type BaseRepositories = Pick<Repositories, 'audit' | 'keyedRequests' | 'outbox' | 'runningTime'>;

/** Rows that a query parameter can name. */
export type NamedRepositories = Pick<
  Repositories,
  'accounts' | 'aliases' | 'articles' | 'callbackReceivers' | 'devices' | 'orders' | 'sequences' | 'stock'
>;
