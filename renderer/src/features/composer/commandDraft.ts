import type { CommandEntry, DeviceRequest } from '#shared/api/device.ts';
import { LARGEST_QUANTITY, MAX_SECONDS } from '#shared/lib/deviceFields.ts';
import { type Arrow, ARROWS } from '#shared/screen/content.ts';
import { readWhole } from '../../ui/NumberLine.tsx';
import { texts } from '../../ui/texts.ts';

/** What a person has typed into the form, as typed. */
export type CommandDraft = {
  command: 'flash' | 'pick';
  lines: readonly [string, string, string, string, string];
  quantity: string;
  arrow: Arrow | '';
  barcode: string;
  qrcode: string;
  /** A sign by the name that callers give it, `hazard` and its character. */
  icon: string;
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
  icon: '',
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
    icon: text('icon'),
    color: text('color'),
    seconds: text('seconds'),
    sound: text('sound'),
    nonce: text('nonce'),
  };
}

/** The largest numbers that the station takes. */
const MAX = { quantity: LARGEST_QUANTITY, seconds: MAX_SECONDS } as const;

/** What is no number that can be sent, by field: a request holds numbers, so its rules never see what was typed. */
export function draftProblems(draft: Pick<CommandDraft, 'quantity' | 'seconds'>): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const field of ['quantity', 'seconds'] as const) {
    if (draft[field].trim() === '') continue;
    const number = readWhole(draft[field]);
    if (number === undefined) problems[field] = texts.form.wholeNumber;
    else if (number > MAX[field]) problems[field] = texts.form.atMost(MAX[field]);
  }
  return problems;
}

/** The request that sends the draft: only what was given, so that the station's defaults count. */
export function draftRequest(draft: CommandDraft): DeviceRequest {
  const [line1, line2, line3, line4, line5] = draft.lines;
  const { arrow, barcode, qrcode, icon, nonce } = draft;
  const given = { line1, line2, line3, line4, line5, arrow, barcode, qrcode, icon, nonce };
  const request: DeviceRequest = { command: draft.command };
  for (const [field, text] of Object.entries({ ...given, color: draft.color.trim(), sound: draft.sound.trim() })) {
    if (text !== '') Object.assign(request, { [field]: text });
  }
  const quantity = readWhole(draft.quantity);
  const seconds = readWhole(draft.seconds);
  if (quantity !== undefined && quantity <= MAX.quantity) request.quantity = quantity;
  if (seconds !== undefined && seconds <= MAX.seconds) request.seconds = seconds;
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

/** The lines of a draft with another text in one place. */
export function withLine(lines: CommandDraft['lines'], place: number, line: string): CommandDraft['lines'] {
  const [a, b, c, d, e] = lines.with(place, line);
  return [a ?? '', b ?? '', c ?? '', d ?? '', e ?? ''];
}
