import { createHmac, randomBytes } from 'node:crypto';
import { boardOf } from '../../domain/devices/boardProfiles.ts';
import type { Admission, Clock, Ids, TurboChallenge, UpdateToSign } from '../../ports.ts';
import { StationError } from '../../errors.ts';
import type { Access, Asker } from '../access/index.ts';
import { findKeyIn, NONCE_BYTES, proofOf, updateTagOf, type Transcript } from './turboProof.ts';

/** Address of a turbo. `isSafeForPasswords` tells whether the connection protects passwords from interception. */
export type TurboCaller = { address: string; isSafeForPasswords: boolean };

const OTHER_SCOPES = 'Its key is for other programs. Create an API user with the scope turbo for it.';

/** Time limit for a turbo's answer to the challenge, in milliseconds. Turbos answer immediately. */
const CHALLENGE_MS = 5_000;

/** Decides who can connect a turbo over the network: a person, or an API user with the scope `turbo` or `admin`. Contract, section 10. */
export function createTurboSignIn(parts: {
  access: Pick<Access, 'byKey' | 'byKeyOrPassword' | 'isTurboLive' | 'listTurboHashes' | 'findBoundTurbo'>;
  clock: Pick<Clock, 'monotonic'>;
  ids: Pick<Ids, 'bytes'>;
  /** Whether the settings allow unencrypted passwords. */
  takesPlainPasswords: () => boolean;
}) {
  const { access, clock, ids, takesPlainPasswords } = parts;
  // Challenge unknown names like known ones, so that a challenge does not reveal which names exist.
  const decoy = randomBytes(32);

  /** Checks a password or an API key. Throws `unauthenticated`, `forbidden` or `too_many_requests`. */
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
        'The station does not accept a password over the network without encryption. Use HTTPS, or allow it with the setting turbo_plain_passwords.',
      );
    }
    const asker =
      username === ''
        ? access.byKey(secret, caller.address)
        : await access.byKeyOrPassword(username, secret, caller.address);
    if (asker === undefined) {
      const what = username === '' ? 'This API key is unknown.' : 'The user name or the password is wrong.';
      throw new StationError('unauthenticated', what);
    }
    if (asker.credential.kind !== 'password' && asker.scope !== 'turbo' && asker.scope !== 'admin') {
      throw new StationError('forbidden', `${asker.name} has the scope ${asker.scope}. ${OTHER_SCOPES}`);
    }
    return asker;
  }

  function hashesOf(username: string): string[] {
    const hashes = access.listTurboHashes(username);
    return hashes.length > 0 ? hashes : [createHmac('sha256', decoy).update(username).digest('base64')];
  }

  /** Checks the answer to a challenge. Throws `unauthenticated` or `too_many_requests`. */
  function proveByAnswer(answer: Uint8Array, transcript: Transcript, address: string): Asker {
    const found = hashesOf(transcript.username).map((keyHash) => findKeyIn(answer, keyHash, transcript));
    // A wrong answer counts as a wrong key. A turbo with another key sends an empty answer, so all its attempts count as the same wrong
    // key.
    const key = found.find((one) => one !== undefined) ?? `answer ${Buffer.from(answer).toString('base64')}`;
    const asker = access.byKey(key, address);
    if (asker !== undefined) return asker;
    throw new StationError(
      'unauthenticated',
      'The name or the key is wrong. A sign-in by challenge needs the name and the key of an API user of the scope turbo.',
    );
  }

  function challengeOf(address: string, admitted: (asker: Asker | undefined) => void): TurboChallenge {
    let open: { transcript: Transcript; until: number } | undefined;
    return {
      offer({ nonce: turboNonce, ...turbo }) {
        const stationNonce = ids.bytes(NONCE_BYTES);
        const transcript = { ...turbo, turboNonce, stationNonce };
        open = { transcript, until: clock.monotonic() + CHALLENGE_MS };
        return Buffer.concat([stationNonce, ...hashesOf(turbo.username).map((hash) => proofOf(hash, transcript))]);
      },
      admit({ answer, ...turbo }) {
        const challenge = open;
        open = undefined;
        admitted(undefined);
        if (challenge === undefined) return 'The turbo answered a challenge that it did not get.';
        if (challenge.until <= clock.monotonic()) return 'The turbo answered its challenge too late.';
        const transcript = { ...challenge.transcript, ...turbo };
        return problemIn(() => admitted(proveByAnswer(answer, transcript, address)));
      },
    };
  }

  function boundTo(asker: Asker | undefined) {
    const serialNumber = asker && access.findBoundTurbo(asker);
    return serialNumber === undefined ? undefined : boardOf(serialNumber);
  }

  return {
    prove,
    /** Creates the admission for a connection on which the turbo signs in with its hello rather than with the HTTP request. */
    admission(caller: TurboCaller): Admission {
      let asker: Asker | undefined;
      return {
        async admit(signIn) {
          asker = undefined;
          try {
            asker = await prove(signIn, caller);
            return undefined;
          } catch (error) {
            return problemOf(error);
          }
        },
        isLive: () => asker !== undefined && access.isTurboLive(asker),
        turboKey: () => turboKeyOf(asker),
        boundTo: () => boundTo(asker),
        signUpdate: (update) => signed(asker, update),
        challenge: challengeOf(caller.address, (found) => (asker = found)),
      };
    },
    /** Creates the admission for a connection whose HTTP request has already signed in. */
    admitted: (asker: Asker): Admission => ({
      admit: () => Promise.resolve(undefined),
      isLive: () => access.isTurboLive(asker),
      turboKey: () => turboKeyOf(asker),
      boundTo: () => boundTo(asker),
      signUpdate: (update) => signed(asker, update),
    }),
  };
}

export type TurboSignIn = ReturnType<typeof createTurboSignIn>;

function problemIn(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}

/** Returns the message of an error that refuses a turbo. Rethrows all other errors. */
function problemOf(error: unknown): string {
  if (error instanceof StationError) return error.message;
  throw error;
}

/** Signs an update with the hash of the API key that the board used to sign in. Returns undefined if the board used a password. */
function signed(asker: Asker | undefined, update: UpdateToSign): Uint8Array | undefined {
  return asker?.credential.kind === 'key' ? updateTagOf(asker.credential.hash, update) : undefined;
}

function turboKeyOf(asker: Asker | undefined): string | undefined {
  return asker?.scope === 'turbo' ? asker.name : undefined;
}
