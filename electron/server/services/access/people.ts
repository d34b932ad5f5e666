import type { NewUser, Role, User, UserChange } from '#shared/api/access.ts';
import type { UserRow } from '../../db/repositories/accounts.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { type By, STATION } from '../base/index.ts';
import { refuseGuessablePassword } from './guessablePasswords.ts';
import { refuseTakenName } from './names.ts';
import { type ChangedField, findAsTyped, type PeopleContext, setPassword } from './peopleContext.ts';
import { changePassword, prove, signIn, signInOwner, signOut } from './personSignIn.ts';
import type { Opener, Session } from './sessions.ts';

/** Manages people, who sign in with a password. */
export function createPeople(context: PeopleContext) {
  const { repositories, reads } = context;
  return {
    /** Returns the number of people, which is 0 in a new data folder. */
    count: (): number => repositories.accounts.countUsers(),
    /** Returns the stored form of a name that was entered in any case or Unicode form, or undefined if there is no such person. */
    nameOf: (typed: string): string | undefined => findAsTyped(context, typed)?.username,
    list: (): User[] => reads.accounts.listUsers().map((row) => userOf(context, row)),
    add: (user: NewUser, by: By) => add(context, user, by),
    change: (typed: string, change: UserChange, by: By, but: Session | undefined) =>
      changePerson(context, typed, change, by, but),
    remove: (typed: string, by: By) => remove(context, typed, by),
    hashOf: (username: string, password: string) => hashOf(context, username, password),
    put: (person: PersonAtStart, also: (tx: Transaction) => void) => put(context, person, also),
    signIn: (username: string, password: string, address: string, opener: Opener) =>
      signIn(context, username, password, address, opener),
    signInOwner: () => signInOwner(context),
    prove: (username: string, password: string, address: string) => prove(context, username, password, address),
    changePassword: (session: Session, oldPassword: string, newPassword: string, by: By) =>
      changePassword(context, session, oldPassword, newPassword, by),
    signOut: (session: Session, by: By) => signOut(context, session, by),
  };
}

export type People = ReturnType<typeof createPeople>;

/** Adds a person. Throws `conflict` if the name is taken, and `invalid` for a guessable password. */
async function add(context: PeopleContext, { username, password, role }: NewUser, by: By): Promise<User> {
  const { repositories, writer, passwords, audit } = context;
  await refuseGuessablePassword(username, password, 'password');
  const password_hash = await passwords.hash(password, by.address);
  await writer.write((tx) => {
    refuseTakenName(repositories, 'username', username);
    repositories.accounts.insertUser({ username, password_hash, role }, tx.now);
    audit.record(tx, { action: 'user.added', by, subject: username, detail: { role } });
  });
  return userOf(context, get(context, username));
}

/**
 * Changes a person. A new password, a new PIN and `end_sessions` each end the person's sessions, except the session `but`. Throws
 * `not_found`, `conflict` if no admin would remain, and `invalid` for a guessable password, or for a PIN if the person is not a picker.
 */
async function changePerson(
  context: PeopleContext,
  typed: string,
  { role, password, pin, end_sessions }: UserChange,
  by: By,
  but: Session | undefined,
): Promise<User> {
  const { writer, passwords, sessions, pins, audit } = context;
  const { username } = get(context, typed);
  if (password !== undefined) await refuseGuessablePassword(username, password, 'password');
  const password_hash = password === undefined ? undefined : await passwords.hash(password, by.address);
  const pinHash = pin === undefined ? undefined : await pins.hash(pin, by.address);
  await writer.write((tx) => {
    const user = get(context, username);
    const changed: ChangedField[] = [];
    if (role !== undefined && role !== user.role) {
      if (role !== 'admin') refuseLastAdmin(context, user);
      setRole(context, tx, user, role);
      changed.push('role');
    }
    if (pinHash !== undefined) {
      // Read the person again, because the new role decides whether a PIN is allowed.
      pins.setWithin(tx, get(context, username), pinHash, but?.idHash ?? '');
      changed.push('pin');
    }
    if (password_hash !== undefined) {
      setPassword(context, tx, username, password_hash);
      changed.push('password');
    }
    if (end_sessions === true) changed.push('sessions');
    if (password_hash !== undefined || end_sessions === true) sessions.endOf(tx, username, but?.idHash ?? '');
    if (changed.length === 0) return;
    const detail = changed.includes('role') && role !== undefined ? { changed, role } : { changed };
    audit.record(tx, { action: 'user.changed', by, subject: username, detail });
  });
  return userOf(context, get(context, username));
}

/** Removes a person and ends the person's sessions. Throws `not_found`, or `conflict` for the only admin. */
function remove(context: PeopleContext, typed: string, by: By): Promise<void> {
  const { repositories, writer, sessions, presence, audit } = context;
  return writer.write((tx) => {
    const user = get(context, typed);
    const { username } = user;
    refuseLastAdmin(context, user);
    sessions.endOf(tx, username, '');
    // Notify even if the person has no sessions, because a program may have launched orders for that name.
    presence.notify(tx, 'wentAway', username);
    repositories.accounts.removeUser(username);
    audit.record(tx, { action: 'user.removed', by, subject: username, detail: {} });
  });
}

/** Returns the stored hash if the password matches it. Otherwise returns a new hash, without storing it. Hashing is slow. */
async function hashOf({ repositories, passwords }: PeopleContext, username: string, password: string): Promise<string> {
  const kept = repositories.accounts.findUser(username)?.password_hash;
  if (kept !== undefined && (await passwords.matches(password, kept, 'start', STATION))) return kept;
  return passwords.hash(password, STATION.address);
}

/** A person whose account is set by the startup configuration or in the desktop window. */
type PersonAtStart = {
  username: string;
  passwordHash: string;
  role: Role;
  /** Whether changing the password ends the person's sessions. */
  sessions: 'end' | 'keep';
  by: By;
  method: 'environment' | 'window';
};

/**
 * Adds the person, or sets an existing person's password and role. `also` runs first in the same transaction and can throw to cancel it.
 */
function put(context: PeopleContext, person: PersonAtStart, also: (tx: Transaction) => void): Promise<void> {
  const { repositories, writer, sessions, audit } = context;
  const { username, passwordHash: password_hash, role, by, method } = person;
  return writer.write((tx) => {
    also(tx);
    const known = repositories.accounts.findUser(username);
    if (known === undefined) {
      repositories.accounts.insertUser({ username, password_hash, role }, tx.now);
      audit.record(tx, { action: 'user.added', by, subject: username, detail: { role, method } });
      return;
    }
    const changed: ChangedField[] = [];
    if (known.role !== role) {
      setRole(context, tx, known, role);
      changed.push('role');
    }
    if (known.password_hash !== password_hash) {
      setPassword(context, tx, username, password_hash);
      if (person.sessions === 'end') sessions.endOf(tx, username, '');
      changed.push('password');
    }
    if (changed.length === 0) return;
    audit.record(tx, { action: 'user.changed', by, subject: known.username, detail: { changed, method } });
  });
}

function get(context: PeopleContext, username: string): UserRow {
  const user = findAsTyped(context, username);
  if (user === undefined) throw new StationError('not_found', `There is no user ${username}.`);
  return user;
}

/** Sets the role. Only pickers have a PIN, so any other role removes the PIN and ends the sessions that began with it. */
function setRole({ repositories, pins, sessions }: PeopleContext, tx: Transaction, user: UserRow, role: Role): void {
  const { username } = user;
  repositories.accounts.setRole(username, role);
  if (role !== 'picker' && user.pin_hash !== null) pins.setWithin(tx, user, null, '');
  sessions.setRole(tx, username, role);
}

function refuseLastAdmin({ repositories }: PeopleContext, user: UserRow): void {
  if (user.role !== 'admin' || repositories.accounts.countAdmins() > 1) return;
  throw new StationError('conflict', `${user.username} is the only admin. Make somebody else one first.`);
}

function userOf({ sessions }: PeopleContext, { username, role, created_at, signed_in_at, pin_hash }: UserRow): User {
  return {
    username,
    role,
    created: new Date(created_at).toISOString(),
    last_sign_in: signed_in_at === null ? null : new Date(signed_in_at).toISOString(),
    sessions: sessions.countOf(username),
    has_pin: pin_hash !== null,
  };
}
