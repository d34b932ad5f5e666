import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BURST_MS, useSingleKeys } from '../../../renderer/src/kit/field/useSingleKeys.ts';

const zoom = vi.fn();

function Page() {
  useSingleKeys(
    (key) => (key === '-' || key === '3' ? () => zoom(key) : undefined),
    (target) => target.tagName === 'INPUT',
  );
  return <input aria-label="Search" />;
}

/** Presses keys at these times in milliseconds, then runs every timer. */
function pressAt(keys: readonly (readonly [key: string, atMs: number])[], target: Element = document.body): void {
  let now = 0;
  for (const [key, atMs] of keys) {
    vi.advanceTimersByTime(atMs - now);
    now = atMs;
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    Object.defineProperty(event, 'timeStamp', { value: atMs });
    fireEvent(target, event);
  }
  vi.advanceTimersByTime(1_000);
}

beforeEach(() => {
  vi.useFakeTimers();
  zoom.mockClear();
  render(<Page />);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('a single key press triggers its shortcut', () => {
  pressAt([['-', 0]]);
  expect(zoom.mock.calls).toEqual([['-']]);
});

test('the keys of a scanned code trigger no shortcuts', () => {
  pressAt(Array.from('A-3-2', (key) => key).map((key, index) => [key, index * 20] as const));
  expect(zoom).not.toHaveBeenCalled();
});

test('a shortcut needs a pause before and after it', () => {
  pressAt([
    ['x', 0],
    ['-', BURST_MS - 1],
  ]);
  expect(zoom).not.toHaveBeenCalled();
  pressAt([
    ['-', 2_000],
    ['x', 2_000 + BURST_MS - 1],
  ]);
  expect(zoom).not.toHaveBeenCalled();
  pressAt([
    ['x', 4_000],
    ['-', 4_000 + BURST_MS],
    ['3', 4_000 + 2 * BURST_MS],
  ]);
  expect(zoom.mock.calls).toEqual([['-'], ['3']]);
});

test('ignores keys in a field and keys with Ctrl', () => {
  pressAt([['-', 0]], screen.getByLabelText('Search'));
  fireEvent.keyDown(document.body, { key: '-', ctrlKey: true });
  vi.advanceTimersByTime(1_000);
  expect(zoom).not.toHaveBeenCalled();
});
