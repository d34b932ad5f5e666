import * as texts from '../../../words/texts.ts';

/** Returns the names of secrets for people. A name can be a setting or the address of a display. */
export function secretNames(names: readonly string[]): string[] {
  return names.map((name) => texts.settings.secret.names[name] ?? name);
}
