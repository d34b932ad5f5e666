import { randomBytes, timingSafeEqual } from 'node:crypto';
import { nameKey } from '#shared/lib/nameKey.ts';
import { TooManyRequests } from '../../errors.ts';
import type { Clock, DerivePassword, Ids } from '../../ports.ts';
import type { NetworkOf } from './networks.ts';
import { createThrottle, type GuessTarget } from './throttle.ts';

/** The user and address of a try: wrong passwords lock out nobody else. */
export type Trier = { name: string; address: string };

/** Of what `DerivePassword` answers. */
const HASH_BYTES = 32;

/** The others of the pool's four threads are for files and names. */
const MAX_RUNNING = 2;
/** The last of them waits about three seconds. */
const MAX_WAITING = 100;
const QUEUE_RETRY_S = 5;

const A_MINUTE = { maxWrong: 10, windowMs: 60_000 };
/** A PIN is short: for one person, and at one kiosk for all people, a day of guessing tries less than a tenth of the shortest ones. */
const AN_HOUR = { maxWrong: 30, windowMs: 3_600_000 };

/** A throttle, whose tries it counts, and what was tried there. */
type Limit = { throttle: ReturnType<typeof createThrottle>; target: GuessTarget; tried: string };

type Job = { run: () => Promise<void>; refuse: () => void };

export function createPasswords(parts: { clock: Clock; ids: Ids; derive: DerivePassword; networkOf: NetworkOf }) {
  const { clock, ids, networkOf } = parts;
  const throttle = createThrottle({
    clock,
    message: 'Too many wrong passwords. Wait a minute and try again.',
    ...A_MINUTE,
  });
  const pinThrottle = createThrottle({
    clock,
    message: 'Too many wrong PINs. Wait a minute and try again, or sign in with your password.',
    ...A_MINUTE,
  });
  const pinHourThrottle = createThrottle({
    clock,
    message: 'Too many wrong PINs within an hour. Sign in with your password, or try again later.',
    ...AN_HOUR,
  });
  // An unknown user takes as much time as a known one.
  const nobody = toText(randomBytes(16), randomBytes(HASH_BYTES));
  /** By address; the next turn is the first one's. */
  const waiting = new Map<string, Job[]>();
  let total = 0;
  let running = 0;

  function next(): void {
    if (running >= MAX_RUNNING) return;
    const [first] = waiting;
    if (first === undefined) return;
    const [address, jobs] = first;
    const job = jobs.shift();
    waiting.delete(address);
    if (jobs.length > 0) waiting.set(address, jobs);
    if (job === undefined) return;
    total -= 1;
    running += 1;
    void job.run().finally(() => {
      running -= 1;
      next();
    });
  }

  /** Where too many wait, the last one of the address with the most gives way: one address keeps no other one out. */
  function makeRoom(): void {
    if (total <= MAX_WAITING) return;
    const [longest] = [...waiting].toSorted(([, a], [, b]) => b.length - a.length);
    if (longest === undefined) return;
    const [address, jobs] = longest;
    jobs.pop()?.refuse();
    if (jobs.length === 0) waiting.delete(address);
    total -= 1;
  }

  /** In turns of addresses, a few at a time. */
  function inTurn<T>(from: string, work: () => Promise<T>): Promise<T> {
    const address = networkOf(from);
    return new Promise<T>((resolve, reject) => {
      const jobs = waiting.get(address) ?? [];
      jobs.push({
        run: () => work().then(resolve, reject),
        refuse: () =>
          reject(
            new TooManyRequests('Too many people sign in at this moment. Try again in a few seconds.', QUEUE_RETRY_S),
          ),
      });
      waiting.set(address, jobs);
      total += 1;
      next();
      makeRoom();
    });
  }

  const derive = (password: string, salt: Uint8Array): Promise<Uint8Array> =>
    parts.derive(password.normalize('NFKC'), salt);

  const keyOf = (name: string): string => nameKey(name.normalize('NFKC'));

  function compare(
    password: string,
    hash: string | undefined,
    { address, limits }: { address: string; limits: readonly Limit[] },
  ): Promise<boolean> {
    const check = () => {
      for (const { throttle, target } of limits) throttle.check(target);
    };
    check();
    return inTurn(address, async () => {
      // Meanwhile others were tried.
      check();
      const [salt = '', expected = ''] = (hash ?? nobody).split(':');
      const derived = await derive(password, Buffer.from(salt, 'base64'));
      const isRight = timingSafeEqual(derived, Buffer.from(expected, 'base64')) && hash !== undefined;
      if (!isRight) for (const { throttle, target, tried } of limits) throttle.wrong(target, tried);
      return isRight;
    });
  }

  return {
    hash: (password: string, address: string): Promise<string> =>
      inTurn(address, async () => {
        const salt = ids.bytes(16);
        return toText(salt, await derive(password, salt));
      }),
    /**
     * Whether it is the password of this hash; of a user who does not exist (undefined) it costs the same time, and so does
     * a wrong one that was tried before, which counts as one attempt. Throws `too_many_requests` after too many different ones.
     */
    async matches(
      password: string,
      hash: string | undefined,
      kind: 'signIn' | 'change' | 'start',
      { name, address }: Trier,
    ): Promise<boolean> {
      const target = { kind, network: networkOf(address), name: keyOf(name) };
      return compare(password, hash, { address, limits: [{ throttle, target, tried: password.normalize('NFKC') }] });
    },
    /**
     * The same for a PIN at a kiosk. Wrong PINs count per person, from all addresses, and per kiosk, for all people: a copied
     * cookie does not allow more guesses from many addresses or at many people.
     */
    async matchesPin(
      pin: string,
      hash: string | undefined,
      { name, kioskId, address }: Trier & { kioskId: number },
    ): Promise<boolean> {
      const ofName = { kind: 'pin', network: '', name: keyOf(name) };
      const ofKiosk = { kind: 'kiosk', network: String(kioskId), name: '' };
      const limits = [
        { throttle: pinThrottle, target: ofName, tried: pin },
        { throttle: pinHourThrottle, target: ofName, tried: pin },
        { throttle: pinHourThrottle, target: ofKiosk, tried: JSON.stringify([ofName.name, pin]) },
      ];
      return compare(pin, hash, { address, limits });
    },
    /** The password of this person is another one now: what was tried before counts no longer. */
    changed: (username: string): void => throttle.forget(keyOf(username)),
    pinChanged(username: string): void {
      pinThrottle.forget(keyOf(username));
      pinHourThrottle.forget(keyOf(username));
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

function toText(salt: Uint8Array, derived: Uint8Array): string {
  return `${Buffer.from(salt).toString('base64')}:${Buffer.from(derived).toString('base64')}`;
}
