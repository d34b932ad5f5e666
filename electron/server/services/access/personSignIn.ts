import type { UserRow } from '../../db/repositories/accounts.ts';
import { StationError } from '../../errors.ts';
import { type By, STATION } from '../base/index.ts';
import { refuseGuessablePassword } from './guessablePasswords.ts';
import { findAsTyped, type PeopleContext, refuseIfChanged, setPassword } from './peopleContext.ts';
import type { NewSession, Opener, Session } from './sessions.ts';

/**
 * Signs a person in. Throws `unauthenticated` for a wrong password and, after the same time, for an unknown user, and `too_many_requests`
 * after too many wrong passwords.
 */
export async function signIn(
  context: PeopleContext,
  username: string,
  password: string,
  address: string,
  opener: Opener,
): Promise<NewSession> {
  const user = await findByPassword(context, username, password, address, 'password');
  if (user === undefined) throw new StationError('unauthenticated', 'The user name or the password is wrong.');
  return open(context, user, 'password', address, opener);
}

/** Opens a session for the first admin without a password. Only the shell that runs the station may call it, never a request. */
export async function signInOwner(context: PeopleContext): Promise<NewSession> {
  const owner = context.repositories.accounts.findOwner();
  if (owner === undefined) throw new StationError('not_found', 'There is no admin who could be signed in.');
  return open(context, owner, 'window', STATION.address, 'browser');
}

/**
 * Returns the person with this name and password, and records the sign-in (Basic authentication). Returns undefined if the password is
 * wrong. Throws `too_many_requests` after too many wrong passwords.
 */
export async function prove(
  context: PeopleContext,
  username: string,
  password: string,
  address: string,
): Promise<UserRow | undefined> {
  const { repositories, writer, audit } = context;
  const user = await findByPassword(context, username, password, address, 'basic');
  if (user === undefined) return undefined;
  await writer.write((tx) => {
    refuseIfChanged(context, user);
    repositories.accounts.setSignedIn(user.username, tx.now);
    const by = { name: user.username, address };
    audit.record(tx, { action: 'session.opened', by, subject: '', detail: { method: 'basic' } });
  });
  return user;
}

/**
 * Changes a person's own password and ends the person's other sessions. Throws `invalid` for a wrong old password or a guessable new one.
 */
export async function changePassword(
  context: PeopleContext,
  { username, idHash }: Session,
  oldPassword: string,
  newPassword: string,
  by: By,
): Promise<void> {
  const { repositories, writer, passwords, sessions, audit } = context;
  const user = repositories.accounts.findUser(username);
  const trier = { name: username, address: by.address };
  const isRight = await passwords.matches(oldPassword, user?.password_hash, 'change', trier);
  if (isRight) await refuseGuessablePassword(username, newPassword, 'new_password');
  const password_hash = isRight ? await passwords.hash(newPassword, by.address) : '';
  await writer.write((tx) => {
    // Throw inside the transaction: a request that is repeated after a crash still contains the old password, and then receives the stored
    // response.
    if (!isRight || user === undefined) {
      throw new StationError('invalid', 'The old password is wrong. Nothing was changed.', [
        { path: '/old_password', message: 'This is not your password.' },
      ]);
    }
    refuseIfChanged(context, user);
    setPassword(context, tx, user.username, password_hash);
    sessions.endOf(tx, user.username, idHash);
    audit.record(tx, { action: 'password.changed', by, subject: '', detail: {} });
  });
}

/** Ends a session. Throws `unauthenticated` if it has already ended. */
export function signOut({ writer, sessions, audit }: PeopleContext, session: Session, by: By): Promise<void> {
  return writer.write((tx) => {
    if (!sessions.end(tx, session)) throw new StationError('unauthenticated', 'This session has already ended.');
    audit.record(tx, { action: 'session.ended', by, subject: '', detail: {} });
  });
}

/**
 * Checks a password and records a wrong one. For an unknown user, omits the name, because it may be a password that was entered into the
 * wrong field.
 */
async function findByPassword(
  context: PeopleContext,
  username: string,
  password: string,
  address: string,
  method: 'password' | 'basic',
): Promise<UserRow | undefined> {
  const { writer, passwords, audit } = context;
  const user = findAsTyped(context, username);
  if ((await passwords.matches(password, user?.password_hash, 'signIn', { name: username, address })) && user)
    return user;
  const entry = { action: 'session.refused', subject: user?.username ?? '', detail: { method } } as const;
  await writer.write((tx) => audit.record(tx, { ...entry, by: { name: '', address } }));
  return undefined;
}

function open(
  context: PeopleContext,
  user: UserRow,
  method: 'password' | 'window',
  address: string,
  opener: Opener,
): Promise<NewSession> {
  const { repositories, writer, sessions, audit } = context;
  return writer.write((tx) => {
    refuseIfChanged(context, user);
    repositories.accounts.setSignedIn(user.username, tx.now);
    const by = { name: user.username, address };
    audit.record(tx, { action: 'session.opened', by, subject: '', detail: { method } });
    return sessions.open(tx, user, { opener, kioskId: null });
  });
}
