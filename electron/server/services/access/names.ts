import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { TablesOf } from '../../core.ts';
import { StationError } from '../../errors.ts';

/**
 * Throws `conflict` if a person, an API user, a kiosk or a screen has the name. Names must be unique, because history and activity identify
 * all of them by name.
 */
export function refuseTakenName({ accounts }: TablesOf<'access'>, field: 'username' | 'name', name: string): void {
  const isSame = (one: { name: string }): boolean => nameKey(one.name) === nameKey(name);
  const taken =
    accounts.findUser(name)?.username ??
    accounts.findApiUserByName(name)?.name ??
    accounts.listKiosks().find(isSame)?.name ??
    accounts.listScreens().find(isSame)?.name;
  if (taken === undefined) return;
  throw new StationError('conflict', `${taken} already exists. Choose another name.`, [
    { path: `/${field}`, message: 'People, API users, kiosks and screens have different names.' },
  ]);
}
