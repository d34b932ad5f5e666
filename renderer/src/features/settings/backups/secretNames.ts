import * as texts from '../../../words/texts.ts';

/** Names of these secrets for people: settings, and addresses of displays. */
export function secretNames(names: readonly string[]): string[] {
  return names.map((name) => texts.settings.secret.names[name] ?? name);
}
