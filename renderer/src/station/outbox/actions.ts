import type { Remembered } from '../../remembered.ts';
import type { FailureCode } from '../../words/apiError.ts';

/** An action of a person on an order line. `key` identifies the action, so that the station books it only once. */
export type OutboxAction = { key: string; order_number: string; item_id: number; place: string } & ActionBody;

type ActionBody =
  /**
   * `seen` is the picked quantity that the page showed before. `deviceid` is null for a line without a light, whose
   * pieces may come from another place of its article, `location`. `instead` is the picked quantity after a press that
   * this confirmation replaces.
   */
  | {
      kind: 'confirm';
      deviceid: string | null;
      command_id: string | null;
      quantity: number | null;
      seen: number | null;
      asked?: number;
      location?: string;
      instead?: number;
    }
  | { kind: 'adjust'; deviceid: string; command_id: string; quantity: number }
  | {
      kind: 'short';
      quantity_fulfilled: number;
      reason: string;
      seen: number | null;
      asked?: number;
      elsewhere?: string;
    }
  /** Records that pieces that were never booked were put back at `place`. */
  | { kind: 'returned'; quantity: number }
  /** The reason for a short that a press has already booked. */
  | { kind: 'reason'; quantity_fulfilled: number; reason: string }
  /** Records that the article of a picked item cannot be scanned. */
  | { kind: 'verify'; seen?: number }
  /**
   * `quantity_fulfilled` is the quantity to restore; without it, only the last confirmation is undone. `seen` is the
   * number of picked pieces that the page showed. `instead` is the item that is booked in the same step, with its own rest or
   * `instead_quantity`, and `press` takes back everything that the last press of the item booked.
   */
  | {
      kind: 'undo';
      quantity_fulfilled?: number;
      seen?: number;
      instead?: number;
      instead_quantity?: number;
      press?: true;
    }
  /** An action in a batch. `takesBack` is the key of the action that it undoes. */
  | { kind: 'cart'; batch: number; act: BatchAct; takesBack?: string };

/** Pieces of one item for one slot. `quantity_fulfilled` is the picked quantity of the item that the page showed before the action. */
export type BatchPieces = {
  slot: string | null;
  order_number: string;
  item_id: number;
  quantity: number;
  quantity_fulfilled?: number;
};

export type BatchAct =
  /**
   * `shares` tells how many of the found pieces each item gets, and `reason` why fewer were found than requested.
   * `scanned` is the article code that was scanned first, or null if the article cannot be scanned.
   */
  | {
      does: 'pick';
      deviceid: string | null;
      command_id: string | null;
      quantity: number;
      shares: readonly BatchPieces[];
      reason?: string;
      scanned?: string | null;
    }
  /** Verifies picked pieces by the scanned code of their article. `code` is null if the article cannot be scanned. */
  | { does: 'verify'; pieces: readonly BatchPieces[]; code: string | null }
  /** Moves exactly these pieces, so that a delayed action does not move pieces that were picked later. */
  | { does: 'put' | 'takeOut'; pieces: readonly BatchPieces[] }
  /** Says that the last press at a slot was meant for this person's pieces: it returns what the press put, and puts those, or only `quantity`. */
  | { does: 'exchange'; slot: string; item_id: number; quantity?: number }
  /** Returns picked pieces to the shelf. With `press`, returns all that one confirmation picked, so that it is lit again as one line. */
  | { does: 'unpick'; pieces: readonly BatchPieces[]; press?: true }
  | { does: 'reassign'; shares: readonly BatchPieces[]; reason: string };

export type BatchAction = Extract<OutboxAction, { kind: 'cart' }>;

/**
 * An action with the data needed to send it later. `at` is when the person acted, `tries` the number of attempts
 * without an answer, and `undoes` the key of an action that was already being sent when it was undone.
 */
export type KeptAction = OutboxAction & { at: number; tries: number; undoes?: string };

export type ActionFailure = { code: FailureCode; message: string };

/** Codes of errors that are not about the action itself. After such an error, the action is sent again. */
const NOT_JUDGED: ReadonlySet<FailureCode> = new Set([
  'unreachable',
  'unauthenticated',
  'csrf',
  'stopping',
  'storage',
  'lost',
  'too_many_requests',
]);

/** Whether the station has refused the action itself. */
export const isJudged = (code: FailureCode): boolean => !NOT_JUDGED.has(code);

/** How the hands follow the station: take pieces out of their slot, into it, or from the shelf again. */
export type HandsDo = 'takeOut' | 'putIn' | 'takeAgain' | 'nothing';

/**
 * What a person can still do about a refused action. `open`: book it, after a reason if it `asks` for one. `done`: its line was booked
 * meanwhile, by this person's press or by somebody else. `putBack`: the pieces belong at their place again; null if their number is
 * unknown. `hands`: nothing can be booked, and the pieces belong elsewhere.
 */
export type Remedy =
  | { kind: 'open'; asks?: 'reason' }
  | { kind: 'hands'; does: HandsDo }
  | { kind: 'done'; at: number | undefined; by: string; quantity: number }
  | { kind: 'putBack'; quantity: number | null };

/**
 * An action that the station refused although the person has already carried it out. `remedy` is undefined until the
 * page has asked the station.
 */
export type RefusedAction = { action: KeptAction; why: string; remedy?: Remedy };

/** A person's actions that are stored in this browser. */
export type Kept = { actions: readonly KeptAction[]; refused: readonly RefusedAction[] };

const NOTHING: Kept = { actions: [], refused: [] };

const nameOf = (person: string): string => `pickstation.outbox.${person}`;

/** Reads all stored actions, even very old ones. The station refuses actions that no longer fit, and the person then decides. */
export function readKept(storage: Remembered, person: string): Kept {
  try {
    const { actions, refused } = JSON.parse(storage.get(nameOf(person)) ?? '') as Kept;
    return { actions: [...actions], refused: [...refused] };
  } catch {
    return NOTHING;
  }
}

export function writeKept(storage: Remembered, person: string, kept: Kept): void {
  const isEmpty = kept.actions.length === 0 && kept.refused.length === 0;
  storage.set(nameOf(person), isEmpty ? null : JSON.stringify(kept));
}

/**
 * Counts unsent actions. Changed counts are ignored, because losing one is harmless: a confirmation contains the
 * quantity.
 */
export function unsent(actions: readonly KeptAction[]): number {
  return actions.filter(({ kind }) => kind !== 'adjust').length;
}

/** Generates a random key. `randomUUID` cannot be used, because browsers do not have it over plain HTTP. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
