import { randomBytes, timingSafeEqual } from 'node:crypto';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Clock, DerivePassword, Ids } from '../../ports.ts';
import { createHashTurns, type HashTurns } from './hashTurns.ts';
import type { NetworkOf } from './networks.ts';
import { createThrottle, type GuessTarget, type Throttle } from './throttle.ts';

/** The user and the address of an attempt. Wrong passwords lock out only this combination. */
export type Trier = { name: string; address: string };

/** Length of a hash from `DerivePassword`. */
const HASH_BYTES = 32;

const A_MINUTE = { maxWrong: 10, windowMs: 60_000 };
/**
 * Limit for wrong PINs per person and per kiosk. PINs are short, but with this limit, a day of guessing covers less than a tenth of the
 * shortest ones.
 */
const AN_HOUR = { maxWrong: 30, windowMs: 3_600_000 };

/** A throttle, the target for which it counts attempts, and the password or PIN of this attempt. */
type Limit = { throttle: Throttle; target: GuessTarget; tried: string };

/** State shared by the functions that hash and compare passwords. */
type PasswordContext = {
  ids: Ids;
  derive: DerivePassword;
  networkOf: NetworkOf;
  turns: HashTurns;
  throttle: Throttle;
  pinThrottle: Throttle;
  pinHourThrottle: Throttle;
  /** Hash to compare with for unknown users, so that a sign-in takes as long as for known users. */
  nobody: string;
};

/** Hashes and compares passwords and PINs, and limits guesses. */
export function createPasswords(parts: { clock: Clock; ids: Ids; derive: DerivePassword; networkOf: NetworkOf }) {
  const { clock, ids, derive, networkOf } = parts;
  const context: PasswordContext = {
    ids,
    derive,
    networkOf,
    turns: createHashTurns(),
    throttle: createThrottle({
      clock,
      message: 'Too many wrong passwords. Wait a minute and try again.',
      ...A_MINUTE,
    }),
    pinThrottle: createThrottle({
      clock,
      message: 'Too many wrong PINs. Wait a minute and try again, or sign in with your password.',
      ...A_MINUTE,
    }),
    pinHourThrottle: createThrottle({
      clock,
      message: 'Too many wrong PINs within an hour. Sign in with your password, or try again later.',
      ...AN_HOUR,
    }),
    nobody: toText(randomBytes(16), randomBytes(HASH_BYTES)),
  };
  return {
    hash: (password: string, address: string) => hash(context, password, address),
    matches: (password: string, stored: string | undefined, kind: 'signIn' | 'change' | 'start', trier: Trier) =>
      matches(context, password, stored, kind, trier),
    matchesPin: (pin: string, stored: string | undefined, trier: Trier & { kioskId: number }) =>
      matchesPin(context, pin, stored, trier),
    /** Forgets wrong passwords for this person. Call after the password changed. */
    changed: (username: string): void => context.throttle.forget(keyOf(username)),
    /** Forgets wrong PINs for this person. Call after the PIN changed. */
    pinChanged(username: string): void {
      context.pinThrottle.forget(keyOf(username));
      context.pinHourThrottle.forget(keyOf(username));
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

/** Returns salt and hash as text. Waits in the queue for slow hashes, and throws `too_many_requests` if the queue is full. */
function hash(context: PasswordContext, password: string, address: string): Promise<string> {
  const { ids, turns, networkOf } = context;
  return turns.run(networkOf(address), async () => {
    const salt = ids.bytes(16);
    return toText(salt, await derived(context, password, salt));
  });
}

/**
 * Whether the password matches the stored hash. Takes the same time for an unknown user, for whom `stored` is undefined. Repeating the same
 * wrong password counts as one attempt. Throws `too_many_requests` after too many different ones.
 */
async function matches(
  context: PasswordContext,
  password: string,
  stored: string | undefined,
  kind: 'signIn' | 'change' | 'start',
  { name, address }: Trier,
): Promise<boolean> {
  const { networkOf, throttle } = context;
  const target = { kind, network: networkOf(address), name: keyOf(name) };
  return compare(context, password, stored, address, [{ throttle, target, tried: password.normalize('NFKC') }]);
}

/**
 * Like `matches`, but for a PIN at a kiosk. Wrong PINs count per person for all addresses, and per kiosk for all people, so that copying a
 * kiosk's cookie does not allow more guesses.
 */
async function matchesPin(
  context: PasswordContext,
  pin: string,
  stored: string | undefined,
  { name, kioskId, address }: Trier & { kioskId: number },
): Promise<boolean> {
  const { pinThrottle, pinHourThrottle } = context;
  const ofName = { kind: 'pin', network: '', name: keyOf(name) };
  const ofKiosk = { kind: 'kiosk', network: String(kioskId), name: '' };
  return compare(context, pin, stored, address, [
    { throttle: pinThrottle, target: ofName, tried: pin },
    { throttle: pinHourThrottle, target: ofName, tried: pin },
    { throttle: pinHourThrottle, target: ofKiosk, tried: JSON.stringify([ofName.name, pin]) },
  ]);
}

/**
 * Compares a password or PIN with a stored hash. Checks the limits before queueing and again before hashing, because other attempts may
 * have failed in the meantime.
 */
function compare(
  context: PasswordContext,
  password: string,
  stored: string | undefined,
  address: string,
  limits: readonly Limit[],
): Promise<boolean> {
  const { turns, networkOf, nobody } = context;
  const check = (): void => {
    for (const { throttle, target } of limits) throttle.check(target);
  };
  check();
  return turns.run(networkOf(address), async () => {
    check();
    const [salt = '', expected = ''] = (stored ?? nobody).split(':');
    const actual = await derived(context, password, Buffer.from(salt, 'base64'));
    const isRight = timingSafeEqual(actual, Buffer.from(expected, 'base64')) && stored !== undefined;
    if (!isRight) for (const { throttle, target, tried } of limits) throttle.wrong(target, tried);
    return isRight;
  });
}

function derived({ derive }: PasswordContext, password: string, salt: Uint8Array): Promise<Uint8Array> {
  return derive(password.normalize('NFKC'), salt);
}

function keyOf(name: string): string {
  return nameKey(name.normalize('NFKC'));
}

function toText(salt: Uint8Array, derived: Uint8Array): string {
  return `${Buffer.from(salt).toString('base64')}:${Buffer.from(derived).toString('base64')}`;
}
