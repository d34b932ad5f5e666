import { StationError } from '../../server/errors.ts';

/** Replaces each `{{name}}` in a template with its value. Throws for a name without a value. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template has no value for ${name}.`);
    return value;
  });
}

/** Quotes a command line for a systemd unit. systemd expands `%` everywhere, and `$` in all words but the program. */
export function systemdCommand([program = '', ...args]: readonly string[]): string {
  return [systemdWord(program), ...args.map(systemdArgument)].join(' ');
}

/** Quotes an argument in the command line of a systemd unit. */
export function systemdArgument(text: string): string {
  return systemdWord(text).replaceAll('$', '$$$$');
}

/** Quotes a word of a list in a systemd unit. Like all functions for quoting in this file, throws for a control character. */
export function systemdWord(text: string): string {
  refuseControl(text);
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`;
}

/** Throws if the text contains a control character, which would end a line of a systemd unit, and which XML does not allow. */
function refuseControl(text: string): void {
  if (!/\p{Cc}/u.test(text)) return;
  throw new StationError(
    'invalid',
    `${JSON.stringify(text)} contains a control character, such as a line break, and a service cannot have that in a path: rename the folder. Nothing was changed.`,
  );
}

const XML = new Map(Object.entries<string>({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }));

export function xmlText(text: string): string {
  refuseControl(text);
  return text.replaceAll(/[&<>"']/g, (sign) => XML.get(sign) ?? sign);
}

/** Quotes an argument for the rules by which Windows programs parse their command line: a backslash is special only before a quote. */
export function windowsArgument(text: string): string {
  refuseControl(text);
  if (text !== '' && !/[\s"]/.test(text)) return text;
  return `"${text.replaceAll(/(\\*)"/g, String.raw`$1$1\"`).replace(/\\+$/, '$&$&')}"`;
}
