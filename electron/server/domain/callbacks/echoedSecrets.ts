import { valueAt } from '#shared/lib/station/valueAt.ts';
import { HIDDEN } from '../station/hiddenSecrets.ts';

/** Minimum length of values to hide. Anybody can guess shorter values, and replacing them would make a response unreadable. */
const MIN_LENGTH = 4;
/** Minimum length of a part of a value, such as the token after `Bearer`, for the part to be hidden too. */
const MIN_PART_LENGTH = 8;

/**
 * Returns secrets in a request that the response must not repeat: the values of these headers, their words, and the password of a Basic
 * sign-in. `secret` lists header names in lower case.
 */
export function secretValuesOf(headers: Readonly<Record<string, string>>, secret: readonly string[]): string[] {
  const found = new Set<string>();
  for (const name of secret) {
    const value = valueAt(headers, name)?.trim() ?? '';
    if (value.length >= MIN_LENGTH) found.add(value);
    for (const part of value.split(/\s+/)) if (part.length >= MIN_PART_LENGTH) found.add(part);
    const password = passwordOf(value);
    if (password.length >= MIN_LENGTH) found.add(password);
  }
  // Sort by length, longest first, because a value may contain another one.
  return [...found].toSorted((one, other) => other.length - one.length);
}

function passwordOf(value: string): string {
  const [, encoded] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(value) ?? [];
  if (encoded === undefined) return '';
  const credentials = Buffer.from(encoded, 'base64').toString('utf8');
  return credentials.slice(credentials.indexOf(':') + 1);
}

/**
 * Replaces each value in a text with `***`, including its JSON and URL encodings. `isCut` tells whether the text may end inside a value,
 * whose beginning is then replaced too.
 */
export function hideValues(text: string, values: readonly string[], isCut: boolean): string {
  if (text === '') return text;
  let shown = text;
  for (const value of values) {
    for (const form of formsOf(value)) {
      shown = shown.replaceAll(form, HIDDEN);
      if (isCut) shown = withoutBeginning(shown, form);
    }
  }
  return shown;
}

function formsOf(value: string): Set<string> {
  const json = JSON.stringify(value).slice(1, -1);
  return new Set([value, json, json.replaceAll('/', '\\/'), encodeURIComponent(value.toWellFormed())]);
}

function withoutBeginning(text: string, form: string): string {
  for (let length = Math.min(form.length - 1, text.length); length >= MIN_LENGTH; length -= 1)
    if (text.endsWith(form.slice(0, length))) return text.slice(0, -length) + HIDDEN;
  return text;
}
