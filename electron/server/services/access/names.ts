import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { TablesOf } from '../../core.ts';
import { StationError } from '../../errors.ts';

/** Name of the first person, which a start with a configured password adds again. Never the name of a program, a kiosk or a screen. */
export const FIRST_PERSON = 'admin';

/** Returns the person, API user, kiosk or screen that has the name, or undefined. */
export function findNamed({ accounts }: TablesOf<'access'>, name: string): string | undefined {
  const isSame = (one: { name: string }): boolean => nameKey(one.name) === nameKey(name);
  return (
    accounts.findUser(name)?.username ??
    accounts.findApiUserByName(name)?.name ??
    accounts.listKiosks().find(isSame)?.name ??
    accounts.listScreens().find(isSame)?.name
  );
}

/**
 * Throws `conflict` if a person, an API user, a kiosk or a screen has the name. Names must be unique, because history and activity identify
 * all of them by name.
 */
export function refuseTakenName(tables: TablesOf<'access'>, field: 'username' | 'name', name: string): void {
  const isReserved = field === 'name' && nameKey(name) === FIRST_PERSON;
  const taken = isReserved ? FIRST_PERSON : findNamed(tables, name);
  if (taken === undefined) return;
  throw new StationError(
    'conflict',
    isReserved
      ? `${taken} is the name of a person. Choose another name.`
      : `${taken} already exists. Choose another name.`,
    [{ path: `/${field}`, message: 'People, API users, kiosks and screens have different names.' }],
  );
}
