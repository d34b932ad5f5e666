import type { Admission } from '../../ports.ts';
import { StationError } from '../../errors.ts';
import type { Access, Asker } from '../access/index.ts';

/** From where a turbo connects, and whether its password can be intercepted on the way. */
export type TurboCaller = { address: string; isSafeForPasswords: boolean };

/** Who may connect a turbo over the network: a person, or an API user of the scope `turbo` or `admin`. Contract, section 10. */
export type TurboSignIn = {
  /** Throws `unauthenticated`, `forbidden` or `too_many_requests`. */
  prove(signIn: { username: string; secret: string }, caller: TurboCaller): Promise<Asker>;
  /** For one connection over which the turbo itself signs in. */
  admission(caller: TurboCaller): Admission;
  /** For one connection whose request was signed in already. */
  admitted(asker: Asker): Admission;
};

const OTHER_SCOPES = 'Its key opens other doors: make an API user of the scope turbo for it.';

export function createTurboSignIn(parts: {
  access: Pick<Access, 'byKey' | 'byKeyOrPassword' | 'isTurboLive'>;
  /** Whether the settings allow passwords without encryption. */
  takesPlainPasswords: () => boolean;
}): TurboSignIn {
  const { access, takesPlainPasswords } = parts;

  async function prove(
    { username, secret }: { username: string; secret: string },
    caller: TurboCaller,
  ): Promise<Asker> {
    if (secret === '') {
      throw new StationError(
        'unauthenticated',
        'The turbo did not sign in. Give it a user name and a password, or an API key.',
      );
    }
    if (!caller.isSafeForPasswords && !takesPlainPasswords()) {
      throw new StationError(
        'forbidden',
        'A password over the network without encryption is not taken. Let the station speak HTTPS, or allow it by the setting turbo_plain_passwords.',
      );
    }
    const asker =
      username === ''
        ? access.byKey(secret, caller.address)
        : await access.byKeyOrPassword(username, secret, caller.address);
    if (asker === undefined) {
      const what = username === '' ? 'This API key is not known here.' : 'The user name or the password is wrong.';
      throw new StationError('unauthenticated', what);
    }
    if (asker.credential.kind !== 'password' && asker.scope !== 'turbo' && asker.scope !== 'admin') {
      throw new StationError('forbidden', `${asker.name} has the scope ${asker.scope}. ${OTHER_SCOPES}`);
    }
    return asker;
  }

  return {
    prove,
    admission(caller) {
      let asker: Asker | undefined;
      return {
        async admit(signIn) {
          try {
            asker = await prove(signIn, caller);
            return undefined;
          } catch (error) {
            if (error instanceof StationError) return error.message;
            throw error;
          }
        },
        isLive: () => asker !== undefined && access.isTurboLive(asker),
        turboKey: () => turboKeyOf(asker),
      };
    },
    admitted: (asker) => ({
      admit: () => Promise.resolve(undefined),
      isLive: () => access.isTurboLive(asker),
      turboKey: () => turboKeyOf(asker),
    }),
  };
}

function turboKeyOf(asker: Asker | undefined): string | undefined {
  return asker?.scope === 'turbo' ? asker.name : undefined;
}
