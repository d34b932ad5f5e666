/** Shells for which commands can be written. */
export const SHELLS = ['posix', 'powershell', 'cmd'] as const;
export type Shell = (typeof SHELLS)[number];

/** A request to write as a command. `body` is JSON; only commands for POSIX shells pass other text unchanged. */
export type Ask = { method: string; url: string; headers: readonly string[]; body: string | undefined };

/** Returns the shell that a person on this platform probably uses. `platform` is the value of `navigator.platform`. */
export function usualShell(platform: string): Shell {
  return /^win/i.test(platform) ? 'powershell' : 'posix';
}

export function jsonPost({ url, body, key }: { url: string; body: unknown; key: string }): Ask {
  return {
    method: 'POST',
    url,
    headers: [`API-KEY: ${key}`, 'content-type: application/json'],
    body: JSON.stringify(body),
  };
}

/** Returns a curl command to paste into a shell. */
export function curlLine(shell: Shell, { method, url, headers, body }: Ask): string {
  const verb = METHOD_OPTIONS.get(method) ?? ` -X ${method}`;
  switch (shell) {
    case 'posix': {
      const data = body === undefined ? [] : [`-d ${posix(body)}`];
      return [`curl${verb}`, ...headers.map((each) => `-H ${posix(each)}`), ...data, posix(url)].join(' \\\n  ');
    }
    case 'powershell':
      // Pipe the body: as an argument, PowerShell 5 drops its quotes and PowerShell 7 keeps them. In PowerShell 5,
      // `curl` without `.exe` is an alias for another command.
      return [
        `${body === undefined ? '' : `${single(ascii(body))} | `}curl.exe${verb}`,
        ...headers.map((each) => `-H ${single(each)}`),
        ...(body === undefined ? [] : [`--data-binary '@-'`]),
        single(url),
      ].join(' `\n  ');
    case 'cmd':
      return [
        `curl${verb}`,
        ...headers.map((each) => `-H "${each}"`),
        ...(body === undefined ? [] : [`-d "${ascii(body, CMD_SPECIAL).replaceAll('"', String.raw`\"`)}"`]),
        `"${url}"`,
      ].join(' ^\n  ');
  }
}

/** curl options for the methods that should not be set with `-X`. */
const METHOD_OPTIONS = new Map(Object.entries<string>({ GET: '', HEAD: ' --head' }));

function posix(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function single(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Characters that are special in cmd, inside or outside quotes. JSON does not use any of them as syntax. */
const CMD_SPECIAL = /[%^&|<>!()']/;

/** Escapes non-ASCII characters, and those that match `also`, as `\uXXXX`, so that no code page can change the JSON. */
function ascii(json: string, also?: RegExp): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json
    .replaceAll(/[^\x20-\x7e]/g, escaped)
    .replaceAll(/./g, (unit) => (also?.test(unit) === true ? escaped(unit) : unit))
    .replaceAll(/\\["\\]/g, (pair) => (also === undefined ? pair : pair === '\\"' ? '\\u0022' : '\\u005c'));
}
