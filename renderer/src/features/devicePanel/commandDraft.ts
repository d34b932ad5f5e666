import type { CommandEntry, DeviceRequest } from '#shared/api/device.ts';
import { cutLine, isTooLong } from '#shared/lib/text.ts';
import {
  ARROWS,
  boxedElements,
  countElements,
  MAX_BOXED_ELEMENTS,
  MAX_ELEMENTS,
  type Arrow,
  type ScreenContent,
} from '#shared/screen/content.ts';
import { readLineEncoding } from '#shared/screen/lineEncoding.ts';
import { texts } from '../../ui/texts.ts';

/** What a person has typed into the form, as typed. */
export type CommandDraft = {
  command: 'flash' | 'pick';
  lines: readonly [string, string, string, string, string];
  quantity: string;
  arrow: Arrow | '';
  barcode: string;
  qrcode: string;
  color: string;
  seconds: string;
  sound: string;
  nonce: string;
};

export const EMPTY_DRAFT: CommandDraft = {
  command: 'pick',
  lines: ['', '', '', '', ''],
  quantity: '',
  arrow: '',
  barcode: '',
  qrcode: '',
  color: '',
  seconds: '',
  sound: '',
  nonce: '',
};

/** A draft of what was kept; what is missing or odd is empty. */
export function parseCommandDraft(kept: unknown): CommandDraft {
  if (typeof kept !== 'object' || kept === null) return EMPTY_DRAFT;
  const fields = new Map<string, unknown>(Object.entries(kept));
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '';
  };
  const lines = fields.get('lines');
  const line = (place: number) => {
    const value: unknown = Array.isArray(lines) ? lines[place] : undefined;
    return typeof value === 'string' ? value : '';
  };
  return {
    command: fields.get('command') === 'flash' ? 'flash' : 'pick',
    lines: [line(0), line(1), line(2), line(3), line(4)],
    quantity: text('quantity'),
    arrow: ARROWS.find((arrow) => arrow === text('arrow')) ?? '',
    barcode: text('barcode'),
    qrcode: text('qrcode'),
    color: text('color'),
    seconds: text('seconds'),
    sound: text('sound'),
    nonce: text('nonce'),
  };
}

/** A whole number from 0 up as it was typed; undefined where it is none or nothing. */
export function readWhole(typed: string): number | undefined {
  return /^\s*\d{1,15}\s*$/.test(typed) ? Number(typed) : undefined;
}

/** What cannot be sent, by field. */
export function draftProblems(draft: CommandDraft): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const field of ['quantity', 'seconds'] as const) {
    if (draft[field].trim() !== '' && readWhole(draft[field]) === undefined) problems[field] = texts.form.wholeNumber;
  }
  return problems;
}

/** The request that sends the draft: only what was given, so that the station's defaults count. */
export function draftRequest(draft: CommandDraft): DeviceRequest {
  const [line1, line2, line3, line4, line5] = draft.lines;
  const { arrow, barcode, qrcode, nonce } = draft;
  const given = { line1, line2, line3, line4, line5, arrow, barcode, qrcode, nonce };
  const request: DeviceRequest = { command: draft.command };
  for (const [field, text] of Object.entries({ ...given, color: draft.color.trim(), sound: draft.sound.trim() })) {
    if (text !== '') Object.assign(request, { [field]: text });
  }
  const quantity = readWhole(draft.quantity);
  const seconds = readWhole(draft.seconds);
  if (quantity !== undefined) request.quantity = quantity;
  if (seconds !== undefined) request.seconds = seconds;
  return request;
}

/** The request that a command in a queue came from, or one that lights the same. */
export function entryRequest(entry: CommandEntry): DeviceRequest {
  const { line1, line2, line3, line4, line5, barcode, qrcode, icon, sound, nonce, color, seconds } = entry;
  const request: DeviceRequest = { command: entry.command };
  const given = { line1, line2, line3, line4, line5, barcode, qrcode, icon, arrow: entry.arrow ?? '', sound, nonce };
  for (const [field, text] of Object.entries(given)) {
    if (text !== '') Object.assign(request, { [field]: text });
  }
  if (entry.quantity !== null) request.quantity = entry.quantity;
  return { ...request, color, seconds };
}

/** The screen of the draft at a place with this label, as the station makes it of the request. */
export function draftScreen(draft: CommandDraft, label: string): ScreenContent {
  const codes = { barcode: draft.barcode, qrcode: draft.qrcode, icon: '' };
  const lines = draft.lines.map((line) => {
    const encoded = readLineEncoding(line);
    if (encoded === undefined) return cutLine(line);
    codes[encoded.element] = encoded.text;
    return '';
  });
  while (lines.at(-1) === '') lines.pop();
  const quantity = readWhole(draft.quantity) ?? null;
  return { label, lines, quantity, arrow: draft.arrow === '' ? null : draft.arrow, ...codes };
}

/** What becomes of the draft other than it was typed, before it is sent: a sentence each. */
export function draftHints(draft: CommandDraft): string[] {
  const screen = draftScreen(draft, '');
  const cut = draft.lines.flatMap((line, place) => {
    return readLineEncoding(line) === undefined && isTooLong(line) ? [texts.form.line(place + 1)] : [];
  });
  const codes = [
    ...(screen.barcode === '' ? [] : [texts.form.barcode]),
    ...(screen.qrcode === '' ? [] : [texts.form.qrcode]),
  ];
  return [
    ...(cut.length > 0 ? [texts.form.cut(cut.join(', '))] : []),
    ...(codes.length > 0 ? [texts.form.noCodes(codes.join(', '))] : []),
    ...(boxedElements(screen).length > MAX_BOXED_ELEMENTS ? [texts.form.tooManyBoxed] : []),
    ...(countElements(screen) > MAX_ELEMENTS ? [texts.form.tooMany] : []),
  ];
}
