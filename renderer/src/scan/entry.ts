import { isCharacter, isControl, isModifier, type KeyScan, readKeys, terminatorOf, type WedgeKey } from './wedge.ts';

/**
 * State of the current entry. On a page without fields, everything typed or scanned until Enter or Tab is one entry.
 * Typing speed does not matter, so a slow scanner (150 ms per key) is as safe as a fast one: no part of a code is
 * mistaken for a count or a shortcut.
 */
export type EntryState = {
  /** Keys since the last Enter or Tab, without modifiers. */
  keys: readonly WedgeKey[];
  /** Timestamp of the last key event. */
  lastAt: number;
  /**
   * Time before which an Enter is ignored because it still belongs to the previous entry: scanners send CR and LF,
   * and fingers bounce.
   */
  inertUntil: number;
  /** When an Enter without an entry was pressed. It is held back, because scanners can send it before the code. */
  heldAt: number | undefined;
  /** When a key without a character, or text without keys, last arrived. */
  oddAt: number;
  /** Whether characters of this entry are missing, because they arrived as keys without a character or as text without keys. */
  isOdd: boolean;
};

/**
 * The meaning of an entry. The `count` of a scan is the quantity that was typed before the code, and `whole` is the code together with the
 * digits of that quantity. `since` is the timestamp of the first key of a count.
 */
export type TypedEntry =
  | { kind: 'count'; count: number; since: number }
  | { kind: 'letter'; letter: string }
  | { kind: 'scan'; scan: KeyScan; count?: number; whole?: KeyScan };

export type EntryStep = {
  state: EntryState;
  /** Whether to hide this key from the page. */
  hold: boolean;
  entry?: TypedEntry;
  /** The + and − keys that were pressed on their own, in order. */
  signs?: readonly (1 | -1)[];
  /** Whether an Enter was ignored because it came too soon after an entry. */
  isInert?: true;
  /** The text that was discarded because no Enter followed it. */
  cleared?: string;
  /** The time of an Enter that a person pressed on its own. */
  enterAt?: number;
  /** Whether a scanner sent something that the browser cannot read. */
  isUnreadable?: true;
};

/** Names in this shop. They distinguish codes from counts. */
export type ShopNames = {
  /** Whether a text in lower case names a place, an order or an article. */
  has(text: string): boolean;
  /** Whether any name has only one to three digits, such as place 12. */
  haveNumbers: boolean;
};

export const NO_ENTRY: EntryState = {
  keys: [],
  lastAt: -Infinity,
  inertUntil: -Infinity,
  heldAt: undefined,
  oddAt: -Infinity,
  isOdd: false,
};

/**
 * Time in milliseconds without another key after which a + or − takes effect. The wait is needed because a code can
 * begin with one of these signs.
 */
export const SIGN_MS = 250;
/** Minimum pause in milliseconds between a typed number and a scan that follows it. */
export const SPLIT_MS = 400;
/** Time in milliseconds after which an entry without Enter is discarded. */
export const CLEAR_MS = 5_000;
/** Time in milliseconds for which Enter is ignored after a scan, right or wrong, and after a count or a letter. */
export const INERT_AFTER_SCAN_MS = 700;
export const INERT_AFTER_ENTRY_MS = 220;
/** Time in milliseconds for which an Enter is held back. If a character follows within this time, a scanner has sent it. */
export const HELD_ENTER_MS = 80;
/** Time in milliseconds around a key without a character, or text without keys, within which an Enter ends an unreadable scan. */
export const ODD_MS = 350;
/** Minimum time in milliseconds per key that a person types. */
const TYPED_MS = 35;

/** Handles a key. `presses` tells whether Enter presses the element that has the focus, so that it has to be held back. */
export function nextEntryKey(before: EntryState, key: WedgeKey, names: ShopNames, presses = true): EntryStep {
  if (isModifier(key)) return { state: before, hold: false };
  if (isOdd(key)) return nextEntryText(before, key.at);
  const isDue = before.heldAt !== undefined && key.at - before.heldAt >= HELD_ENTER_MS;
  const enterAt = isDue ? { enterAt: before.heldAt } : {};
  const state = isDue ? { ...before, heldAt: undefined } : before;
  const step = nextKeyOfEntry(state, key, names, presses);
  return { ...step, ...enterAt };
}

/**
 * Handles text that came without keys, such as from the input method of an Android device, or a key without a character. An Enter beside it
 * belongs to the same scan.
 */
export function nextEntryText(state: EntryState, at: number): EntryStep {
  const isScan = state.heldAt !== undefined && at - state.heldAt < ODD_MS;
  const next = { ...state, oddAt: at, isOdd: state.keys.length > 0, heldAt: isScan ? undefined : state.heldAt };
  return isScan ? unreadable(next, at) : { state: next, hold: false };
}

function unreadable(state: EntryState, at: number): EntryStep {
  return {
    state: { ...NO_ENTRY, lastAt: at, oddAt: state.oddAt, inertUntil: at + INERT_AFTER_SCAN_MS },
    hold: true,
    isUnreadable: true,
  };
}

function nextKeyOfEntry(state: EntryState, key: WedgeKey, names: ShopNames, presses: boolean): EntryStep {
  const isEmpty = state.keys.length === 0;
  const isOddNow = state.isOdd || key.at - state.oddAt < ODD_MS;
  const terminator = terminatorOf(key, !isEmpty || key.at < state.inertUntil);
  if (terminator !== undefined) {
    if (isEmpty && key.at < state.inertUntil) return { state, hold: true, isInert: true };
    if (isOddNow && !key.repeat && (!isEmpty || terminator === 'Enter')) return unreadable(state, key.at);
    if (isEmpty) return loneTerminator(state, key, terminator, presses);
    // A held Enter ends only one entry.
    if (key.repeat) return { state, hold: true };
    // The page does not show the new number yet, so this Enter would confirm the previous one.
    if (state.keys.every(isSign)) return { state: NO_ENTRY, hold: true, isInert: true, signs: state.keys.map(signOf) };
    const entry = readEntry(state.keys, { terminator, endedAt: key.at }, names);
    const inertMs = entry.kind === 'scan' ? INERT_AFTER_SCAN_MS : INERT_AFTER_ENTRY_MS;
    return { state: { ...NO_ENTRY, lastAt: key.at, inertUntil: key.at + inertMs }, hold: true, entry };
  }
  if (!isEmpty && key.key === 'Backspace') return { state: { ...state, keys: state.keys.slice(0, -1) }, hold: true };
  if (!isEmpty && key.key === 'Escape') return { state: { ...state, keys: [] }, hold: true };
  const isPart = isEmpty ? beginsEntry(key) : isCharacter(key) || isControl(key);
  if (!isPart) return { state, hold: !isEmpty && key.repeat && key.key.length === 1 };
  // An Enter right before it came from the scanner.
  const next = { ...state, keys: [...state.keys, key], lastAt: key.at, heldAt: undefined, isOdd: isOddNow };
  return { state: next, hold: true };
}

/** Holds an Enter back that follows no entry. Other keys keep their meaning. */
function loneTerminator(state: EntryState, key: WedgeKey, terminator: 'Enter' | 'Tab', presses: boolean): EntryStep {
  if (terminator !== 'Enter' || !presses) return { state, hold: false };
  // A second Enter so soon is a bounce, or the LF after a CR.
  if (key.repeat || state.heldAt !== undefined) return { state, hold: true };
  return { state: { ...state, heldAt: key.at, lastAt: key.at }, hold: true };
}

/** Handles time without a key press. A count stays until somebody ends it. `now` is on the clock of event timestamps. */
export function nextEntrySilence(state: EntryState, now: number, names: ShopNames): EntryStep {
  const { heldAt } = state;
  if (heldAt !== undefined && now - heldAt >= HELD_ENTER_MS)
    return { state: { ...state, heldAt: undefined }, hold: false, enterAt: heldAt };
  if (state.keys.length === 0 || typedCount(state, names) !== undefined) return { state, hold: false };
  const silentMs = now - state.lastAt;
  if (state.keys.every(isSign) && silentMs >= SIGN_MS) {
    return { state: { ...state, keys: [] }, hold: false, signs: state.keys.map(signOf) };
  }
  if (silentMs < CLEAR_MS) return { state, hold: false };
  if (state.isOdd) return { ...unreadable(state, now), hold: false };
  return { state: { ...state, keys: [] }, hold: false, cleared: entryText(state) };
}

/** Returns the milliseconds of silence after which `nextEntrySilence` must be called, or undefined if that is not needed. */
export function entryPatienceMs(state: EntryState, names: ShopNames): number | undefined {
  const { keys, heldAt } = state;
  if (heldAt !== undefined) return HELD_ENTER_MS;
  if (keys.length === 0 || typedCount(state, names) !== undefined) return undefined;
  return keys.every(isSign) ? SIGN_MS : CLEAR_MS;
}

/** Returns the count that Enter would set now, or undefined if the entry is not a count. */
export function typedCount({ keys, isOdd }: Pick<EntryState, 'keys' | 'isOdd'>, names: ShopNames): number | undefined {
  return isOdd || names.has(entryText({ keys })) ? undefined : countOf(keys, names);
}

/** Returns the visible characters of the entry. */
export function entryText({ keys }: Pick<EntryState, 'keys'>): string {
  return keys.map(({ key }) => (key.length === 1 ? key : '')).join('');
}

/**
 * Interprets an entry. A known name is a code. One to three digits are a count; if the shop has such names, a count
 * must begin with `*`. A single letter is a letter. A count, a pause and a code together mean that quantity of the
 * code, unless a scanner has sent the digits. Anything else is a code.
 */
function readEntry(
  keys: readonly WedgeKey[],
  { terminator, endedAt }: { terminator: 'Enter' | 'Tab'; endedAt: number },
  names: ShopNames,
): TypedEntry {
  const whole = readKeys(keys, terminator);
  const scan: TypedEntry = { kind: 'scan', scan: whole };
  const isKnown = [whole.code, whole.byPosition].some((code) => names.has(code.toLowerCase()));
  if (isKnown) return scan;
  const count = countOf(keys, names);
  const [only] = keys;
  if (count !== undefined && only !== undefined) return { kind: 'count', count, since: only.at };
  if (keys.length === 1 && only !== undefined && /^[a-z]$/i.test(only.key) && isTyped(1, only.at, endedAt)) {
    return { kind: 'letter', letter: only.key.toLowerCase() };
  }
  const pause = keys.findLastIndex((key, at) => at > 0 && key.at - (keys[at - 1]?.at ?? key.at) >= SPLIT_MS);
  const typed = keys.slice(0, Math.max(0, pause));
  const before = countOf(typed, names);
  if (before === undefined || isSent(typed)) return scan;
  const rest = readKeys(keys.slice(pause), terminator);
  // No article has zero pieces in front of its number: a scanner paused after the first digit.
  if (before === 0 && /^\d+$/.test(rest.code)) return scan;
  return { kind: 'scan', scan: rest, count: before, whole };
}

/** Whether a scanner has sent these digits and then paused. A single digit does not show who has typed it. */
function isSent(digits: readonly WedgeKey[]): boolean {
  const [first, last] = [digits[0], digits.at(-1)];
  if (first === undefined || last === undefined || digits.length < 2) return false;
  return !isTyped(digits.length - 1, first.at, last.at);
}

/**
 * Whether a person, not a scanner, has typed so many characters and Enter. Characters that arrive faster were sent by a scanner, which has lost
 * the others of its code.
 */
export function isTyped(characters: number, since: number, endedAt: number): boolean {
  return endedAt - since >= TYPED_MS * characters;
}

/** Returns the scan of the whole code, if the digits before a pause may be a part of it and not a quantity. */
export function wholeScan<Source>({
  whole,
  source,
  at,
}: {
  whole?: string;
  source: Source;
  at?: number;
}): { code: string; source: Source; at?: number } | undefined {
  return whole === undefined ? undefined : { code: whole, source, ...(at === undefined ? {} : { at }) };
}

/** Parses a count of one to three plain digits. Keys that a scanner types on a different layout, or without Num Lock, are never a count. */
function countOf(keys: readonly WedgeKey[], { haveNumbers }: ShopNames): number | undefined {
  const isMarked = keys[0]?.key === '*';
  const digits = isMarked ? keys.slice(1) : keys;
  if (haveNumbers && !isMarked) return undefined;
  if (digits.length === 0 || digits.length > 3) return undefined;
  if (!digits.every(({ key, ctrl, alt, meta }) => /^\d$/.test(key) && !ctrl && !alt && !meta)) return undefined;
  return Number(digits.map(({ key }) => key).join(''));
}

/**
 * Whether the key can begin an entry. Space presses the focused button, and keys with Ctrl or Alt are browser
 * commands.
 */
function beginsEntry(key: WedgeKey): boolean {
  return isCharacter(key) && key.key !== ' ' && !key.ctrl && (!key.alt || key.altGraph || /^Numpad\d$/.test(key.code));
}

/** Whether the browser reports the key without its character. */
function isOdd({ key }: WedgeKey): boolean {
  return key === 'Unidentified' || key === 'Process';
}

function isSign({ key, ctrl, alt }: WedgeKey): boolean {
  return (key === '+' || key === '-') && !ctrl && !alt;
}

function signOf({ key }: WedgeKey): 1 | -1 {
  return key === '+' ? 1 : -1;
}
