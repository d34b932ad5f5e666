import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findTexts, SECRETS } from '../../helpers/secretBytes.ts';
import { OTHER_KEY, SECOND, useSecrets } from './secretsRig.ts';

const shop = useSecrets();

test('a folder without secrets has no key; a folder with a secret has a key that only its owner can read', async () => {
  await shop.start();
  expect(existsSync(shop.keyFile())).toBe(false);
  await shop.setReceiver();
  expect(statSync(shop.keyFile()).mode & 0o777).toBe(0o600);
  expect(readFileSync(shop.keyFile(), 'utf8')).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
});

test.runIf(process.platform !== 'win32')(
  'does not use a key file that others can open, and explains what to do',
  async () => {
    await shop.start();
    await shop.setReceiver();
    await shop.station.halt();
    chmodSync(shop.keyFile(), 0o644);
    await shop.station.restart();
    await shop.press();
    expect(shop.receiver.requests).toEqual([]);
    const [alert] = await shop.alerts();
    expect(alert?.problem).toMatch(/Users other than its owner can open data\.key\. Run chmod 600 \S+data\.key/);
    await shop.station.halt();
    chmodSync(shop.keyFile(), 0o600);
    await shop.station.restart();
    expect(shop.signed()).toHaveLength(1);
  },
);

test.for([
  ['', 'holds no key'],
  ['bm90IGEga2V5\n', 'holds no key'],
  [`${OTHER_KEY}\n`, 'sealed with another data key'],
] as const)('detects a wrong key file: %s', async ([content, problem]) => {
  await shop.start();
  await shop.setReceiver();
  await shop.station.halt();
  writeFileSync(shop.keyFile(), content, { mode: 0o600 });
  await shop.station.restart();
  await shop.press();
  expect(shop.receiver.requests).toEqual([]);
  expect((await shop.alerts())[0]?.problem).toContain(problem);
});

test('a key from the environment is not written to any file, and a different or missing key is detected', async () => {
  const given = Buffer.alloc(32, 42).toString('base64');
  let dataKey: string | undefined = given;
  await shop.start({ dataKey: () => dataKey });
  await shop.setReceiver();
  expect(readdirSync(shop.station.dataFolder).filter((name) => name.startsWith('data.key'))).toEqual([]);
  expect(findTexts(shop.station.dataFolder, [given])).toEqual([]);
  await shop.station.restart();
  await shop.press();
  expect(shop.signed()).toHaveLength(1);
  for (dataKey of [OTHER_KEY, undefined]) {
    await shop.station.restart();
    await shop.press();
    expect(shop.receiver.requests).toHaveLength(1);
    expect(await shop.settings()).toMatchObject({ unreadable_secrets: ['callback_signing_secret'] });
  }
  dataKey = given;
  await shop.station.restart();
  expect(shop.signed()).toHaveLength(3);
});

test('with a keychain, the folder contains the key only in encrypted form', async () => {
  const chain = fakeKeychain();
  await shop.start({ findKeychain: () => chain });
  await shop.setReceiver();
  expect(readdirSync(shop.station.dataFolder).filter((name) => name.startsWith('data.key'))).toEqual([
    'data.key.keychain',
  ]);
  await shop.station.restart();
  await shop.press();
  expect(shop.signed()).toHaveLength(1);

  chain.lock();
  await shop.station.restart();
  await shop.press();
  expect(shop.receiver.requests).toHaveLength(1);
  expect((await shop.alerts())[0]?.problem).toMatch(
    /keychain of this system does not open data\.key\.keychain \(It is locked\)/,
  );
  chain.unlock();
  await shop.station.restart();
  expect(shop.signed()).toHaveLength(2);
});

test('after a keychain reset, a secret can be entered again, and the previous key is kept with the new one', async () => {
  const first = fakeKeychain();
  let chain = first;
  await shop.start({ findKeychain: () => chain });
  await shop.setReceiver();
  chain = fakeKeychain();
  await shop.station.restart();
  await shop.press();
  expect(shop.receiver.requests).toEqual([]);
  await shop.setReceiver();
  await shop.station.clock.advance(SECOND);
  expect(shop.signed()).toHaveLength(1);
  expect(readdirSync(shop.station.dataFolder).filter((name) => name.startsWith('data.key'))).toEqual([
    'data.key.keychain',
    'data.key.keychain.old-1',
  ]);
});

test('a restored previous key decrypts its secrets, and afterwards only the new key is needed', async () => {
  const chain = fakeKeychain();
  let hasKeychain = true;
  await shop.start({ findKeychain: () => (hasKeychain ? chain : undefined) });
  await shop.setReceiver({ mail_password: SECRETS.mail_password });
  hasKeychain = false;
  await shop.station.restart();
  // Without the keychain, one secret is entered again, which creates a new key.
  await shop.setReceiver();
  expect(await shop.settings()).toMatchObject({ unreadable_secrets: ['mail_password'] });
  hasKeychain = true;
  await shop.station.restart();
  expect(await shop.settings()).toMatchObject({ unreadable_secrets: [] });
  expect(await shop.alerts()).toEqual([]);
  hasKeychain = false;
  rmSync(join(shop.station.dataFolder, 'data.key.keychain.old-1'));
  await shop.station.restart();
  expect(await shop.settings()).toMatchObject({ unreadable_secrets: [] });
  await shop.press();
  expect(shop.signed()).toHaveLength(1);
});

test('the key is stored in a file if the keychain does not return what it stored', async () => {
  const chain = { seal: () => Buffer.from('something'), open: () => 'something else' };
  await shop.start({ findKeychain: () => chain });
  await shop.setReceiver();
  expect(readdirSync(shop.station.dataFolder).filter((name) => name.startsWith('data.key'))).toEqual(['data.key']);
  await shop.station.restart();
  await shop.press();
  expect(shop.signed()).toHaveLength(1);
});

test('on a desktop folder without its keychain, explains how to get the key, and reads the file that --key-file wrote', async () => {
  const chain = fakeKeychain();
  let hasKeychain = true;
  let keyFile = false;
  await shop.start({ findKeychain: () => (hasKeychain ? chain : undefined), keyFile: () => keyFile });
  await shop.setReceiver();
  hasKeychain = false;
  await shop.station.restart();
  await shop.press();
  expect(shop.receiver.requests).toEqual([]);
  expect((await shop.alerts())[0]?.problem).toMatch(/Start the desktop on this folder once with --key-file/);
  hasKeychain = true;
  keyFile = true;
  await shop.station.restart();
  expect(shop.signed()).toHaveLength(1);
  hasKeychain = false;
  keyFile = false;
  await shop.station.restart();
  await shop.press();
  expect(shop.signed()).toHaveLength(2);
});

test('--key-file replaces a different key in the file and keeps the previous key in another file', async () => {
  const chain = fakeKeychain();
  let hasKeychain = true;
  let writesFile = false;
  await shop.start({ findKeychain: () => (hasKeychain ? chain : undefined), keyFile: () => writesFile });
  await shop.setReceiver();
  await shop.station.halt();
  writeFileSync(shop.keyFile(), `${OTHER_KEY}\n`, { mode: 0o600 });
  writesFile = true;
  await shop.station.restart();
  expect(readFileSync(`${shop.keyFile()}.old-1`, 'utf8')).toBe(`${OTHER_KEY}\n`);
  hasKeychain = false;
  writesFile = false;
  await shop.station.restart();
  await shop.press();
  expect(shop.signed()).toHaveLength(1);
  writesFile = true;
  await shop.station.restart();
  expect(readdirSync(shop.station.dataFolder).filter((name) => name.startsWith('data.key.old'))).toEqual([
    'data.key.old-1',
  ]);
});

/** Imitates the keychain of a system: only the keychain that encrypted a text can decrypt it. */
function fakeKeychain() {
  const kept = new Map<string, string>();
  let isLocked = false;
  return {
    seal(text: string): Uint8Array {
      const name = `sealed ${Math.random()}`;
      kept.set(name, text);
      return Buffer.from(name);
    },
    open(sealed: Uint8Array): string {
      const text = kept.get(Buffer.from(sealed).toString());
      if (isLocked) throw new Error('It is locked');
      if (text === undefined) throw new Error('It is not mine');
      return text;
    },
    lock: () => void (isLocked = true),
    unlock: () => void (isLocked = false),
  };
}
