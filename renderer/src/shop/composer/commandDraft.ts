import type { CommandEntry, DeviceRequest } from '#shared/api/device.ts';
import { LARGEST_QUANTITY, LINE_FIELDS, MAX_SECONDS } from '#shared/lib/requests/deviceFields.ts';
import { type Arrow, ARROWS } from '#shared/screen/content.ts';
import { readWhole } from '../../kit/field/readWhole.ts';
import * as texts from '../../words/texts.ts';

/** Text fields of the form. Add new fields of commands here. */
const TYPED = ['quantity', 'barcode', 'qrcode', 'icon', 'color', 'seconds', 'sound', 'nonce'] as const;
type Typed = (typeof TYPED)[number];

/** The content of the form as typed. `icon` is an API name, such as `hazardd`. */
export type CommandDraft = {
  command: 'flash' | 'pick';
  lines: readonly [string, string, string, string, string];
  arrow: Arrow | '';
} & Record<Typed, string>;

/** Fields of the form that can be invalid, by their API names. */
export const DRAFT_FIELDS = [...LINE_FIELDS, 'arrow', ...TYPED] as const;

export const EMPTY_DRAFT = parseCommandDraft({});

/** Parses a stored draft. Missing or invalid fields are empty. */
export function parseCommandDraft(stored: unknown): CommandDraft {
  const fields = new Map<string, unknown>(Object.entries(stored ?? {}));
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const lines = fields.get('lines');
  const line = (place: number) => text(Array.isArray(lines) ? lines[place] : undefined);
  return {
    command: fields.get('command') === 'flash' ? 'flash' : 'pick',
    lines: [line(0), line(1), line(2), line(3), line(4)],
    arrow: ARROWS.find((arrow) => arrow === fields.get('arrow')) ?? '',
    // Safe cast: the object has each of these fields.
    ...(Object.fromEntries(TYPED.map((field) => [field, text(fields.get(field))])) as Record<Typed, string>),
  };
}

/** The largest numbers that the station accepts. */
const MAX = { quantity: LARGEST_QUANTITY, seconds: MAX_SECONDS } as const;

/** Returns the errors of number fields, by field. The schema cannot find these errors, because a request contains only numbers. */
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

/** Returns the request for a draft. Omits empty fields, so that the station's defaults apply. */
export function draftRequest({ command, lines, ...typed }: CommandDraft): DeviceRequest {
  const number = (field: keyof typeof MAX) => {
    const value = readWhole(typed[field]);
    return value !== undefined && value <= MAX[field] ? value : undefined;
  };
  return withoutBlanks({
    command,
    ...Object.fromEntries(LINE_FIELDS.map((field, place) => [field, lines[place]])),
    ...typed,
    color: typed.color.trim(),
    sound: typed.sound.trim(),
    quantity: number('quantity'),
    seconds: number('seconds'),
  });
}

/** Returns a request that lights a device like this queued command. */
export function entryRequest(entry: CommandEntry): DeviceRequest {
  return withoutBlanks(Object.fromEntries(['command' as const, ...DRAFT_FIELDS].map((field) => [field, entry[field]])));
}

function withoutBlanks(fields: Readonly<Record<string, unknown>>): DeviceRequest {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== '' && value !== null && value !== undefined),
  );
}

export function withLine(lines: CommandDraft['lines'], place: number, line: string): CommandDraft['lines'] {
  const [a, b, c, d, e] = lines.with(place, line);
  return [a ?? '', b ?? '', c ?? '', d ?? '', e ?? ''];
}
