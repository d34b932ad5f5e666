import { ARROWS } from '../screen/content.ts';
import { readLineEncoding } from '../screen/lineEncoding.ts';
import type { DeviceRequest } from './device.ts';
import { LINE_FIELDS, STATIC_FIELDS } from '../lib/requests/deviceFields.ts';

/**
 * The path sections after the DeviceID, in order. Only the command and, except for `kill`, the first texts are
 * required. See the contract, section 5.
 */
export const QUERY_STRING_SECTIONS = ['command', 'texts', 'more_texts', 'tune', 'seconds_color', 'nonce'] as const;

const SEPARATOR = '~';
/** Maximum number of texts in the first and in the second text section. */
const FIRST_TEXTS = 2;
const SECOND_TEXTS = 3;
/** Placeholder for an empty section. It is needed because some proxies merge two consecutive slashes. */
const BLANK = '~';
const SILENCE = 'none';
const TUNE_AT = QUERY_STRING_SECTIONS.indexOf('tune');

/** Arrows by the names that requests and lines can use. */
const ARROW_NAMES = new Map<string, string>([
  ...ARROWS.map((arrow) => [arrow, arrow] as const),
  ['up', 'top'],
  ['down', 'bottom'],
]);

/** Commands that set persistent texts, and the number of texts that each takes. */
const STATIC_WORDS = new Map([
  ['static', STATIC_FIELDS.length],
  ['static2', 2],
  ['location', 1],
]);

/**
 * Parses the percent-decoded sections after the DeviceID into a request, or returns what is wrong. The content is validated later, like
 * that of every request. In a command, an empty text is ignored; in `static`, `static2` and `location`, it clears the text.
 */
export function parseQueryString(
  sections: readonly string[],
): { ok: true; request: DeviceRequest } | { ok: false; message: string } {
  const [word = '', first, second, tune = '', time = '', nonce = '', ...beyond] = sections;
  if (word === '') return { ok: false, message: 'The command is missing: /api/{DeviceID}/{command}/{line1}~{line2}/.' };
  const isStatic = STATIC_WORDS.has(word.toLowerCase());
  if (isStatic && first === undefined) {
    return { ok: false, message: `"${word}" needs its text: /api/{DeviceID}/${word}/{text}/.` };
  }
  if (beyond.some((section) => section !== '')) {
    const most = QUERY_STRING_SECTIONS.length;
    return { ok: false, message: `At most ${most} sections follow the DeviceID. Write a slash in a text as %2F.` };
  }
  const firstTexts = splitTexts(first, FIRST_TEXTS);
  const secondTexts = splitTexts(second, SECOND_TEXTS);
  if (firstTexts === undefined) return tooManyTexts('first', FIRST_TEXTS);
  if (secondTexts === undefined) return tooManyTexts('second', SECOND_TEXTS);
  const request: DeviceRequest = { command: word };
  for (const [index, field] of LINE_FIELDS.entries()) {
    const text = index < FIRST_TEXTS ? firstTexts[index] : secondTexts[index - FIRST_TEXTS];
    if (text !== undefined && (text !== '' || isStatic)) request[field] = text;
  }
  if (tune !== '' && tune !== BLANK && tune !== SILENCE) request.sound = tune;
  const [, seconds = '', color = ''] = /^(\d*)(.*)$/s.exec(time === BLANK ? '' : time) ?? [];
  if (seconds !== '') request.seconds = Number(seconds);
  if (color !== '') request.color = color;
  if (nonce !== '') request.nonce = nonce;
  return { ok: true, request };
}

function tooManyTexts(which: 'first' | 'second', most: number): { ok: false; message: string } {
  return {
    ok: false,
    message: `The ${which} text section holds at most ${most} texts, separated by "${SEPARATOR}". To send a text that contains "${SEPARATOR}", use POST.`,
  };
}

/** Splits a section into texts, ignoring trailing separators. Returns undefined if there are too many texts. */
function splitTexts(section: string | undefined, most: number): string[] | undefined {
  if (section === undefined) return [];
  const texts = section.split(SEPARATOR);
  return texts.slice(most).every((text) => text === '') ? texts.slice(0, most) : undefined;
}

/**
 * Returns the shortest path for a request. `left_out` lists the fields that the path cannot contain, such as a quantity, a text with a
 * tilde, or a code without a free line. The path is empty if it cannot contain any field.
 */
export function queryStringPath(deviceid: string, request: DeviceRequest): { path: string; left_out: string[] } {
  const hasLines = LINE_FIELDS.some((field) => isGiven(request[field]));
  const asked = isGiven(request.command) ? request.command : hasLines ? 'flash' : undefined;
  const isStatic = asked === undefined || STATIC_WORDS.has(asked.toLowerCase());
  const form = isStatic ? staticForm(asked, request) : commandForm(asked, request);
  const carried = new Set<string>(['command', 'deviceid', ...form.carried]);
  const left_out = Object.entries(request)
    .filter(([field, value]) => (isStatic ? value !== undefined : isGiven(value)) && !carried.has(field))
    .map(([field]) => field);
  if (form.sections.length === 0) return { path: '', left_out };
  return { path: `/api/${deviceid}/${form.sections.map(encodeSection).join('/')}/`, left_out };
}

type Form = { sections: readonly string[]; carried: readonly string[] };
type TextField = (typeof LINE_FIELDS)[number] | (typeof STATIC_FIELDS)[number] | 'locationoverride';

const NOTHING: Form = { sections: [], carried: [] };

function commandForm(word: string, request: DeviceRequest): Form {
  if (isDots(word)) return NOTHING;
  const carried: string[] = [];
  const { nonce = '' } = request;
  const tail = { tune: '', time: '', nonce: '' };
  if (!isDots(nonce)) {
    tail.nonce = nonce;
    carried.push('nonce');
  }
  const texts = LINE_FIELDS.map(() => '');
  if (word.toLowerCase() !== 'kill') {
    for (const [index, field] of LINE_FIELDS.entries()) {
      const text = request[field] ?? '';
      if (text.includes(SEPARATOR)) continue;
      texts[index] = text;
      carried.push(field);
    }
    carried.push(...putIntoFreeLines(texts, request));
    const { sound = '', seconds, color = '' } = request;
    if (!isDots(sound) && sound !== BLANK) {
      tail.tune = sound === SILENCE ? '' : sound;
      carried.push('sound');
    }
    // Without `#`, leading digits of a color would be read as seconds.
    const time = `${seconds ?? ''}${/^\d/.test(color) ? '#' : ''}${color}`;
    if (!isDots(time) && time !== BLANK) {
      tail.time = time;
      carried.push('seconds', 'color');
    }
  }
  const lines = [joinTexts(texts.slice(0, FIRST_TEXTS)), joinTexts(texts.slice(FIRST_TEXTS))];
  const sections = [word, ...lines, tail.tune, tail.time, tail.nonce];
  while (sections.length > 1 && sections.at(-1) === '') sections.pop();
  const filled = sections.map((section, index) => (section !== '' ? section : index === TUNE_AT ? SILENCE : BLANK));
  return { sections: filled, carried };
}

function staticForm(word: string | undefined, request: DeviceRequest): Form {
  const place = word === undefined ? placeStatics(request) : { word, fields: lineFieldsOf(word) };
  const carried: string[] = [];
  const read = (fields: readonly TextField[]): string[] => {
    const texts: string[] = [];
    for (const field of fields) {
      const text = request[field];
      // Stop at a missing text: a later text cannot be sent without clearing the missing one.
      if (text === undefined || text?.includes(SEPARATOR) === true) break;
      texts.push(text ?? '');
      carried.push(field);
    }
    return texts;
  };
  const first = read(place.fields.slice(0, FIRST_TEXTS));
  if (first.length === 0) return NOTHING;
  const texts = [...first, ...read(place.fields.slice(FIRST_TEXTS))];
  const sections = [place.word, texts.slice(0, first.length).join(SEPARATOR)];
  if (texts.length > first.length) sections.push(texts.slice(first.length).join(SEPARATOR));
  return sections.some(isDots) ? NOTHING : { sections, carried };
}

/** Chooses the command for statics. `static2` sets the third and fourth line and keeps the first two. */
function placeStatics(request: DeviceRequest): { word: string; fields: readonly TextField[] } {
  const [a, b, c, d] = STATIC_FIELDS;
  if (STATIC_FIELDS.every((field) => request[field] === undefined))
    return { word: 'location', fields: ['locationoverride'] };
  if (request[a] === undefined && request[b] === undefined) return { word: 'static2', fields: [c, d] };
  return { word: 'static', fields: STATIC_FIELDS };
}

function lineFieldsOf(word: string): readonly TextField[] {
  return LINE_FIELDS.slice(0, STATIC_WORDS.get(word.toLowerCase()));
}

/**
 * Puts the codes, icon and arrow of a command into its first empty lines. Returns the fields that found a line. Not used for statics,
 * because overwriting a static line would remove its element.
 */
function putIntoFreeLines(texts: string[], request: DeviceRequest): string[] {
  const carried: string[] = [];
  const taken = new Set(texts.map(elementOf));
  for (const [field, mark] of ENCODINGS) {
    const value = request[field];
    const free = texts.indexOf('');
    if (free === -1 || !isGiven(value) || value.includes(SEPARATOR)) continue;
    const line = `${mark}${field === 'arrow' ? (ARROW_NAMES.get(value.toLowerCase()) ?? value) : value}`;
    const element = elementOf(line);
    // Skip an icon name with surrounding spaces, because a line would lose them.
    if (taken.has(element) || (mark === '\\ic' && value.trim() !== value)) continue;
    texts[free] = line;
    taken.add(element);
    carried.push(field);
  }
  return carried;
}

const ENCODINGS = [
  ['barcode', '\\bc'],
  ['qrcode', '\\qr'],
  ['arrow', '\\ic'],
  ['icon', '\\ic'],
] as const;

/** Returns the name of the element in a line, or an empty text if the line is plain text. */
function elementOf(line: string): string {
  const encoded = readLineEncoding(line);
  if (encoded === undefined) return '';
  return encoded.element === 'icon' && ARROW_NAMES.has(encoded.text.toLowerCase()) ? 'arrow' : encoded.element;
}

/** Joins texts in the shortest form for a command, in which empty texts are ignored. */
function joinTexts(texts: readonly string[]): string {
  const joined = texts.join(SEPARATOR).replace(/(?<!~)~+$/, '');
  return isDots(joined) ? `${joined}${SEPARATOR}` : joined;
}

/** Whether a section is `.` or `..`, which URL parsers treat as a path step even if it is percent-encoded. */
function isDots(section: string): boolean {
  return section === '.' || section === '..';
}

function encodeSection(section: string): string {
  return encodeURIComponent(section.toWellFormed()).replace(/%(?:2C|3A|3B|40|26|3D|24|2B)/g, decodeURIComponent);
}

function isGiven<T>(value: T | null | undefined | ''): value is T {
  return value !== undefined && value !== null && value !== '';
}
