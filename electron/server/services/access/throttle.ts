import { createHmac, randomBytes } from 'node:crypto';
import { TooManyRequests } from '../../errors.ts';
import type { Clock } from '../../ports.ts';

/** Maximum number of remembered targets. Far fewer passwords can be tried within the window, so no target is dropped too early. */
const MAX_REMEMBERED = 10_000;

/** The target for which attempts are counted: a user, a network and a purpose. */
export type GuessTarget = { name: string; network: string; kind: string };

/** Limits attempts by the number of different wrong passwords. Repeating the same password does not count again. */
export function createThrottle(parts: {
  clock: Clock;
  message: string;
  /** Number of different wrong passwords allowed for one target within the window. */
  maxWrong: number;
  windowMs: number;
}) {
  const { clock, message, maxWrong, windowMs } = parts;
  // Hash tried passwords with a secret of this run, so that the memory reveals no password that may be used elsewhere.
  const secret = randomBytes(32);
  /** Targets with their wrong passwords, oldest first. */
  const wrongs = new Map<string, { name: string; passwords: Set<string>; until: number }>();

  const keyOf = ({ name, network, kind }: GuessTarget): string => JSON.stringify([kind, network, name]);

  function forgetOld(): void {
    for (const [key, { until }] of wrongs) {
      if (until > clock.monotonic() && wrongs.size < MAX_REMEMBERED) return;
      wrongs.delete(key);
    }
  }

  return {
    /** Throws `too_many_requests` after too many different wrong passwords for this target. */
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
    /** Forgets all attempts for this name from every network. Call after the password changed. */
    forget(name: string): void {
      for (const [key, known] of wrongs) if (known.name === name) wrongs.delete(key);
    },
    /** Returns the number of remembered targets and wrong passwords. */
    size: (): { targets: number; passwords: number } => ({
      targets: wrongs.size,
      passwords: [...wrongs.values()].reduce((sum, { passwords }) => sum + passwords.size, 0),
    }),
  };
}

export type Throttle = ReturnType<typeof createThrottle>;
