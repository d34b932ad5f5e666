/** The shells that people paste into. */
export const SHELLS = ['posix', 'powershell', 'cmd'] as const;
export type Shell = (typeof SHELLS)[number];

type Ask = { url: string; body: unknown; key: string };

/** The shell that a person at this platform most likely has, from `navigator.platform`. */
export function usualShell(platform: string): Shell {
  return /^win/i.test(platform) ? 'powershell' : 'posix';
}

/** A POST with curl, to paste into a shell as it stands. */
export function curlLine(shell: Shell, { url, body, key }: Ask): string {
  const headers = [`API-KEY: ${key}`, 'content-type: application/json'];
  const json = JSON.stringify(body);
  switch (shell) {
    case 'posix':
      return ['curl -X POST', ...headers.map((each) => `-H ${posix(each)}`), `-d ${posix(json)}`, posix(url)].join(
        ' \\\n  ',
      );
    case 'powershell':
      // As an argument PowerShell 5 would lose the quotes and 7 would not: both pipe alike. `curl` alone is another program in 5.
      return [
        `${single(ascii(json))} | curl.exe -X POST`,
        ...headers.map((each) => `-H ${single(each)}`),
        `--data-binary '@-'`,
        single(url),
      ].join(' `\n  ');
    case 'cmd':
      return [
        'curl -X POST',
        ...headers.map((each) => `-H "${each}"`),
        `-d "${ascii(json, CMD_SPECIAL).replaceAll('"', String.raw`\"`)}"`,
        `"${url}"`,
      ].join(' ^\n  ');
  }
}

function posix(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function single(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** What cmd reads in a way of its own, inside quotes or out of them; none of it is JSON's own. */
const CMD_SPECIAL = /[%^&|<>!()']/;

/** JSON with everything beyond ASCII, and what `also` matches, in JSON's own escapes: no code page changes it on its way. */
function ascii(json: string, also?: RegExp): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json
    .replaceAll(/[^\x20-\x7e]/g, escaped)
    .replaceAll(/./g, (unit) => (also?.test(unit) === true ? escaped(unit) : unit))
    .replaceAll(/\\["\\]/g, (pair) => (also === undefined ? pair : pair === '\\"' ? '\\u0022' : '\\u005c'));
}
