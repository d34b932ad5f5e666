/**
 * `picking`, `sorting`: launched; pieces are picked from places, or put into a wall. `done`: all slots are free, hands are empty, and no
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
  /** A free slot keeps it for the undo until it takes another order. */
  held: Held | null;
  /** A code that identifies the slot until the batch ends, or null. */
  tote: string | null;
  /** When and from which state it was freed; null if it was not freed or has been taken again. */
  freed: { at: number; state: 'complete' | 'stopped' } | null;
};

/** Decides whose pieces come first. `ageAt`: when the order was created. */
export type ShareRank = { priority: number; dueAt: number | null; ageAt: number };

/** Pieces of one item of a shipment, picked at one place for one slot. Always 0 <= put + putBack <= picked <= quantity. */
export type Share = Held &
  ShareRank & {
    /** Unique within its batch. */
    id: number;
    itemId: number;
    /** Null: its shipment waits for a slot, or its slot was freed. */
    slot: string | null;
    /** Equal for shares of the same article. */
    article: string;
    quantity: number;
    picked: number;
    put: number;
    /** Pieces taken out of the hand that are not back at their place yet. */
    putBack: number;
    /** `short`: nobody picks the rest. `stopped`: its order was stopped. Null: neither. */
    ending: 'short' | 'stopped' | null;
    /** Why it is short; empty: not given. */
    reason: string;
    /** The light or line where it is picked; null if not launched or already booked. */
    pickId: number | null;
    /** Pieces from the last pick of the batch; null if the share was not part of it. */
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
   * Pieces scanned at a wall but not put yet, in scan order. Their slots are lit. In a `wall` batch, pieces that nobody holds are not
   * booked yet.
   */
  scanned: readonly HeldPieces[];
};

/** A scan of an article at a wall. `quantity`: size of a stack; undefined for one piece. `singles`: shipments of one piece take no slot. */
export type WallScan = { article: string; quantity?: number | undefined; by: string; at: number; singles: boolean };

export type NewShare = ShareRank & Pick<Share, 'itemId' | 'article' | 'quantity'>;

/** `moves`: shares whose missing pieces are picked at another place, so they stay open. Other shares become short. */
type Moves = { moves?: ReadonlySet<number> | undefined };

export type BatchEvent =
  /** A shipment takes a free slot. Null: it waits for one. */
  | { kind: 'added'; slot: string | null; held: Held; tote: string | null; shares: readonly NewShare[] }
  /** Gives shares a light or a line. */
  | { kind: 'launched'; picks: ReadonlyMap<number, number> }
  | { kind: 'paused' }
  /** Somebody found `quantity` pieces at a light. */
  | ({ kind: 'picked'; pickId: number; quantity: number; by: string; reason?: string | undefined } & Moves)
  /** Somebody confirmed `quantity` pieces of one item, without a light. */
  | ({ kind: 'confirmed'; itemId: number; quantity: number; by: string; reason: string } & Moves)
  /** `itemId`: put only pieces of this item; undefined: the first article in hand. `quantity`: maximum number of pieces. */
  | { kind: 'put'; slot: string; itemId?: number | undefined; quantity?: number | undefined; by?: string | undefined }
  /**
   * Puts everything that `by` holds, and pieces without a person; at a wall, everything that `by` scanned. Without `by`: what everybody
   * holds or scanned.
   */
  | { kind: 'putAll'; by?: string | undefined }
  | ({ kind: 'scanned' } & WallScan)
  /** Ends the scans of this person without a put. Their slots go dark. */
  | { kind: 'setAside'; by: string }
  /** Without a slot: the piece of a shipment of one piece that went straight to packing. */
  | { kind: 'putUndone'; slot: string | undefined; itemId: number; quantity?: number | undefined; by: string }
  /** Distributes the pieces of the last pick again. */
  | ({ kind: 'reassigned'; shares: ReadonlyMap<number, number>; reason: string | undefined } & Moves)
  /** Gives reopened shares a light or a line, even while the batch is paused. */
  | { kind: 'placed'; picks: ReadonlyMap<number, number> }
  /** Nobody picks the rest of the item. */
  | { kind: 'shorted'; itemId: number; reason: string }
  /** Returns pieces in hand to the shelf, or reopens a short. `quantity`: pieces that stay picked. */
  | { kind: 'reopened'; itemId: number; quantity?: number | undefined }
  /** Somebody set how many pieces of the item are picked in this batch. */
  | { kind: 'corrected'; itemId: number; picked: number }
  | { kind: 'moved'; slot: string; to: string }
  /** A second slot takes the rest of the shipment. */
  | { kind: 'full'; slot: string; to: string }
  /** `keeps`: pieces of a stopped slot stay with their order instead of being put back. */
  | { kind: 'freed'; slot: string; at: number; keeps?: boolean }
  | { kind: 'freeUndone'; slot: string }
  /** Pieces were put back at their place. */
  | { kind: 'returned'; itemId: number; quantity: number }
  /** The order was aborted, deleted or removed from the batch. */
  | { kind: 'stopped'; orderId: number }
  /** Stops all orders that are not complete. */
  | { kind: 'aborted' }
  | { kind: 'handTaken'; from: string; by: string }
  /** The pieces are lost: the shares are open again. */
  | { kind: 'handMissing'; from: string }
  | { kind: 'handPutBack'; from: string };

/** A freed slot stays empty for this long, in case it was freed by mistake. */
export const FREED_MS = 10_000;
