import type { Admission } from '../../ports.ts';
import { StationError } from '../../errors.ts';
import type { Access, Asker } from '../access/index.ts';

/** From where a turbo connects, and whether its password can be intercepted on the way. */
export type TurboCaller = { address: string; isSafeForPasswords: boolean };

const OTHER_SCOPES = 'Its key opens other doors: make an API user of the scope turbo for it.';

/** Who may connect a turbo over the network: a person, or an API user of the scope `turbo` or `admin`. Contract, section 10. */
export function createTurboSignIn(parts: {
  access: Pick<Access, 'byKey' | 'byKeyOrPassword' | 'isTurboLive'>;
  /** Whether the settings allow passwords without encryption. */
  takesPlainPasswords: () => boolean;
}) {
  const { access, takesPlainPasswords } = parts;

  /** Throws `unauthenticated`, `forbidden` or `too_many_requests`. */
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
    /** For one connection over which the turbo itself signs in. */
    admission(caller: TurboCaller): Admission {
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
    /** For one connection whose request was signed in already. */
    admitted: (asker: Asker): Admission => ({
      admit: () => Promise.resolve(undefined),
      isLive: () => access.isTurboLive(asker),
      turboKey: () => turboKeyOf(asker),
    }),
  };
}

export type TurboSignIn = ReturnType<typeof createTurboSignIn>;

function turboKeyOf(asker: Asker | undefined): string | undefined {
  return asker?.scope === 'turbo' ? asker.name : undefined;
}
