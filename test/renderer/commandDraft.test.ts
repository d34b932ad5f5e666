import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  curlLine,
  draftRequest,
  draftScreen,
  EMPTY_DRAFT,
  type CommandDraft,
} from '../../renderer/src/features/devicePanel/commandDraft.ts';

const draft: CommandDraft = {
  ...EMPTY_DRAFT,
  lines: ['Cable tie', '', 'third', '', ''],
  quantity: 0,
  arrow: 'left',
  seconds: 0,
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

test('a shell reads the curl line as what was typed, quotes and all', () => {
  const line1 = `Joe's "best" $HOME \\ 5`;
  const line = curlLine('http://127.0.0.1:4680', '/api/device/51D000:000001/', { command: 'flash', line1 }, 'KEY');
  const shown = execFileSync('sh', ['-c', line.replace(/^curl/, String.raw`printf '%s\n'`)], { encoding: 'utf8' });
  const words = shown.trimEnd().split('\n');
  expect(JSON.parse(words[words.indexOf('-d') + 1] ?? '')).toEqual({ command: 'flash', line1 });
  expect(words.at(-1)).toBe('http://127.0.0.1:4680/api/device/51D000:000001/');
});
