import { controlOf, typedOnUsLayout } from './usLayout.ts';

/** Scanners type with less than this between two keys; people take longer. */
export const GAP_MS = 50;
/** A code has at least as many characters. */
const FEWEST = 2;
/** In a field the first characters of a burst are typed: two fast keys are more often a person's than a scanner's. */
const TYPED_IN_FIELDS = 2;

/** A pressed key. */
export type WedgeKey = {
  /** As the browser and its keyboard layout understand it: `KeyboardEvent.key`. */
  key: string;
  /** Its position on the keyboard: `KeyboardEvent.code`. */
  code: string;
  /** Milliseconds on the clock of the events. */
  at: number;
  shift: boolean;
  ctrl: boolean;
  alt: boolean;
  altGraph: boolean;
  meta: boolean;
  capsLock: boolean;
  /** The key is held down. */
  repeat: boolean;
};

type BurstKey = WedgeKey & {
  /** Kept from the page. */
  held: boolean;
};

export type WedgeState = {
  /** Characters and control characters, each less than GAP_MS after the key before it. */
  burst: readonly BurstKey[];
  /** When the last key of the burst was pressed, Shift included. */
  lastAt: number;
  /** When a scan ended: scanners that end with CR and LF send two keys. */
  endedAt: number;
};

export type Terminator = 'Enter' | 'Tab';

/** What looks wrong with a scan. `layout`, `capsLock`: see `byPosition`. `altCodes`, `numLock`: the code is incomplete. */
export type Finding = 'layout' | 'capsLock' | 'altCodes' | 'numLock';

export type KeyScan = {
  /** As the keyboard layout of this computer understands the keys; without control characters around it, except GS. */
  code: string;
  /** As a US keyboard without Caps Lock types it; the same as `code` where nothing is wrong. */
  byPosition: string;
  terminator: Terminator;
  findings: readonly Finding[];
};

export type WedgeStep = {
  state: WedgeState;
  /** Keep this key from the page. */
  hold: boolean;
  scan?: KeyScan;
  /** A burst ended that was not a scan: type these held keys now. */
  released?: string;
};

export const NO_KEYS: WedgeState = { burst: [], lastAt: -Infinity, endedAt: -Infinity };

const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock', 'Fn']);
/** CR, LF and HT as some scanners send them: Ctrl+M, Ctrl+J and Ctrl+I. */
const CONTROL_ENDS: Readonly<Record<string, Terminator>> = { '\r': 'Enter', '\n': 'Enter', '\t': 'Tab' };

/** The next key. `inField`: what it types goes into a field. */
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

/** GAP_MS without a key: people see what they typed, if it was held. */
export function nextSilence(state: WedgeState): WedgeStep {
  const released = heldText(state.burst);
  // A key that was pressed in time, but is reported late, still belongs to the burst.
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

/** How a key ends an entry. Control characters do so only within one, since they are commands of the browser elsewhere. */
export function terminatorOf(key: WedgeKey, isInScan: boolean): Terminator | undefined {
  const isPlain = !key.ctrl && !key.alt && !key.meta && !key.shift;
  if (key.key === 'Enter' || key.key === 'Tab') return isPlain ? key.key : undefined;
  return isInScan ? CONTROL_ENDS[controlIn(key) ?? ''] : undefined;
}

/** Something that a scanner types as a part of a code. */
export function isCharacter(key: WedgeKey): boolean {
  if (key.repeat || key.meta || controlIn(key) !== undefined) return false;
  return key.key.length === 1 || key.key === 'Dead' || isPadDigit(key);
}

/** Without Num Lock it is an arrow or Home; with Alt a digit of the number of a character. */
function isPadDigit({ key, code }: WedgeKey): boolean {
  return /^Numpad\d$/.test(code) && key.length > 1;
}

/** Whether the key is a control character within a code, such as GS. */
export function isControl(key: WedgeKey): boolean {
  return controlIn(key) !== undefined;
}

export function isModifier({ key }: WedgeKey): boolean {
  return MODIFIERS.has(key);
}

function controlIn({ code, shift, ctrl, alt, altGraph, meta, repeat }: WedgeKey): string | undefined {
  return ctrl && !alt && !altGraph && !meta && !repeat ? controlOf(code, shift) : undefined;
}

/** The code that these keys type. */
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

/** Control characters that a scanner sets around the code; GS in front means GS1. */
function withoutEnds(text: string): string {
  // oxlint-disable-next-line no-control-regex -- scanners send control characters as prefix and suffix
  return text.replace(/^[\0-\x1c\x1e\x1f]+/, '').replace(/[\0-\x1f]+$/, '');
}
