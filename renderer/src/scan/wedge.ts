import { controlOf, typedOnUsLayout } from './usLayout.ts';

/** Maximum time in milliseconds between two keys of a scanner. People type more slowly. */
export const GAP_MS = 50;
/** Minimum number of characters in a code. */
const FEWEST = 2;
/**
 * Number of characters of a burst that are typed into a field before further ones are held back. Two fast keys are
 * more often typed by a person than by a scanner.
 */
const TYPED_IN_FIELDS = 2;

export type WedgeKey = {
  /** `KeyboardEvent.key`, the character in the current keyboard layout. */
  key: string;
  /** `KeyboardEvent.code`, the position on the keyboard. */
  code: string;
  /** Timestamp of the event in milliseconds. */
  at: number;
  shift: boolean;
  ctrl: boolean;
  alt: boolean;
  altGraph: boolean;
  meta: boolean;
  capsLock: boolean;
  repeat: boolean;
};

type BurstKey = WedgeKey & {
  /** Whether the key was hidden from the page. */
  held: boolean;
};

export type WedgeState = {
  /** Characters and control characters of the burst, each pressed less than GAP_MS after the previous key. */
  burst: readonly BurstKey[];
  /** Time of the last key in the burst, including Shift. */
  lastAt: number;
  /** End of the last scan. Used to ignore the second key of scanners that send CR and LF. */
  endedAt: number;
};

export type Terminator = 'Enter' | 'Tab';

/**
 * A problem with a scan. For `layout` and `capsLock`, use `byPosition` instead of `code`; for `altCodes` and
 * `numLock`, `code` is incomplete.
 */
export type Finding = 'layout' | 'capsLock' | 'altCodes' | 'numLock';

export type KeyScan = {
  /**
   * The code as this computer's keyboard layout interprets the keys, without the control characters around the code
   * except GS.
   */
  code: string;
  /** The code as a US keyboard without Caps Lock types it. Equal to `code` if nothing is wrong. */
  byPosition: string;
  terminator: Terminator;
  findings: readonly Finding[];
};

export type WedgeStep = {
  state: WedgeState;
  /** Whether to hide this key from the page. */
  hold: boolean;
  scan?: KeyScan;
  /** Text of the held keys of a burst that was not a scan. The caller must type it now. */
  released?: string;
};

export const NO_KEYS: WedgeState = { burst: [], lastAt: -Infinity, endedAt: -Infinity };

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock', 'Fn']);
/** Control characters that end a code: some scanners send CR, LF and HT as Ctrl+M, Ctrl+J and Ctrl+I. */
const CONTROL_ENDS = new Map(Object.entries<Terminator>({ '\r': 'Enter', '\n': 'Enter', '\t': 'Tab' }));

/** Handles a key. `inField` tells whether the key types into a field. */
export function nextKey(state: WedgeState, key: WedgeKey, inField: boolean): WedgeStep {
  const follows = state.burst.length > 0 && key.at - state.lastAt < GAP_MS;
  if (isModifier(key)) return { state: follows ? { ...state, lastAt: key.at } : state, hold: false };
  const terminator = terminatorOf(key, follows || key.at - state.endedAt < GAP_MS);
  if (terminator !== undefined) return end(state, key, terminator, follows);
  if (!isCharacter(key) && controlIn(key) === undefined) return release(state, { ...NO_KEYS, endedAt: state.endedAt });
  const before = follows ? state.burst : [];
  const typed = inField && controlIn(key) === undefined ? TYPED_IN_FIELDS : 1;
  const held = before.length >= typed;
  const next = { ...state, burst: [...before, { ...key, held }], lastAt: key.at };
  return follows ? { state: next, hold: held } : release(state, next);
}

/** Handles a pause of GAP_MS. Releases held keys, so that people see what they typed. */
export function nextSilence(state: WedgeState): WedgeStep {
  const released = heldText(state.burst);
  // Keep the burst: a key pressed in time may be reported late.
  const burst = state.burst.map((key) => ({ ...key, held: false }));
  return { state: { ...state, burst }, hold: false, ...(released === '' ? {} : { released }) };
}

function end(state: WedgeState, key: WedgeKey, terminator: Terminator, follows: boolean): WedgeStep {
  const isScan = follows && !key.repeat && state.burst.filter(isCharacter).length >= FEWEST;
  if (isScan) return { state: { ...NO_KEYS, endedAt: key.at }, hold: true, scan: readKeys(state.burst, terminator) };
  if (key.at - state.endedAt < GAP_MS) return { state: { ...state, endedAt: key.at }, hold: true };
  return release(state, NO_KEYS);
}

function release(state: WedgeState, next: WedgeState): WedgeStep {
  const released = heldText(state.burst);
  return { state: next, hold: false, ...(released === '' ? {} : { released }) };
}

function heldText(burst: readonly BurstKey[]): string {
  return burst
    .filter(({ held }) => held)
    .map((key) => (key.key.length === 1 && controlIn(key) === undefined ? key.key : ''))
    .join('');
}

/**
 * Returns the terminator that a key stands for. Control characters only end an entry that has begun; otherwise, they
 * are browser commands.
 */
export function terminatorOf(key: WedgeKey, isInScan: boolean): Terminator | undefined {
  const isPlain = !key.ctrl && !key.alt && !key.meta && !key.shift;
  if (key.key === 'Enter' || key.key === 'Tab') return isPlain ? key.key : undefined;
  return isInScan ? CONTROL_ENDS.get(controlIn(key) ?? '') : undefined;
}

/** Whether the key types a character that can be part of a code. */
export function isCharacter(key: WedgeKey): boolean {
  if (key.repeat || key.meta || controlIn(key) !== undefined) return false;
  return key.key.length === 1 || key.key === 'Dead' || isPadDigit(key);
}

/**
 * Whether the key is a keypad digit that types no digit: without Num Lock it moves the cursor, and with Alt it is
 * part of a character code.
 */
function isPadDigit({ key, code }: WedgeKey): boolean {
  return /^Numpad\d$/.test(code) && key.length > 1;
}

/** Whether the key types a control character of a code, such as GS. */
export function isControl(key: WedgeKey): boolean {
  return controlIn(key) !== undefined;
}

export function isModifier({ key }: WedgeKey): boolean {
  return MODIFIERS.has(key);
}

function controlIn({ code, shift, ctrl, alt, altGraph, meta, repeat }: WedgeKey): string | undefined {
  return ctrl && !alt && !altGraph && !meta && !repeat ? controlOf(code, shift) : undefined;
}

export function readKeys(burst: readonly WedgeKey[], terminator: Terminator): KeyScan {
  const code = withoutEnds(burst.map((key) => controlIn(key) ?? (key.key.length === 1 ? key.key : '')).join(''));
  const byPosition = withoutEnds(
    burst
      .map((key) => controlIn(key) ?? typedOnUsLayout(key.code, key.shift) ?? (key.key.length === 1 ? key.key : ''))
      .join(''),
  );
  return { code, byPosition, terminator, findings: findIn(burst, code, byPosition) };
}

function findIn(burst: readonly WedgeKey[], code: string, byPosition: string): Finding[] {
  const hasAltCodes = burst.some(({ alt, code: at }) => alt && /^Numpad\d$/.test(at));
  if (hasAltCodes) return ['altCodes'];
  const findings: Finding[] = [];
  if (burst.some(isPadDigit)) findings.push('numLock');
  else if (code.toUpperCase() !== byPosition.toUpperCase()) findings.push('layout');
  if (burst.some(({ capsLock, key }) => capsLock && /^\p{L}$/u.test(key))) findings.push('capsLock');
  return findings;
}

/** Removes control characters that a scanner adds around the code, except a leading GS, which marks GS1. */
function withoutEnds(text: string): string {
  // oxlint-disable-next-line no-control-regex -- scanners send control characters as prefix and suffix
  return text.replace(/^[\0-\x1c\x1e\x1f]+/, '').replace(/[\0-\x1f]+$/, '');
}
