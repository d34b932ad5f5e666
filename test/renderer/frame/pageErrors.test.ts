import { expect, test } from 'vitest';
import { createCall } from '../../../renderer/src/station/calls/call.ts';
import { createErrorReports } from '../../../renderer/src/station/pageErrors.ts';

function open(answer: () => Promise<void> = () => Promise.resolve()) {
  const sent: { message: string; stack?: string; path?: string }[] = [];
  const report = createErrorReports(
    {
      reportPageError({ body }) {
        sent.push(body);
        return answer();
      },
    },
    () => '/orders',
  );
  return { sent, report };
}

test('sends each error once, and at most ten errors per page', () => {
  const { sent, report } = open();
  report(new Error('crash'));
  report(new Error('crash'));
  expect(sent).toMatchObject([{ message: 'crash', path: '/orders' }]);
  for (let number = 0; number < 20; number += 1) report(new Error(`crash ${number}`));
  expect(sent).toHaveLength(10);
});

test('does not report the message of browsers about sizes that change while they draw', () => {
  const { sent, report } = open();
  report('ResizeObserver loop completed with undelivered notifications.');
  report(new Error('ResizeObserver is not a constructor'));
  expect(sent).toMatchObject([{ message: 'ResizeObserver is not a constructor' }]);
});

test('shortens long errors, and ignores failures to send', async () => {
  const { sent, report } = open(() => Promise.reject(new Error('offline')));
  report(new Error('x'.repeat(10_000)));
  report('a text');
  await Promise.resolve();
  expect(sent.map(({ message }) => message.length)).toEqual([500, 6]);
  expect(sent[0]?.stack?.length).toBeLessThanOrEqual(4_000);
});

test('a refused error report does not end the session, unlike other refused requests', async () => {
  let signedOut = 0;
  const call = createCall({
    fetch: () => Promise.resolve(new Response('{"code":"unauthorized","detail":"Sign in."}', { status: 401 })),
    csrfToken: () => '',
    onSignedOut: () => void (signedOut += 1),
    onOtherSession: () => undefined,
  });
  await expect(call('reportPageError', { body: { message: 'crash' } })).rejects.toThrow('Sign in.');
  expect(signedOut).toBe(0);
  await expect(call('getDiagnostics', { query: {} })).rejects.toThrow('Sign in.');
  expect(signedOut).toBe(1);
});
