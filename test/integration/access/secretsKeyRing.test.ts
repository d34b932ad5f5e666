import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KEY_FILE, KEYCHAIN_FILE, openKeyRing } from '../../../electron/server/db/keyRing.ts';

const PLACE = 'settings/mail_password';

let folder: string;

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'pickstation-keys-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const inFolder = (name: string): string => join(folder, name);

/** Seals a text with a new key, then stores that key as the previous key with this number. */
function leaveFormer(number: number): string {
  const sealed = openKeyRing(folder).seal(PLACE, `secret ${number}`);
  renameSync(inFolder(KEY_FILE), inFolder(`${KEY_FILE}.old-${number}`));
  return sealed;
}

test('each of many previous keys opens the values that it sealed', () => {
  const sealed = Array.from({ length: 12 }, (_, index) => leaveFormer(index + 1));
  const keyRing = openKeyRing(folder);
  expect(sealed.map((text) => keyRing.open(PLACE, text))).toEqual(sealed.map((_, index) => `secret ${index + 1}`));
});

test('a replaced key gets the next number, so that the key replaced last has the highest number', () => {
  leaveFormer(7);
  writeFileSync(inFolder(KEY_FILE), 'not a key\n', { mode: 0o600 });
  openKeyRing(folder).key();
  expect(existsSync(inFolder(`${KEY_FILE}.old-8`))).toBe(true);
});

test('accesses the keychain only to read a key stored there or to store a new one', () => {
  let asked = 0;
  const changed = (bytes: Uint8Array): Buffer => Buffer.from(bytes.map((byte) => byte ^ 1));
  const keychain = {
    seal: (text: string) => changed(Buffer.from(text)),
    open: (sealed: Uint8Array) => changed(sealed).toString(),
  };
  const findKeychain = () => {
    asked += 1;
    return keychain;
  };
  const sealed = openKeyRing(folder).seal(PLACE, 'in a file');
  expect(openKeyRing(folder, { findKeychain }).open(PLACE, sealed)).toBe('in a file');
  // Create the keychain file of a previous key that no secret uses.
  writeFileSync(inFolder(`${KEYCHAIN_FILE}.old-1`), 'something', { mode: 0o600 });
  expect(openKeyRing(folder, { findKeychain }).open(PLACE, sealed)).toBe('in a file');
  rmSync(inFolder(KEY_FILE));
  const keyRing = openKeyRing(folder, { findKeychain });
  expect([keyRing.id(), keyRing.open(PLACE, 'plain'), asked]).toEqual([undefined, undefined, 0]);

  const other = keyRing.seal(PLACE, 'in the keychain');
  expect([asked, existsSync(inFolder(KEYCHAIN_FILE)), existsSync(inFolder(KEY_FILE))]).toEqual([1, true, false]);
  expect(openKeyRing(folder, { findKeychain }).open(PLACE, other)).toBe('in the keychain');
  expect(asked).toBe(2);
});
