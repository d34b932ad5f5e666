import type { Repositories } from '../../db/repositories.ts';

/** Tables for the audit log, the running time, and repeated requests with their callers. `core.ts` lists the tables of all other groups. */
export type BaseRepositories = Pick<Repositories, 'accounts' | 'audit' | 'keyedRequests' | 'outbox' | 'runningTime'>;

/** Tables with rows that a query parameter can name. */
export type NamedRepositories = Pick<
  Repositories,
  'accounts' | 'aliases' | 'articles' | 'callbackReceivers' | 'devices' | 'orders' | 'sequences' | 'stock'
>;
