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

test.each([
  [{ code: 'ECONNECTION' }, 'Socket closed', /^The connection to the mail server broke before .* \(Socket closed\)$/],
  [{ code: 'ESOCKET' }, 'read ECONNRESET', /^The connection to the mail server broke before .* \(read ECONNRESET\)$/],
  [{ code: 'ESOCKET' }, 'connect ECONNREFUSED 127.0.0.1:25', /^Connection refused\. Check mail_host and mail_port\./],
  [{ code: 'ETIMEDOUT' }, 'Greeting never received', /^The mail server did not answer in time\./],
  [{ code: 'EPROTOCOL' }, 'Invalid greeting', /^The answer was not that of a mail server\./],
  [{ code: 'EDNS' }, 'queryA ENOTFOUND mail.shop', /^The name of the mail server was not found\./],
  [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }, 'no', /^The mail server refused the sender\./],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }, 'no', /^The mail server refused the recipients\./],
  [{ code: 'EMESSAGE', responseCode: 554 }, 'spam', /^The mail server refused the e-mail\./],
  [{ code: 'EMESSAGE', responseCode: 451 }, 'greylisted', /^The mail server asks to try again later\./],
  [{ code: 'EOTHER' }, 'odd', /^The e-mail could not be sent\. \(odd\)$/],
])('explains %o with the message %j', (fields, message, meaning) => {
  expect(describeMailError(Object.assign(new Error(message), fields), null)).toMatch(meaning);
});
