import { HIDDEN } from '../station/hiddenSecrets.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * Masks headers for API responses: `***` replaces each value that is not empty, because a name does not show whether its value is secret.
 */
export function maskHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value === '' ? '' : HIDDEN]));
}

/**
 * Returns the headers to store, with the stored value in place of each `***`. `unknown` lists names with `***` for which no value is
 * stored. Names are compared ignoring case.
 */
export function unmaskHeaders(sent: Headers, stored: Headers): { headers: Record<string, string>; unknown: string[] } {
  const kept = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]));
  const unknown: string[] = [];
  const headers = Object.entries(sent).map(([name, value]) => {
    if (value !== HIDDEN) return [name, value];
    const before = kept.get(name.toLowerCase());
    if (before === undefined) unknown.push(name);
    return [name, before ?? value];
  });
  return { headers: Object.fromEntries(headers), unknown };
}
