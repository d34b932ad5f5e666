import * as texts from '../../../words/texts.ts';

/** Returns the display names of secrets. A secret without one keeps its own name, such as the address of a display. */
export function secretNames(names: readonly string[]): string[] {
  return names.map((name) => texts.settings.secret.names[name] ?? name);
}
