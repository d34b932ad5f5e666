import type { Repositories } from '../../db/repositories.ts';

/** The rows of history, and the indexes to search them. */
export type HistoryTables = Pick<Repositories, 'history' | 'historyFind'>;
