import { createHmac, randomBytes } from 'node:crypto';
import { TooManyRequests } from '../errors.ts';
import type { Writer } from '../db/writer.ts';
import type { Clock, Log, Timer } from '../ports.ts';
import type { NetworkOf } from './accessNetworks.ts';
import type { Audit } from './audit.ts';

/** `isNoted`: a wrong one is counted in the audit here, and not by the caller. */
export type TriedKey = { hash: string; address: string; isNoted: boolean };

/** Slows down whoever guesses keys, tokens or client secrets, for HTTP and turbos alike. */
export type KeyTries = {
  /**
   * What `find` answers for this key. Throws `too_many_requests`, without a look at the key, after too many
   * different wrong ones from there, unless this one was accepted from there within a day.
   */
  judge<T>(tried: TriedKey, find: () => T | undefined): T | undefined;
  /** Whether keys from there are refused unread. `judge` without this throws for them. */
  refuses(tried: TriedKey): boolean;
  /** Writes the tries that are not in the audit yet. */
  stop(): Promise<void>;
};

const WINDOW_MS = 600_000;
/** Different wrong keys from one network within the window: more is guessing. */
const MAX_WRONG = 30;
/** How long keys from there are refused unread then. Each wrong key after that refuses them again. */
const PAUSE_MS = 30_000;
const ACCEPTED_MS = 24 * 3_600_000;
const ENTRY_MS = 3_600_000;
const SAVE_EVERY_MS = 60_000;
const MAX_NETWORKS = 10_000;
const MAX_ACCEPTED = 50_000;
/** An acceptance is noted again no sooner: programs send their key with every request. */
const NOTE_AGAIN_MS = 60_000;

/** The audit has one entry for each hour with tries. */
type Entry = { address: string; id: number | undefined; until: number; tries: number };

type Network = {
  /** When each wrong key was tried last, by its keyed hash; the oldest first. */
  wrong: Map<string, number>;
  pausedUntil: number;
  entry: Entry | undefined;
};

export function createKeyTries(parts: {
  writer: Pick<Writer, 'write'>;
  clock: Clock;
  log: Log;
  audit: Audit;
  networkOf: NetworkOf;
}): KeyTries {
  const { writer, clock, log, audit, networkOf } = parts;
  // Of this run alone: a wrong key may be a password that somebody typed in the wrong place.
  const secret = randomBytes(32);
  /** The one that was met first comes first. */
  const networks = new Map<string, Network>();
  /** When each key was accepted last, by network and hash; the oldest first. */
  const accepted = new Map<string, number>();
  const unsaved = new Set<Entry>();
  let saving: Timer | undefined;
  let saved = Promise.resolve();

  function networkAt(name: string): Network {
    const known = networks.get(name);
    if (known !== undefined) return known;
    const [oldest] = networks.keys();
    if (oldest !== undefined && networks.size >= MAX_NETWORKS) networks.delete(oldest);
    const network = { wrong: new Map<string, number>(), pausedUntil: 0, entry: undefined };
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
    note(network, tried);
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
    // More than that is never looked at.
    for (const oldest of wrong.keys()) {
      if (wrong.size <= MAX_WRONG) break;
      wrong.delete(oldest);
    }
    return isNew ? wrong.size : 0;
  }

  /** The first try is written at once, more of them once a minute. */
  function note(network: Network, { address, isNoted }: TriedKey): void {
    if (!isNoted) return;
    const now = clock.monotonic();
    if (network.entry === undefined || network.entry.until <= now) {
      network.entry = { address, id: undefined, until: now + ENTRY_MS, tries: 0 };
    }
    network.entry.tries += 1;
    unsaved.add(network.entry);
    if (network.entry.tries === 1) void save();
    else saving ??= clock.setTimer(SAVE_EVERY_MS, () => void save());
  }

  function save(): Promise<void> {
    saving?.cancel();
    saving = undefined;
    // One after the other: the second finds the entry that the first has made.
    saved = saved.then(saveNow);
    return saved;
  }

  async function saveNow(): Promise<void> {
    const those = [...unsaved];
    unsaved.clear();
    if (those.length === 0) return;
    try {
      await writer.write((unit) => {
        for (const entry of those) {
          const { tries, address } = entry;
          const detail = { method: 'key', tries } as const;
          if (entry.id !== undefined) {
            audit.amend(entry.id, detail);
            continue;
          }
          const by = { name: '', address };
          const id = audit.record(unit, { action: 'session.refused', by, subject: '', detail });
          unit.afterCommit(() => {
            entry.id = id;
          });
        }
      });
    } catch (error) {
      log.warn({ err: error }, 'tries with wrong keys could not be saved');
    }
  }

  return {
    judge(tried, find) {
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
      note(known, tried);
      // A key that was right until a moment ago, such as one of an ended session, is no guess.
      if (!wasAccepted && count(known, tried.hash) >= MAX_WRONG) known.pausedUntil = clock.monotonic() + PAUSE_MS;
      return undefined;
    },
    refuses({ hash, address }) {
      const network = networkOf(address);
      return isPaused(network) && !isAccepted(`${network} ${hash}`);
    },
    stop: save,
  };
}
