/**
 * A launched batch is `picking` while pieces are picked from places, and `sorting` while they are sorted into a wall. It is `done` once all
 * slots are free, all hands are empty, and no order waits for a slot.
 */
export type BatchState = 'loading' | 'picking' | 'sorting' | 'paused' | 'done';

/**
 * A `cart` is picked into its slots. A `wall` is sorted by scans, without picking. A `bulk` batch is picked onto a cart, then sorted into a
 * wall.
 */
export type BatchKind = 'cart' | 'wall' | 'bulk';

/** A `stopped` slot holds pieces of a stopped order until somebody empties it. */
export type SlotState = 'free' | 'open' | 'complete' | 'stopped';

/** With `each`, every slot is confirmed. With `once`, one confirmation puts all pieces in hand. With `none`, a pick is also a put. */
export type PutConfirmation = 'each' | 'once' | 'none';

/** The shipment that a slot holds. */
export type Held = { orderId: number; orderNumber: string; shipmentId: number; shipmentNumber: string };

export type Slot = {
  slot: string;
  state: SlotState;
  /** The shipment in the slot. It is kept for an undo after the slot is freed, until the slot takes another order. */
  held: Held | null;
  /** A code that identifies the slot until the batch ends; null if there is none. */
  tote: string | null;
  /** When the slot was freed, by whom, and its previous state; null if it was not freed or has been taken again. */
  freed: { at: number; by: string; state: 'complete' | 'stopped' } | null;
};

/** Sort key that decides whose pieces come first. `ageAt` is when the order was created. */
export type ShareRank = { priority: number; dueAt: number | null; ageAt: number };

/** Pieces of one item of a shipment, picked at one place for one slot. Always 0 <= put + putBack <= picked <= quantity. */
export type Share = Held &
  ShareRank & {
    /** Unique within the batch. */
    id: number;
    itemId: number;
    /** Null if the shipment waits for a slot, or if the slot was freed. */
    slot: string | null;
    /** Key that is the same for all shares of an article. */
    article: string;
    quantity: number;
    picked: number;
    put: number;
    /** Pieces removed from the hand or slot that are not back at their place yet. */
    putBack: number;
    /** `short` if nobody will pick the rest, `stopped` if the order was stopped, null otherwise. */
    ending: 'short' | 'stopped' | null;
    /** Why the share is short; empty if no reason was given. */
    reason: string;
    /** Id of the light or line where the share is picked; null if the share is not launched or is already booked. */
    pickId: number | null;
    /** Pieces found in the last pick of the batch; null if the share was not part of it. */
    found: number | null;
  };

/** Pieces of a share in a person's hand. */
export type HeldPieces = { by: string; shareId: number; quantity: number };

export type BatchContent = {
  kind: BatchKind;
  state: BatchState;
  putConfirmation: PutConfirmation;
  slots: readonly Slot[];
  shares: readonly Share[];
  /** Pieces in people's hands, in pick order. */
  hands: readonly HeldPieces[];
  /**
   * Pieces scanned at a wall but not put yet, in scan order. Their slots are lit. In a `wall` batch, scanned pieces that are not in a hand
   * are not booked as picked yet.
   */
  scanned: readonly HeldPieces[];
};

/**
 * An article scan at a wall. `quantity` is the size of a stack, or undefined for one piece. `singles` tells whether single-piece shipments
 * do not need a slot.
 */
export type WallScan = { article: string; quantity?: number | undefined; by: string; at: number; singles: boolean };

export type NewShare = ShareRank & Pick<Share, 'itemId' | 'article' | 'quantity'>;

/** `moves` contains shares whose missing pieces are picked at a different place, so that they stay open. Other shares become short. */
type Moves = { moves?: ReadonlySet<number> | undefined };

export type BatchEvent =
  /** A shipment takes a free slot, or waits for one if `slot` is null. */
  | { kind: 'added'; slot: string | null; held: Held; tote: string | null; shares: readonly NewShare[] }
  /** Assigns a light or a line to shares. */
  | { kind: 'launched'; picks: ReadonlyMap<number, number> }
  | { kind: 'paused' }
  /** Somebody picked `quantity` pieces at a light. */
  | ({ kind: 'picked'; pickId: number; quantity: number; by: string; reason?: string | undefined } & Moves)
  /** Somebody confirmed pieces of these items at one place, without a light. `pieces` has the quantity for each item's id. */
  | ({ kind: 'confirmed'; pieces: ReadonlyMap<number, number>; by: string; reason: string } & Moves)
  /** `itemId` is the item to put, or undefined for the first article in hand. `quantity` is the maximum number of pieces. */
  | {
      kind: 'put';
      slot: string;
      itemId?: number | undefined;
      quantity?: number | undefined;
      by?: string | undefined;
      isExact?: boolean;
    }
  /**
   * Puts all pieces of `by`: on a cart, pieces that `by` holds and pieces picked without a person; at a wall, pieces that `by` scanned.
   * Without `by`, puts everyone's pieces. With `isExact`, also of a `put`, only pieces that `by` holds.
   */
  | { kind: 'putAll'; by?: string | undefined; isExact?: boolean }
  | ({ kind: 'scanned' } & WallScan)
  /** Drops this person's scans without putting the pieces. The lights of their slots go out. */
  | { kind: 'setAside'; by: string }
  /** Takes pieces back out of a slot. Without `slot`, reverts a single-piece shipment that went straight to packing. */
  | { kind: 'putUndone'; slot: string | undefined; itemId: number; quantity?: number | undefined; by: string }
  /** A press at a slot put `back`, but was intended for `put`: returns the former to their hands, and puts the latter. */
  | { kind: 'exchanged'; back: readonly HeldPieces[]; put: readonly HeldPieces[] }
  /** Redistributes the pieces of the last pick. */
  | ({ kind: 'reassigned'; shares: ReadonlyMap<number, number>; reason: string | undefined } & Moves)
  /** Assigns a light or a line to reopened shares, even while the batch is paused. */
  | { kind: 'placed'; picks: ReadonlyMap<number, number> }
  /** Nobody will pick the rest of the item. */
  | { kind: 'shorted'; itemId: number; reason: string }
  /**
   * Returns pieces in hand to the shelf, or reopens a short item. `quantity` is the number of pieces that remain picked; without it, this
   * reverts the last pick of the item, of `last` pieces by `lastBy`, or, if that was another person, the pieces of `by`. Takes the pieces of
   * `by` first.
   */
  | {
      kind: 'reopened';
      itemId: number;
      quantity?: number | undefined;
      by?: string | undefined;
      last?: number | undefined;
      lastBy?: string | undefined;
    }
  /** Somebody corrected how many pieces of the item are picked in this batch. */
  | { kind: 'corrected'; itemId: number; picked: number }
  | { kind: 'moved'; slot: string; to: string }
  /** A second slot takes the rest of the shipment. */
  | { kind: 'full'; slot: string; to: string }
  /** If `keeps` is true, pieces in a stopped slot stay with their order instead of being put back. */
  | { kind: 'freed'; slot: string; at: number; by?: string; keeps?: boolean }
  /** Restores a freed slot, without its tote if `losesTote` is true. */
  | { kind: 'freeUndone'; slot: string; losesTote?: boolean }
  /** Pieces were returned to their place. */
  | { kind: 'returned'; itemId: number; quantity: number }
  /** The order was aborted, deleted or removed from the batch. */
  | { kind: 'stopped'; orderId: number }
  /** Stops all orders that are not complete. */
  | { kind: 'aborted' }
  | { kind: 'handTaken'; from: string; by: string }
  /** The pieces are lost, so their shares are open again. */
  | { kind: 'handMissing'; from: string }
  | { kind: 'handPutBack'; from: string };

/** A freed slot takes no new shipment for this long, in case it was freed by mistake. */
export const FREED_MS = 10_000;
