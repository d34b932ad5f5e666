import type { Remembered } from '../remembered.ts';
import { browserStorage } from '../storage.ts';
import * as texts from '../words/texts.ts';
import { timeOfEvent } from '../kit/inputTimes.ts';
import type { HidDevices, BrowserPorts } from './browserDevices.ts';
import type { TypedEntry } from './entry.ts';
import { createHidScanner } from './hidScanner.ts';
import { type EntryListener, type KeyboardScanner, startKeyboardScanner } from './keyboardScanner.ts';
import type { ScannerLink } from './scannerLink.ts';
import { createSerialScanner } from './serialScanner.ts';
import type { KeyScan, WedgeKey } from './wedge.ts';

export type ScanSource = 'keyboard' | 'serial' | 'hid' | 'camera';

export type Scan = {
  code: string;
  /** The code as a US keyboard types it, if that differs. Use it if nothing matches `code`. */
  second?: string;
  /** Sentences that explain the second code and how to set up the scanner. */
  note?: string;
  source: ScanSource;
  /** The quantity that a person typed before the code. */
  count?: number;
  /** The code together with the digits of `count`. Use it if nothing matches `code`: a scanner may have paused after these digits. */
  whole?: string;
  /** When the last key or byte of the code arrived, in milliseconds of `performance.now`. */
  at?: number;
};

export type ScanListener = {
  scan(scan: Scan): void;
  /** Called for every key, for the page that displays typed keys. */
  key?(key: WedgeKey): void;
  keys?(scan: KeyScan): void;
  /** Treats everything typed on the page as one entry, so that scanners can be slow. */
  entry?: EntryListener;
  /** Returns the time in milliseconds within which the same code counts only once; 0 if it always counts. The default is SAME_MS. */
  sameMs?(code: string): number;
  /** Called when the same code is scanned again too soon. */
  repeated?(scan: Scan): void;
};

export const SAME_MS = 2_000;
const SCANNED = 'pickstation.scanner.scanned';

export type Scans = {
  /**
   * Adds a listener. Only the newest listener receives codes, such as that of a dialog above a page. A listener also receives the
   * codes that arrived while it was awaited. Returns a function that removes the listener.
   */
  listen(listener: ScanListener): () => void;
  /**
   * Awaits further listeners after one for which everything typed is an entry: codes are kept for the next one. Returns a function that ends
   * this.
   */
  hold(): () => void;
  /** Reports a code that was read by the camera. */
  seen(code: string): void;
  /** Discards what has been typed without Enter. */
  clearTyped(): void;
  /** Returns when the last code was scanned in this browser, in milliseconds of `performance.now`, or -Infinity. */
  scannedAt(): number;
  serial: ScannerLink;
  hid: ScannerLink;
};

type ScanWindow = Window & {
  isSecureContext: boolean;
  navigator: Navigator & { serial?: BrowserPorts; hid?: HidDevices };
};

/**
 * Creates the scanners of a window. Keys are observed while there is a listener, or while one is awaited, so that no code is lost or cut while
 * one listener replaces another. A used port or device stays connected, because reconnecting it between pages would lose codes.
 */
export function createScans(window: ScanWindow, storage: Remembered): Scans {
  const listeners: ScanListener[] = [];
  const lastAt = new Map<string, number>();
  let keyboard: KeyboardScanner | undefined;
  let isStarted = false;
  /** Number of unfinished calls of `hold`. */
  let holders = 0;
  /** What arrived while the next listener was awaited. */
  let kept: ((listener: ScanListener) => void)[] = [];
  /** How keys are read while the next listener is awaited. Undefined at other times. */
  let between: EntryListener | undefined;
  const { isSecureContext: isSecure, navigator } = window;
  const setTimer = (delayMs: number, run: () => void): (() => void) => {
    const timer = window.setTimeout(run, delayMs);
    return () => window.clearTimeout(timer);
  };
  const serial = createSerialScanner({
    serial: navigator.serial,
    isSecure,
    storage,
    setTimer,
    scan: (code) => report({ code, source: 'serial' }),
  });
  const hid = createHidScanner({
    hid: navigator.hid,
    isSecure,
    storage,
    scan: (code, event) => report({ code, source: 'hid', at: timeOfEvent(event, window) }),
  });

  function report(scan: Scan): void {
    rememberScan();
    const listener = listeners.at(-1);
    if (listener === undefined) return keep(() => report(scan));
    if (isSame(scan, listener.sameMs?.(scan.code) ?? SAME_MS)) listener.repeated?.(scan);
    else listener.scan(scan);
  }

  function isSame({ code, source, at: now = performance.now() }: Scan, sameMs: number): boolean {
    for (const [each, at] of lastAt) if (now - at >= SAME_MS) lastAt.delete(each);
    const isRepeated = sameMs > 0 && now - (lastAt.get(code) ?? -Infinity) < sameMs;
    // A camera reads a visible code repeatedly. Count that as one scan.
    if (!isRepeated || source === 'camera') lastAt.set(code, now);
    return isRepeated;
  }

  function keep(deliver: (listener: ScanListener) => void): void {
    if (between !== undefined) kept.push(deliver);
  }

  function stopKeyboard(): void {
    between = undefined;
    kept = [];
    keyboard?.stop();
    keyboard = undefined;
  }

  /** Gives a new listener what arrived while it was awaited. */
  function endWait(listener: ScanListener): void {
    between = undefined;
    const all = kept;
    kept = [];
    for (const deliver of all) deliver(listener);
    keyboard?.showTyped();
  }

  /** Reads entries by the names of the last listener. Keeps codes; what else is typed has no effect. */
  function entriesBetween({ names }: EntryListener): EntryListener {
    const ignore = (): void => keep(({ entry }) => entry?.inert());
    const nothing = (): void => undefined;
    return {
      names,
      entered: (entry, at) => (entry.kind === 'scan' ? report({ ...scanOfEntry(entry), at }) : ignore()),
      signed: ignore,
      typed: nothing,
      cleared: nothing,
      inert: nothing,
      enter: nothing,
      unreadable: ignore,
    };
  }

  function startKeyboard(): KeyboardScanner {
    return startKeyboardScanner(window, {
      key: (key) => listeners.at(-1)?.key?.(key),
      scan(keys, at) {
        listeners.at(-1)?.keys?.(keys);
        report({ ...scanOf(keys), at });
      },
      entry() {
        const listener = listeners.at(-1);
        if (listener === undefined) return between;
        const page = listener.entry;
        return (
          page && {
            ...page,
            entered: (entry, at) => entered(page, entry, at),
            unreadable: (at) => unreadable(page, at),
          }
        );
      },
    });
  }

  function entered(page: EntryListener, entry: TypedEntry, at: number): void {
    if (entry.kind !== 'scan') return page.entered(entry, at);
    listeners.at(-1)?.keys?.(entry.scan);
    report({ ...scanOfEntry(entry), at });
  }

  function unreadable(page: EntryListener, at: number): void {
    rememberScan();
    page.unreadable(at);
  }

  /** Remembers that a scanner is in use here. */
  function rememberScan(): void {
    storage.set(SCANNED, String(Date.now()));
  }

  function start(): void {
    if (isStarted) return;
    isStarted = true;
    serial.start();
    hid.start();
  }

  return {
    listen(listener) {
      const isFirst = listeners.length === 0;
      listeners.push(listener);
      start();
      keyboard ??= startKeyboard();
      if (isFirst) endWait(listener);
      return () => {
        listeners.splice(listeners.indexOf(listener), 1);
        if (listeners.length > 0) return;
        if (holders === 0 || listener.entry === undefined) stopKeyboard();
        else between = entriesBetween(listener.entry);
      };
    },
    hold() {
      holders += 1;
      return () => {
        holders -= 1;
        if (holders === 0 && listeners.length === 0) stopKeyboard();
      };
    },
    seen: (code) => report({ code, source: 'camera' }),
    clearTyped: () => keyboard?.clearTyped(),
    scannedAt: () => performance.now() - Date.now() + Number(storage.get(SCANNED) ?? -Infinity),
    serial,
    hid,
  };
}

/** Creates the scan of an entry. */
export const scanOfEntry = ({ scan, count, whole }: Extract<TypedEntry, { kind: 'scan' }>): Scan => ({
  ...scanOf(scan),
  ...(count === undefined ? {} : { count }),
  ...(whole === undefined ? {} : { whole: scanOf(whole).code }),
});

/** Creates a scan from typed keys, with a note about what is wrong with them. */
export function scanOf({ code, byPosition, findings }: KeyScan): Scan {
  const [finding] = findings;
  if (finding === undefined) return { code, source: 'keyboard' };
  const note = texts.scanner.findings[finding](byPosition);
  // Without Num Lock the keys typed nothing, so use their positions.
  if (finding === 'numLock') return { code: byPosition, note, source: 'keyboard' };
  return {
    code,
    ...(byPosition === code || finding === 'altCodes' ? {} : { second: byPosition }),
    note,
    source: 'keyboard',
  };
}

let made: Scans | undefined;

/** Returns the scanners of this window. They are shared, because a port can be opened only once. */
export function windowScans(): Scans {
  made ??= createScans(window, browserStorage());
  return made;
}

/** Forgets the scanners of this window and the codes that they have read. Only for tests, whose files share a window. */
export function forgetWindowScans(): void {
  made = undefined;
}

/** Whether a serial or HID scanner is connected, which works even while the window lacks the keyboard focus. */
export function isScannerConnected(scans: Pick<Scans, 'serial' | 'hid'> | undefined = made): boolean {
  const links = scans === undefined ? [] : [scans.serial, scans.hid];
  return links.some((link) => ['on', 'connecting'].includes(link.state().kind));
}
