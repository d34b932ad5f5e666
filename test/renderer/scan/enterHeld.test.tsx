import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useScans } from '../../../renderer/src/scan/useScans.ts';
import { createScans, type Scans } from '../../../renderer/src/scan/windowScans.ts';
import { memory } from './fakeScanners.ts';
import { pressKeys } from './pressKeys.ts';
import { scannerKeys } from './scannerKeys.ts';

let scans: Scans;
let stored: ReturnType<typeof memory>;
const heard: string[] = [];

/** A page on which everything typed is an entry, with two buttons. The first one has the focus. */
function Page() {
  useScans(({ code }) => void heard.push(code), {
    scans,
    entry: {
      names: () => ({ has: () => false, haveNumbers: false }),
      entered: (entry) => void heard.push(entry.kind),
      signed: () => undefined,
      typed: () => undefined,
      cleared: () => undefined,
      inert: () => void heard.push('inert'),
      enter(_, press, isChosen) {
        heard.push(isChosen ? 'enter after Tab' : 'enter');
        press();
      },
      unreadable: () => void heard.push('unreadable'),
    },
  });
  return (
    <>
      <button type="button" autoFocus onClick={() => void heard.push('first pressed')}>
        First
      </button>
      <button type="button" onClick={() => void heard.push('second pressed')}>
        Second
      </button>
    </>
  );
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  heard.length = 0;
  stored = memory();
  scans = createScans(window, stored);
  render(<Page />);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const type = (text: string, everyMs = 8) => act(() => pressKeys(scannerKeys(text, { everyMs, at: Date.now() + 10 })));
const buttons = () => document.querySelectorAll('button');

/** Moves the focus as the Tab key does. */
function tabTo(index: number): void {
  type('\t');
  act(() => buttons()[index]?.focus());
}

test('an Enter presses the focused button once no character has followed for 80 ms', () => {
  type('\r');
  expect(heard).toEqual(['enter', 'first pressed']);
});

test('an Enter that a scanner sends before its code presses nothing', () => {
  type('\rA-3-1\r');
  expect(heard).toEqual(['A-3-1']);
});

test('text from an input method makes the Enter beside it an unreadable scan', () => {
  act(() => void document.body.dispatchEvent(new InputEvent('beforeinput', { data: 'A-3-1', bubbles: true })));
  type('\r');
  expect(heard).toEqual(['unreadable']);
});

test('Space presses only a button that was reached with Tab', () => {
  type(' ');
  expect(heard).toEqual(['inert']);
  tabTo(1);
  type(' ');
  expect(heard).toEqual(['inert', 'second pressed']);
  act(() => buttons()[0]?.focus());
  type(' ');
  expect(heard).toEqual(['inert', 'second pressed', 'inert']);
});

test('tells whether Enter presses a button that was reached with Tab', () => {
  tabTo(1);
  type('\r');
  expect(heard).toEqual(['enter after Tab', 'second pressed']);
});

test('remembers when a code was scanned, also for the next page', () => {
  expect(scans.scannedAt()).toBe(-Infinity);
  type('A-3-1\r');
  const scannedAt = performance.now() - 1_000;
  expect(scans.scannedAt()).toBeCloseTo(scannedAt, 0);
  expect(createScans(window, stored).scannedAt()).toBeCloseTo(scannedAt, 0);
});
