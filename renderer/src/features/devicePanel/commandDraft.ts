import type { DeviceRequest } from '#shared/api/device.ts';
import { cutLine } from '#shared/lib/text.ts';
import type { Arrow, ScreenContent } from '#shared/screen/content.ts';
import { readLineEncoding } from '#shared/screen/lineEncoding.ts';

/** What a person has typed into the form. */
export type CommandDraft = {
  command: 'flash' | 'pick';
  lines: readonly [string, string, string, string, string];
  quantity: number | null;
  arrow: Arrow | '';
  color: string;
  seconds: number | null;
  nonce: string;
};

export const EMPTY_DRAFT: CommandDraft = {
  command: 'pick',
  lines: ['', '', '', '', ''],
  quantity: null,
  arrow: '',
  color: '',
  seconds: null,
  nonce: '',
};

/** The request that sends the draft: only what was given, so that the station's defaults count. */
export function draftRequest(draft: CommandDraft): DeviceRequest {
  const [line1, line2, line3, line4, line5] = draft.lines;
  const texts = {
    line1,
    line2,
    line3,
    line4,
    line5,
    arrow: draft.arrow,
    color: draft.color.trim(),
    nonce: draft.nonce,
  };
  const request: DeviceRequest = { command: draft.command };
  for (const [field, text] of Object.entries(texts)) {
    if (text !== '') Object.assign(request, { [field]: text });
  }
  if (draft.quantity !== null) request.quantity = draft.quantity;
  if (draft.seconds !== null) request.seconds = draft.seconds;
  return request;
}

/** The screen of the draft at a place with this label, as the station makes it of the request. */
export function draftScreen(draft: CommandDraft, label: string): ScreenContent {
  const codes = { barcode: '', qrcode: '', icon: '' };
  const lines = draft.lines.map((line) => {
    const encoded = readLineEncoding(line);
    if (encoded === undefined) return cutLine(line);
    codes[encoded.element] = encoded.text;
    return '';
  });
  while (lines.at(-1) === '') lines.pop();
  return { label, lines, quantity: draft.quantity, arrow: draft.arrow === '' ? null : draft.arrow, ...codes };
}

/** The same request as a command line for a POSIX shell. */
export function curlLine(origin: string, path: string, request: DeviceRequest, key: string): string {
  return [
    'curl -X POST',
    ` -H ${quote(`API-KEY: ${key}`)}`,
    ` -H ${quote('content-type: application/json')}`,
    ` -d ${quote(JSON.stringify(request))}`,
    ` ${quote(`${origin}${path}`)}`,
  ].join(' \\\n');
}

function quote(text: string): string {
  if (/^[\w:/.-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
