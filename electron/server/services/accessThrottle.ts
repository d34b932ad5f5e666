import { TooManyRequests } from '../errors.ts';
import type { Clock } from '../ports.ts';

/** Wrong tries within the window, of what one key names. */
const MAX_WRONG = 10;
const WINDOW_MS = 60_000;
/** Far more than passwords can be tried within the window: nobody is forgotten for the tries of others. */
const MAX_REMEMBERED = 10_000;

/** Counts wrong secrets; who sends right ones is never refused. */
export type Throttle = {
  /** Throws `too_many_requests` after too many wrong tries. */
  check(key: string): void;
  wrong(key: string): void;
  /** How many keys are remembered. */
  size(): number;
};

export function createThrottle(parts: { clock: Clock; message: string }): Throttle {
  const { clock, message } = parts;
  /** The oldest first. */
  const wrongs = new Map<string, { count: number; until: number }>();

  function forgetOld(): void {
    for (const [key, { until }] of wrongs) {
      if (until > clock.monotonic() && wrongs.size < MAX_REMEMBERED) return;
      wrongs.delete(key);
    }
  }

  return {
    check(key) {
      const known = wrongs.get(key);
      if (known === undefined || known.count < MAX_WRONG) return;
      const leftMs = known.until - clock.monotonic();
      if (leftMs > 0) throw new TooManyRequests(message, Math.ceil(leftMs / 1_000));
    },
    wrong(key) {
      forgetOld();
      const known = wrongs.get(key);
      if (known !== undefined && known.until > clock.monotonic()) {
        known.count += 1;
        return;
      }
      wrongs.delete(key);
      wrongs.set(key, { count: 1, until: clock.monotonic() + WINDOW_MS });
    },
    size: () => wrongs.size,
  };
}

/** The network that an address belongs to: of IPv6 the first half, since whoever has one address there has all of it. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const rest = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0');
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
}
