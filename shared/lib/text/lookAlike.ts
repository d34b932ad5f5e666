import { COMMAND_PREFIX } from '../picking/scanCommands.ts';
import { DEVICE_ID } from '../devices/deviceLimits.ts';
import { nameKey } from './nameKey.ts';

/** Cyrillic and Greek letters that look like these Latin letters, in lower case. The capitals decide, because labels are in capitals. */
const TWINS = new Map(
  'авекмнорстухіјѕαβεζηικμνορτυχ'.split('').map((letter, at) => [letter, 'abekmhopctyxijsabezhikmnoptyx'.charAt(at)]),
);
const SEPARATORS = /[\s\p{Pd}\u2212]+/gu;
const LETTER_AND_DIGIT = /(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/gu;
const BETWEEN_DIGITS = /(?<=\d)-(?=\d)/u;

/** Returns the name in lower case and in compatible characters, with Latin letters in place of their Cyrillic and Greek twins. */
function plain(name: string): string {
  return nameKey(name.normalize('NFKC')).replaceAll(/[Ͱ-ӿ]/gu, (letter) => TWINS.get(letter) ?? letter);
}

/**
 * Returns a key that is equal for names that people confuse: they differ only in case, blanks, dashes, compatible characters, or Cyrillic
 * and Greek twins of Latin letters. A separator between two digits counts, because A-1-11 and A-11-1 are different shelves.
 */
export function lookAlikeKey(name: string): string {
  const parts = plain(name).replaceAll(SEPARATORS, '-').split(BETWEEN_DIGITS);
  return parts.map((part) => part.replaceAll('-', '')).join('-');
}

/** Returns the key without any separators, for a search that `lookAlikeKey` then confirms. */
export function bareKey(name: string): string {
  return plain(name).replaceAll(SEPARATORS, '');
}

/**
 * Returns the usual spellings of a name: as given, with each kind of separator, and with separators between letters and digits. Each is a
 * `nameKey`.
 */
export function usualSpellings(name: string): string[] {
  const base = plain(name);
  const split = base.replaceAll(LETTER_AND_DIGIT, '-');
  const spelled = ['-', ' ', ''].flatMap((separator) =>
    [base, split].map((text) => text.replaceAll(SEPARATORS, separator)),
  );
  return [...new Set([nameKey(name), base, ...spelled])].filter((key) => key !== '');
}

/** Whether a scan of this name is read as a printed command. */
export function isCommandName(name: string): boolean {
  return nameKey(name).startsWith(nameKey(COMMAND_PREFIX));
}

/**
 * Returns why a place or code cannot have this name, as a sentence, or undefined if it can. Reserved are the names of printed commands, and
 * DeviceIDs other than `own`.
 */
export function whyReserved(name: string, own?: string | null): string | undefined {
  if (isCommandName(name)) return `Names that begin with ${COMMAND_PREFIX} are printed commands. Choose another name.`;
  if (!DEVICE_ID.test(name.trim()) || name.trim().toUpperCase() === own) return undefined;
  return `"${name}" is written like the DeviceID of a device. Choose another name.`;
}
