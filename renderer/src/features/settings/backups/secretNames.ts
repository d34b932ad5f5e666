import * as texts from '../../../words/texts.ts';

/** What people call these secrets: names of settings, and addresses of displays. */
export function secretNames(names: readonly string[]): string[] {
  return names.map((name) => texts.settings.secret.names[name] ?? name);
}
