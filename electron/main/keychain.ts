import type { SafeStorage } from 'electron';
import type { StationPorts } from '../server/station.ts';

type FoundKeychain = ReturnType<NonNullable<StationPorts['findKeychain']>>;

/**
 * The keychain of the system as Electron has it, once the app is ready. Undefined where there is none, or where Electron would
 * only pretend: without a keyring on Linux it encrypts with a password that everybody knows. On Windows it encrypts with a key in
 * the window's profile, which people may delete. `isProfileKept`: the profile is none that ends with this start.
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
