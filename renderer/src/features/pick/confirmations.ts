import type { Remembered } from '../../ui/storage.ts';
import { ApiError } from '../../station/apiError.ts';

/** A line that a picker confirmed on the page. `key`: the station books it once, however often it is sent. */
export type Confirmation = {
  key: string;
  /** Null: a line without a light. */
  deviceid: string | null;
  command_id: string | null;
  order_number: string;
  item_id: number;
  qty: number | null;
  at: number;
};

const STORED_AS = 'pickstation.confirmations';
/** Older ones would surprise: somebody else may have picked the line meanwhile, and the station refuses nothing by time. */
const KEPT_MS = 12 * 60 * 60 * 1_000;

/** What this browser kept, also before this page was opened. */
export function readKept(storage: Remembered, now: number): Confirmation[] {
  try {
    const stored = JSON.parse(storage.get(STORED_AS) ?? '[]') as Confirmation[];
    return stored.filter(({ at }) => now - at < KEPT_MS);
  } catch {
    return [];
  }
}

type Parts = {
  storage: Remembered;
  now: () => number;
  send(confirmation: Confirmation): Promise<unknown>;
  /** Called with what is kept now. `isStuck`: the station did not answer, or nobody is signed in. */
  changed(kept: readonly Confirmation[], isStuck: boolean): void;
  /** The station refused it. */
  refused(confirmation: Confirmation, error: unknown): void;
};

/**
 * Confirmations on their way to the station. One that finds no station stays in this browser, also over a reload, and is sent
 * when the station is back, in the order in which they were made.
 */
export function createConfirmations({ storage, now, send, changed, refused }: Parts) {
  let kept: readonly Confirmation[] = readKept(storage, now());
  let sending: Promise<number> | undefined;
  let isStuck = false;

  /** Another tab keeps its own in the same place: only what this change is about is added to them or removed. */
  function keep(change: (list: readonly Confirmation[]) => readonly Confirmation[]): void {
    const stored = change(readKept(storage, now()));
    storage.set(STORED_AS, stored.length === 0 ? null : JSON.stringify(stored));
    kept = change(kept);
    isStuck &&= kept.length > 0;
    changed(kept, isStuck);
  }

  /** Takes over what a tab kept that was closed. If that tab still sends, the key books it once. */
  function adopt(): void {
    const known = new Set(kept.map(({ key }) => key));
    const others = readKept(storage, now()).filter(({ key }) => !known.has(key));
    if (others.length > 0) kept = [...kept, ...others];
  }

  /** Sends all in turn, until the station cannot be reached. Answers how many it took. */
  async function sendAll(): Promise<number> {
    let taken = 0;
    adopt();
    for (let first = kept[0]; first !== undefined; first = kept[0]) {
      const { key } = first;
      try {
        await send(first);
        taken += 1;
      } catch (error) {
        // Signed out: somebody signs in again, and it is sent then.
        if (error instanceof ApiError && (error.code === 'unreachable' || error.code === 'unauthenticated')) {
          isStuck = true;
          changed(kept, isStuck);
          break;
        }
        refused(first, error);
      }
      keep((list) => list.filter((each) => each.key !== key));
    }
    return taken;
  }

  /** Answers 0 where all are being sent already. */
  async function flush(): Promise<number> {
    if (sending !== undefined) return 0;
    sending = sendAll();
    try {
      return await sending;
    } finally {
      sending = undefined;
    }
  }

  return {
    add(confirmation: Omit<Confirmation, 'at'>): Promise<number> {
      const added = { ...confirmation, at: now() };
      keep((list) => [...list, added]);
      return flush();
    },
    flush,
    /** Resolves once no confirmation is on its way. */
    settled: async (): Promise<void> => void (await sending),
  };
}
