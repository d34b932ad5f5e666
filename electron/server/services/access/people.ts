import type { AuditDetail, NewUser, Role, User, UserChange } from '#shared/api/access.ts';
import type { UserRow } from '../../db/repositories/accounts.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { refuseGuessablePassword } from './guessablePasswords.ts';
import { refuseTakenName } from './names.ts';
import type { Passwords } from './passwords.ts';
import type { Pins } from './pins.ts';
import type { Presence } from './presence.ts';
import type { Opener, Session, Sessions, NewSession } from './sessions.ts';
import { type Audit, type By, STATION } from '../base/index.ts';

type Changed = NonNullable<AuditDetail['changed']>[number];

/** People, who sign in with a password. */
export function createPeople(parts: {
  repositories: Pick<Repositories, 'accounts'>;
  reads: Pick<Repositories, 'accounts'>;
  writer: Pick<Writer, 'write'>;
  passwords: Passwords;
  sessions: Sessions;
  pins: Pins;
  presence: Pick<Presence, 'tell'>;
  audit: Audit;
}) {
  const { repositories, reads, writer, passwords, sessions, pins, presence, audit } = parts;

  /** Hashing takes its time: what was proved by then may be of a password that is no longer valid. */
  function refuseIfChanged(user: UserRow): void {
    if (repositories.accounts.findUser(user.username)?.password_hash === user.password_hash) return;
    throw new StationError('unauthenticated', 'The password was changed meanwhile. Sign in with the new one.');
  }

  /** Also in another form of the same letters, such as full-width ones. Names of before that rule are kept as they are. */
  function findAsTyped(username: string): UserRow | undefined {
    return repositories.accounts.findUser(username) ?? repositories.accounts.findUser(username.normalize('NFKC'));
  }

  function get(username: string): UserRow {
    const user = findAsTyped(username);
    if (user === undefined) throw new StationError('not_found', `There is no user ${username}.`);
    return user;
  }

  function setPassword(tx: Transaction, username: string, passwordHash: string): void {
    repositories.accounts.setPassword(username, passwordHash);
    tx.afterCommit(() => passwords.changed(username));
  }

  /** A PIN is for pickers: it goes with the role, and so do its sessions. */
  function setRole(tx: Transaction, user: UserRow, role: Role): void {
    const { username } = user;
    repositories.accounts.setRole(username, role);
    if (role !== 'picker' && user.pin_hash !== null) pins.setWithin(tx, user, null, '');
    sessions.setRole(tx, username, role);
  }

  function refuseLastAdmin(user: UserRow): void {
    if (user.role !== 'admin' || repositories.accounts.countAdmins() > 1) return;
    throw new StationError('conflict', `${user.username} is the only admin. Make somebody else one first.`);
  }

  /** Records no unknown name: it may be a password typed into the wrong field. */
  async function refused(user: UserRow | undefined, method: 'password' | 'basic', address: string): Promise<void> {
    const entry = { action: 'session.refused', subject: user?.username ?? '', detail: { method } } as const;
    await writer.write((tx) => audit.record(tx, { ...entry, by: { name: '', address } }));
  }

  function open(user: UserRow, method: 'password' | 'window', address: string, opener: Opener): Promise<NewSession> {
    return writer.write((tx) => {
      refuseIfChanged(user);
      repositories.accounts.setSignedIn(user.username, tx.now);
      const by = { name: user.username, address };
      audit.record(tx, { action: 'session.opened', by, subject: '', detail: { method } });
      return sessions.open(tx, user, { opener, kioskId: null });
    });
  }

  function userOf({ username, role, created_at, signed_in_at, pin_hash }: UserRow): User {
    return {
      username,
      role,
      created: new Date(created_at).toISOString(),
      last_sign_in: signed_in_at === null ? null : new Date(signed_in_at).toISOString(),
      sessions: sessions.countOf(username),
      has_pin: pin_hash !== null,
    };
  }

  return {
    /** Users there are; none on a fresh data folder. */
    count: (): number => repositories.accounts.countUsers(),
    /** The name of a person as it was added, typed in any case; undefined: there is no such person. */
    nameOf: (typed: string): string | undefined => findAsTyped(typed)?.username,
    list: (): User[] => reads.accounts.listUsers().map(userOf),
    /** Throws `conflict` where the name is taken, and `invalid` if the password is guessed first. */
    async add({ username, password, role }: NewUser, by: By): Promise<User> {
      await refuseGuessablePassword(username, password, 'password');
      const password_hash = await passwords.hash(password, by.address);
      await writer.write((tx) => {
        refuseTakenName(repositories, 'username', username);
        repositories.accounts.insertUser({ username, password_hash, role }, tx.now);
        audit.record(tx, { action: 'user.added', by, subject: username, detail: { role } });
      });
      return userOf(get(username));
    },
    /** `but`: a session that goes on where the others end. Throws `not_found`, `conflict` where no admin would be left, and `invalid` like `add`. */
    async change(
      typed: string,
      { role, password, pin, end_sessions }: UserChange,
      by: By,
      but: Session | undefined,
    ): Promise<User> {
      const { username } = get(typed);
      if (password !== undefined) await refuseGuessablePassword(username, password, 'password');
      const password_hash = password === undefined ? undefined : await passwords.hash(password, by.address);
      const pinHash = pin === undefined ? undefined : await pins.hash(pin, by.address);
      await writer.write((tx) => {
        const user = get(username);
        const changed: Changed[] = [];
        if (role !== undefined && role !== user.role) {
          if (role !== 'admin') refuseLastAdmin(user);
          setRole(tx, user, role);
          changed.push('role');
        }
        if (pinHash !== undefined) {
          pins.setWithin(tx, get(username), pinHash, but?.idHash ?? '');
          changed.push('pin');
        }
        if (password_hash !== undefined) {
          setPassword(tx, username, password_hash);
          changed.push('password');
        }
        if (end_sessions === true) changed.push('sessions');
        if (password_hash !== undefined || end_sessions === true) sessions.endOf(tx, username, but?.idHash ?? '');
        if (changed.length === 0) return;
        const detail = changed.includes('role') && role !== undefined ? { changed, role } : { changed };
        audit.record(tx, { action: 'user.changed', by, subject: username, detail });
      });
      return userOf(get(username));
    },
    /** Throws `not_found`, and `conflict` like `change`. */
    remove: (typed: string, by: By): Promise<void> =>
      writer.write((tx) => {
        const user = get(typed);
        const { username } = user;
        refuseLastAdmin(user);
        sessions.endOf(tx, username, '');
        // Also a person who never signed in, for whom a program launched: nobody of that name comes back.
        presence.tell(tx, 'wentAway', username);
        repositories.accounts.removeUser(username);
        audit.record(tx, { action: 'user.removed', by, subject: username, detail: {} });
      }),
    /** As what a password is kept, slow on purpose: where it is his already, the hash that is kept. Changes nothing. */
    async hashOf(username: string, password: string): Promise<string> {
      const kept = repositories.accounts.findUser(username)?.password_hash;
      if (kept !== undefined && (await passwords.matches(password, kept, 'start', STATION))) return kept;
      return passwords.hash(password, STATION.address);
    },
    /**
     * Creates the person, or gives him the password of this hash and this role, as the start of the station asks; `also` is done
     * in the same use-case, and may throw to prevent it. `sessions`: what becomes of those that were begun with another password.
     */
    async put(
      {
        username,
        passwordHash: password_hash,
        role,
        sessions: theirs,
        by,
        method,
      }: {
        username: string;
        passwordHash: string;
        role: Role;
        sessions: 'end' | 'keep';
        by: By;
        method: 'environment' | 'window';
      },
      also: (tx: Transaction) => void,
    ): Promise<void> {
      await writer.write((tx) => {
        also(tx);
        const known = repositories.accounts.findUser(username);
        if (known === undefined) {
          repositories.accounts.insertUser({ username, password_hash, role }, tx.now);
          audit.record(tx, { action: 'user.added', by, subject: username, detail: { role, method } });
          return;
        }
        const changed: Changed[] = [];
        if (known.role !== role) {
          setRole(tx, known, role);
          changed.push('role');
        }
        if (known.password_hash !== password_hash) {
          setPassword(tx, username, password_hash);
          if (theirs === 'end') sessions.endOf(tx, username, '');
          changed.push('password');
        }
        if (changed.length === 0) return;
        audit.record(tx, { action: 'user.changed', by, subject: known.username, detail: { changed, method } });
      });
    },
    /** Throws `unauthenticated`, after the same time for a wrong password and an unknown user, and `too_many_requests`. */
    async signIn(username: string, password: string, address: string, opener: Opener): Promise<NewSession> {
      const user = findAsTyped(username);
      const trier = { name: username, address };
      if (!(await passwords.matches(password, user?.password_hash, 'signIn', trier)) || user === undefined) {
        await refused(user, 'password', address);
        throw new StationError('unauthenticated', 'The user name or the password is wrong.');
      }
      return open(user, 'password', address, opener);
    },
    /** A session of the first admin without a password: for the shell that runs the station, never for a request. */
    async signInOwner(): Promise<NewSession> {
      const owner = repositories.accounts.findOwner();
      if (owner === undefined) throw new StationError('not_found', 'There is no admin who could be signed in.');
      return open(owner, 'window', STATION.address, 'browser');
    },
    /** Whose password this is, or undefined. Recorded as a sign-in by Basic. */
    async prove(username: string, password: string, address: string): Promise<UserRow | undefined> {
      const user = findAsTyped(username);
      const trier = { name: username, address };
      if (!(await passwords.matches(password, user?.password_hash, 'signIn', trier)) || user === undefined) {
        await refused(user, 'basic', address);
        return undefined;
      }
      await writer.write((tx) => {
        refuseIfChanged(user);
        repositories.accounts.setSignedIn(user.username, tx.now);
        const by = { name: user.username, address };
        audit.record(tx, { action: 'session.opened', by, subject: '', detail: { method: 'basic' } });
      });
      return user;
    },
    /** Ends the other sessions of the person. Throws `invalid` if the old password is wrong or the new one is guessed first. */
    async changePassword(
      { username, idHash }: Session,
      oldPassword: string,
      newPassword: string,
      by: By,
    ): Promise<void> {
      const user = repositories.accounts.findUser(username);
      const trier = { name: username, address: by.address };
      const isRight = await passwords.matches(oldPassword, user?.password_hash, 'change', trier);
      if (isRight) await refuseGuessablePassword(username, newPassword, 'new_password');
      const password_hash = isRight ? await passwords.hash(newPassword, by.address) : '';
      await writer.write((tx) => {
        // In the use-case, because a repetition after a kill has the password that was changed.
        if (!isRight || user === undefined) {
          throw new StationError('invalid', 'The old password is wrong. Nothing was changed.', [
            { path: '/old_password', message: 'This is not your password.' },
          ]);
        }
        refuseIfChanged(user);
        setPassword(tx, user.username, password_hash);
        sessions.endOf(tx, user.username, idHash);
        audit.record(tx, { action: 'password.changed', by, subject: '', detail: {} });
      });
    },
    /** Throws `unauthenticated` where the session has ended already. */
    signOut: (session: Session, by: By): Promise<void> =>
      writer.write((tx) => {
        if (!sessions.end(tx, session)) throw new StationError('unauthenticated', 'This session has ended already.');
        audit.record(tx, { action: 'session.ended', by, subject: '', detail: {} });
      }),
  };
}

export type People = ReturnType<typeof createPeople>;
