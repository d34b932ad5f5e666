import type { AuditDetail } from '#shared/api/access.ts';
import type { TablesOf } from '../../core.ts';
import type { UserRow } from '../../db/repositories/accounts.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Audit } from '../base/index.ts';
import type { Passwords } from './passwords.ts';
import type { Pins } from './pins.ts';
import type { Presence } from './presence.ts';
import type { Sessions } from './sessions.ts';

/** State shared by the functions that manage people. */
export type PeopleContext = {
  repositories: TablesOf<'access'>;
  /** Tables for reading committed rows only. */
  reads: TablesOf<'access'>;
  writer: Pick<Writer, 'write'>;
  passwords: Passwords;
  sessions: Sessions;
  pins: Pins;
  presence: Pick<Presence, 'notify'>;
  audit: Audit;
};

/** A changed field that an audit entry lists. */
export type ChangedField = NonNullable<AuditDetail['changed']>[number];

/**
 * Finds a person by name. Tries the name as entered first, because old stored names may not be normalized, then its normalized Unicode
 * form, which replaces full-width letters, for example.
 */
export function findAsTyped({ repositories }: PeopleContext, username: string): UserRow | undefined {
  return repositories.accounts.findUser(username) ?? repositories.accounts.findUser(username.normalize('NFKC'));
}

/** Throws `unauthenticated` if the password changed while it was being compared. The comparison takes some time. */
export function refuseIfChanged({ repositories }: PeopleContext, user: UserRow): void {
  if (repositories.accounts.findUser(user.username)?.password_hash === user.password_hash) return;
  throw new StationError('unauthenticated', 'The password was changed meanwhile. Sign in with the new one.');
}

/** Stores the new hash and forgets wrong passwords for this person. */
export function setPassword(
  { repositories, passwords }: PeopleContext,
  tx: Transaction,
  username: string,
  passwordHash: string,
): void {
  repositories.accounts.setPassword(username, passwordHash);
  tx.afterCommit(() => passwords.changed(username));
}
