import type { Elsewhere } from '#shared/api/device.ts';
import type { Item, Order } from '#shared/api/order.ts';
import type { ScanCandidate, ScanResult, WorkLine } from '#shared/api/picking.ts';
import type { Fact } from '#shared/api/station.ts';
import type { EnterRule } from '#shared/lib/picking/enterRules.ts';
import type { Left, LeftAsked } from '#shared/api/stock.ts';
import type { Scan } from '../../../scan/windowScans.ts';
import type { OutboxAction, ActionFailure } from '../../../station/outbox/actions.ts';
import type { SentAction } from '../../../station/outbox/outbox.ts';
import type { NamedDevice } from '../../../station/places.ts';
import type { AnswerSounds } from '../../../sound/answerSounds.ts';
import type { PressAnswer, PressNotice } from '../whose/pressNotices.ts';
import type { InertTimes } from './inertTimes.ts';
import type { InputKind, KeyConfirmation, KeyRules } from './keyRules.ts';

/** A line to pick. A line without a device is not lit. */
export type PickLine = WorkLine;

export function isLit(line: PickLine): line is PickLine & { deviceid: string; command_id: string } {
  return line.deviceid !== null && line.command_id !== null;
}

/**
 * An action that can be undone. `before` is the picked quantity to restore; if it is unknown, the station decides.
 * `after` is the picked quantity that the person saw.
 */
export type UndoOffer = {
  itemId: number;
  before?: number | undefined;
  after?: number | undefined;
  place: string;
};

/**
 * A message to the person. The kind `care` means that a different quantity than requested was booked. The message
 * disappears at the time `until` or, if that is undefined, when the next message appears.
 */
export type PickMessage = {
  kind: 'right' | 'care' | 'wrong' | 'note';
  text: string;
  undo?: UndoOffer;
  /** A line without a light whose pieces can be taken at the scanned place instead. */
  here?: { line: PickLine; location: string };
  until?: number;
};

/** A line that a press closed short without a reason, and its picked quantity. */
export type ReasonAsked = { line: PickLine; fulfilled: number };

export type PickQuestion =
  /** Once `reason` is chosen, the dialog asks where the rest is. `isSet` tells whether somebody has set `found`. */
  | { kind: 'short'; line: PickLine; found: number; reason?: string; isSet?: true }
  /** A press has booked `booked` pieces, so that `fulfilled` are picked, but the person has typed another number. */
  | { kind: 'differs'; line: PickLine; booked: number; fulfilled: number; typed: number }
  /** The person said that a press was theirs, and had set another number for their line, `typed`. Nothing is exchanged yet. */
  | { kind: 'mine'; line: PickLine; notice: PressNotice; typed: number }
  | { kind: 'over'; line: PickLine; count: number }
  /** Asks whether a typed number of four or five digits, which is not a known code, is a quantity. */
  | { kind: 'number'; line: PickLine; count: number }
  /** The number pad. `text` has the digits so far, and `last` the last key and when it was touched. */
  | { kind: 'pad'; line: PickLine; text: string; last?: { key: string; at: number } }
  | { kind: 'reason'; line: PickLine; fulfilled: number }
  | { kind: 'more'; line: PickLine }
  /** Asks which line a code means. `count` is the quantity typed before the code. */
  | { kind: 'which'; candidates: readonly ScanCandidate[]; count?: number | undefined }
  | { kind: 'join'; orderNumber: string; says: string; failure: string }
  /** Asks whether a place is empty after a pick. The question closes automatically at `until`. */
  | { kind: 'empty'; asked: LeftAsked; until: number }
  /** Asks about confirmations by Enter or Space that followed each other too quickly. */
  | { kind: 'hasty'; asked: readonly KeyConfirmation<UndoOffer>[] }
  /** Asks how many pieces are left after a pick. `text` and `last` are the same as in the number pad. */
  | { kind: 'left'; asked: LeftAsked; text: string; last?: { key: string; at: number }; until: number };

/**
 * How an item ended, as reported by the station. `before` is the picked quantity until then, if known, and `leftOver` the pieces of a press
 * that were not booked.
 */
export type LineEnd = { how: 'pressed' | 'withdrawn' | 'removed'; before: number | undefined; leftOver?: number };

/**
 * The quantity that the person counted on this page. Until the station has received it, the station may still report
 * the quantities in `before`.
 */
export type Counted = { itemId: number; quantity: number; isRepeated: boolean; before: readonly (number | null)[] };

/**
 * A scan that waits for the station's reply. The step `mean` only requests the meaning of the code, for the reason in
 * `why`; `shared` means that several lines on the page have this code. `line` is the intended line with its picked
 * quantity: the station refuses to book another line.
 */
export type ScanAsk = Scan & {
  key: string;
  step: 'mean' | 'act';
  why?: 'verify' | 'count' | 'shared';
  isSecond?: boolean;
  line?: { itemId: number; seen: number };
};

/**
 * An input that waits for the answers to the scans before it. `scanned` is the message about a scan that was shown at that
 * time.
 */
export type LaterInput = {
  event: Extract<PickEvent, { kind: 'scan' | 'counted' | 'letter' | 'sign' }>;
  scanned: PickMessage | undefined;
};

/** When inputs count again, and what keys confirm. */
type InputRules = InertTimes & KeyRules<UndoOffer>;

export type PickSession = InputRules & {
  /** When the person made the input that is being handled, in milliseconds of `performance.now`. */
  readonly at: number;
  readonly orderNumber: string;
  readonly me: string;
  /** The lines as last loaded, or undefined until then. */
  readonly lines: readonly PickLine[] | undefined;
  readonly order: Order | undefined;
  readonly isMissing: boolean;
  /** Whether this page has shown the order. */
  readonly wasOpen: boolean;
  readonly isLost: boolean;
  /** Lit lines of this person. A line stays here until the page has explained why it is no longer lit. */
  readonly lit: readonly PickLine[];
  /**
   * Picked quantity by item id. It is newer than the lines, and empty after a lost connection until the order is
   * loaded.
   */
  readonly counts: ReadonlyMap<number, number>;
  readonly ends: ReadonlyMap<number, LineEnd>;
  /** Ids of items booked on this page that the station may not have booked yet. */
  readonly booked: ReadonlySet<number>;
  readonly skipped: readonly number[];
  /** Ids of items whose place the person waits for while another person's light is on. */
  readonly waited: readonly number[];
  /** Ids of items that the person marked as impossible to scan. */
  readonly unverifiable: readonly number[];
  /** Keys of the reasons for a short, in the order of their printed commands. */
  readonly shortReasons: readonly string[];
  /** Scanned digits that form one number for this item. At `until`, the next digit begins a new number. */
  readonly digits: { itemId: number; text: string; until: number } | undefined;
  /** Numbers that were counted for lines, by item id, in the order in which they were set. */
  readonly counted: ReadonlyMap<number, Counted>;
  /** The number that is typed without Enter, and the line for which its first digit was typed. */
  readonly typing: { itemId: number; count: number } | undefined;
  readonly question: PickQuestion | undefined;
  readonly reasons: readonly ReasonAsked[];
  /** The result of the last action. */
  readonly last: PickMessage | undefined;
  /** The last action that can be undone, even if its message has disappeared. */
  readonly undoable: UndoOffer | undefined;
  /** Presses at lights where several people waited, about which the person is asked now. */
  readonly presses: readonly PressNotice[];
  /** The error or note about the last scan, if there is one. */
  readonly scanned: PickMessage | undefined;
  /** A scan at the item `itemId` that should book but got no answer. The station may have booked it. */
  readonly lostScan: { ask: ScanAsk; itemId: number | null | undefined } | undefined;
  /** The number of scans that the station has not answered yet. */
  readonly asking: number;
  /** Inputs that wait for these answers, in order. */
  readonly later: readonly LaterInput[];
  /** Whether this session has opened another page. */
  readonly isLeft: boolean;
  /** Until this time, the page shows that an input was ignored. */
  readonly refusedUntil: number;
  readonly keys: { base: string; used: number };
};

export type PickCall =
  | { call: 'launch' | 'pause' | 'leave'; orderNumber: string }
  | { call: 'join'; orderNumber: string }
  | { call: 'handOver'; orderNumber: string; picker: string }
  | { call: 'identify'; deviceid: string }
  | { call: 'left'; left: Left };

/** Keys in the order of the number pad. `delete` removes the last digit. */
export const PAD_KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'delete', '0'] as const;
export type PadKey = (typeof PAD_KEYS)[number];

export type Touch =
  | { touch: 'picked' | 'less' | 'more' | 'short' | 'others' | 'skip' | 'wait' | 'undo' | 'dismiss' | 'close' }
  /** The answer to the notice with the key `press`. */
  | { touch: 'answerPress'; press: string; how: PressAnswer }
  | { touch: 'takeHere' }
  | { touch: 'bookCount' | 'takeAsked' | 'back' | 'join' | 'cannotScan' | 'take' | 'relight' | 'choose' | 'print' }
  | { touch: 'pause' | 'leave' | 'identify' | 'isEmpty' | 'someLeft' | 'undoAll' }
  | { touch: 'found'; by: 1 | -1 }
  | { touch: 'pad' | 'enterPad' }
  | { touch: 'padKey'; key: PadKey }
  | { touch: 'reason'; reason: string }
  | { touch: 'elsewhere'; place: Elsewhere | undefined }
  | { touch: 'which'; candidate: ScanCandidate }
  | { touch: 'handOver'; picker: string };

/** `madeAt` is the time at which the person acted. Without it, that is the time at which the event is handled. */
export type PickEvent =
  | { kind: 'work'; lines: readonly PickLine[] }
  | { kind: 'order'; order: Order | undefined; isMissing: boolean }
  | { kind: 'told'; facts: readonly Fact[] }
  | { kind: 'connection'; isLost: boolean }
  /** The presses about which the person is asked now. */
  | { kind: 'presses'; presses: readonly PressNotice[] }
  /** A row above the page has come or gone, which moves the buttons below. */
  | { kind: 'moved' }
  | ({ kind: 'touch'; madeAt?: number; via?: InputKind } & Touch)
  /** Enter was pressed on its own. `press` presses the button that has the focus. */
  | { kind: 'enter'; madeAt: number; press(): void }
  /** A scanner sent characters that the browser cannot read. */
  | { kind: 'unreadable'; madeAt: number }
  /** What Enter confirms here. */
  | { kind: 'enterRule'; rule: EnterRule }
  | { kind: 'scan'; scan: Scan }
  /** `since` is the time of the first key of the number. */
  | { kind: 'counted'; count: number; since?: number; madeAt?: number }
  | { kind: 'letter'; letter: string; madeAt?: number }
  /** The number that is typed so far, without Enter. */
  | { kind: 'typed'; count: number | undefined }
  | { kind: 'reasons'; reasons: readonly string[] }
  | { kind: 'sign'; by: 1 | -1; madeAt?: number }
  /** A text was discarded because no Enter followed. */
  | { kind: 'cleared'; text: string }
  | { kind: 'repeated'; code: string }
  /** An Enter was ignored because it came too soon after an entry. */
  | { kind: 'inertEnter' }
  | { kind: 'answered'; ask: ScanAsk; result: ScanResult }
  /** `place` is the known device that the code names, if the station was not asked. */
  | { kind: 'unanswered'; ask: ScanAsk; failure: ActionFailure; place?: NamedDevice | undefined }
  | { kind: 'sent'; sent: SentAction }
  | { kind: 'called'; call: PickCall; failure?: ActionFailure }
  /** The content and the messages with these numbers, by default the current ones, were painted. */
  | { kind: 'drawn'; shows?: number; offers?: number }
  | { kind: 'tick' };

export type PickEffect =
  | { do: 'keep'; action: OutboxAction }
  | { do: 'forget'; key: string }
  /** Removes a notice about a press that was answered, by the action with the key `by` if there is one. */
  | { do: 'answered'; press: string; by?: string | undefined }
  /** Makes the notices about presses quiet. */
  | { do: 'calm' }
  | { do: 'scan'; ask: ScanAsk }
  | { do: 'call'; call: PickCall }
  | { do: 'play'; answer: Exclude<keyof AnswerSounds, 'stop'> }
  /** Opens an order, or the list of orders. With `takesNext`, the list takes the next order at once. */
  | { do: 'open'; orderNumber: string | undefined; says?: PickMessage; takesNext?: boolean }
  | { do: 'print' }
  | { do: 'press'; press(): void }
  | { do: 'reread' }
  /** Discards what is typed without Enter. */
  | { do: 'clearTyped' };

export type PickStep = { state: PickSession; effects: readonly PickEffect[] };

/** Returns the display name of an item. */
export function nameOfItem({ name, SKU, UPC }: Item): string {
  return [name, SKU, UPC].find((each) => each !== undefined && each !== '') ?? '';
}
