import type { Repositories } from '../../db/repositories.ts';

/** People with their sessions and PINs, kiosks, wall screens, API users and their tokens. */
export type AccountTables = Pick<Repositories, 'accounts'>;
