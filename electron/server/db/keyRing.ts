import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StationError } from '../errors.ts';
import type { Keychain } from '../ports.ts';
import { syncPath } from './backupFiles.ts';
import { oneLine, reasonOf } from './inspection.ts';
import { type DataKey, dataKeyOf, KEY_BYTES, isSealed, keyIdOf, newDataKey, seal, unseal } from './sealed.ts';

/** File in the data folder with the key in base64, readable only by its owner. */
export const KEY_FILE = 'data.key';
/** File in the data folder with the key, encrypted by the system's keychain. */
export const KEYCHAIN_FILE = 'data.key.keychain';

/** Encrypts and decrypts the secrets of one data folder. */
export type KeyRing = {
  /** Encrypts a text, creating a key if there is none. Throws a StationError if the key cannot be stored. */
  seal(place: string, text: string): string;
  /** Decrypts a text. Returns undefined if none of the folder's keys fits. */
  open(place: string, text: string): string | undefined;
  /** Returns the current key. Creates one if there is none, as `seal` does. */
  key(): DataKey;
  /** Returns the id of the current key, or undefined if there is none. */
  id(): string | undefined;
  /** Returns why this stored text cannot be decrypted, as a sentence. */
  whyClosed(text: string): string;
};

/** The reason why a key cannot be read, as a sentence. */
type Unreadable = { why: string };

/**
 * Opens the key of a data folder: from the environment, or else from its keychain or its file. A folder gets a key with its first secret,
 * stored in the keychain if there is one, or else in a file.
 * - `given` is 32 bytes in base64.
 * - `findKeychain` is called only if a key is or will be in the keychain, because access takes time.
 * - `writeFile` also keeps the key in the file, so that a station without this keychain can read it.
 */
export function openKeyRing(
  folder: string,
  how: {
    given?: string | undefined;
    findKeychain?: (() => Keychain | undefined) | undefined;
    writeFile?: boolean | undefined;
  } = {},
): KeyRing {
  const { given, writeFile = false } = how;
  const [file, inKeychain] = [join(folder, KEY_FILE), join(folder, KEYCHAIN_FILE)];
  let asked: { keychain: Keychain | undefined } | undefined;
  const findKeychain = (): Keychain | undefined => (asked ??= { keychain: how.findKeychain?.() }).keychain;
  const readChain = (path: string): DataKey | Unreadable => readKeychainFile(path, findKeychain());
  const found = [
    ...(given === undefined ? [] : [parseDataKey(given) ?? { why: 'PICKSTATION_DATA_KEY holds no key.' }]),
    ...(existsSync(inKeychain) ? [readChain(inKeychain)] : []),
    ...(existsSync(file) ? [readKeyFile(file)] : []),
  ];
  /** The first key encrypts. The other keys only decrypt. */
  const keys = found.filter(isKey);
  let formerKeys: readonly DataKey[] | undefined;
  // Never encrypt with a previous key: it may have been replaced for a reason.
  let current = found.find(isKey);
  const present = current;
  if (present !== undefined && writeFile) stored(() => keepInFile(present));

  function keepInFile(key: DataKey): void {
    if (existsSync(file)) {
      const there = readKeyFile(file);
      if (isKey(there) && there.id === key.id) return;
      setAside(file);
    }
    writeKey(file, key);
  }

  /** Finds a previous key by its id. Previous keys are read when one is first needed. */
  function findFormer(by: string): DataKey | undefined {
    formerKeys ??= [...formerOf(inKeychain).map(readChain), ...formerOf(file).map(readKeyFile)].filter(isKey);
    return formerKeys.find(({ id }) => id === by);
  }

  function make(): DataKey {
    const key = newDataKey();
    for (const path of [file, inKeychain]) setAside(path);
    const keychain = findKeychain();
    const isInKeychain = keychain !== undefined && isKept(keychain, key);
    if (!isInKeychain || writeFile) writeKey(file, key);
    keys.push(key);
    current = key;
    return key;
  }

  /** Stores the key in the keychain. Returns false if the keychain does not return what it stored, so that a file must be used. */
  function isKept(chain: Keychain, key: DataKey): boolean {
    try {
      writePrivate(inKeychain, chain.seal(key.bytes.toString('base64')));
      if (parseDataKey(chain.open(readFileSync(inKeychain)))?.id === key.id) return true;
    } catch {
      // Continue without the keychain.
    }
    rmSync(inKeychain, { force: true });
    return false;
  }

  const key = (): DataKey => current ?? stored(make);

  function stored<T>(store: () => T): T {
    try {
      return store();
    } catch (error) {
      throw new StationError(
        'storage',
        `The data key that encrypts passwords could not be stored in ${folder} (${oneLine(reasonOf(error))}). Check that the disk has free space and is writable.`,
      );
    }
  }

  return {
    key,
    seal: (place, text) => seal(key(), place, text),
    open(place, text) {
      const by = keyIdOf(text);
      if (by === '') return undefined;
      const fitting = keys.find(({ id }) => id === by) ?? findFormer(by);
      return fitting === undefined ? undefined : unseal(fitting, place, text);
    },
    id: () => current?.id,
    whyClosed(text) {
      if (!isSealed(text)) return 'Its stored value is not encrypted, so another program wrote it.';
      if (keyIdOf(text) === '') return 'Its stored value was changed, or a newer version wrote it.';
      if (current !== undefined) return 'It was sealed with another data key, or was changed.';
      const [why] = found.flatMap((one) => (isKey(one) ? [] : [one.why]));
      return why ?? `The data key of this folder is missing: its ${KEY_FILE}, or PICKSTATION_DATA_KEY.`;
    },
  };
}

function isKey(found: DataKey | Unreadable): found is DataKey {
  return 'bytes' in found;
}

function readKeychainFile(path: string, keychain: Keychain | undefined): DataKey | Unreadable {
  if (keychain === undefined) {
    const why =
      'The data key is in the keychain of the desktop. Start the desktop on this folder once with --key-file, or set PICKSTATION_DATA_KEY.';
    return { why };
  }
  try {
    const key = parseDataKey(keychain.open(readFileSync(path)));
    return key ?? { why: `The keychain of this system has no key for ${KEYCHAIN_FILE}.` };
  } catch (error) {
    return { why: `The keychain of this system does not open ${KEYCHAIN_FILE} (${oneLine(reasonOf(error))}).` };
  }
}

function readKeyFile(path: string): DataKey | Unreadable {
  try {
    const why = refusalOf(path);
    if (why !== undefined) return { why };
    return parseDataKey(readFileSync(path, 'latin1')) ?? { why: `${KEY_FILE} holds no key: 32 bytes as base64.` };
  } catch (error) {
    return { why: `${KEY_FILE} cannot be read (${oneLine(reasonOf(error))}).` };
  }
}

/** Parses 32 bytes in base64, ignoring surrounding white space. Returns undefined if the text is invalid. */
export function parseDataKey(text: string): DataKey | undefined {
  const trimmed = text.trim();
  const bytes = Buffer.from(trimmed, 'base64');
  return bytes.length === KEY_BYTES && bytes.toString('base64') === trimmed ? dataKeyOf(bytes) : undefined;
}

/** Returns why this file is not trusted, as a sentence, or undefined if only its owner can read it. */
function refusalOf(file: string): string | undefined {
  const { mode } = lstatSync(file);
  if (!lstatSync(file).isFile()) return `${KEY_FILE} is not a file.`;
  if (process.platform === 'win32' || (mode & 0o077) === 0) return undefined;
  return `Users other than its owner can open ${KEY_FILE}. Run chmod 600 ${file} and start the station again.`;
}

/** Renames the file of a key that is being replaced, so that its secrets can still be decrypted. */
function setAside(path: string): void {
  if (!existsSync(path)) return;
  const [newest = 0] = numbersAside(path);
  renameSync(path, asideOf(path, newest + 1));
}

function asideOf(path: string, number: number): string {
  return `${path}.old-${number}`;
}

/** Returns the paths of previous keys, newest first. */
function formerOf(path: string): string[] {
  return numbersAside(path).map((number) => asideOf(path, number));
}

function numbersAside(path: string): number[] {
  const start = `${basename(path)}.old-`;
  const ends = readdirSync(dirname(path)).flatMap((name) => (name.startsWith(start) ? [name.slice(start.length)] : []));
  return ends
    .filter((end) => /^[1-9]\d{0,8}$/.test(end))
    .map(Number)
    .toSorted((a, b) => b - a);
}

function writeKey(file: string, { bytes }: DataKey): void {
  writePrivate(file, `${bytes.toString('base64')}\n`);
}

/** Writes a file atomically and durably. */
function writePrivate(path: string, content: string | Uint8Array): void {
  const part = `${path}.part`;
  rmSync(part, { force: true });
  const handle = openSync(part, 'wx', 0o600);
  try {
    writeSync(handle, Buffer.from(content));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(part, path);
  syncPath(join(path, '..'));
}
