import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  draftHints,
  draftProblems,
  draftRequest,
  draftScreen,
  EMPTY_DRAFT,
  parseCommandDraft,
  type CommandDraft,
} from '../../renderer/src/features/devicePanel/commandDraft.ts';
import { curlLine, usualShell } from '../../renderer/src/features/devicePanel/curlLine.ts';

const draft: CommandDraft = {
  ...EMPTY_DRAFT,
  lines: ['Cable tie', '', 'third', '', ''],
  quantity: '0',
  arrow: 'left',
  seconds: '0',
};

test('a request has what was given and nothing else', () => {
  expect(draftRequest(EMPTY_DRAFT)).toEqual({ command: 'pick' });
  expect(draftRequest(draft)).toEqual({
    command: 'pick',
    line1: 'Cable tie',
    line3: 'third',
    quantity: 0,
    arrow: 'left',
    seconds: 0,
  });
});

test('the preview is cut and decoded as the station does it', () => {
  const long = 'x'.repeat(40);
  expect(draftScreen({ ...draft, lines: [long, String.raw`\bcCT-200`, '', '', ''] }, 'A-1')).toEqual({
    label: 'A-1',
    lines: ['x'.repeat(26)],
    quantity: 0,
    arrow: 'left',
    barcode: 'CT-200',
    qrcode: '',
    icon: '',
  });
});

test('what will be cut or refused is said before it is sent', () => {
  expect(draftHints(draft)).toEqual([]);
  expect(draftHints({ ...draft, lines: ['', 'x'.repeat(27), '', '', ''] })).toEqual([
    'Line 2: cut after 26 characters.',
  ]);
  expect(draftHints({ ...draft, qrcode: 'Q' })).toEqual([
    'QR code: shown as text in a box. This version draws no codes.',
    'At most two of quantity, QR code and arrow fit one screen.',
  ]);
  expect(draftHints({ ...EMPTY_DRAFT, barcode: '4006381333931', qrcode: 'Q' })).toEqual([
    'Barcode, QR code: shown as text in a box. This version draws no codes.',
  ]);
  expect(draftHints({ ...draft, lines: ['a', 'b', 'c', 'd', ''] })).toEqual(['At most five things fit one screen.']);
});

test('what is no whole number is said at its field and kept as typed', () => {
  expect(draftProblems({ ...draft, quantity: '1.5', seconds: ' ' })).toEqual({
    quantity: 'A whole number, 0 or more.',
  });
  expect(draftRequest({ ...draft, quantity: '1.5' })).not.toHaveProperty('quantity');
});

test('a draft kept by an older page is read as far as it is understood', () => {
  expect(parseCommandDraft('nonsense')).toEqual(EMPTY_DRAFT);
  expect(parseCommandDraft(undefined)).toEqual(EMPTY_DRAFT);
  expect(parseCommandDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
  expect(parseCommandDraft({ lines: ['one', 2], quantity: 5, arrow: 'sideways', command: 'flash' })).toEqual({
    ...EMPTY_DRAFT,
    command: 'flash',
    lines: ['one', '', '', '', ''],
  });
});

describe('the curl line', () => {
  const url = 'http://127.0.0.1:4680/api/device/51D000:000001/';
  const body = { command: 'flash', line1: `Joe's "best" $HOME %PATH% \\ é & ^5 ‘x’ \`n` };

  test('is read by a shell as what was typed, quotes and all', () => {
    const line = curlLine('posix', { url, body, key: 'KEY' });
    const shown = execFileSync('sh', ['-c', line.replace(/^curl/, String.raw`printf '%s\n'`)], { encoding: 'utf8' });
    const words = shown.trimEnd().split('\n');
    expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual(body);
    expect(words.at(-1)).toBe(url);
  });

  test('is read by cmd as what was typed, with nothing that cmd or a code page would change', () => {
    const line = curlLine('cmd', { url, body, key: 'KEY' });
    expect(line.replaceAll(' ^\n', '')).toMatch(/^[\x20-\x24\x27-\x5d\x5f-\x7e]+$/);
    const words = windowsArguments(line.replaceAll(' ^\n', ' '));
    expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual(body);
    expect(words.at(-1)).toBe(url);
  });

  test('goes through a pipe in PowerShell, in plain ASCII, with quotes doubled', () => {
    const line = curlLine('powershell', { url, body, key: 'KEY' });
    expect(line).toMatch(/^[\x20-\x7e\n]+$/);
    const [, quoted = ''] = /^'((?:[^']|'')*)' \| curl\.exe /.exec(line) ?? [];
    expect(JSON.parse(quoted.replaceAll("''", "'"))).toEqual(body);
    expect(line).toContain(`--data-binary '@-'`);
  });

  test('is for the shell that the person most likely has', () => {
    expect(usualShell('Win32')).toBe('powershell');
    expect(usualShell('Linux x86_64')).toBe('posix');
    expect(usualShell('MacIntel')).toBe('posix');
  });
});

/** A command line as a Windows program reads it: quotes group, `\"` is a quote. */
function windowsArguments(line: string): string[] {
  const words: string[] = [];
  for (const [, quoted, plain] of line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)) {
    words.push(plain ?? (quoted ?? '').replaceAll(String.raw`\"`, '"'));
  }
  return words;
}
