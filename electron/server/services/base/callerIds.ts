import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Repositories } from '../../db/repositories.ts';

type People = { accounts: Pick<Repositories['accounts'], 'findUser'> };

/**
 * Returns the caller to whom idempotency keys belong. A program is known by its name, so that a new API key of the same name continues. A
 * person who was removed and added again is another caller.
 */
export function callerIdOf({ accounts }: People, name: string): string {
  const person = accounts.findUser(name);
  return person === undefined ? nameKey(name) : `${person.name_key}\n${person.created_at}`;
}

/** Returns the name if it belongs to a person, otherwise an empty string. */
export function personOf({ accounts }: People, name: string): string {
  return name === 'device' ? '' : (accounts.findUser(name)?.username ?? '');
}
