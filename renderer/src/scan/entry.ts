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
};

/**
 * The meaning of an entry. The `count` of a scan is the quantity that was typed before the code, and `since` is the timestamp of the first
 * key of a count.
 */
export type TypedEntry =
  | { kind: 'count'; count: number; since: number }
  | { kind: 'letter'; letter: string }
  | { kind: 'scan'; scan: KeyScan; count?: number };

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
};

/** Names in this shop. They distinguish codes from counts. */
export type ShopNames = {
  /** Whether a text in lower case names a place, an order or an article. */
  has(text: string): boolean;
  /** Whether any name has only one to three digits, such as place 12. */
  haveNumbers: boolean;
};

export const NO_ENTRY: EntryState = { keys: [], lastAt: -Infinity, inertUntil: -Infinity };

/**
 * Time in milliseconds without another key after which a + or − takes effect. The wait is needed because a code can
 * begin with one of these signs.
 */
export const SIGN_MS = 250;
/** Minimum pause in milliseconds between a typed number and a scan that follows it. */
export const SPLIT_MS = 400;
/** Time in milliseconds after which an entry without Enter is discarded. */
export const CLEAR_MS = 5_000;
/** Time in milliseconds for which Enter is ignored after a scan, and after a count or a letter. */
export const INERT_AFTER_SCAN_MS = 350;
export const INERT_AFTER_ENTRY_MS = 220;

export function nextEntryKey(state: EntryState, key: WedgeKey, names: ShopNames): EntryStep {
  if (isModifier(key)) return { state, hold: false };
  const isEmpty = state.keys.length === 0;
  const terminator = terminatorOf(key, !isEmpty || key.at < state.inertUntil);
  if (terminator !== undefined) {
    if (isEmpty) return key.at < state.inertUntil ? { state, hold: true, isInert: true } : { state, hold: false };
    // A held Enter ends only one entry.
    if (key.repeat) return { state, hold: true };
    // The page does not show the new number yet, so this Enter would confirm the previous one.
    if (state.keys.every(isSign)) return { state: NO_ENTRY, hold: true, isInert: true, signs: state.keys.map(signOf) };
    const entry = readEntry(state.keys, terminator, names);
    const inertMs = entry.kind === 'scan' ? INERT_AFTER_SCAN_MS : INERT_AFTER_ENTRY_MS;
    return { state: { keys: [], lastAt: key.at, inertUntil: key.at + inertMs }, hold: true, entry };
  }
  if (!isEmpty && key.key === 'Backspace') return { state: { ...state, keys: state.keys.slice(0, -1) }, hold: true };
  if (!isEmpty && key.key === 'Escape') return { state: { ...state, keys: [] }, hold: true };
  const isPart = isEmpty ? beginsEntry(key) : isCharacter(key) || isControl(key);
  if (!isPart) return { state, hold: !isEmpty && key.repeat && key.key.length === 1 };
  const next = { ...state, keys: [...state.keys, key], lastAt: key.at };
  return { state: next, hold: true };
}

/** Handles time without a key press. A count stays until somebody ends it. `now` is on the clock of event timestamps. */
export function nextEntrySilence(state: EntryState, now: number, names: ShopNames): EntryStep {
  if (state.keys.length === 0 || typedCount(state, names) !== undefined) return { state, hold: false };
  const silentMs = now - state.lastAt;
  if (state.keys.every(isSign) && silentMs >= SIGN_MS) {
    return { state: { ...state, keys: [] }, hold: false, signs: state.keys.map(signOf) };
  }
  if (silentMs < CLEAR_MS) return { state, hold: false };
  return { state: { ...state, keys: [] }, hold: false, cleared: entryText(state) };
}

/** Returns the milliseconds of silence after which `nextEntrySilence` must be called, or undefined if that is not needed. */
export function entryPatienceMs(state: EntryState, names: ShopNames): number | undefined {
  const { keys } = state;
  if (keys.length === 0 || typedCount(state, names) !== undefined) return undefined;
  return keys.every(isSign) ? SIGN_MS : CLEAR_MS;
}

/** Returns the count that Enter would set now, or undefined if the entry is not a count. */
export function typedCount({ keys }: Pick<EntryState, 'keys'>, names: ShopNames): number | undefined {
  return names.has(entryText({ keys })) ? undefined : countOf(keys, names);
}

/** Returns the visible characters of the entry. */
export function entryText({ keys }: Pick<EntryState, 'keys'>): string {
  return keys.map(({ key }) => (key.length === 1 ? key : '')).join('');
}

/**
 * Interprets an entry. A known name is a code. One to three digits are a count; if the shop has such names, a count
 * must begin with `*`. A single letter is a letter. A count, a pause and a code together mean that quantity of the
 * code. Anything else is a code.
 */
function readEntry(keys: readonly WedgeKey[], terminator: 'Enter' | 'Tab', names: ShopNames): TypedEntry {
  const whole = readKeys(keys, terminator);
  const scan: TypedEntry = { kind: 'scan', scan: whole };
  const isKnown = [whole.code, whole.byPosition].some((code) => names.has(code.toLowerCase()));
  if (isKnown) return scan;
  const count = countOf(keys, names);
  const [only] = keys;
  if (count !== undefined && only !== undefined) return { kind: 'count', count, since: only.at };
  if (keys.length === 1 && only !== undefined && /^[a-z]$/i.test(only.key)) {
    return { kind: 'letter', letter: only.key.toLowerCase() };
  }
  const pause = keys.findLastIndex((key, at) => at > 0 && key.at - (keys[at - 1]?.at ?? key.at) >= SPLIT_MS);
  const before = pause < 0 ? undefined : countOf(keys.slice(0, pause), names);
  if (before === undefined) return scan;
  return { kind: 'scan', scan: readKeys(keys.slice(pause), terminator), count: before };
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

function isSign({ key, ctrl, alt }: WedgeKey): boolean {
  return (key === '+' || key === '-') && !ctrl && !alt;
}

function signOf({ key }: WedgeKey): 1 | -1 {
  return key === '+' ? 1 : -1;
}
