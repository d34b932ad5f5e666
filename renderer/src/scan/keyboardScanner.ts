import {
  type TypedEntry,
  entryPatienceMs,
  type EntryState,
  type EntryStep,
  entryText,
  nextEntryKey,
  nextEntrySilence,
  NO_ENTRY,
  type ShopNames,
  typedCount,
} from './entry.ts';
import { timeOfEvent } from '../kit/inputTimes.ts';
import { findTypedField, typeInto, type TypedField } from './typedField.ts';
import { GAP_MS, type KeyScan, nextKey, nextSilence, NO_KEYS, type WedgeKey, type WedgeState } from './wedge.ts';

/** Receives everything typed outside of fields, as whole entries. `at` is the time of the last key, in milliseconds of `performance.now`. */
export type EntryListener = {
  names(): ShopNames;
  entered(entry: TypedEntry, at: number): void;
  /** Called for a + or − pressed on its own. */
  signed(by: 1 | -1, at: number): void;
  /** Called with the text that has been typed so far, and the count that Enter would set, if it is one. */
  typed(text: string, count: number | undefined): void;
  /** Called when an entry is discarded because no Enter followed. */
  cleared(text: string): void;
  /** Called when an Enter is ignored because it came too soon after an entry. */
  inert(): void;
};

export type KeyboardListeners = {
  /** `at` is the time of the last key. */
  scan(scan: KeyScan, at: number): void;
  /** Returns the listener of a page that takes entries. If it returns undefined, typing speed distinguishes codes from typing. */
  entry(): EntryListener | undefined;
  /** Called for every key, for the page that displays typed keys. */
  key?(key: WedgeKey): void;
};

export type KeyboardScanner = {
  stop(): void;
  /** Tells the page what has been typed so far, if anything. Call this when another page begins to listen. */
  showTyped(): void;
  /** Discards what has been typed so far. */
  clearTyped(): void;
};

/** Detects scanners that act as keyboards, wherever the focus is, and hides their keys from fields and shortcuts. */
export function startKeyboardScanner(window: Window, listeners: KeyboardListeners): KeyboardScanner {
  const { document } = window;
  let state: WedgeState = NO_KEYS;
  let entry: EntryState = NO_ENTRY;
  let field: TypedField | undefined;
  let timer: number | undefined;
  const heldCodes = new Set<string>();

  function down(event: KeyboardEvent): void {
    // Ignore keys of an input method, which scanners do not use.
    if (event.isComposing) return;
    const key = keyOf(event, window);
    listeners.key?.(key);
    const now = findTypedField(document);
    const page = now === undefined ? listeners.entry() : undefined;
    if (page !== undefined) return enter(page, nextEntryKey(entry, key, page.names()), key.at, event);
    const step = nextKey(state, key, now !== undefined);
    window.clearTimeout(timer);
    if (step.released !== undefined) type(step.released);
    // At the first key of a burst, the field does not contain it yet.
    if (step.state.burst.length === 1 && step.state.burst !== state.burst) field = findTypedField(document);
    state = step.state;
    if (state.burst.length > 0) timer = window.setTimeout(pause, GAP_MS);
    if (step.hold) keep(event);
    else heldCodes.delete(event.code);
    if (step.scan === undefined) return;
    field?.restore();
    field = undefined;
    listeners.scan(step.scan, key.at);
  }

  function enter(page: EntryListener, step: EntryStep, at: number, event?: KeyboardEvent): void {
    const before = entryText(entry);
    entry = step.state;
    window.clearTimeout(timer);
    const patienceMs = entryPatienceMs(entry, page.names());
    if (patienceMs !== undefined) timer = window.setTimeout(endSilence, patienceMs);
    if (event !== undefined && step.hold) keep(event);
    else if (event !== undefined) heldCodes.delete(event.code);
    // A count is passed on before its text is gone, because it belongs to the line for which it was typed.
    const isCount = step.entry?.kind === 'count';
    const isChanged = entryText(entry) !== before;
    if (isChanged && !isCount) showTyped(page);
    for (const by of step.signs ?? []) page.signed(by, at);
    if (step.cleared !== undefined) page.cleared(step.cleared);
    if (step.isInert === true) page.inert();
    if (step.entry !== undefined) page.entered(step.entry, at);
    if (isChanged && isCount) showTyped(page);
  }

  function endSilence(): void {
    const page = listeners.entry();
    if (page === undefined) entry = NO_ENTRY;
    else enter(page, nextEntrySilence(entry, window.performance.now(), page.names()), entry.lastAt);
  }

  function showTyped(page: EntryListener): void {
    page.typed(entryText(entry), typedCount(entry, page.names()));
  }

  function up(event: KeyboardEvent): void {
    if (heldCodes.delete(event.code)) swallow(event);
  }

  function keep(event: KeyboardEvent): void {
    heldCodes.add(event.code);
    swallow(event);
  }

  function pause(): void {
    const step = nextSilence(state);
    state = step.state;
    if (step.released !== undefined) type(step.released);
  }

  function type(text: string): void {
    const element = findTypedField(document)?.element;
    if (element !== undefined && element === field?.element) typeInto(element, text);
  }

  window.addEventListener('keydown', down, { capture: true });
  window.addEventListener('keyup', up, { capture: true });
  return {
    stop() {
      window.clearTimeout(timer);
      window.removeEventListener('keydown', down, { capture: true });
      window.removeEventListener('keyup', up, { capture: true });
    },
    showTyped() {
      const page = listeners.entry();
      if (page !== undefined && entryText(entry) !== '') showTyped(page);
    },
    clearTyped() {
      if (entry.keys.length === 0) return;
      window.clearTimeout(timer);
      entry = { ...entry, keys: [] };
      const page = listeners.entry();
      if (page !== undefined) showTyped(page);
    },
  };
}

function swallow(event: KeyboardEvent): void {
  event.preventDefault();
  // Other listeners on the window still receive the event: they count keys, or wait for one to unlock sounds.
  event.stopPropagation();
}

function keyOf(event: KeyboardEvent, window: Window): WedgeKey {
  return {
    key: event.key,
    code: event.code,
    at: timeOfEvent(event, window),
    shift: event.shiftKey,
    ctrl: event.ctrlKey,
    alt: event.altKey,
    altGraph: event.getModifierState('AltGraph'),
    meta: event.metaKey,
    capsLock: event.getModifierState('CapsLock'),
    repeat: event.repeat,
  };
}
