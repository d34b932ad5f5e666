import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startKeyboardScanner } from '../../../renderer/src/scan/keyboardScanner.ts';
import type { KeyScan } from '../../../renderer/src/scan/wedge.ts';
import { useSingleKeys } from '../../../renderer/src/kit/field/useSingleKeys.ts';
import { pressKeys } from './pressKeys.ts';
import { scannerKeys } from './scannerKeys.ts';

const scans: KeyScan[] = [];
const pressed = vi.fn();
const shortcut = vi.fn();
const submitted = vi.fn();

function Page() {
  const [text, setText] = useState('');
  useSingleKeys(
    (key) => (key === 'A' ? () => shortcut() : undefined),
    (target) => target.tagName === 'INPUT',
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submitted();
      }}
    >
      <input aria-label="Name" value={text} onChange={({ target }) => setText(target.value)} />
      <input aria-label="Quantity" type="number" defaultValue="4" />
      <textarea aria-label="Note" defaultValue="note" />
      <button type="button" onClick={pressed}>
        Picked
      </button>
      <output>{text}</output>
    </form>
  );
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  scans.length = 0;
  for (const mock of [pressed, shortcut, submitted]) mock.mockClear();
  render(<Page />);
  onTestFinished(startKeyboardScanner(window, { scan: (scan) => scans.push(scan), entry: () => undefined }).stop);
});

afterEach(() => void vi.useRealTimers());

/** Types keys as DOM events, every 8 ms or more slowly. Keys reach the field unless a handler prevents that. */
const type = (text: string, everyMs = 8) =>
  act(() => pressKeys(scannerKeys(text, { everyMs, at: Date.now() + 1_000 })));
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);

test('receives scans wherever the focus is, without triggering a button, a form or a shortcut', () => {
  const button = screen.getByRole('button', { name: 'Picked' });
  for (const focused of [document.body, button, field('Name'), field('Quantity'), field('Note')]) {
    focused.focus();
    type('A 3-2\r');
  }
  expect(scans.map(({ code }) => code)).toEqual(Array(5).fill('A 3-2'));
  expect(pressed).not.toHaveBeenCalled();
  expect(submitted).not.toHaveBeenCalled();
  expect(shortcut).not.toHaveBeenCalled();
});

test('a scan changes neither the field nor the value that React sees', () => {
  field('Name').focus();
  type('Anna', 120);
  expect(screen.getByRole('status').textContent).toBe('Anna');
  field('Name').setSelectionRange(1, 3);
  type('10418\r');
  expect(field('Name').value).toBe('Anna');
  expect(screen.getByRole('status').textContent).toBe('Anna');
  expect([field('Name').selectionStart, field('Name').selectionEnd]).toEqual([1, 3]);
  field('Quantity').focus();
  type('9501101020917\r');
  expect(field('Quantity').value).toBe('4');
  field('Note').focus();
  type('A-3-2\t');
  expect(field('Note').value).toBe('note');
  expect(scans).toHaveLength(3);
});

test('normal typing reaches the field, including a few fast keys', () => {
  field('Name').focus();
  type('Cable tie', 80);
  expect(field('Name').value).toBe('Cable tie');
  type('abc', 30);
  expect(field('Name').value).toBe('Cable tieabc');
  expect(screen.getByRole('status').textContent).toBe('Cable tieabc');
  act(() => void fireEvent.keyDown(field('Name'), { key: 'Enter', code: 'Enter' }));
  expect(scans).toEqual([]);
});

test('keys that the browser reports late still belong to their scan', () => {
  field('Name').focus();
  const keys = scannerKeys('10418\r', { everyMs: 8, at: 1_000 });
  act(() => {
    pressKeys(keys.slice(0, 4));
    // On a busy page, the timer fires before the remaining keys arrive.
    vi.advanceTimersByTime(500);
    pressKeys(keys.slice(4));
  });
  expect(scans.map(({ code }) => code)).toEqual(['10418']);
  expect(field('Name').value).toBe('');
});

test('receives nothing after it is stopped', () => {
  const heard = vi.fn();
  const { stop } = startKeyboardScanner(window, { scan: heard, entry: () => undefined });
  stop();
  type('A-3-2\r');
  expect(heard).not.toHaveBeenCalled();
});
