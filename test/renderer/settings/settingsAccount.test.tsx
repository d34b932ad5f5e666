import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AccountForm } from '../../../renderer/src/features/settings/AccountForm.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { settingsApi, open, save } from './settingsPageSupport.tsx';

test('requires the current password and a long enough new one, and reports a wrong password at its field', async () => {
  const asked: string[][] = [];
  const { api } = settingsApi();
  await open(
    {
      ...api,
      changePassword({ body: { old_password: before, new_password: next } }) {
        asked.push([before, next]);
        if (before === 'right') return Promise.resolve();
        return Promise.reject(
          new ApiError('invalid', 'No', [{ path: '/old_password', message: 'This is not your password.' }]),
        );
      },
    },
    'admin',
    <AccountForm />,
  );
  const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  type('New password', 'short');
  await save('Account');
  expect(asked).toEqual([]);
  expect(screen.getByText('Enter your current password.')).toBeTruthy();
  type('Current password', 'wrong');
  await save('Account');
  expect(asked).toEqual([]);
  type('New password', 'long enough');
  await save('Account');
  expect(screen.getByText('This is not your password.')).toBeTruthy();
  type('Current password', 'right');
  await save('Account');
  expect(asked).toEqual([
    ['wrong', 'long enough'],
    ['right', 'long enough'],
  ]);
  expect(screen.getByText('Password changed.')).toBeTruthy();
  expect(screen.getByLabelText('New password')).toHaveProperty('value', '');
});

test('an error stays until its own field changes', async () => {
  await open(settingsApi().api, 'admin', <AccountForm />);
  const [old, next] = ['Current password', 'New password'].map((label) => screen.getByLabelText(label));
  const type = (field: HTMLElement | undefined, value: string) =>
    fireEvent.change(field ?? document.body, { target: { value } });
  const isWrong = () => [old, next].map((field) => field?.getAttribute('aria-invalid') === 'true');
  type(next, 'short');
  await save('Account');
  expect(isWrong()).toEqual([true, true]);
  type(next, 'long enough');
  expect(isWrong()).toEqual([true, false]);
  type(next, 'short');
  type(old, 'right');
  expect(isWrong()).toEqual([false, true]);
});

test('an error is shown once, and remains when its field loses the focus', async () => {
  await open(settingsApi().api, 'admin', <AccountForm />);
  const next = screen.getByLabelText('New password');
  const rule = 'At least 8 characters. A few words are easy to remember.';
  fireEvent.change(screen.getByLabelText('Current password'), { target: { value: 'right' } });
  fireEvent.change(next, { target: { value: 'short' } });
  await save('Account');
  expect(screen.getAllByText(rule)).toHaveLength(1);
  expect(next.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(next);
  // Browsers send this event when a changed field loses the focus.
  next.dispatchEvent(new Event('change', { bubbles: true }));
  await act(async () => next.blur());
  expect(next.getAttribute('aria-invalid')).toBe('true');
});
