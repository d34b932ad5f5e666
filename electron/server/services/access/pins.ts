import type { TablesOf } from '../../core.ts';
import type { UserRow } from '../../db/repositories/accounts.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Passwords } from './passwords.ts';
import type { Session, Sessions } from './sessions.ts';
import type { Audit, By } from '../base/index.ts';

/** Manages the PINs with which pickers sign in at a kiosk. */
export function createPins(parts: {
  repositories: TablesOf<'access'>;
  writer: Pick<Writer, 'write'>;
  passwords: Passwords;
  sessions: Sessions;
  audit: Audit;
}) {
  const { repositories, writer, passwords, sessions, audit } = parts;

  /**
   * Sets or, with null, removes a PIN and ends the sessions that began with the previous one, except the session with the hash `but`.
   * Throws `invalid` if the user is not a picker.
   */
  function setWithin(tx: Transaction, user: UserRow, pinHash: string | null, but: string): void {
    if (pinHash !== null && user.role !== 'picker') throw onlyPickers(user);
    repositories.accounts.setPin(user.username, pinHash);
    sessions.endWithPin(tx, user.username, but);
    tx.afterCommit(() => passwords.pinChanged(user.username));
  }

  const hash = async (pin: string | null, address: string): Promise<string | null> =>
    pin === null ? null : passwords.hash(pin, address);

  return {
    hash,
    setWithin,
    /**
     * Changes the PIN of the session's person, or removes it if `pin` is null. Throws `invalid` for a wrong password, or if the person is
     * not a picker.
     */
    async changeOwn(
      { username, idHash }: Session,
      { pin, password }: { pin: string | null; password: string },
      by: By,
    ): Promise<void> {
      const before = repositories.accounts.findUser(username);
      const trier = { name: username, address: by.address };
      const isRight = await passwords.matches(password, before?.password_hash, 'change', trier);
      if (!isRight || before === undefined) {
        throw new StationError('invalid', 'The password is wrong. The PIN was not changed.', [
          { path: '/password', message: 'This is not your password.' },
        ]);
      }
      const pinHash = await hash(pin, by.address);
      await writer.write((tx) => {
        const user = repositories.accounts.findUser(username);
        if (user?.password_hash !== before.password_hash) {
          throw new StationError('unauthenticated', 'The password was changed meanwhile. Sign in with the new one.');
        }
        setWithin(tx, user, pinHash, idHash);
        audit.record(tx, { action: 'user.changed', by, subject: user.username, detail: { changed: ['pin'] } });
      });
    },
  };
}

export type Pins = ReturnType<typeof createPins>;

function onlyPickers({ username, role }: UserRow): StationError {
  const message = `${username} has the role ${role}, and only a picker signs in with a PIN. Change the role to picker first, or sign in with the password.`;
  return new StationError('invalid', message, [{ path: '/pin', message }]);
}
