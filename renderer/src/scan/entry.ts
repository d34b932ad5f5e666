import { isCharacter, isControl, isModifier, type KeyScan, readKeys, terminatorOf, type WedgeKey } from './wedge.ts';

/**
 * Everything that is typed or scanned on a page without fields, as one entry that ends with Enter or Tab. The speed of the
 * keys decides nothing, so a scanner at 150 ms per key is as safe as one at 5: no part of a code is taken for a count or
 * a shortcut.
 */
export type EntryState = {
  /** The keys since the last Enter, without modifiers. */
  keys: readonly WedgeKey[];
  /** When the last key was pressed, on the clock of the events. */
  lastAt: number;
  /** An Enter before this time belongs to the entry that has ended: scanners send CR and LF, and fingers bounce. */
  deafUntil: number;
};

/** What an entry means. `count`, with `scan`: so many of what was scanned. */
export type TypedEntry =
  | { kind: 'count'; count: number }
  | { kind: 'letter'; letter: string }
  | { kind: 'scan'; scan: KeyScan; count?: number };

export type EntryStep = {
  state: EntryState;
  /** Keep this key from the page. */
  hold: boolean;
  entry?: TypedEntry;
  /** Each + and − without another key around it. */
  signs?: readonly (1 | -1)[];
  /** The Enter that was dropped came this soon after an entry. */
  isDeaf?: true;
  /** The text that was dropped because no Enter followed it. */
  cleared?: string;
};

/** The names in this shop, which distinguish codes from counts. */
export type ShopNames = {
  /** Whether a text, in lower case, names a place, an order or an article. */
  has(text: string): boolean;
  /** Whether one of them has one to three digits, such as place 12. */
  haveNumbers: boolean;
};

export const NO_ENTRY: EntryState = { keys: [], lastAt: -Infinity, deafUntil: -Infinity };

/** A + or − acts after this time without another key: a code may begin with it. */
export const SIGN_MS = 250;
/** A person who typed a number and then scans pauses at least this long. */
export const SPLIT_MS = 400;
/** An entry without an Enter is dropped after this time. */
export const CLEAR_MS = 5_000;
/** How long Enter is deaf after the last key of a scan, and after a count or a letter. */
export const DEAF_AFTER_SCAN_MS = 350;
export const DEAF_AFTER_ENTRY_MS = 220;

/** The next key that is pressed. */
export function nextEntryKey(state: EntryState, key: WedgeKey, names: ShopNames): EntryStep {
  if (isModifier(key)) return { state, hold: false };
  const isEmpty = state.keys.length === 0;
  const terminator = terminatorOf(key, !isEmpty || key.at < state.deafUntil);
  if (terminator !== undefined) {
    if (isEmpty) return key.at < state.deafUntil ? { state, hold: true, isDeaf: true } : { state, hold: false };
    // A held Enter ends one entry only.
    if (key.repeat) return { state, hold: true };
    // What the signs change is not on the page yet, so this Enter would confirm the number before it.
    if (state.keys.every(isSign)) return { state: NO_ENTRY, hold: true, isDeaf: true, signs: state.keys.map(signOf) };
    const entry = readEntry(state.keys, terminator, names);
    const deafMs = entry.kind === 'scan' ? DEAF_AFTER_SCAN_MS : DEAF_AFTER_ENTRY_MS;
    return { state: { keys: [], lastAt: key.at, deafUntil: key.at + deafMs }, hold: true, entry };
  }
  if (!isEmpty && key.key === 'Backspace') return { state: { ...state, keys: state.keys.slice(0, -1) }, hold: true };
  if (!isEmpty && key.key === 'Escape') return { state: { ...state, keys: [] }, hold: true };
  const isPart = isEmpty ? beginsEntry(key) : isCharacter(key) || isControl(key);
  if (!isPart) return { state, hold: !isEmpty && key.repeat && key.key.length === 1 };
  const next = { ...state, keys: [...state.keys, key], lastAt: key.at };
  return { state: next, hold: true };
}

/** Time has passed without a key: `now` on the clock of the events. */
export function nextEntrySilence(state: EntryState, now: number): EntryStep {
  if (state.keys.length === 0) return { state, hold: false };
  const silentMs = now - state.lastAt;
  if (state.keys.every(isSign) && silentMs >= SIGN_MS) {
    return { state: { ...state, keys: [] }, hold: false, signs: state.keys.map(signOf) };
  }
  if (silentMs < CLEAR_MS) return { state, hold: false };
  return { state: { ...state, keys: [] }, hold: false, cleared: entryText(state) };
}

/** After how many milliseconds of silence `nextEntrySilence` has something to do; undefined: never. */
export function entryPatienceMs({ keys }: EntryState): number | undefined {
  if (keys.length === 0) return undefined;
  return keys.every(isSign) ? SIGN_MS : CLEAR_MS;
}

/** What a person sees of the entry. */
export function entryText({ keys }: EntryState): string {
  return keys.map(({ key }) => (key.length === 1 ? key : '')).join('');
}

/**
 * A number of one to three digits is a count, unless the shop has such a name: there a count begins with `*`. A count, a
 * pause and a code are so many of that code. Anything else is a code.
 */
function readEntry(keys: readonly WedgeKey[], terminator: 'Enter' | 'Tab', names: ShopNames): TypedEntry {
  const whole = readKeys(keys, terminator);
  const scan: TypedEntry = { kind: 'scan', scan: whole };
  const isKnown = [whole.code, whole.byPosition].some((code) => names.has(code.toLowerCase()));
  if (isKnown) return scan;
  const count = countOf(keys, names);
  if (count !== undefined) return { kind: 'count', count };
  const [only] = keys;
  if (keys.length === 1 && only !== undefined && /^[a-z]$/i.test(only.key)) {
    return { kind: 'letter', letter: only.key.toLowerCase() };
  }
  const pause = keys.findLastIndex((key, at) => at > 0 && key.at - (keys[at - 1]?.at ?? key.at) >= SPLIT_MS);
  const before = pause < 0 ? undefined : countOf(keys.slice(0, pause), names);
  if (before === undefined) return scan;
  return { kind: 'scan', scan: readKeys(keys.slice(pause), terminator), count: before };
}

/** Only digits, each typed as such: what a scanner types on a foreign layout, or without Num Lock, is never a count. */
function countOf(keys: readonly WedgeKey[], { haveNumbers }: ShopNames): number | undefined {
  const isMarked = keys[0]?.key === '*';
  const digits = isMarked ? keys.slice(1) : keys;
  if (haveNumbers && !isMarked) return undefined;
  if (digits.length === 0 || digits.length > 3) return undefined;
  if (!digits.every(({ key, ctrl, alt, meta }) => /^\d$/.test(key) && !ctrl && !alt && !meta)) return undefined;
  return Number(digits.map(({ key }) => key).join(''));
}

/** A space presses the button with the focus, and a key with Ctrl or Alt is a command of the browser. */
function beginsEntry(key: WedgeKey): boolean {
  return isCharacter(key) && key.key !== ' ' && !key.ctrl && (!key.alt || key.altGraph || /^Numpad\d$/.test(key.code));
}

function isSign({ key, ctrl, alt }: WedgeKey): boolean {
  return (key === '+' || key === '-') && !ctrl && !alt;
}

function signOf({ key }: WedgeKey): 1 | -1 {
  return key === '+' ? 1 : -1;
}
