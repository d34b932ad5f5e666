import {
  type TypedEntry,
  entryPatienceMs,
  type EntryState,
  type EntryStep,
  entryText,
  nextEntryKey,
  HELD_ENTER_MS,
  nextEntrySilence,
  nextEntryText,
  NO_ENTRY,
  type ShopNames,
  typedCount,
} from './entry.ts';
import { inputTimes, timeOfEvent } from '../kit/inputTimes.ts';
import { findTypedField, typeInto, type TypedField } from './typedField.ts';
import { GAP_MS, type KeyScan, nextKey, nextSilence, NO_KEYS, type WedgeKey, type WedgeState } from './wedge.ts';

/** The number of a key that an input method has taken. */
const INPUT_METHOD_KEY = 229;
/** A timer that is later than this many milliseconds shows that the page was busy. */
const LATE_TIMER_MS = 20;

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
  /**
   * Called for an Enter that a person pressed on its own at this time. `press` presses the element that has the focus, and `isChosen` tells
   * whether the person has chosen that element with Tab.
   */
  enter(at: number, press: () => void, isChosen: boolean): void;
  /** Called for a scan of which the browser cannot read all characters. */
  unreadable(at: number): void;
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
  const inputs = inputTimes();
  let isTabbing = false;
  /** The element that has the focus because the person pressed Tab. */
  let tabbedTo: Element | undefined;
  /** Whether the end of a held Enter was put off, because the page was busy. */
  let isWaiting = false;

  function down(event: KeyboardEvent): void {
    // Ignore keys of an input method. Its text is handled by `text`.
    if (event.isComposing) return;
    const key = keyOf(event, window);
    isTabbing = key.key === 'Tab';
    listeners.key?.(key);
    const now = findTypedField(document);
    const page = now === undefined ? listeners.entry() : undefined;
    if (page !== undefined) {
      const target = document.activeElement;
      if (isUnmeantSpace(key, target)) {
        keep(event);
        return page.inert();
      }
      return enter(page, nextEntryKey(entry, key, page.names(), isPressed(target)), key.at, event);
    }
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
    if (step.isUnreadable === true) page.unreadable(at);
    if (step.enterAt !== undefined) releaseEnter(page, step.enterAt);
    if (step.entry !== undefined) page.entered(step.entry, at);
    if (isChanged && isCount) showTyped(page);
  }

  /** Lets an Enter that was held back press the element that has the focus, as it would have done at its own time. */
  function releaseEnter(page: EntryListener, at: number): void {
    const press = (): void => {
      const target = document.activeElement;
      if (target instanceof HTMLElement && isPressed(target))
        inputs.runAt({ madeAt: at, via: 'enter' }, () => target.click());
    };
    page.enter(at, press, tabbedTo !== undefined && tabbedTo === document.activeElement);
  }

  /** Whether this is a Space that would press a button which the person has not chosen with Tab. */
  function isUnmeantSpace(key: WedgeKey, target: Element | null): boolean {
    return key.key === ' ' && entry.keys.length === 0 && isPressed(target) && target !== tabbedTo;
  }

  /** Remembers the element that got the focus by the Tab key. */
  function focused({ target }: FocusEvent): void {
    tabbedTo = isTabbing && target instanceof Element ? target : undefined;
  }

  /** Handles text that arrives without keys, as from the input method of an Android device. */
  function text(event: Event): void {
    const page = listeners.entry();
    if (page === undefined || findTypedField(document) !== undefined) return;
    const at = timeOfEvent(event, window);
    enter(page, nextEntryText(entry, at), at);
  }

  function endSilence(): void {
    const page = listeners.entry();
    const now = window.performance.now();
    // On a busy page, keys that were pressed in time may not have been handled yet. Handle them first.
    const isLate = entry.heldAt !== undefined && now - entry.heldAt > HELD_ENTER_MS + LATE_TIMER_MS && !isWaiting;
    isWaiting = isLate;
    if (page === undefined) entry = NO_ENTRY;
    else if (isLate) timer = window.setTimeout(endSilence, LATE_TIMER_MS);
    else enter(page, nextEntrySilence(entry, now, page.names()), entry.lastAt);
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

  const stops = [
    listen(window, 'keydown', down),
    listen(window, 'keyup', up),
    listen(window, 'focusin', focused),
    listen(window, 'beforeinput', text),
    listen(window, 'compositionend', text),
    listen(window, 'paste', text),
  ];
  return {
    stop() {
      window.clearTimeout(timer);
      for (const stop of stops) stop();
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

function listen<Name extends keyof WindowEventMap>(
  window: Window,
  name: Name,
  handle: (event: WindowEventMap[Name]) => void,
): () => void {
  window.addEventListener(name, handle, { capture: true });
  return () => window.removeEventListener(name, handle, { capture: true });
}

/** Whether Enter presses this element, or would press nothing. Other elements, such as those of a menu, handle Enter themselves. */
function isPressed(element: Element | null): boolean {
  return (
    element === null || element.matches('body, button, a[href], [role="button"], [role="dialog"], [role="alertdialog"]')
  );
}

function swallow(event: KeyboardEvent): void {
  event.preventDefault();
  // Other listeners on the window still receive the event: they count keys, or wait for one to unlock sounds.
  event.stopPropagation();
}

/** Whether an input method has taken the key. The browser then reports 229 as its number. */
function isNameless({ keyCode, key }: KeyboardEvent): boolean {
  return keyCode === INPUT_METHOD_KEY && key.length > 1 && key !== 'Dead';
}

function keyOf(event: KeyboardEvent, window: Window): WedgeKey {
  return {
    key: isNameless(event) ? 'Unidentified' : event.key,
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
