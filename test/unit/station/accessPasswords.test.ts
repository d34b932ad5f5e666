import { describe, expect, test } from 'vitest';
import { createPasswords } from '../../../electron/server/services/access/passwords.ts';
import { createNetworks } from '../../../electron/server/services/access/networks.ts';
import { createThrottle } from '../../../electron/server/services/access/throttle.ts';
import { challengeOf, isSafeForPasswords } from '../../../electron/server/http/signIn.ts';
import { createFakeClock } from '../../helpers/fakeClock.ts';
import { seededIds } from '../../helpers/seeded.ts';

/** Creates password hashing that the test finishes step by step. */
function rig() {
  const clock = createFakeClock(0);
  const running: { password: string; finish: () => void }[] = [];
  const passwords = createPasswords({
    clock,
    networkOf: createNetworks({ clock, ownAddresses: () => [] }),
    ids: seededIds(1),
    derive: (password) =>
      new Promise((resolve) => {
        const bytes = new Uint8Array(32);
        bytes.set(Buffer.from(password).subarray(0, 32));
        running.push({ password, finish: () => resolve(bytes) });
      }),
  });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    clock,
    passwords,
    settle,
    running,
    /** Finishes all running jobs in order. Returns the passwords that were hashed. */
    async finishAll(): Promise<string[]> {
      const hashed: string[] = [];
      while (running.length > 0) {
        const job = running.shift();
        hashed.push(job?.password ?? '');
        job?.finish();
        await settle();
      }
      return hashed;
    },
    /** Returns the result or the error code of each attempt. */
    outcomes: (all: Promise<unknown>[]) =>
      Promise.all(all.map((one) => one.then(String, (error: { code: string }) => error.code))),
  };
}

const STORED = `AAAA:${Buffer.from('right'.padEnd(32, '\0')).toString('base64')}`;

describe('the hashing queue', () => {
  test('hashes at most two passwords at a time, for all callers together', async () => {
    const { passwords, running, settle, finishAll } = rig();
    const all = Array.from({ length: 10 }, (_, index) => passwords.hash(`p${index}`, `10.0.0.${index}`));
    await settle();
    expect(running).toHaveLength(2);
    running.shift()?.finish();
    await settle();
    expect(running).toHaveLength(2);
    await finishAll();
    expect(await Promise.all(all)).toHaveLength(10);
  });

  test('lets addresses take turns, so that a latecomer does not wait for all requests of another address', async () => {
    const { passwords, finishAll } = rig();
    const all = [1, 2, 3, 4, 5, 6].map((count) => passwords.hash(`a${count}`, '10.0.0.1'));
    all.push(passwords.hash('b1', '10.0.0.2'), passwords.hash('b2', '10.0.0.2'));
    expect(await finishAll()).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'a5', 'a6']);
    await Promise.all(all);
  });

  test('when full, refuses only the latest requests of the busiest address', async () => {
    const { passwords, finishAll, outcomes } = rig();
    const flood = Array.from({ length: 150 }, (_, index) => passwords.hash(`f${index}`, '10.0.0.1'));
    const others = Array.from({ length: 20 }, (_, index) => passwords.hash(`o${index}`, `10.0.1.${index}`));
    const [flooded, served] = [outcomes(flood), outcomes(others)];
    await finishAll();
    expect((await served).filter((outcome) => outcome === 'too_many_requests')).toEqual([]);
    // Of 2 running and 100 waiting requests, the requests from other addresses displaced the last 20.
    const refused = (await flooded).map((outcome) => outcome === 'too_many_requests');
    expect(refused).toEqual(Array.from({ length: 150 }, (_, index) => index >= 82));
  });

  test('when full, refuses only the requests beyond the limit, even with one request per address', async () => {
    const { passwords, finishAll, outcomes } = rig();
    const from = (count: number, each: number) =>
      Array.from({ length: count * each }, (_, index) => passwords.hash('x', `10.0.1.${index % count}`));
    const pairs = outcomes(from(52, 2));
    await finishAll();
    expect((await pairs).filter((outcome) => outcome === 'too_many_requests')).toHaveLength(2);
    const singles = outcomes(from(104, 1));
    await finishAll();
    expect((await singles).filter((outcome) => outcome === 'too_many_requests')).toHaveLength(2);
  });

  test('keeps hashing after a failure', async () => {
    let calls = 0;
    const passwords = createPasswords({
      clock: createFakeClock(0),
      networkOf: (address) => address,
      ids: seededIds(1),
      derive: () => ((calls += 1) <= 2 ? Promise.reject(new Error('no memory')) : Promise.resolve(new Uint8Array(32))),
    });
    const all = [1, 2, 3].map(() => passwords.hash('x', '10.0.0.1'));
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });
});

test('hashes once for an unknown user, as for a known one', async () => {
  const { passwords, finishAll } = rig();
  const trier = { name: 'x', address: '10.0.0.1' };
  for (const [stored, password, expected] of [
    [STORED, 'right', true],
    [STORED, 'wrong', false],
    [undefined, 'right', false],
  ] as const) {
    const answer = passwords.matches(password, stored, 'signIn', trier);
    expect(await finishAll()).toEqual([password]);
    expect(await answer).toBe(expected);
  }
});

describe('wrong passwords', () => {
  const trier = { name: 'Paula', address: '10.0.0.1' };

  test('are checked against the limit again before each turn, so that simultaneous guesses cannot all be tried', async () => {
    const { passwords, finishAll, outcomes } = rig();
    const all = outcomes(
      Array.from({ length: 50 }, (_, index) => passwords.matches(`wrong ${index}`, STORED, 'signIn', trier)),
    );
    expect((await finishAll()).length).toBeLessThanOrEqual(11);
    expect((await all).filter((outcome) => outcome === 'too_many_requests').length).toBeGreaterThanOrEqual(39);
  });

  test('count for a minute, per name, network and purpose', async () => {
    const { passwords, finishAll, outcomes, clock } = rig();
    const attempt = async (kind: 'signIn' | 'change', name: string, address: string) => {
      const answer = outcomes([passwords.matches('right', STORED, kind, { name, address })]);
      await finishAll();
      return (await answer)[0];
    };
    for (let tries = 0; tries < 10; tries += 1) {
      const answer = passwords.matches(`wrong ${tries}`, STORED, 'signIn', trier);
      await finishAll();
      expect(await answer).toBe(false);
    }
    expect(await attempt('signIn', 'PAULA', '10.0.0.1')).toBe('too_many_requests');
    expect(await attempt('signIn', 'Paula', '10.0.0.2')).toBe('true');
    expect(await attempt('signIn', 'Peter', '10.0.0.1')).toBe('true');
    expect(await attempt('change', 'Paula', '10.0.0.1')).toBe('true');
    await clock.advance(59_999);
    expect(await attempt('signIn', 'Paula', '10.0.0.1')).toBe('too_many_requests');
    await clock.advance(1);
    expect(await attempt('signIn', 'Paula', '10.0.0.1')).toBe('true');
  });

  test('count once when repeated, and are still hashed each time, so that nobody can tell that they are known', async () => {
    const { passwords, finishAll, outcomes } = rig();
    const attempt = async (password: string) => {
      const answer = outcomes([passwords.matches(password, STORED, 'signIn', trier)]);
      return [await finishAll(), ...(await answer)];
    };
    for (let tries = 0; tries < 100; tries += 1) expect(await attempt('old')).toEqual([['old'], 'false']);
    // The same characters in a different Unicode form are the same password.
    expect(await attempt('\uFB01rst')).toEqual([['first'], 'false']);
    expect(await attempt('first')).toEqual([['first'], 'false']);
    for (let tries = 0; tries < 8; tries += 1) expect(await attempt(`wrong ${tries}`)).toContain('false');
    expect(await attempt('right')).toEqual([[], 'too_many_requests']);
  });

  test('are forgotten when the password changes, for that name only', async () => {
    const { passwords, finishAll, outcomes } = rig();
    const attempt = async (name: string, password: string) => {
      const answer = outcomes([passwords.matches(password, STORED, 'signIn', { ...trier, name })]);
      await finishAll();
      return (await answer)[0];
    };
    for (const name of ['Paula', 'Peter']) {
      for (let tries = 0; tries < 10; tries += 1) await attempt(name, `wrong ${tries}`);
    }
    passwords.changed('PAULA');
    expect([await attempt('Paula', 'right'), await attempt('Peter', 'right')]).toEqual(['true', 'too_many_requests']);
  });

  test('are remembered up to a limit, for a limited time', async () => {
    const clock = createFakeClock(0);
    const throttle = createThrottle({ clock, message: '', maxWrong: 10, windowMs: 60_000 });
    const target = (name: string) => ({ name, network: '10.0.0.1', kind: 'signIn' });
    for (let count = 0; count < 11_000; count += 1) throttle.wrong(target(`name ${count}`), 'x');
    expect(throttle.size().targets).toBeLessThanOrEqual(10_000);
    await clock.advance(60_000);
    for (let count = 0; count < 1_000; count += 1) throttle.wrong(target('one'), `wrong ${count % 10}`);
    expect(throttle.size()).toEqual({ targets: 1, passwords: 10 });
  });
});

describe('the network of an address', () => {
  test('is the whole IPv4 address, or the first half of an IPv6 address', () => {
    const networkOf = createNetworks({ clock: createFakeClock(0), ownAddresses: () => [] });
    expect(networkOf('192.168.0.7')).toBe('192.168.0.7');
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
    expect(networkOf('2001:0DB8:0001:2::6')).toBe('2001:db8:1:2');
    expect(networkOf('2001:db8::6')).toBe('2001:db8:0:0');
    expect(networkOf('64:ff9b::192.0.2.1')).toBe('64:ff9b:0:0');
    expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0');
  });

  test("is the whole IPv6 address within this machine's current prefix", async () => {
    const clock = createFakeClock(0);
    let own = ['fd00:0:0:7::1/64', '2001:db8:1:2::5/128', '2001:db8:8::1/48', '2001:db8:a:b0::1/60'];
    const networkOf = createNetworks({ clock, ownAddresses: () => own });
    expect(networkOf('fd00:0:0:7::a')).toBe('fd00:0:0:7:0:0:0:a');
    expect(networkOf('fd00:0:0:7::b')).not.toBe(networkOf('fd00:0:0:7::a'));
    expect(networkOf('fd00:0:0:8::a')).toBe('fd00:0:0:8');
    // A /128 address also stands for its whole /64 network.
    expect(networkOf('2001:db8:1:2::6')).toBe('2001:db8:1:2:0:0:0:6');
    expect(networkOf('2001:db8:8:ffff::1')).toBe('2001:db8:8:ffff:0:0:0:1');
    expect(networkOf('2001:db8:a:bf::1')).toBe('2001:db8:a:bf:0:0:0:1');
    expect(networkOf('2001:db8:a:c0::1')).toBe('2001:db8:a:c0');
    expect(networkOf('2001:db8:9::1')).toBe('2001:db8:9:0');
    own = ['fd00:0:0:8::1/64'];
    await clock.advance(60_000);
    expect([networkOf('fd00:0:0:7::a'), networkOf('fd00:0:0:8::a')]).toEqual(['fd00:0:0:7', 'fd00:0:0:8:0:0:0:a']);
  });
});

test('passwords in requests are safe only over HTTPS or within this machine', () => {
  for (const address of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) {
    expect(isSafeForPasswords(false, address), address).toBe(true);
  }
  for (const address of ['192.168.0.7', '::ffff:192.168.0.7', 'fe80::1', '10.127.0.1', '1127.0.0.1', '', undefined]) {
    expect(isSafeForPasswords(false, address), address).toBe(false);
    expect(isSafeForPasswords(true, address), address).toBe(true);
  }
});

test('a challenge asks for a password only where one is accepted, and never in a browser', () => {
  const near = { headers: {}, secure: false, ip: '127.0.0.1' };
  const far = { ...near, ip: '192.168.0.7' };
  const asks = (req: Parameters<typeof challengeOf>[0], isOn = true) =>
    challengeOf(req, { takesPasswords: () => isOn }).includes('Basic');
  expect([near, { ...far, secure: true }].map((req) => asks(req))).toEqual([true, true]);
  expect(asks(far)).toBe(false);
  expect(asks({ ...near, headers: { 'sec-fetch-site': 'same-origin' } })).toBe(false);
  expect(asks(near, false)).toBe(false);
});
