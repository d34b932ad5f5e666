import { detailWords } from '../../../renderer/src/shop/device/commandWords.ts';
import { command } from '../../helpers/snapshots.ts';
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { parseDeviceRequest } from '#shared/lib/requests/deviceRequest.ts';
import { ICONS } from '#shared/screen/icons.ts';
import { countCharacters } from '../../../renderer/src/shop/composer/CountedFields.tsx';
import {
  type CommandDraft,
  draftProblems,
  draftRequest,
  EMPTY_DRAFT,
  parseCommandDraft,
} from '../../../renderer/src/shop/composer/commandDraft.ts';
import { lightOf, readCommand, readStatics } from '../../../renderer/src/shop/composer/readRequest.ts';
import { findSigns, signName } from '../../../renderer/src/shop/composer/SignField.tsx';
import { curlLine, jsonPost, usualShell } from '../../../renderer/src/kit/code/curlLine.ts';

const draft: CommandDraft = {
  ...EMPTY_DRAFT,
  lines: ['Cable tie', '', 'third', '', ''],
  quantity: '0',
  arrow: 'left',
  seconds: '0',
};
const DEFAULTS = { seconds: 60, color: 'red' };
const read = (given: Partial<CommandDraft>) => readCommand(draftRequest({ ...draft, ...given }), DEFAULTS, 'A-1');

test('a request contains only the fields that were filled in', () => {
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

test('sends every field of the form under its API name', () => {
  const full: CommandDraft = {
    command: 'flash',
    lines: ['one', 'two', 'three', 'four', 'five'],
    quantity: '12',
    arrow: 'topright',
    icon: 'hazardn',
    barcode: 'CT-200',
    qrcode: 'Q',
    color: ' #8040c0 ',
    seconds: '30',
    sound: ' Charge ',
    nonce: 'n1',
  };
  expect(draftRequest(full)).toEqual({
    command: 'flash',
    line1: 'one',
    line2: 'two',
    line3: 'three',
    line4: 'four',
    line5: 'five',
    quantity: 12,
    arrow: 'topright',
    icon: 'hazardn',
    barcode: 'CT-200',
    qrcode: 'Q',
    color: '#8040c0',
    seconds: 30,
    sound: 'Charge',
    nonce: 'n1',
  });
  expect(parseCommandDraft(JSON.parse(JSON.stringify(full)))).toEqual(full);
});

test('the preview cuts and decodes text as the station does', () => {
  const long = 'x'.repeat(40);
  expect(read({ lines: [long, String.raw`\bcCT-200`, '', '', ''] }).screen).toEqual({
    label: 'A-1',
    lines: ['x'.repeat(26)],
    quantity: 0,
    arrow: 'left',
    barcode: 'CT-200',
    qrcode: '',
    icon: '',
  });
});

test("before sending, warns that text will be cut, with the station's message", () => {
  expect(read({}).warnings).toEqual([]);
  const typed = { ...draft, lines: ['', 'x'.repeat(27), '', '', ''] } as const;
  const answer = parseDeviceRequest(draftRequest(typed), DEFAULTS);
  expect(read(typed).warnings).toEqual(answer.ok ? answer.warnings : undefined);
  expect(read(typed).warnings).toEqual([expect.stringContaining('line2')]);
});

test('reports an invalid field by name, and draws the rest in the preview', () => {
  const wrong = read({ color: 'orang', sound: '140,c5' });
  expect(wrong.errors.map(({ path }) => path)).toEqual(['/color']);
  expect(wrong.warnings).toEqual([expect.stringMatching(/^The sound is not played.*character 7/)]);
  expect(wrong.screen.lines).toEqual(['Cable tie', '', 'third']);
  expect(wrong.content).toMatchObject({ color: 'red', sound: '', seconds: 0 });
  expect(lightOf(wrong, '140,c5')).toEqual({ led: undefined, time: 'no time limit', sound: '' });
});

test('draws as many elements as fit, and warns about the others', () => {
  const boxes = read({ qrcode: 'Q' });
  expect(boxes.errors).toEqual([]);
  expect(boxes.warnings).toEqual([expect.stringMatching(/^qrcode is not drawn: at most 2 /)]);
  expect(boxes.screen).toMatchObject({ quantity: 0, arrow: 'left', qrcode: '' });
  const lines = read({ lines: ['a', 'b', 'c', 'd', String.raw`\bcX`] });
  expect(lines.errors).toEqual([]);
  expect(lines.warnings).toEqual([
    expect.stringMatching(/^barcode in line5 is not drawn: at most 5 /),
    expect.stringMatching(/^arrow is not drawn: at most 5 /),
  ]);
  expect(lines.screen).toMatchObject({ lines: ['a', 'b', 'c', 'd'], quantity: 0, arrow: null, barcode: '' });
});

test('the preview shows the light and the sound of the command', () => {
  const said = (given: Partial<CommandDraft>) => lightOf(read(given), given.sound ?? '');
  expect(said({})).toEqual({
    led: { mode: 'steady', hex: '#ff0000', letter: 'R' },
    time: 'no time limit',
    sound: '',
  });
  expect(said({ command: 'flash', color: 'b', seconds: '', sound: 'charge' })).toEqual({
    led: { mode: 'blink', hex: '#0000ff', letter: 'B' },
    time: '60 s',
    sound: 'Charge · 1.8 s',
  });
  expect(said({ sound: '100,c5,2' }).sound).toBe('Own sound · 0.2 s');
});

test('checks that all statics fit on the screen together', () => {
  const statics = { statica: 'M8', staticb: String.raw`\bcX`, statice: '', quantity: 5, arrow: '', icon: 'hazardn' };
  expect(readStatics(statics, DEFAULTS, 'A-1')).toMatchObject({
    screen: { label: 'A-1', lines: ['M8'], quantity: 5, arrow: null, barcode: 'X', qrcode: '', icon: 'hazardn' },
    errors: [],
  });
  const tooMuch = readStatics({ ...statics, arrow: 'left' }, DEFAULTS, 'A-1');
  expect(tooMuch.errors).toEqual([]);
  expect(tooMuch.warnings).toEqual([expect.stringMatching(/^icon is not drawn: at most 2 /)]);
  expect(tooMuch.screen).toMatchObject({ quantity: 5, arrow: 'left', icon: '' });
});

test('counts characters as readers perceive them', () => {
  expect(['', 'Cable', 'e\u0301a', '\u{1f469}\u200d\u{1f527}'].map(countCharacters)).toEqual([0, 5, 2, 1]);
});

test('finds an icon by its name, its synonyms and its API code', () => {
  const names = (search: string) => findSigns(search).map(({ name }) => name);
  expect(findSigns(' ')).toBe(ICONS);
  expect(names('Gloves')).toEqual(['safety-gloves']);
  expect(names('no smok')).toEqual(['no-smoking']);
  expect(names('poison')).toEqual(['toxic']);
  expect([names('hazardd'), names('hazardD')]).toEqual([['no-smoking'], ['crane-lifting']]);
  expect(names('unicorn')).toEqual([]);
  expect([signName('hazardd'), signName('nothing')]).toEqual(['No smoking', 'nothing']);
});

test('reports a value that is not a whole number at its field, and does not send it', () => {
  expect(draftProblems({ ...draft, quantity: '1.5', seconds: ' ' })).toEqual({
    quantity: 'Enter a whole number, 0 or more.',
  });
  expect(draftRequest({ ...draft, quantity: '1.5' })).not.toHaveProperty('quantity');
  expect(draftProblems({ quantity: '1000000001', seconds: '2592001' })).toEqual({
    quantity: 'At most 1,000,000,000.',
    seconds: 'At most 2,592,000.',
  });
  expect(draftRequest({ ...draft, quantity: '1000000001' })).not.toHaveProperty('quantity');
});

test('reads the valid parts of a draft stored by an older version', () => {
  expect(parseCommandDraft('nonsense')).toEqual(EMPTY_DRAFT);
  expect(parseCommandDraft(undefined)).toEqual(EMPTY_DRAFT);
  expect(parseCommandDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
  expect(parseCommandDraft({ lines: ['one', 2], quantity: 5, arrow: 'sideways', command: 'flash' })).toEqual({
    ...EMPTY_DRAFT,
    command: 'flash',
    lines: ['one', '', '', '', ''],
  });
});

describe('the command line', () => {
  const url = 'http://127.0.0.1:4680/api/device/51D000:000001/';
  const body = { command: 'flash', line1: `Joe's "best" $HOME %PATH% \\ é & ^5 ‘x’ \`n` };

  test('a command line for a POSIX shell passes the request unchanged, including quotes', () => {
    const line = curlLine('posix', jsonPost({ url, body, key: 'KEY' }));
    const shown = execFileSync('sh', ['-c', line.replace(/^curl/, String.raw`printf '%s\n'`)], { encoding: 'utf8' });
    const words = shown.trimEnd().split('\n');
    expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual(body);
    expect(words.at(-1)).toBe(url);
  });

  test('a command line for cmd passes the request unchanged, without characters that cmd or a code page would change', () => {
    const line = curlLine('cmd', jsonPost({ url, body, key: 'KEY' }));
    expect(line.replaceAll(' ^\n', '')).toMatch(/^[\x20-\x24\x27-\x5d\x5f-\x7e]+$/);
    const words = windowsArguments(line.replaceAll(' ^\n', ' '));
    expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual(body);
    expect(words.at(-1)).toBe(url);
  });

  test('a command line for PowerShell uses a pipe, and plain ASCII with doubled quotes', () => {
    const line = curlLine('powershell', jsonPost({ url, body, key: 'KEY' }));
    expect(line).toMatch(/^[\x20-\x7e\n]+$/);
    const [, quoted = ''] = /^'((?:[^']|'')*)' \| curl\.exe /.exec(line) ?? [];
    expect(JSON.parse(quoted.replaceAll("''", "'"))).toEqual(body);
    expect(line).toContain(`--data-binary '@-'`);
  });

  test("the command line is written for the platform's usual shell", () => {
    expect(usualShell('Win32')).toBe('powershell');
    expect(usualShell('Linux x86_64')).toBe('posix');
    expect(usualShell('MacIntel')).toBe('posix');
  });
});

/** Splits a command line as a Windows program does: quotes group characters, and `\"` is a quote. */
function windowsArguments(line: string): string[] {
  const words: string[] = [];
  for (const [, quoted, plain] of line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)) {
    words.push(plain ?? (quoted ?? '').replaceAll(String.raw`\"`, '"'));
  }
  return words;
}

test('the details of a command name the cart or wall that lit the device', () => {
  const lit = command('1', { batch_id: 7, batch_name: 'Cart 3', location: 'A-1' });
  expect(detailWords(lit, 'A-1')).toBe('pick · Cart 3 · from script');
});
