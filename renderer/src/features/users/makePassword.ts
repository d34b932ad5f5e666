import { PASSWORD_WORDS } from './passwordWords.ts';

export const PASSWORD_KINDS = ['words', 'random'] as const;
export type PasswordKind = (typeof PASSWORD_KINDS)[number];

/** Without those that are taken for each other: no l, 1, o, 0. */
const SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789';
const WORDS = 5;
const RANDOM_SIGNS = 16;

/** Fills the array with bytes that nobody can guess: `crypto.getRandomValues`, which is there over plain HTTP too. */
export type RandomBytes = (bytes: Uint8Array<ArrayBuffer>) => unknown;

/** Five easy words (40 bits, where a station takes ten tries a minute), or sixteen signs (80 bits). */
export function makePassword(kind: PasswordKind, random: RandomBytes): string {
  const bytes = new Uint8Array(kind === 'words' ? WORDS : RANDOM_SIGNS);
  random(bytes);
  if (kind === 'words') return Array.from(bytes, (byte) => PASSWORD_WORDS[byte]).join('-');
  return Array.from(bytes, (byte) => SIGNS[byte % SIGNS.length]).join('');
}
