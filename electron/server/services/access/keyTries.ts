import { createHmac, randomBytes } from 'node:crypto';
import { TooManyRequests } from '../../errors.ts';
import type { Clock } from '../../ports.ts';
import type { NetworkOf } from './networks.ts';
import type { AuditTally } from '../base/index.ts';

/**
 * A key that a caller sent. `isNoted` tells whether `check` records a wrong key in the audit log; otherwise, the caller of `check` does.
 */
export type TriedKey = { hash: string; address: string; isNoted: boolean };

/** Throttles guesses of keys, tokens and client secrets, over HTTP and from turbos. */
export type KeyTries = {
  /**
   * Returns the result of `find` for this key. After too many different wrong keys from the same network, throws `too_many_requests`
   * without calling `find`, unless this key was accepted from that network within the last day.
   */
  check<T>(tried: TriedKey, find: () => T | undefined): T | undefined;
  /** Whether `check` would currently reject this key without checking it. */
  refuses(tried: TriedKey): boolean;
};

const WINDOW_MS = 600_000;
/** Number of different wrong keys from one network within the window that count as guessing. */
const MAX_WRONG = 30;
/**
 * How long keys from a guessing network are refused without a check. After the pause, each new wrong key within the window starts a new
 * pause.
 */
const PAUSE_MS = 30_000;
const ACCEPTED_MS = 24 * 3_600_000;
const MAX_NETWORKS = 10_000;
const MAX_ACCEPTED = 50_000;
/** Minimum time between two updates of the time when a key was last accepted, because programs send their key with every request. */
const NOTE_AGAIN_MS = 60_000;

type Network = {
  /** When each wrong key was last tried, by its keyed hash, oldest first. */
  wrong: Map<string, number>;
  pausedUntil: number;
};

export function createKeyTries(parts: {
  clock: Clock;
  /** Counts attempts in the audit log, with one entry per hour for each network. */
  tally: Pick<AuditTally, 'add'>;
  networkOf: NetworkOf;
}): KeyTries {
  const { clock, tally, networkOf } = parts;
  // Hash keys with a secret of this run, because a wrong key may be a password that was entered into the wrong field.
  const secret = randomBytes(32);
  /** Networks in the order of their first attempt. */
  const networks = new Map<string, Network>();
  /** When each key was last accepted, by network and hash, oldest first. */
  const accepted = new Map<string, number>();

  function networkAt(name: string): Network {
    const known = networks.get(name);
    if (known !== undefined) return known;
    const [oldest] = networks.keys();
    if (oldest !== undefined && networks.size >= MAX_NETWORKS) networks.delete(oldest);
    const network = { wrong: new Map<string, number>(), pausedUntil: 0 };
    networks.set(name, network);
    return network;
  }

  function isAccepted(name: string): boolean {
    const at = accepted.get(name);
    return at !== undefined && at + ACCEPTED_MS > clock.monotonic();
  }

  function accept(name: string): void {
    const at = accepted.get(name);
    if (at !== undefined && at + NOTE_AGAIN_MS > clock.monotonic()) return;
    accepted.delete(name);
    const [oldest] = accepted.keys();
    if (oldest !== undefined && accepted.size >= MAX_ACCEPTED) accepted.delete(oldest);
    accepted.set(name, clock.monotonic());
  }

  function isPaused(name: string): boolean {
    const network = networks.get(name);
    return network !== undefined && network.pausedUntil > clock.monotonic();
  }

  function refuse(name: string, tried: TriedKey): never {
    const network = networkAt(name);
    note(name, tried);
    const leftS = Math.ceil((network.pausedUntil - clock.monotonic()) / 1_000);
    throw new TooManyRequests(
      'Too many different wrong keys came from this address. Check the key, and try again later.',
      leftS,
    );
  }

  function count({ wrong }: Network, keyHash: string): number {
    const now = clock.monotonic();
    for (const [hash, at] of wrong) {
      if (at + WINDOW_MS > now) break;
      wrong.delete(hash);
    }
    const hash = createHmac('sha256', secret).update(keyHash).digest('base64');
    const isNew = !wrong.has(hash);
    wrong.delete(hash);
    wrong.set(hash, now);
    // Only the newest MAX_WRONG keys matter.
    for (const oldest of wrong.keys()) {
      if (wrong.size <= MAX_WRONG) break;
      wrong.delete(oldest);
    }
    return isNew ? wrong.size : 0;
  }

  function note(network: string, { address, isNoted }: TriedKey): void {
    if (!isNoted) return;
    const by = { name: '', address };
    tally.add({ key: network, action: 'session.refused', by, subject: '', detail: { method: 'key' } });
  }

  return {
    check(tried, find) {
      const network = networkOf(tried.address);
      const name = `${network} ${tried.hash}`;
      const wasAccepted = isAccepted(name);
      if (!wasAccepted && isPaused(network)) refuse(network, tried);
      const found = find();
      if (found !== undefined) {
        accept(name);
        return found;
      }
      const known = networkAt(network);
      note(network, tried);
      // A key that was valid until recently, such as the key of an ended session, does not count as a guess.
      if (!wasAccepted && count(known, tried.hash) >= MAX_WRONG) known.pausedUntil = clock.monotonic() + PAUSE_MS;
      return undefined;
    },
    refuses({ hash, address }) {
      const network = networkOf(address);
      return isPaused(network) && !isAccepted(`${network} ${hash}`);
    },
  };
}
