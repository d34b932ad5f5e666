import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { ConfirmDialog, Dialog } from '../../../renderer/src/kit/dialog/Dialog.tsx';
import { WholeNumberField } from '../../../renderer/src/kit/field/NumberLine.tsx';
import { Progress } from '../../../renderer/src/kit/feedback/Progress.tsx';
import { show, testContext } from '../support.tsx';

function Page({ onConfirm }: { onConfirm: () => void | Promise<void> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button onClick={() => setOpen(true)}>Remove…</button>
      <ConfirmDialog
        title="Remove A-3-2?"
        body="Its queue goes with it."
        confirm="Remove"
        danger
        isOpen={isOpen}
        onConfirm={onConfirm}
        onClose={() => setOpen(false)}
      />
    </>
  );
}

function open(onConfirm: () => void | Promise<void>): void {
  show(testContext(), <Page onConfirm={onConfirm} />);
  act(() => screen.getByText('Remove…').focus());
  fireEvent.click(screen.getByText('Remove…'));
}

const settle = () =>
  act(() => new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))));

test('the confirmation of a destructive action focuses Cancel, and returns the focus when it closes', async () => {
  open(() => undefined);
  await settle();
  expect(screen.getByRole('alertdialog', { name: 'Remove A-3-2?' })).toBeTruthy();
  expect(document.activeElement?.textContent).toBe('Cancel');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await settle();
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(document.activeElement?.textContent).toBe('Remove…');
});

test('confirming runs the action once and closes the dialog', async () => {
  const confirm = vi.fn(() => Promise.resolve());
  open(confirm);
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Remove' })));
  await settle();
  expect(confirm).toHaveBeenCalledTimes(1);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('if an action fails, the dialog stays open and shows the reason', async () => {
  open(() => Promise.reject(new ApiError('unreachable', 'The station does not answer.')));
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Remove' })));
  await settle();
  expect(screen.getByRole('alertdialog')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toBe('The station does not answer.');
});

test('Escape closes a dialog', async () => {
  const close = vi.fn();
  show(
    testContext(),
    <Dialog title="Add a rack" isOpen onClose={close}>
      <input aria-label="Name" />
    </Dialog>,
  );
  await settle();
  fireEvent.keyDown(screen.getByLabelText('Name'), { key: 'Escape' });
  expect(close).toHaveBeenCalled();
});

test('shows the progress of a long task, and can cancel it', () => {
  const cancel = vi.fn();
  show(testContext(), <Progress label="Importing aliases" value={30} max={400} onCancel={cancel} />);
  const bar = screen.getByRole('progressbar', { name: 'Importing aliases' });
  expect(bar.getAttribute('aria-valuetext')).toBe('30 of 400');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(cancel).toHaveBeenCalledTimes(1);
});

test('the buttons of a number field contain its label once', () => {
  show(testContext(), <WholeNumberField name="count" label="Devices" value={6} onChange={() => undefined} />);
  expect(screen.getByRole('button', { name: 'Less Devices' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'More Devices' })).toBeDefined();
});
