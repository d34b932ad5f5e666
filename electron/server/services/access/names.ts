import type { TablesOf } from '../../core.ts';
import { StationError } from '../../errors.ts';

/** Throws `conflict` if the name is taken. Names must be unique, because the history identifies people and API users by name. */
export function refuseTakenName(repositories: TablesOf<'access'>, field: 'username' | 'name', name: string): void {
  const taken = repositories.accounts.findUser(name)?.username ?? repositories.accounts.findApiUserByName(name)?.name;
  if (taken === undefined) return;
  throw new StationError('conflict', `${taken} already exists. Choose another name.`, [
    { path: `/${field}`, message: 'People and API users have different names.' },
  ]);
}
