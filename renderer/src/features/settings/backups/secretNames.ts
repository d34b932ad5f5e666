import * as texts from '../../../words/texts.ts';

/** Returns the display names of secrets. A secret is named by its setting, or by the address of a display. */
export function secretNames(names: readonly string[]): string[] {
  return names.map((name) => texts.settings.secret.names[name] ?? name);
}
