import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TestMail } from '#shared/api/mail.ts';
import { refusal, startMailServer, type TestMailServer } from '../../helpers/servers/mailServer.ts';
import { selfSigned } from '../../helpers/servers/selfSigned.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

let server: TestMailServer;
let station: TestStation;

beforeEach(async () => {
  station = await startTestStation({ receiverHangs: true });
});

afterEach(async () => {
  await station.stop();
  await server.stop();
});

/** Sends a test e-mail through this server with these settings. */
async function mailOver(started: TestMailServer, settings: object = {}): Promise<TestMail> {
  server = started;
  await station.patch('/api/settings/', {
    mail_host: '127.0.0.1',
    mail_port: server.port,
    mail_security: 'none',
    mail_from: 'lights@shop.example',
    mail_to: ['lager@shop.example', 'chef@shop.example'],
    ...settings,
  });
  return station.post<TestMail>('/api/mail/test/');
}

const failedWith = (error: RegExp) => ({
  state: 'failed',
  answer: null,
  error: expect.stringMatching(error) as string,
});

test("returns the mail server's answer", async () => {
  const result = await mailOver(await startMailServer());
  expect(result).toMatchObject({ state: 'sent', error: null, answer: expect.stringMatching(/^250 /) as string });
  expect(server.mails).toMatchObject([{ to: ['lager@shop.example', 'chef@shop.example'], secure: false }]);
});

test('signs in with a password, and explains a refusal without revealing the password', async () => {
  const account = { mail_username: 'lights', mail_password: 'opensesame' };
  const started = await startMailServer({ allowInsecureAuth: true, authOptional: false });
  expect(await mailOver(started, account)).toMatchObject({ state: 'sent' });
  expect(server.mails).toMatchObject([{ user: 'lights' }]);
  server.reply((stage) => (stage === 'auth' ? refusal(535, 'Wrong password opensesame') : undefined));
  const refused = await station.post<TestMail>('/api/mail/test/');
  expect(refused).toMatchObject(failedWith(/^The mail server refused the sign-in\. .*535 .*\*\*\*/));
  expect(JSON.stringify(refused)).not.toContain('opensesame');
  const answer = JSON.stringify(await station.get('/api/settings/'));
  expect(answer).toContain('"mail_password_set":true');
  expect(answer).not.toContain('opensesame');
});

test('uses STARTTLS with a certificate trusted through mail_ca, and otherwise sends nothing', async () => {
  const { key, cert } = selfSigned('mail');
  const started = await startMailServer({ key, cert, disabledCommands: [] });
  const account = { mail_security: 'starttls', mail_username: 'lights', mail_password: 'opensesame' };
  expect(await mailOver(started, account)).toMatchObject(failedWith(/^The certificate of the mail server/));
  expect(server.mails).toEqual([]);
  expect(await mailOver(started, { ...account, mail_ca: cert })).toMatchObject({ state: 'sent' });
  expect(server.mails).toMatchObject([{ secure: true, user: 'lights' }]);
});

test('sends neither the password nor the text to a server without STARTTLS', async () => {
  let wasAsked = false;
  const started = await startMailServer({ allowInsecureAuth: true });
  started.reply((stage) => {
    wasAsked ||= stage !== 'connect';
    return undefined;
  });
  const account = { mail_security: 'starttls', mail_username: 'lights', mail_password: 'opensesame' };
  expect(await mailOver(started, account)).toMatchObject(failedWith(/^The encrypted connection failed\./));
  expect([wasAsked, server.mails]).toEqual([false, []]);
});

test('uses TLS from the start of the connection', async () => {
  const { key, cert } = selfSigned('mail');
  const started = await startMailServer({ key, cert, secure: true });
  expect(await mailOver(started, { mail_security: 'tls', mail_ca: cert })).toMatchObject({ state: 'sent' });
  expect(server.mails).toMatchObject([{ secure: true }]);
});

test('explains why a TLS connection to a plain-text server fails', async () => {
  const result = await mailOver(await startMailServer(), { mail_security: 'tls' });
  expect(result).toMatchObject(failedWith(/^The encrypted connection failed\./));
});

test.each([
  ['from', refusal(550, 'Not your address'), /^The mail server refused the sender\..*550 Not your address/],
  ['to', refusal(550, 'No such user'), /^The mail server refused the recipients\..*550/],
  ['to', refusal(451, 'Greylisted'), /^The mail server asks to try again later\..*451/],
  ['data', refusal(554, 'Spam'), /^The mail server refused the e-mail\..*554 Spam/],
  ['data', 'close', /^The connection to the mail server broke/],
  ['connect', refusal(554, 'Go away'), /554/],
] as const)('explains a failure in the stage "%s"', async (at, said, error) => {
  const started = await startMailServer();
  started.reply((stage) => (stage === at ? said : undefined));
  expect(await mailOver(started)).toMatchObject(failedWith(error));
  expect(server.mails).toEqual([]);
});

test('names a refused recipient, and sends the e-mail to the others', async () => {
  const started = await startMailServer();
  started.reply((stage, what) => (stage === 'to' && what.startsWith('chef') ? refusal(550, 'Unknown') : undefined));
  expect(await mailOver(started)).toMatchObject({
    state: 'sent',
    error: 'The mail server refused chef@shop.example. The others get the e-mail.',
  });
  expect(server.mails).toMatchObject([{ to: ['lager@shop.example'] }]);
});

test('explains a refused connection and an unknown host name', async () => {
  const started = await startMailServer();
  expect(await mailOver(started, { mail_port: 1 })).toMatchObject(failedWith(/^Connection refused\./));
  expect(await mailOver(started, { mail_host: 'mail.invalid' })).toMatchObject(
    failedWith(/^The name of the mail server was not found\./),
  );
});

test('after a minute, gives up on a server that hangs', async () => {
  const started = await startMailServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  started.reply((stage) => {
    if (stage !== 'data') return undefined;
    resolve();
    return 'hang';
  });
  await mailOver(started, { mail_to: [] }).catch(() => undefined);
  await station.patch('/api/settings/', { mail_to: ['lager@shop.example'] });
  const asked = station.request('POST', '/api/mail/test/');
  await promise;
  await station.clock.advance(60_000);
  expect((await asked).body).toMatchObject(failedWith(/^The mail server did not answer in time\./));
  // The connection is closed, even though the server has not answered.
  await started.closed();
});

test('refuses a test while e-mail is off, and names the missing settings', async () => {
  server = await startMailServer();
  const { status, body } = await station.request('POST', '/api/mail/test/');
  expect([status, JSON.stringify(body)]).toEqual([
    409,
    expect.stringContaining('set mail_host, mail_from and mail_to'),
  ]);
});

test.each([
  { mail_to: ['lager@shop.example\r\nBcc: x@y.example'] },
  { mail_to: ['lager@shop.example> SIZE=1'] },
  { mail_from: 'Lights <lights@shop.example>' },
  { mail_host: 'smtp://shop.example' },
  { mail_kinds: ['rain'] },
])('refuses a setting that mail servers would not accept: %o', async (settings) => {
  server = await startMailServer();
  const { status } = await station.request('PATCH', '/api/settings/', settings);
  expect(status).toBe(400);
});
