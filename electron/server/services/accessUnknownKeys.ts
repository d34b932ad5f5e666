import { TooManyRequests } from '../errors.ts';
import type { Writer } from '../db/writer.ts';
import type { Clock, Log, Timer } from '../ports.ts';
import { networkOf } from './accessThrottle.ts';
import type { Audit } from './audit.ts';

/** Keys that nobody has. Who sends one that somebody has never comes here: he is not kept out by what others try. */
export type UnknownKeys = {
  /** Throws `too_many_requests` after too many from this network. */
  tried(keyHash: string, address: string): void;
  /** Writes down what is not yet. */
  stop(): Promise<void>;
};

const WINDOW_MS = 60_000;
/** Of one network within the window: more is guessing. */
const MAX_KEYS = 30;
/** Of each of them: a program whose key was taken away asks on, and leaves the others of its network their plain 401. */
const MAX_TRIES = 300;
const ENTRY_MS = 3_600_000;
const SAVE_EVERY_MS = 60_000;
const MAX_REMEMBERED = 10_000;

type Network = {
  address: string;
  /** Tries by the key's hash, until then. */
  keys: Map<string, number>;
  windowUntil: number;
  /** What the audit says of it: an entry each hour in which it tries. */
  entryId: number | undefined;
  entryUntil: number;
  tries: number;
};

export function createUnknownKeys(parts: {
  writer: Pick<Writer, 'write'>;
  clock: Clock;
  log: Log;
  audit: Audit;
}): UnknownKeys {
  const { writer, clock, log, audit } = parts;
  /** The one that was met first comes first. */
  const networks = new Map<string, Network>();
  const unsaved = new Set<Network>();
  let saving: Timer | undefined;
  let saved = Promise.resolve();

  function networkAt(address: string): Network {
    const name = networkOf(address);
    const now = clock.monotonic();
    let network = networks.get(name);
    if (network === undefined || network.entryUntil <= now) {
      networks.delete(name);
      const [oldest] = networks.keys();
      if (oldest !== undefined && networks.size >= MAX_REMEMBERED) networks.delete(oldest);
      const rest = { keys: new Map<string, number>(), windowUntil: 0, entryId: undefined, tries: 0 };
      network = { ...rest, address, entryUntil: now + ENTRY_MS };
      networks.set(name, network);
    }
    if (network.windowUntil <= now) {
      network.keys.clear();
      network.windowUntil = now + WINDOW_MS;
    }
    return network;
  }

  /** The first try is written down at once, more of them by the minute. */
  function note(network: Network): void {
    network.tries += 1;
    unsaved.add(network);
    if (network.tries === 1) void save();
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
        for (const network of those) {
          const { entryId, tries, address } = network;
          const detail = { method: 'key', tries } as const;
          if (entryId !== undefined) {
            audit.amend(entryId, detail);
            continue;
          }
          const by = { name: '', address };
          const id = audit.record(unit, { action: 'session.refused', by, subject: '', detail });
          unit.afterCommit(() => {
            network.entryId = id;
          });
        }
      });
    } catch (error) {
      log.warn({ err: error }, 'unknown keys that were tried could not be written down');
    }
  }

  return {
    tried(keyHash, address) {
      const network = networkAt(address);
      note(network);
      const tries = network.keys.get(keyHash) ?? 0;
      if (tries >= MAX_TRIES || (tries === 0 && network.keys.size >= MAX_KEYS)) {
        const leftS = Math.ceil((network.windowUntil - clock.monotonic()) / 1_000);
        throw new TooManyRequests('Too many requests with keys that are not known here. Check the key.', leftS);
      }
      network.keys.set(keyHash, tries + 1);
    },
    stop: save,
  };
}
