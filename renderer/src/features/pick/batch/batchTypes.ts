import type { Batch, BatchShare } from '#shared/api/batch.ts';
import type { Carrier } from '#shared/api/carrier.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import type { Fact } from '#shared/api/station.ts';
import type { AnswerSounds } from '../../../sound/answerSounds.ts';
import type { Scan } from '../../../scan/windowScans.ts';
import type { BatchAct, BatchDeed, BatchPieces, DeedFailure } from '../../../station/outbox/deeds.ts';
import type { SentDeed } from '../../../station/outbox/outbox.ts';
import type { DeafState } from '../session/deafTimes.ts';
import type { PadKey, PickLine, Said } from '../session/sessionTypes.ts';

export type BatchSlot = Batch['slots'][number];
export type { BatchShare, BatchPieces };

/** A read of a cart. Without a batch, the cart can be loaded. `settled`: keys of the actions that the read includes. */
export type BatchRead = {
  batch: Batch | undefined;
  lines: readonly PickLine[];
  settled: ReadonlySet<string>;
};

/** An action that this page applies until a read includes it. `isTaken`: the station has booked it. */
export type PendingDeed = { deed: BatchDeed; isTaken: boolean };

/** An action that Undo reverts. `key`: key of the action, if this page sent it. */
export type BatchUndo =
  | { does: 'put'; place: string; pieces: readonly BatchPieces[]; key: string | undefined }
  | {
      does: 'pick';
      place: string;
      pieces: readonly BatchPieces[];
      key: string | undefined;
      ahead: ReadonlySet<string>;
    }
  /** A pack was scanned at a line that is still open. */
  | { does: 'count'; place: string; line: string; pieces: number; key: undefined }
  | { does: 'free'; place: string; key: undefined };

export type BatchQuestion =
  /**
   * `shares`: how many of the found pieces each item gets. `isBooked`: a press has already booked the pieces, and
   * only the reason is missing.
   */
  | {
      kind: 'short';
      place: string;
      line: PickLine;
      found: number;
      shares: readonly BatchPieces[];
      isBooked: boolean;
      /** The scanned code of the article. */
      scanned?: string | undefined;
    }
  /** The article must be scanned before its pieces are picked. */
  | { kind: 'scan'; line: PickLine; found: number }
  | { kind: 'pad'; line: PickLine; text: string; last?: { key: string; at: number } }
  | { kind: 'more' }
  | { kind: 'slots' }
  | { kind: 'slot'; slot: string }
  | { kind: 'move'; slot: string }
  | { kind: 'takeOut'; slot: string }
  | { kind: 'stopped'; slot: string }
  /** Asks what happened to pieces that somebody left. */
  | { kind: 'hand'; by: string }
  | { kind: 'addOrder'; orderNumber: string }
  /** Others pick the batch: asks whether to join them, or only to watch. */
  | { kind: 'join' }
  /** At a wall: chooses an article that has no barcode. */
  | { kind: 'articles' }
  /** At a wall: closes articles that will not arrive. `kept`: keys of lines that stay open. */
  | { kind: 'noMore'; kept: readonly string[] }
  /** At a wall: asks about picked pieces that nobody finds on the cart. */
  | { kind: 'notOnCart' }
  /** Before the first order of a wall: chooses the cart to pick onto first. */
  | { kind: 'firstCart' };

export type BatchSession = {
  readonly kind: CarrierKind;
  readonly me: string;
  readonly read: BatchRead | undefined;
  readonly carrier: Carrier | undefined;
  readonly isLost: boolean;
  readonly pending: readonly PendingDeed[];
  /** Article names loaded so far, by item id. */
  readonly names: ReadonlyMap<number, string>;
  /** SKU, UPC and barcodes by item id, from all lines read so far. */
  readonly codes: ReadonlyMap<number, readonly string[]>;
  /** Orders whose article names have been requested. */
  readonly askedNames: ReadonlySet<string>;
  readonly skipped: readonly string[];
  /**
   * The line that this person picked last and all later lines in the walk, which come before the others. Empty: at
   * the start.
   */
  readonly ahead: ReadonlySet<string>;
  /** The number that was set for a line, not including the pieces in `packs`. */
  readonly count: { line: string; quantity: number } | undefined;
  /**
   * Pieces in scanned packs that do not fill their line yet, by line. They are booked with the line. `code`: the code
   * of the last pack.
   */
  readonly packs: ReadonlyMap<string, { quantity: number; code: string }>;
  readonly shortReasons: readonly string[];
  /** Id of the batch that this person picks or was asked to join, so that the page does not ask again. */
  readonly seen: number | undefined;
  readonly question: BatchQuestion | undefined;
  /** Actions that can be undone, newest last. */
  readonly undos: readonly BatchUndo[];
  /** Presses at shelves, until the next read shows what they booked. */
  readonly pressed: readonly Extract<Fact, { type: 'batch.picked' }>[];
  /** The order that was loaded last, for which a slot or tote may still be scanned; undefined if there is none. */
  readonly loaded: { orderNumber: string; slot: string } | undefined;
  /** At a wall: the typed number of pieces for the next scan. */
  readonly stack: number | undefined;
  /** At a wall: the result of the last scan if no slot took the article, until the next scan. */
  readonly answer: Said | undefined;
  /** Number of article scans at a wall that the station has not answered. */
  readonly sorting: number;
  /** The cart to pick onto before sorting at the wall. Applies to the first order. */
  readonly firstCart: number | undefined;
  /** Whether a call that changes the batch is in progress. */
  readonly isBusy: boolean;
  readonly last: Said | undefined;
  readonly scanned: Said | undefined;
  readonly deaf: DeafState;
  /** Until when each slot ignores touches. */
  readonly deafSlots: ReadonlyMap<string, number>;
  readonly drawnMs: number;
  readonly refusedUntil: number;
  readonly keys: { base: string; used: number };
};

export type BatchCall =
  | { call: 'launch' | 'pause' | 'freeAll' | 'join' | 'leave' }
  | { call: 'fill'; count: number }
  | { call: 'add'; orderNumber: string; slot?: string; tote?: string; instead?: string }
  | { call: 'takeOut' | 'full'; slot: string }
  | { call: 'free'; slot: string; keep: boolean }
  | { call: 'undoFree'; slot: string }
  | { call: 'short'; items: readonly number[]; reason: string }
  | { call: 'notOnCart'; what: 'missing' | 'put_back' }
  | { call: 'move'; slot: string; to: string }
  | { call: 'hand'; by: string; what: HandEnd }
  | { call: 'handOver'; to: string }
  | { call: 'takeFrom'; from: string; me: string };

/** How to settle pieces in a hand. `set_aside`: ends a person's scans at a wall without a put. */
export type HandEnd = 'take' | 'missing' | 'put_back' | 'set_aside';

export type BatchTouch =
  | { touch: 'picked' | 'less' | 'more' | 'short' | 'pad' | 'enterPad' | 'others' | 'skip' | 'undo' | 'cannotScan' }
  | {
      touch:
        | 'putAll'
        | 'slots'
        | 'go'
        | 'pause'
        | 'fill'
        | 'freeAll'
        | 'dismiss'
        | 'close'
        | 'leave'
        | 'addOrder'
        | 'join';
    }
  | { touch: 'padKey'; key: PadKey }
  | { touch: 'found'; by: 1 | -1 }
  | { touch: 'give'; at: number; by: 1 | -1 }
  | { touch: 'reason'; reason: string }
  | { touch: 'slot'; slot: string }
  | { touch: 'askMove' | 'askTakeOut' | 'askStopped' | 'full' | 'free' | 'keep' | 'takeOut'; slot: string }
  | { touch: 'askHand'; by: string }
  | { touch: 'handOver'; to: string }
  | { touch: 'takeFrom'; from: string }
  | { touch: 'hand'; what: HandEnd }
  | { touch: 'articles' | 'setAside' | 'askNoMore' | 'askNotOnCart' | 'askFirstCart' }
  | { touch: 'article' | 'keepOpen'; line: string }
  | { touch: 'notOnCart'; what: 'missing' | 'put_back' }
  | { touch: 'firstCart'; cart: number | undefined };

export type BatchInput =
  | { kind: 'read'; read: BatchRead }
  | { kind: 'carrier'; carrier: Carrier | undefined }
  | { kind: 'told'; facts: readonly Fact[] }
  | { kind: 'names'; names: ReadonlyMap<number, string> }
  | { kind: 'reasons'; reasons: readonly string[] }
  | { kind: 'connection'; isLost: boolean }
  | ({ kind: 'touch' } & BatchTouch)
  | { kind: 'scan'; scan: Scan }
  | { kind: 'counted'; count: number }
  | { kind: 'letter'; letter: string }
  | { kind: 'sign'; by: 1 | -1 }
  | { kind: 'cleared'; text: string }
  | { kind: 'repeated'; code: string }
  | { kind: 'deafEnter' }
  | { kind: 'answered'; scan: Scan; result: ScanResult }
  | { kind: 'unanswered'; scan: Scan; failure: DeedFailure }
  /** The station's answer to whether a code is that of this item's article, or the failure. */
  | { kind: 'verified'; scan: Scan; itemId: number; result?: ScanResult; failure?: DeedFailure }
  /** The station's answer to an article at a wall, or the failure. */
  | { kind: 'sorted'; scan: Scan; result?: ScanResult; failure?: DeedFailure }
  | { kind: 'sent'; sent: SentDeed }
  /** `batch`: the batch after the call. `says`: an additional message from the station. */
  | { kind: 'called'; call: BatchCall; batch?: Batch; says?: string; failure?: DeedFailure }
  | { kind: 'drawn' }
  | { kind: 'tick' };

export type BatchEffect =
  | { do: 'keep'; deed: BatchDeed }
  | { do: 'forget'; key: string }
  | { do: 'call'; call: BatchCall }
  | { do: 'scan'; scan: Scan }
  /** Asks whether a code is that of this item's article. */
  | { do: 'verify'; scan: Scan; itemId: number }
  /** Sorts an article at the wall. `itemId`: set if it was chosen without a barcode. */
  | { do: 'sort'; scan: Scan; itemId?: number }
  /** Handles the scan again once the station has answered the previous ones. */
  | { do: 'later'; scan: Scan }
  | { do: 'names'; orders: readonly string[] }
  | { do: 'play'; answer: Exclude<keyof AnswerSounds, 'stop'> }
  /** Opens the cart or wall of another batch. */
  | { do: 'openBatch'; batch: number; scan: Scan }
  | { do: 'leave' };

export type BatchStep = { state: BatchSession; effects: readonly BatchEffect[] };

export type { BatchAct, BatchDeed };
