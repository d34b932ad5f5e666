import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SignInPage } from '../../../renderer/src/features/signIn/SignInPage.tsx';
import { ApiError } from '../../../renderer/src/words/apiError.ts';
import { show, testContext } from '../support.tsx';

async function type(username: string, password: string): Promise<void> {
  fireEvent.change(screen.getByLabelText('User name'), { target: { value: username } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } });
  await act(async () => fireEvent.submit(screen.getByLabelText('Password')));
}

test('reports a wrong password at its field, and keeps the input', async () => {
  const context = testContext(
    {},
    { signIn: () => Promise.reject(new ApiError('unauthenticated', 'The user name or the password is wrong.')) },
  );
  show(context, <SignInPage />);
  await type('admin', 'guess');
  const field = screen.getByLabelText('Password');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  const described = (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent);
  expect(described).toContain('The user name or the password is wrong.');
  expect(screen.getByLabelText('User name')).toHaveProperty('value', 'admin');
  expect(field).toHaveProperty('value', 'guess');
});

test('shows an alert if the station does not answer', async () => {
  const context = testContext(
    {},
    { signIn: () => Promise.reject(new ApiError('unreachable', 'The station does not answer.')) },
  );
  show(context, <SignInPage />);
  await type('admin', 'right');
  expect(screen.getByRole('alert').textContent).toBe('The station does not answer.');
});

test('asks for the user name and the password', async () => {
  show(testContext(), <SignInPage />);
  await type('', '');
  expect(screen.getByText('Enter your user name.')).toBeTruthy();
  expect(screen.getByText('Enter your password.')).toBeTruthy();
});

test('sends only one request if the form is submitted repeatedly', async () => {
  const sent: string[] = [];
  const context = testContext({}, { signIn: ({ username }) => (sent.push(username), new Promise(() => undefined)) });
  show(context, <SignInPage />);
  await type(' admin ', 'right');
  await act(async () => fireEvent.submit(screen.getByLabelText('Password')));
  expect(sent).toEqual(['admin']);
});
