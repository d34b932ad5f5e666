/**
 * `picking`, `sorting`: launched; pieces are taken from places, or put into a wall. `done`: all slots are free, nothing is in hand and no
 * order waits for a slot.
 */
export type BatchState = 'loading' | 'picking' | 'sorting' | 'paused' | 'done';

/** `cart`: picked into its slots. `wall`: sorted by scans, without picking. `bulk`: picked onto a cart, then sorted into a wall. */
export type BatchKind = 'cart' | 'wall' | 'bulk';

/** `stopped`: it holds pieces of a stopped order until somebody empties it. */
export type SlotState = 'free' | 'open' | 'complete' | 'stopped';

/** `each`: each slot is confirmed. `once`: one confirmation puts the whole hand. `none`: a pick is a put. */
export type PutConfirmation = 'each' | 'once' | 'none';

/** A shipment, which a slot holds. */
export type Held = { orderId: number; orderNumber: string; shipmentId: number; shipmentNumber: string };

export type Slot = {
  slot: string;
  state: SlotState;
  /** Also of a free slot, until it takes another order: for the undo. */
  held: Held | null;
  /** A code that names the slot until the batch ends; null: none. */
  tote: string | null;
  /** When and in which state it was freed; null: not freed, or taken since. */
  freed: { at: number; state: 'complete' | 'stopped' } | null;
};

/** Whose pieces come first. `ageAt`: when the order was created. */
export type ShareRank = { priority: number; dueAt: number | null; ageAt: number };

/** Pieces of one item of a shipment, picked at one place for one slot. Always 0 <= put + putBack <= picked <= quantity. */
export type Share = Held &
  ShareRank & {
    /** In its batch. */
    id: number;
    itemId: number;
    /** Null: its shipment waits for a slot, or its slot was freed. */
    slot: string | null;
    /** Equal for shares of the same article. */
    article: string;
    quantity: number;
    picked: number;
    put: number;
    /** Taken out of the hand, and not yet back at the place. */
    putBack: number;
    /** `short`: nobody picks the rest. `stopped`: its order was stopped. Null: neither. */
    ending: 'short' | 'stopped' | null;
    /** Why it is short; empty: not given. */
    reason: string;
    /** The light or line where it is to be picked; null: not launched, or already booked. */
    pickId: number | null;
    /** What the last pick of the batch gave it; null: it was not part of it. */
    found: number | null;
  };

/** Pieces of a share in the hands of a person. */
export type HeldPieces = { by: string; shareId: number; quantity: number };

export type BatchContent = {
  kind: BatchKind;
  state: BatchState;
  putConfirmation: PutConfirmation;
  slots: readonly Slot[];
  shares: readonly Share[];
  /** In the order of the picks. */
  hands: readonly HeldPieces[];
  /**
   * Pieces that somebody scanned at a wall and has not put yet, in the order of the scans. Their slots are lit. In kind `wall`, pieces that
   * are in no hand are not booked yet.
   */
  scanned: readonly HeldPieces[];
};

/** A scan of an article at a wall. `quantity`: pieces of a stack; undefined: one piece. `singles`: shipments of one piece take no slot. */
export type WallScan = { article: string; quantity?: number | undefined; by: string; at: number; singles: boolean };

export type NewShare = ShareRank & Pick<Share, 'itemId' | 'article' | 'quantity'>;

/** `moves`: shares whose missing pieces are looked for at another place: they stay open. Others are short. */
type Moves = { moves?: ReadonlySet<number> | undefined };

export type BatchEvent =
  /** A shipment takes a free slot. Null: it waits for one. */
  | { kind: 'added'; slot: string | null; held: Held; tote: string | null; shares: readonly NewShare[] }
  /** Gives shares a light or a line. */
  | { kind: 'launched'; picks: ReadonlyMap<number, number> }
  | { kind: 'paused' }
  /** Somebody found this many pieces at a light. */
  | ({ kind: 'picked'; pickId: number; quantity: number; by: string; reason?: string | undefined } & Moves)
  /** Somebody confirmed this many pieces of one item, without a light. */
  | ({ kind: 'confirmed'; itemId: number; quantity: number; by: string; reason: string } & Moves)
  /** `itemId`: only pieces of this item; undefined: of the first article in hand. `quantity`: the most pieces. */
  | { kind: 'put'; slot: string; itemId?: number | undefined; quantity?: number | undefined; by?: string | undefined }
  /** The whole hand of `by`, and of nobody in particular; at a wall, everything that `by` scanned. Without `by`: of everybody. */
  | { kind: 'putAll'; by?: string | undefined }
  | ({ kind: 'scanned' } & WallScan)
  /** Ends the scans of this person without a put. Their slots go dark. */
  | { kind: 'setAside'; by: string }
  | { kind: 'putUndone'; slot: string; itemId: number; quantity?: number | undefined; by: string }
  /** Distributes the pieces of the last pick again. */
  | ({ kind: 'reassigned'; shares: ReadonlyMap<number, number>; reason: string | undefined } & Moves)
  /** Gives shares that are open again a light or a line, also while the batch is paused. */
  | { kind: 'placed'; picks: ReadonlyMap<number, number> }
  /** Nobody picks the rest of the item. */
  | { kind: 'shorted'; itemId: number; reason: string }
  /** Pieces in hand go back to the shelf, or a short is open again. `quantity`: pieces that stay picked. */
  | { kind: 'reopened'; itemId: number; quantity?: number | undefined }
  /** Somebody set how many pieces of the item are picked in this batch. */
  | { kind: 'corrected'; itemId: number; picked: number }
  | { kind: 'moved'; slot: string; to: string }
  /** A second slot takes what follows. */
  | { kind: 'full'; slot: string; to: string }
  /** `keeps`: pieces of a stopped slot stay with their order. Otherwise they have to be put back. */
  | { kind: 'freed'; slot: string; at: number; keeps?: boolean }
  | { kind: 'freeUndone'; slot: string }
  /** Pieces that had to be put back are at their place again. */
  | { kind: 'returned'; itemId: number; quantity: number }
  /** The order was aborted, deleted or taken out. */
  | { kind: 'stopped'; orderId: number }
  /** Stops all orders that are not complete. */
  | { kind: 'aborted' }
  | { kind: 'handTaken'; from: string; by: string }
  /** The pieces are lost: the shares are open again. */
  | { kind: 'handMissing'; from: string }
  | { kind: 'handPutBack'; from: string };

/** A freed slot takes no other order for this long, because it may have been freed by mistake. */
export const FREED_MS = 10_000;
