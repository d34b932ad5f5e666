import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MailStatus } from '#shared/api/mail.ts';
import { refusal, startMailServer, type TestMailServer } from '../../helpers/servers/mailServer.ts';
import { startTestStation, type TestStation } from '../../helpers/startTestStation.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let server: TestMailServer;
let station: TestStation;

beforeEach(async () => {
  server = await startMailServer();
  await start({});
});

/** Starts the station. With `receiverHangs`, the clock can advance while an e-mail is in flight. */
async function start(options: { receiverHangs?: boolean }): Promise<void> {
  station = await startTestStation({ simulate: 3, refreshMs: 0, ...options });
  await station.patch('/api/settings/', { backup_every: 0 });
  await station.clock.advance(5 * SECOND);
}

afterEach(async () => {
  await station.stop();
  await server.stop();
});

/** Turns e-mail on with these settings. */
const mailTo = (settings: object = {}) =>
  station.patch('/api/settings/', {
    mail_host: '127.0.0.1',
    mail_port: server.port,
    mail_security: 'none',
    mail_from: 'lights@shop.example',
    mail_to: ['lager@shop.example', 'chef@shop.example'],
    ...settings,
  });

/** Sets the battery voltage of a simulated device, which raises or ends an alert. */
async function battery(mv: number, device = 1): Promise<void> {
  await station.patch(`/api/simulator/devices/51D000:00000${device}/`, { battery_mv: mv });
  await station.clock.advance(2 * SECOND);
  await quiet();
}

const status = () => station.get<MailStatus>('/api/mail/');

/** Waits until no e-mail is in flight, because the sockets use real time. */
async function quiet(): Promise<void> {
  while (!station.started.delivered()) await station.clock.advance(0);
}

const LOW = 2_200;
const FULL = 3_000;
const messageId = (text: string) => /^Message-ID: (.*)$/m.exec(text)?.[1]?.trim();
/**
 * Id of an e-mail with the first two notices. The second one comes because the simulated battery is full after startup, which ends the
 * alert.
 */
const BOTH = expect.stringMatching(/^<alerts-1-2-/) as string;
const subjects = () => server.mails.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]);

test('sends an e-mail when an alert is raised and when it ends', async () => {
  await mailTo({ public_urls: ['https://lights.shop.example/'] });
  await battery(LOW);
  expect(server.mails).toMatchObject([
    { from: 'lights@shop.example', to: ['lager@shop.example', 'chef@shop.example'], user: undefined, secure: false },
  ]);
  const [{ text } = { text: '' }] = server.mails;
  expect(text).toContain('Subject: Pickstation: Battery low, 51D000:000001');
  expect(text).toContain('Auto-Submitted: auto-generated');
  expect(text).toContain('Change its battery soon.');
  expect(text).toContain('https://lights.shop.example/alerts');
  await battery(FULL);
  expect(subjects()).toEqual([
    'Pickstation: Battery low, 51D000:000001',
    'Pickstation: Resolved: Battery low, 51D000:000001',
  ]);
  expect(await status()).toMatchObject({ on: true, waiting: 0, last_error: null });
});

test('sends the e-mail about an alert only after the alert is on disk', async () => {
  await mailTo();
  const database = new Database(join(station.dataFolder, 'pickstation.sqlite'));
  database.exec(`CREATE TRIGGER broken BEFORE INSERT ON commits WHEN new.facts LIKE '%"alert.raised"%'
    BEGIN SELECT RAISE(ROLLBACK, 'the disk is broken'); END`);
  await battery(LOW);
  expect(server.connections()).toBe(0);
  expect(station.rows('SELECT * FROM mails')).toEqual([]);
  database.exec('DROP TRIGGER broken');
  database.close();
  await station.clock.advance(MINUTE);
  await quiet();
  expect(subjects()).toEqual(['Pickstation: Battery low, 51D000:000001']);
});

test('sends no e-mail about alert kinds that are not selected', async () => {
  await mailTo({ mail_kinds: ['device_offline'] });
  await battery(LOW);
  expect(server.connections()).toBe(0);
  expect(await status()).toMatchObject({ waiting: 0 });
});

test('while e-mail is off, no e-mails are stored or sent; turning it off discards waiting ones', async () => {
  await battery(LOW);
  expect(station.rows('SELECT * FROM mails')).toEqual([]);
  server.reply(() => refusal(451, 'Greylisted'));
  await mailTo();
  await battery(LOW, 2);
  expect(await status()).toMatchObject({ waiting: 1 });
  await station.patch('/api/settings/', { mail_to: [] });
  await station.clock.advance(SECOND);
  expect(await status()).toEqual({ on: false, waiting: 0, last_sent: null, last_error: null });
});

test('a greylisting server gets the e-mail again some minutes later, but only once', async () => {
  await mailTo();
  server.reply((stage) => (stage === 'to' ? refusal(451, 'Greylisted, try again in 4 minutes') : undefined));
  await battery(LOW);
  expect(await status()).toMatchObject({
    waiting: 1,
    last_error: expect.stringMatching(/^The mail server asks to try again later\. \(451 Greylisted/) as string,
  });
  await station.clock.advance(MINUTE);
  await quiet();
  server.reply(() => undefined);
  await station.clock.advance(4 * MINUTE);
  await quiet();
  expect(server.mails).toHaveLength(0);
  await station.clock.advance(2 * MINUTE);
  await quiet();
  expect(server.mails).toHaveLength(1);
  await station.clock.advance(24 * HOUR);
  await quiet();
  expect(server.mails).toHaveLength(1);
  expect(await status()).toMatchObject({ waiting: 0, last_error: null });
});

test('if the server disconnects after the text, the same e-mail is sent again; a later alert gets a separate e-mail', async () => {
  await mailTo();
  server.reply((stage) => (stage === 'data' ? 'close' : undefined));
  await battery(LOW);
  expect(server.unanswered).toHaveLength(1);
  expect(await status()).toMatchObject({ waiting: 1, last_error: expect.stringMatching(/broke/) as string });
  // An alert raised in the meantime is sent in a separate e-mail.
  await battery(LOW, 2);
  server.reply(() => undefined);
  await station.clock.advance(MINUTE);
  await quiet();
  expect(subjects()).toEqual(['Pickstation: Battery low, 51D000:000001', 'Pickstation: Battery low, 51D000:000002']);
  const [first, second] = server.mails.map(({ text }) => messageId(text));
  // The server may already have accepted the first e-mail. The same id allows it to drop the repetition.
  expect(server.unanswered.map(messageId)).toEqual([first]);
  expect(first).toMatch(/^<alerts-1-1-\d+@shop\.example>/);
  expect(second).not.toBe(first);
});

test('after a minute, gives up on a server that hangs, and sends the waiting e-mail after a restart', async () => {
  await station.stop();
  await start({ receiverHangs: true });
  await mailTo();
  server.reply((stage) => (stage === 'data' ? 'hang' : undefined));
  await station.patch('/api/simulator/devices/51D000:000001/', { battery_mv: LOW });
  await station.clock.advance(2 * SECOND);
  expect(station.started.delivered()).toBe(false);
  await station.clock.advance(MINUTE);
  await quiet();
  expect(await status()).toMatchObject({
    waiting: 1,
    last_error: expect.stringMatching(/^The mail server did not answer in time\./) as string,
  });
  await station.halt();
  server.reply(() => undefined);
  await station.restart();
  await quiet();
  expect(server.mails.map(({ text }) => messageId(text))).toEqual([BOTH]);
  await station.restart();
  await quiet();
  expect([server.mails.length, (await status()).waiting]).toEqual([1, 0]);
});

test('an e-mail interrupted by a stop is sent after the restart, together with the end of its alert', async () => {
  await station.stop();
  await start({ receiverHangs: true });
  await mailTo();
  server.reply((stage) => (stage === 'data' ? 'hang' : undefined));
  await station.patch('/api/simulator/devices/51D000:000001/', { battery_mv: LOW });
  await station.clock.advance(2 * SECOND);
  await station.halt();
  server.reply(() => undefined);
  await station.restart();
  await quiet();
  expect(subjects()).toEqual(['Pickstation: Resolved: Battery low, 51D000:000001']);
  expect(server.mails.map(({ text }) => messageId(text))).toEqual([BOTH]);
  expect(await status()).toMatchObject({ waiting: 0 });
});

test('sends at most twelve e-mails per hour, even across a restart, and then one e-mail with the rest', async () => {
  await mailTo();
  for (let count = 0; count < 10; count += 1) {
    await battery(LOW);
    await battery(FULL);
  }
  expect(server.mails).toHaveLength(12);
  await station.restart();
  await quiet();
  expect(server.mails).toHaveLength(12);
  expect(await status()).toMatchObject({ waiting: 8 });
  await station.clock.advance(HOUR);
  await quiet();
  expect(subjects().slice(12)).toEqual(['Pickstation: 4 alerts resolved']);
  expect(server.mails.at(-1)?.text.match(/Resolved: Battery low/g)).toHaveLength(4);
});

test('a waiting e-mail is retried as soon as the settings are corrected', async () => {
  await mailTo({ mail_port: 1 });
  await battery(LOW);
  expect(await status()).toMatchObject({ last_error: expect.stringMatching(/^Connection refused\./) as string });
  await mailTo();
  await station.clock.advance(0);
  await quiet();
  expect(server.mails).toHaveLength(1);
});
