import { expect, test } from 'vitest';
import { describeMailError } from '../../../electron/server/domain/alerts/describeMailError.ts';

const SECRET = 'Pa55  w0rd "öü"';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

function said(response: string): string {
  return describeMailError(Object.assign(new Error('Invalid login'), { code: 'EAUTH', response }), SECRET);
}

test.each([
  ['unchanged', SECRET],
  ['with different spaces', 'Pa55 w0rd "öü"'],
  ['in Base64, as AUTH LOGIN sends it', base64(SECRET)],
  ['in Base64, as AUTH PLAIN sends it', base64(`\0lights\0${SECRET}`)],
  ['where the message is truncated', `${'x'.repeat(280)} ${SECRET}`],
])('hides a password that the server repeats %s', (_how, words) => {
  const text = said(`535 5.7.8 not accepted: ${words}`);
  expect(text).toMatch(/^The mail server refused the sign-in\. .* \(535 5\.7\.8 not accepted: /);
  for (const secret of ['Pa55', base64(SECRET), base64(`\0lights\0${SECRET}`)]) expect(text).not.toContain(secret);
});

test("keeps the rest of the server's message", () => {
  expect(said('535 5.7.8 Authentication failed: UGFzc3dvcmQ6')).toContain(
    '(535 5.7.8 Authentication failed: UGFzc3dvcmQ6)',
  );
});
