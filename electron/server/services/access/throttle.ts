import { createHmac, randomBytes } from 'node:crypto';
import { TooManyRequests } from '../../errors.ts';
import type { Clock } from '../../ports.ts';

/** Far more entries than passwords can be tried within a minute, so none is dropped early. */
const MAX_REMEMBERED = 10_000;

/** A try: for whom, from which network, for which purpose. */
export type GuessTarget = { name: string; network: string; kind: string };

/** Counts different wrong passwords: the same one again does not count as another attempt. */
export function createThrottle(parts: {
  clock: Clock;
  message: string;
  /** Different wrong passwords within the window, for one target. */
  maxWrong: number;
  windowMs: number;
}) {
  const { clock, message, maxWrong, windowMs } = parts;
  // Of this run alone. What is remembered under it tells nobody a password, not even one that is right elsewhere.
  const secret = randomBytes(32);
  /** The oldest first. */
  const wrongs = new Map<string, { name: string; passwords: Set<string>; until: number }>();

  const keyOf = ({ name, network, kind }: GuessTarget): string => JSON.stringify([kind, network, name]);

  function forgetOld(): void {
    for (const [key, { until }] of wrongs) {
      if (until > clock.monotonic() && wrongs.size < MAX_REMEMBERED) return;
      wrongs.delete(key);
    }
  }

  return {
    /** Throws `too_many_requests` after too many wrong passwords. */
    check(target: GuessTarget): void {
      const known = wrongs.get(keyOf(target));
      if (known === undefined || known.passwords.size < maxWrong) return;
      const leftMs = known.until - clock.monotonic();
      if (leftMs > 0) throw new TooManyRequests(message, Math.ceil(leftMs / 1_000));
    },
    wrong(target: GuessTarget, password: string): void {
      forgetOld();
      const key = keyOf(target);
      const hash = createHmac('sha256', secret).update(password).digest('base64');
      const known = wrongs.get(key);
      if (known !== undefined && known.until > clock.monotonic()) {
        known.passwords.add(hash);
        return;
      }
      wrongs.delete(key);
      wrongs.set(key, { name: target.name, passwords: new Set([hash]), until: clock.monotonic() + windowMs });
    },
    /** Forgets what was tried for this name, from everywhere: its password is another one now. */
    forget(name: string): void {
      for (const [key, known] of wrongs) if (known.name === name) wrongs.delete(key);
    },
    /** How many targets are remembered, and how many wrong passwords of all of them. */
    size: (): { targets: number; passwords: number } => ({
      targets: wrongs.size,
      passwords: [...wrongs.values()].reduce((sum, { passwords }) => sum + passwords.size, 0),
    }),
  };
}

export type Throttle = ReturnType<typeof createThrottle>;
