import { LINE_FIELDS, STATIC_FIELDS, type DeviceRequest } from '../api/device.ts';
import type { FieldError } from '../api/problem.ts';
import { COLOR_NAMES, parseColor } from '../led/color.ts';
import { cutLine, isTooLong } from './text.ts';
import {
  ARROWS,
  boxedElements,
  listElements,
  MAX_BOXED_ELEMENTS,
  MAX_ELEMENTS,
  type Arrow,
  type ScreenContent,
} from '../screen/content.ts';
import { readLineEncoding } from '../screen/lineEncoding.ts';
import { parseSound } from '../sound/sound.ts';

/** What a command shows, lights and plays, with every default filled in. Equal contents look equal to the worker. */
export type CommandContent = {
  command: 'flash' | 'pick';
  lines: readonly string[];
  arrow: Arrow | null;
  barcode: string;
  qrcode: string;
  icon: string;
  quantity: number | null;
  /** As it was asked for; a colour that `parseColor` knows. */
  color: string;
  /** Canonical encoding; empty for silence. */
  sound: string;
  seconds: number;
};

/** Changes of a device's statics and settings, by the names of the API; empty clears a text, null a quantity. */
export type StaticChanges = Partial<{
  statica: string;
  staticb: string;
  staticc: string;
  staticd: string;
  statice: string;
  arrow: Arrow | '';
  barcode: string;
  qrcode: string;
  icon: string;
  quantity: number | null;
  locationoverride: string;
  unsolicitedNonce: string;
  brightness: number;
}>;

export type Instruction =
  | { kind: 'command'; content: CommandContent; nonce: string }
  | { kind: 'kill'; nonce: string | undefined }
  | { kind: 'statics'; changes: StaticChanges };

export type Parsed = { ok: true; instruction: Instruction; warnings: string[] } | { ok: false; errors: FieldError[] };

export type Defaults = { seconds: number; color: string };

/** Longest text of a barcode or QR code; shorter where one screen has a barcode, a QR code and an icon. Contract, section 4. */
const MAX_CODE_CHARACTERS = 23;
const MAX_CROWDED_CODE_CHARACTERS = 15;
/** What a QR code of version 3, level L holds. */
const MAX_QR_BYTES = 53;
/** The longest encoding that a turbo carries. */
const MAX_SOUND_CHARACTERS = 3_000;

const WORDS: Readonly<Record<string, 'flash' | 'pick' | 'kill' | 'static' | 'static2' | 'location'>> = {
  flash: 'flash',
  message: 'flash',
  pick: 'pick',
  display: 'pick',
  kill: 'kill',
  static: 'static',
  static2: 'static2',
  location: 'location',
};

/** Fields that only statics know: inside a command they are ignored, with a warning. */
const STATIC_ONLY = [...STATIC_FIELDS, 'locationoverride', 'unsolicitedNonce', 'brightness'] as const;

/**
 * Decides what a request means (contract, section 4): a command when it has a command word or a text line, else a
 * change of statics. Pure; never throws. Errors carry JSON Pointers into the request.
 */
export function parseDeviceRequest(request: DeviceRequest, defaults: Defaults): Parsed {
  const asked = request.command ?? '';
  const hasLines = LINE_FIELDS.some((field) => given(request[field]));
  if (asked === '' && !hasLines) return parseStatics(request);
  const word = wordOf(asked === '' ? 'flash' : asked);
  switch (word) {
    case undefined:
      return refuse('/command', `There is no command "${asked}". Use one of ${Object.keys(WORDS).join(', ')}.`);
    case 'kill':
      return {
        ok: true,
        instruction: { kind: 'kill', nonce: given(request.nonce) ? request.nonce : undefined },
        warnings: [],
      };
    case 'static':
      return parseStatics(linesAsStatics(request, ['statica', 'staticb', 'staticc', 'staticd', 'statice']));
    case 'static2':
      return parseStatics(linesAsStatics(request, ['staticc', 'staticd']));
    case 'location':
      return parseStatics({ locationoverride: request.line1 ?? '' });
    default:
      return parseCommand(request, word, defaults);
  }
}

/** A one-line statement of what is too much for one screen, or undefined when it fits. */
export function screenProblem(screen: ScreenContent): string | undefined {
  const boxed = boxedElements(screen);
  if (boxed.length > MAX_BOXED_ELEMENTS) {
    return `At most ${MAX_BOXED_ELEMENTS} of quantity, qrcode, arrow and icon fit one screen; this one has ${boxed.join(', ')}.`;
  }
  const elements = listElements(screen);
  if (elements.length > MAX_ELEMENTS)
    return `At most ${MAX_ELEMENTS} elements fit one screen; this one has ${elements.join(', ')}.`;
  return undefined;
}

function parseCommand(request: DeviceRequest, command: 'flash' | 'pick', defaults: Defaults): Parsed {
  const warnings: string[] = [];
  const errors: FieldError[] = [];
  for (const field of STATIC_ONLY) {
    if (given(request[field]))
      warnings.push(`${field} is ignored in a command; send it in a request without command and lines.`);
  }
  const texts = { barcode: request.barcode ?? '', qrcode: request.qrcode ?? '', icon: request.icon ?? '' };
  const lines = LINE_FIELDS.map((field) => readLine(request[field] ?? '', field, texts, warnings));
  const elements = readElements({ ...texts, arrow: request.arrow ?? '' }, errors, warnings);
  const color = given(request.color) ? request.color : defaults.color;
  if (parseColor(color) === undefined) {
    errors.push({
      path: '/color',
      message: `"${color}" is no colour. Use #rrggbb, #rgb, or one of ${COLOR_NAMES.join(', ')}.`,
    });
  }
  const sound = parseSound(given(request.sound) ? request.sound : 'none');
  if (!sound.ok) errors.push({ path: '/sound', message: sound.message });
  else if (sound.encoding.length > MAX_SOUND_CHARACTERS)
    errors.push({
      path: '/sound',
      message: `The sound has more than ${MAX_SOUND_CHARACTERS} characters. Send a shorter one.`,
    });
  else warnings.push(...sound.warnings);
  const content: CommandContent = {
    command,
    lines: trimEnd(lines),
    ...elements,
    quantity: request.quantity ?? null,
    color,
    sound: sound.ok ? sound.encoding : '',
    seconds: request.seconds ?? defaults.seconds,
  };
  const tooMuch = screenProblem(commandScreen(content, ''));
  if (tooMuch !== undefined) errors.push({ path: '', message: tooMuch });
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, instruction: { kind: 'command', content, nonce: request.nonce ?? '' }, warnings };
}

/** The screen of a command at a place with this label. */
export function commandScreen(content: CommandContent, label: string): ScreenContent {
  const { lines, quantity, arrow, barcode, qrcode, icon } = content;
  return { label, lines, quantity, arrow, barcode, qrcode, icon };
}

function parseStatics(request: DeviceRequest): Parsed {
  const warnings: string[] = [];
  const errors: FieldError[] = [];
  const changes: StaticChanges = {};
  const codes = { barcode: request.barcode ?? '', qrcode: request.qrcode ?? '', icon: request.icon ?? '' };
  for (const field of STATIC_FIELDS) {
    const text = request[field];
    if (text !== undefined) changes[field] = readLine(text ?? '', field, codes, warnings);
  }
  const elements = readElements({ ...codes, arrow: request.arrow ?? '' }, errors, warnings);
  if (request.arrow !== undefined || elements.arrow !== null) changes.arrow = elements.arrow ?? '';
  for (const field of ['barcode', 'qrcode', 'icon'] as const) {
    if (request[field] !== undefined || elements[field] !== '') changes[field] = elements[field];
  }
  if (request.quantity !== undefined) changes.quantity = request.quantity;
  if (request.locationoverride !== undefined) changes.locationoverride = (request.locationoverride ?? '').trim();
  if (request.unsolicitedNonce !== undefined) changes.unsolicitedNonce = request.unsolicitedNonce ?? '';
  if (request.brightness !== undefined) changes.brightness = request.brightness;
  for (const field of ['color', 'seconds', 'sound'] as const) {
    if (given(request[field]))
      warnings.push(`${field} belongs to commands and is ignored: this request has neither a command nor a line.`);
  }
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, instruction: { kind: 'statics', changes }, warnings };
}

/** Old callers send statics as a command whose lines become the named fields; a line they left out stays. */
function linesAsStatics(request: DeviceRequest, fields: readonly (typeof STATIC_FIELDS)[number][]): DeviceRequest {
  const { barcode, qrcode, icon, quantity, arrow } = request;
  const statics: DeviceRequest = {};
  for (const [index, field] of fields.entries()) {
    const line = LINE_FIELDS[index];
    if (line !== undefined && request[line] !== undefined) statics[field] = request[line];
  }
  if (given(barcode)) statics.barcode = barcode;
  if (given(qrcode)) statics.qrcode = qrcode;
  if (given(icon)) statics.icon = icon;
  if (given(arrow)) statics.arrow = arrow;
  if (given(quantity)) statics.quantity = quantity;
  return statics;
}

type Codes = { barcode: string; qrcode: string; icon: string };

/** Reads `\bc`, `\qr` and `\ic` at the start of a line as the element they stand for, then cuts the text. */
function readLine(text: string, field: string, codes: Codes, warnings: string[]): string {
  const encoded = readLineEncoding(text);
  if (encoded !== undefined) {
    codes[encoded.element] = encoded.text;
    return '';
  }
  const cut = cutLine(text);
  if (isTooLong(text)) warnings.push(`${field} is longer than 26 characters and was cut to "${cut}".`);
  return cut;
}

const ARROW_NAMES: Readonly<Record<string, Arrow>> = {
  ...(Object.fromEntries(ARROWS.map((arrow) => [arrow, arrow])) as Record<Arrow, Arrow>),
  up: 'top',
  down: 'bottom',
};

function readElements(
  texts: Codes & { arrow: string },
  errors: FieldError[],
  warnings: string[],
): Codes & { arrow: Arrow | null } {
  let arrow: Arrow | null = null;
  if (texts.arrow !== '') {
    arrow = arrowByName(texts.arrow) ?? null;
    if (arrow === null)
      errors.push({
        path: '/arrow',
        message: `"${texts.arrow}" is no arrow. Use ${Object.keys(ARROW_NAMES).join(', ')}.`,
      });
  }
  let icon = texts.icon;
  const iconArrow = arrowByName(icon);
  if (iconArrow !== undefined && arrow === null) {
    arrow = iconArrow;
    icon = '';
  } else if (icon !== '') {
    errors.push({
      path: '/icon',
      message: `There is no drawing for the icon "${icon}". Known icons: ${ARROWS.join(', ')}.`,
    });
  }
  const crowded = texts.barcode !== '' && texts.qrcode !== '' && texts.icon !== '';
  const limit = crowded ? MAX_CROWDED_CODE_CHARACTERS : MAX_CODE_CHARACTERS;
  for (const field of ['barcode', 'qrcode'] as const) {
    if (isTooLong(texts[field], limit)) {
      errors.push({
        path: `/${field}`,
        message: `The ${field} has more than ${limit} characters. A cut code would scan as another one; send a shorter one.`,
      });
    }
  }
  if (new TextEncoder().encode(texts.qrcode).length > MAX_QR_BYTES) {
    errors.push({
      path: '/qrcode',
      message: `The qrcode has more than ${MAX_QR_BYTES} bytes in UTF-8. Send a shorter one.`,
    });
  }
  if (!/^[\x20-\x7e]*$/.test(texts.barcode)) {
    errors.push({ path: '/barcode', message: 'A barcode can hold the ASCII characters 32 to 126 only.' });
  }
  if (texts.barcode.length > 21 && texts.barcode.length <= limit)
    warnings.push('The barcode has over 21 characters: its quiet zone is smaller than readers like.');
  for (const field of ['barcode', 'qrcode'] as const) {
    if (texts[field] !== '') warnings.push(`The ${field} is shown as text in a box: this version draws no codes.`);
  }
  return { barcode: texts.barcode, qrcode: texts.qrcode, icon, arrow };
}

/** Own keys only: a caller's "constructor" is no arrow. */
function arrowByName(name: string): Arrow | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(ARROW_NAMES, key) ? ARROW_NAMES[key] : undefined;
}

function refuse(path: string, message: string): Parsed {
  return { ok: false, errors: [{ path, message }] };
}

function given<T>(value: T | null | undefined | ''): value is T {
  return value !== undefined && value !== null && value !== '';
}

function trimEnd(lines: readonly string[]): string[] {
  let length = lines.length;
  while (length > 0 && lines[length - 1] === '') length -= 1;
  return lines.slice(0, length);
}

function wordOf(asked: string): (typeof WORDS)[string] | undefined {
  const key = asked.toLowerCase();
  return Object.hasOwn(WORDS, key) ? WORDS[key] : undefined;
}
