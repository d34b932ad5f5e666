import type { SafeStorage } from 'electron';
import type { StationPorts } from '../server/station.ts';

type FoundKeychain = ReturnType<NonNullable<StationPorts['findKeychain']>>;

/**
 * Returns Electron's access to the system's keychain. Call when the app is ready. Returns undefined if there is no keychain, or if Electron
 * would not protect the key: on Linux without a keyring it uses a well-known password, and on Windows it keeps the key in the window's
 * profile, which users sometimes delete. `isProfileKept` tells whether the profile outlives this run.
 */
export function findKeychain(
  storage: SafeStorage,
  { platform, isProfileKept }: { platform: NodeJS.Platform; isProfileKept: boolean },
): FoundKeychain {
  if (platform === 'win32' || !isProfileKept || !storage.isEncryptionAvailable()) return undefined;
  if (platform === 'linux' && NOT_PROTECTED.has(storage.getSelectedStorageBackend())) return undefined;
  return {
    seal: (text) => storage.encryptString(text),
    open: (sealed) => storage.decryptString(Buffer.from(sealed)),
  };
}

const NOT_PROTECTED: ReadonlySet<string> = new Set(['basic_text', 'unknown']);
