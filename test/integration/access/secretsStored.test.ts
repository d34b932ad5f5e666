import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { MailStatus } from '#shared/api/mail.ts';
import type { TurboLink } from '#shared/api/turbo.ts';
import { ALL_TEXTS, DISPLAY_KEY, findTexts, SECRETS } from '../../helpers/secretBytes.ts';
import { SECOND, useSecrets } from './secretsRig.ts';

const shop = useSecrets();

test('secrets are never stored in plain text in the data folder, whether in the database, its log, a backup or a log file', async () => {
  await shop.start({ logFiles: true });
  await shop.setAll();
  expect(findTexts(shop.station.dataFolder, ALL_TEXTS)).toEqual([]);
  await shop.station.post('/api/backups/');
  await shop.station.patch('/api/settings/', { callback_password: 'another-password' });
  expect(findTexts(shop.station.dataFolder, [...ALL_TEXTS, 'another-password'])).toEqual([]);
  await shop.station.restart();
  expect(findTexts(shop.station.dataFolder, [...ALL_TEXTS, 'another-password'])).toEqual([]);
  expect((await shop.settings()).unreadable_secrets).toEqual([]);
  expect(await shop.alerts()).toEqual([]);
});

test.each([
  ['plain text', '"hunter22hunter22"', 'is not encrypted, so another program wrote it'],
  ['a value of a newer version', '"sealed:2:0123456789abcdef:AAAA"', 'was changed, or a newer version wrote it'],
])('explains why a secret stored as %s is unreadable, with and without a data key', async (_, json, reason) => {
  await shop.start();
  const change = (sql: string, value: string): void => {
    const db = new Database(join(shop.station.dataFolder, 'pickstation.sqlite'));
    expect(db.prepare(sql).run(value).changes).toBe(1);
    db.close();
  };
  const text = JSON.parse(json) as string;
  const says = async (): Promise<void> => {
    expect((await shop.station.get<MailStatus>('/api/mail/')).last_error).toContain(
      `mail_password cannot be read. Its stored value ${reason}. Enter it again`,
    );
    const said = (await shop.alerts()).filter(({ kind }) => kind === 'secret_unreadable');
    expect(new Set(said.map(({ about }) => about))).toEqual(
      new Set(['Printer', 'mail_password', 'opendisplay://192.0.2.40:2447/']),
    );
    for (const { problem } of said) expect(problem).toContain(`Its stored value ${reason}. Functions`);
    expect((await shop.station.get<TurboLink[]>('/api/turbo/links/'))[0]?.problem).toContain(
      `cannot be read. Its stored value ${reason}. Enter`,
    );
  };
  await shop.station.patch('/api/settings/', {
    mail_host: '127.0.0.1',
    mail_from: 'a@shop.example',
    mail_to: ['b@shop.example'],
  });
  await shop.station.post('/api/turbo/links/', {
    kind: 'opendisplay',
    url: 'opendisplay://192.0.2.40',
    key: DISPLAY_KEY,
  });
  await shop.station.post('/api/callback-receivers/', { name: 'Printer', url: shop.receiver.url, api_key: 'abcdefgh' });
  await shop.station.halt();
  change("INSERT INTO settings (key, value) VALUES ('mail_password', ?)", json);
  change('UPDATE turbo_links SET key = ?', text);
  change('UPDATE callback_receivers SET api_key = ?', text);
  await shop.station.restart();
  await says();
  await shop.station.halt();
  rmSync(shop.keyFile());
  await shop.station.restart();
  await says();
});

test('a sealed value copied to another setting is unreadable', async () => {
  await shop.start();
  await shop.station.patch('/api/settings/', {
    callback_password: SECRETS.callback_password,
    mail_password: SECRETS.mail_password,
  });
  await shop.station.halt();
  const db = new Database(join(shop.station.dataFolder, 'pickstation.sqlite'));
  db.exec(
    `UPDATE settings SET value = (SELECT value FROM settings WHERE key = 'callback_password') WHERE key = 'mail_password'`,
  );
  db.close();
  await shop.station.restart();
  expect(await shop.settings()).toMatchObject({ unreadable_secrets: ['mail_password'] });
  expect((await shop.alerts())[0]?.problem).toMatch(/sealed with another data key, or was changed/);
});

test.for([
  ['a changed byte', (sealed: string) => `${sealed.slice(0, -5)}!${sealed.slice(-4)}`],
  ['a changed version', (sealed: string) => sealed.replace(':1:', ':!:')],
  ['a truncated value', (sealed: string) => sealed.slice(0, 12)],
] as const)('%s in the database makes a secret unreadable instead of changing it', async ([, damage]) => {
  await shop.start();
  await shop.setReceiver();
  await shop.station.halt();
  const file = join(shop.station.dataFolder, 'pickstation.sqlite');
  const stored = (): string => {
    const db = new Database(file);
    const value = db.prepare("SELECT value FROM settings WHERE key = 'callback_signing_secret'").pluck().get();
    db.close();
    return JSON.parse(String(value)) as string;
  };
  const damaged = damage(stored());
  const db = new Database(file);
  db.prepare("UPDATE settings SET value = ? WHERE key = 'callback_signing_secret'").run(JSON.stringify(damaged));
  db.close();
  await shop.station.restart();
  await shop.press();
  expect(shop.receiver.requests).toEqual([]);
  expect(await shop.settings()).toMatchObject({ unreadable_secrets: ['callback_signing_secret'] });
  expect((await shop.alerts())[0]?.problem).toMatch(/was changed/);
  await shop.station.halt();
  expect(stored()).toBe(damaged);
  await shop.station.restart();
  await shop.setReceiver();
  await shop.station.clock.advance(SECOND);
  expect(shop.signed()).toHaveLength(1);
});

test('a secret that begins like a sealed value can be stored and used', async () => {
  await shop.start();
  await shop.setReceiver({ callback_api_key: 'sealed:1:typed-by-a-person' });
  await shop.station.restart();
  await shop.press();
  expect(shop.receiver.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['sealed:1:typed-by-a-person']);
});
