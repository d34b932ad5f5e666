import type { Remembered } from '../../ui/storage.ts';
import { ApiError } from '../../station/apiError.ts';

/** A line that a picker confirmed on the page. `key`: the station books it once, however often it is sent. */
export type Confirmation = {
  key: string;
  deviceid: string;
  command_id: string;
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
  let isSending = false;
  let isStuck = false;

  function keep(next: readonly Confirmation[]): void {
    kept = next;
    storage.set(STORED_AS, kept.length === 0 ? null : JSON.stringify(kept));
    isStuck &&= kept.length > 0;
    changed(kept, isStuck);
  }

  /** Sends all in turn, until the station cannot be reached. Answers how many it took. */
  async function flush(): Promise<number> {
    if (isSending) return 0;
    isSending = true;
    let taken = 0;
    try {
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
        keep(kept.filter((each) => each.key !== key));
      }
    } finally {
      isSending = false;
    }
    return taken;
  }

  return {
    add(confirmation: Confirmation): Promise<number> {
      keep([...kept, confirmation]);
      return flush();
    },
    flush,
  };
}
