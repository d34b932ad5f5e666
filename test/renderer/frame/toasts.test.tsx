import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { useToasts, type ToastList } from '../../../renderer/src/shop/toasts.ts';
import { show, testContext } from '../support.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

let toasts: ToastList;

function Page() {
  const here = useToasts();
  return <button onClick={() => (toasts = here)}>page</button>;
}

function open(): void {
  show(testContext(), <Page />);
  fireEvent.click(screen.getByText('page'));
}

const region = () => screen.getByRole('region', { name: 'Messages' });
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

test('a message appears in the live region and disappears after a while', () => {
  open();
  act(() => void toasts.show('Saved.'));
  expect(screen.getByText('Saved.').closest('[aria-live="polite"]')?.parentElement).toBe(region());
  pass(5_900);
  expect(screen.queryByText('Saved.')).not.toBeNull();
  pass(200);
  expect(screen.queryByText('Saved.')).toBeNull();
});

test('a failure stays until dismissed, and appears only once when repeated', () => {
  open();
  act(() => toasts.fail('The station does not answer.'));
  act(() => toasts.fail('The station does not answer.'));
  pass(3_600_000);
  expect(screen.getAllByText('The station does not answer.')).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('The station does not answer.')).toBeNull();
});

test('removes a message when the page changes, unless it has just been shown, offers Undo or reports a failure', () => {
  const go = (to: string) => act(() => window.history.pushState(null, '', to));
  open();
  act(() => {
    toasts.show('Created.');
    toasts.show('Deleted.', { undo: () => undefined });
    toasts.fail('Not saved.');
  });
  go('/orders');
  pass(1_100);
  expect(screen.queryByText('Created.')).not.toBeNull();
  go('/settings');
  expect(screen.queryByText('Created.')).toBeNull();
  expect(screen.queryByText('Deleted.')).not.toBeNull();
  expect(screen.queryByText('Not saved.')).not.toBeNull();
});

test('a message with the focus does not disappear', () => {
  open();
  act(() => void toasts.show('Removed.', { undo: () => undefined }));
  act(() => screen.getByRole('button', { name: 'Undo' }).focus());
  pass(60_000);
  expect(screen.queryByText('Removed.')).not.toBeNull();
  act(() => screen.getByRole('button', { name: 'Undo' }).blur());
  pass(12_100);
  expect(screen.queryByText('Removed.')).toBeNull();
});

test('Undo runs once and closes the message', async () => {
  open();
  const undo = vi.fn(() => Promise.resolve());
  act(() => void toasts.show('Removed.', { undo }));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Undo' })));
  expect(undo).toHaveBeenCalledTimes(1);
  expect(screen.queryByText('Removed.')).toBeNull();
});

test('shows why Undo failed', async () => {
  open();
  const undo = () => Promise.reject(new ApiError('conflict', 'The place is taken.'));
  act(() => void toasts.show('Removed.', { undo }));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Undo' })));
  expect(screen.getByText('The change could not be undone. The place is taken.')).toBeTruthy();
});

test('shows at most three temporary messages, which never displace failures', () => {
  open();
  act(() => toasts.fail('It failed.'));
  for (const text of ['one', 'two', 'three', 'four']) act(() => void toasts.show(text));
  expect(screen.queryByText('one')).toBeNull();
  for (const text of ['It failed.', 'two', 'three', 'four']) expect(screen.queryByText(text)).not.toBeNull();
});

test('Escape in the message region dismisses the newest message', () => {
  open();
  act(() => toasts.fail('first'));
  act(() => toasts.fail('second'));
  fireEvent.keyDown(region(), { key: 'Escape' });
  expect(screen.queryByText('second')).toBeNull();
  expect(screen.queryByText('first')).not.toBeNull();
});

test('shows only the newest message on a topic, and can withdraw it early', () => {
  open();
  let takeAway = () => undefined as void;
  act(() => void toasts.show('A-1 moved.', { topic: 'map' }));
  act(() => void toasts.show('Saved.'));
  act(() => {
    takeAway = toasts.show('A-2 moved.', { topic: 'map' });
  });
  expect(screen.queryByText('A-1 moved.')).toBeNull();
  expect(screen.queryByText('Saved.')).not.toBeNull();
  act(() => takeAway());
  expect(screen.queryByText('A-2 moved.')).toBeNull();
  expect(screen.queryByText('Saved.')).not.toBeNull();
});
