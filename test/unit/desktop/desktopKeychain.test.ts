import type { SafeStorage } from 'electron';
import { expect, test } from 'vitest';
import { findKeychain } from '../../../electron/main/keychain.ts';

function storage(isAvailable: boolean, backend: string): SafeStorage {
  const parts = {
    isEncryptionAvailable: () => isAvailable,
    getSelectedStorageBackend: () => backend,
    encryptString: (text: string) => Buffer.from(text).swap16(),
    decryptString: (sealed: Buffer) => Buffer.from(sealed).swap16().toString(),
  };
  return parts as unknown as SafeStorage;
}

test.for([
  ['linux', 'gnome_libsecret', true],
  ['linux', 'kwallet6', true],
  // Encrypts with a publicly known password.
  ['linux', 'basic_text', false],
  ['linux', 'unknown', false],
  ['darwin', '', true],
  // Windows stores the key in the window's profile, which people may delete.
  ['win32', '', false],
] as const)('finds a keychain on %s with the backend "%s": %s', ([platform, backend, isThere]) => {
  expect(findKeychain(storage(true, backend), { platform, isProfileKept: true }) !== undefined).toBe(isThere);
  expect(findKeychain(storage(false, backend), { platform, isProfileKept: true })).toBeUndefined();
  expect(findKeychain(storage(true, backend), { platform, isProfileKept: false })).toBeUndefined();
});

test('the keychain opens a text that it sealed', () => {
  const keychain = findKeychain(storage(true, 'kwallet6'), { platform: 'linux', isProfileKept: true });
  const sealed = keychain?.seal('a key!') ?? Buffer.alloc(0);
  expect(Buffer.from(sealed).toString()).toBe(' aek!y');
  expect(keychain?.open(new Uint8Array(sealed))).toBe('a key!');
});
