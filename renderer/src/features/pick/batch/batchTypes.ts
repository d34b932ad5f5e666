import type { Batch, BatchShare } from '#shared/api/batch.ts';
import type { Carrier } from '#shared/api/carrier.ts';
import type { ScanResult } from '#shared/api/picking.ts';
import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import type { Fact } from '#shared/api/station.ts';
import type { EnterRule } from '#shared/lib/picking/enterRules.ts';
import type { AnswerSounds } from '../../../sound/answerSounds.ts';
import type { Scan } from '../../../scan/windowScans.ts';
import type {
  BatchAct,
  BatchAction,
  BatchPieces,
  ActionFailure,
  OutboxAction,
} from '../../../station/outbox/actions.ts';
import type { SentAction } from '../../../station/outbox/outbox.ts';
import type { NamedDevice } from '../../../station/places.ts';
import type { InertTimes } from '../session/inertTimes.ts';
import type { PressAnswer, PressNotice } from '../whose/pressNotices.ts';
import type { InputKind, KeyConfirmation, KeyRules } from '../session/keyRules.ts';
import type { PadKey, PickLine, PickMessage } from '../session/sessionTypes.ts';

export type BatchSlot = Batch['slots'][number];
export type { BatchShare, BatchPieces };

/**
 * Data loaded for a cart or wall. If there is no batch, orders can be loaded onto it. `settled` has the keys of the
 * actions that the data includes.
 */
export type BatchRead = {
  batch: Batch | undefined;
  lines: readonly PickLine[];
  settled: ReadonlySet<string>;
};

/** An action whose effect the page shows until the loaded data includes it. `isTaken` tells whether the station has booked it. */
export type PendingAction = { action: BatchAction; isTaken: boolean };

/** An action that Undo reverts. `key` is the action's key, if this page sent it. */
export type BatchUndo =
  | { does: 'put'; place: string; pieces: readonly BatchPieces[]; key: string | undefined }
  | PickUndo
  /** The scan of a pack at a line that is still open. */
  | { does: 'count'; place: string; line: string; pieces: number; key: undefined }
  | { does: 'free'; place: string; freed: FreedSlots; key: undefined };

/** `isEarlier` tells whether some of its items have been picked again since, at another place. */
export type PickUndo = {
  does: 'pick';
  place: string;
  pieces: readonly BatchPieces[];
  key: string | undefined;
  ahead: ReadonlySet<string>;
  isEarlier?: true;
};

/** Slots of a batch that were freed at one time. `by` is empty if it is unknown who freed them. */
export type FreedSlots = { batch: number; slots: readonly string[]; by: string };

export type BatchQuestion =
  /**
   * `shares` tells how many of the found pieces each item gets. `isBooked` tells whether a press has already booked the
   * pieces, so that only the reason is missing.
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
      /** Whether somebody has set `found`. */
      isSet?: true;
      /** Pieces that a press has booked instead, and that this pick takes back. */
      unpicks?: readonly BatchPieces[];
    }
  /** A press has booked `booked` pieces, but the person has typed another number. */
  | {
      kind: 'differs';
      place: string;
      line: PickLine;
      booked: number;
      typed: number;
      shares: readonly BatchPieces[];
    }
  /** A press at a slot has put `booked` pieces, but the person has typed a smaller number. */
  | { kind: 'putDiffers'; booked: number; typed: number; pieces: readonly BatchPieces[] }
  /** A press was meant for this person, who has set another number than is booked without one. */
  | { kind: 'mine'; notice: PressNotice; own: OwnNumber & { typed: number } }
  /** The article must be scanned before its pieces are picked. */
  | { kind: 'scan'; line: PickLine; found: number }
  | { kind: 'pad'; line: PickLine; text: string; last?: { key: string; at: number } }
  | { kind: 'more' }
  | { kind: 'slots' }
  | { kind: 'slot'; slot: string }
  | { kind: 'move'; slot: string }
  | { kind: 'takeOut'; slot: string }
  | { kind: 'stopped'; slot: string }
  /** Asks whether to pause although this person holds pieces. */
  | { kind: 'pauseHolding' }
  /** Asks what happened to pieces that the person `by` left. */
  | { kind: 'hand'; by: string }
  | { kind: 'addOrder'; orderNumber: string }
  /** Asks whether to join the people who pick the batch, or only to watch. */
  | { kind: 'join' }
  /** Asks which article without a barcode was taken. Only at a wall. */
  | { kind: 'articles' }
  /**
   * Asks why articles will not arrive, and closes them. `kept` has the keys of the lines that stay open. Only at a
   * wall.
   */
  | { kind: 'noMore'; kept: readonly string[] }
  /** Asks what to do about picked pieces that are missing from the cart. Only at a wall. */
  | { kind: 'notOnCart' }
  /** Asks about confirmations by Enter or Space that followed each other too quickly. */
  | { kind: 'hasty'; asked: readonly KeyConfirmation<BatchUndo>[] }
  /** Asks onto which cart to pick first. Only at a wall, before the first order is loaded. */
  | { kind: 'firstCart' };

/**
 * The number that a person has set for an own line, or for the pieces of the next slot, with this `key` (as in `counted`). `asked` is what is
 * booked without a number.
 */
export type OwnNumber = { key: string; asked: number; typed: number | undefined; line?: PickLine };

/** A scan at a wall whose answer did not arrive. If it is sent again with its key, the station books it only once. */
export type LostScan = {
  batch: number;
  code: string;
  count: number | undefined;
  itemId: number | undefined;
  key: string;
};

/** When inputs count again, and what keys confirm. */
type InputRules = InertTimes & KeyRules<BatchUndo>;

export type BatchSession = InputRules & {
  /** When the person made the input that is being handled, in milliseconds of `performance.now`. */
  readonly at: number;
  readonly kind: CarrierKind;
  readonly me: string;
  readonly read: BatchRead | undefined;
  readonly carrier: Carrier | undefined;
  readonly isLost: boolean;
  readonly pending: readonly PendingAction[];
  /** Article names loaded so far, by item id. */
  readonly names: ReadonlyMap<number, string>;
  /** SKU, UPC and barcodes by item id, from all lines loaded so far. */
  readonly codes: ReadonlyMap<number, readonly string[]>;
  /** Orders whose article names have been requested. */
  readonly askedNames: ReadonlySet<string>;
  readonly skipped: readonly string[];
  /**
   * Keys of the line that this person picked last and of all later lines in the walk, which come before all others.
   * Empty at the start of the walk.
   */
  readonly ahead: ReadonlySet<string>;
  /** Numbers that were set by line, without the pieces in `packs`, or for the next slot of a cart (`putKey`). */
  readonly counted: ReadonlyMap<string, number>;
  /** The number that is typed without Enter, and what it was typed for, as in `counted`. */
  readonly typing: { line: string; count: number } | undefined;
  /**
   * Number of pieces in scanned packs by line, as long as they do not complete the line. They are booked with the line.
   * `code` is the code of the last pack.
   */
  readonly packs: ReadonlyMap<string, { quantity: number; code: string }>;
  readonly shortReasons: readonly string[];
  /** Id of the batch that this person picks or was asked to join. The page does not ask again about this batch. */
  readonly seen: number | undefined;
  readonly question: BatchQuestion | undefined;
  /** Actions that can be undone, newest last. */
  readonly undos: readonly BatchUndo[];
  /** Presses at shelves, until the loaded data no longer lists their lines. */
  readonly pressed: readonly Extract<Fact, { type: 'batch.picked' }>[];
  /** The order that was loaded last, for which a slot or tote may still be scanned. */
  readonly loaded: { orderNumber: string; slot: string } | undefined;
  /** The batch in which the numbers that this tab has kept were typed. */
  readonly keptBatch: number | undefined;
  /** The lines of these numbers. */
  readonly keptLines: readonly PickLine[];
  /** The typed number of pieces for the next scan at a wall. */
  readonly stack: number | undefined;
  /** The result of the last scan at a wall if no slot took the article. Kept until the next scan. */
  readonly answer: PickMessage | undefined;
  /** Number of article scans at a wall that the station has not processed yet. */
  readonly sorting: number;
  /** Scans at a wall whose answers did not arrive, and that were not repeated since. */
  readonly lostScans: readonly LostScan[];
  /** Number of codes about which the station has been asked without an answer yet. */
  readonly asking: number;
  /** Number of scanned carts and walls that are about to be opened. */
  readonly opening: number;
  /** Whether the page of another cart or wall replaces this one, so that further inputs have no effect here. */
  readonly isLeft: boolean;
  /** The cart to pick onto before sorting at the wall. It is sent with the first order. */
  readonly firstCart: number | undefined;
  /** Whether a call that changes the batch is in progress. */
  readonly isBusy: boolean;
  /** Presses at lights where several people waited, about which the person is asked now. */
  readonly presses: readonly PressNotice[];
  /** People who have left pieces, about which the page still asks after the cart or wall was opened. */
  readonly handsToAsk: readonly string[];
  readonly last: PickMessage | undefined;
  readonly scanned: PickMessage | undefined;
  /** For each slot, the time until which it ignores touches. */
  readonly inertSlots: ReadonlyMap<string, number>;
  /** Whether the slots appeared with the last change of the page, where other buttons were. */
  readonly areSlotsNew: boolean;
  /** The last freed slots of a batch that is done. */
  readonly freed: FreedSlots | undefined;
  readonly refusedUntil: number;
  readonly keys: { base: string; used: number };
};

export type BatchCall =
  | { call: 'launch' | 'pause' | 'freeAll' | 'join' | 'leave' }
  | { call: 'fill'; count: number }
  | { call: 'add'; orderNumber: string; slot?: string; tote?: string; instead?: string }
  | { call: 'takeOut' | 'full'; slot: string }
  | { call: 'free'; slot: string; keep: boolean }
  | { call: 'undoFree'; freed: FreedSlots }
  | { call: 'short'; items: readonly number[]; reason: string }
  | { call: 'notOnCart'; what: 'missing' | 'put_back' }
  | { call: 'move'; slot: string; to: string }
  | { call: 'hand'; by: string; what: HandEnd }
  | { call: 'handOver'; to: string }
  | { call: 'takeFrom'; from: string; me: string };

export type NamedCarrier = { kind: CarrierKind; id: number };

/** What to do with pieces in a hand. `set_aside` cancels a person's scans at a wall without a put. */
export type HandEnd = 'take' | 'missing' | 'put_back' | 'set_aside';

export type BatchTouch =
  | { touch: 'picked' | 'less' | 'more' | 'short' | 'pad' | 'enterPad' | 'others' | 'skip' | 'undo' | 'cannotScan' }
  | {
      touch:
        | 'putAll'
        | 'slots'
        | 'go'
        | 'pause'
        | 'pauseAnyway'
        | 'fill'
        | 'freeAll'
        | 'dismiss'
        | 'close'
        | 'leave'
        | 'pack'
        | 'addOrder'
        | 'join'
        | 'undoAll';
    }
  | { touch: 'padKey'; key: PadKey }
  /** The answer to the notice with the key `press`. */
  | { touch: 'answerPress'; press: string; how: PressAnswer }
  | { touch: 'bookTyped' | 'takeBooked' }
  | { touch: 'found'; by: 1 | -1 }
  | { touch: 'give'; at: number; by: 1 | -1 }
  | { touch: 'reason'; reason: string }
  | { touch: 'slot'; slot: string }
  | { touch: 'askMove' | 'askTakeOut' | 'askStopped' | 'full' | 'free' | 'keep' | 'takeOut'; slot: string }
  | { touch: 'undoFree'; freed: FreedSlots }
  | { touch: 'askHand'; by: string }
  | { touch: 'handOver'; to: string }
  | { touch: 'takeFrom'; from: string }
  | { touch: 'hand'; what: HandEnd }
  | { touch: 'articles' | 'setAside' | 'askNoMore' | 'askNotOnCart' | 'askFirstCart' }
  | { touch: 'article' | 'keepOpen'; line: string }
  | { touch: 'notOnCart'; what: 'missing' | 'put_back' }
  | { touch: 'firstCart'; cart: number | undefined };

/**
 * What the page showed when a printed command or a letter came. `undo` is the action that Undo would have reverted, and
 * `isAfterScan` tells whether the station had not answered an earlier scan yet.
 */
export type BeforeWait = {
  shown: string;
  undo: BatchUndo | undefined;
  isAfterScan: boolean;
  messages: Pick<BatchSession, 'last' | 'scanned' | 'answer'>;
};

/** `madeAt` is the time at which the person acted. Without it, that is the time at which the event is handled. */
export type BatchInput =
  | { kind: 'read'; read: BatchRead }
  | { kind: 'carrier'; carrier: Carrier | undefined }
  | { kind: 'told'; facts: readonly Fact[] }
  | { kind: 'names'; names: ReadonlyMap<number, string> }
  | { kind: 'reasons'; reasons: readonly string[] }
  | { kind: 'connection'; isLost: boolean }
  /** The presses about which the person is asked now. */
  | { kind: 'presses'; presses: readonly PressNotice[] }
  /** A row above the page has come or gone, which moves the buttons below. */
  | { kind: 'moved' }
  | ({ kind: 'touch'; madeAt?: number; via?: InputKind } & BatchTouch)
  /** Enter was pressed on its own. `press` presses the button that has the focus. */
  | { kind: 'enter'; madeAt: number; press(): void }
  /** A scanner sent characters that the browser cannot read. */
  | { kind: 'unreadable'; madeAt: number }
  /** What Enter confirms here. */
  | { kind: 'enterRule'; rule: EnterRule }
  /** `waited` is set for a printed command or a letter that waited for the station's answers. */
  | { kind: 'scan'; scan: Scan; waited?: BeforeWait }
  /** `since` is the time of the first key of the number. `waited` is set for a number that waited for the station's answers. */
  | { kind: 'counted'; count: number; since?: number; madeAt?: number; waited?: true }
  | { kind: 'letter'; letter: string; madeAt?: number; waited?: BeforeWait }
  | { kind: 'sign'; by: 1 | -1; madeAt?: number }
  /** The number that is typed so far, without Enter. */
  | { kind: 'typed'; count: number | undefined }
  | { kind: 'cleared'; text: string }
  | { kind: 'repeated'; code: string }
  | { kind: 'inertEnter' }
  | { kind: 'answered'; scan: Scan; result: ScanResult }
  /** `place` is the known device that the code names, if the station was not asked. */
  | { kind: 'unanswered'; scan: Scan; failure: ActionFailure; place?: NamedDevice | undefined }
  /** The station's reply on whether a code belongs to this item's article, or the failure. */
  | { kind: 'verified'; scan: Scan; itemId: number; result?: ScanResult; failure?: ActionFailure }
  /** The station's reply to the scan of an article at a wall, or the failure. */
  | { kind: 'sorted'; scan: Scan; result?: ScanResult; failure?: ActionFailure; lost?: LostScan }
  /** The cart or wall of a batch whose code was scanned, or the failure. */
  | { kind: 'found'; scan: Scan; carrier?: NamedCarrier | undefined; failure?: ActionFailure }
  | { kind: 'sent'; sent: SentAction }
  /** `batch` is the batch after the call, and `says` an additional message from the station. */
  | { kind: 'called'; call: BatchCall; batch?: Batch; says?: string; failure?: ActionFailure }
  /** The content and the messages with these numbers, by default the current ones, were painted. */
  | { kind: 'drawn'; shows?: number; offers?: number }
  | { kind: 'tick' };

/** An input whose meaning can depend on scans and calls that the station has not answered yet. */
type LaterInput = Extract<BatchInput, { kind: 'scan' | 'letter' | 'counted' }>;

export type BatchEffect =
  | { do: 'keep'; action: OutboxAction }
  | { do: 'forget'; key: string }
  /** Removes a notice about a press that was answered, by the action with the key `by` if there is one. */
  | { do: 'answered'; press: string; by?: string | undefined }
  /** Makes the notices about presses quiet. */
  | { do: 'calm' }
  | { do: 'call'; call: BatchCall }
  /** Marks a step whose call cannot start because another one is in progress. The session replaces such a step. */
  | { do: 'busy' }
  | { do: 'scan'; scan: Scan }
  /** Asks the station whether a code belongs to this item's article. */
  | { do: 'verify'; scan: Scan; itemId: number }
  /**
   * Sorts an article at the wall. `itemId` is set if the article was chosen from the list, without a barcode. `lost` is
   * the same scan if its answer did not arrive.
   */
  | { do: 'sort'; scan: Scan; itemId?: number; lost?: LostScan }
  /** Handles the input again once the station has processed the previous scans and calls. */
  | { do: 'later'; input: LaterInput }
  | { do: 'names'; orders: readonly string[] }
  | { do: 'play'; answer: Exclude<keyof AnswerSounds, 'stop'> }
  /** Finds the cart or wall of another batch, whose code was scanned. */
  | { do: 'find'; batch: number; scan: Scan }
  /** Opens the page of another cart or wall, unless this page was already left. */
  | { do: 'open'; carrier: NamedCarrier }
  | { do: 'press'; press(): void }
  | { do: 'leave' | 'pack' }
  /** Discards what is typed without Enter. */
  | { do: 'clearTyped' };

export type BatchStep = { state: BatchSession; effects: readonly BatchEffect[] };

export type { BatchAct, BatchAction };
