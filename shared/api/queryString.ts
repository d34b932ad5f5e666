import { ARROWS } from '../screen/content.ts';
import { readLineEncoding } from '../screen/lineEncoding.ts';
import type { DeviceRequest } from './device.ts';
import { LINE_FIELDS, STATIC_FIELDS } from '../lib/deviceFields.ts';

/**
 * What comes after the DeviceID, in its order; only the command word and, but for `kill`, the first texts have to be
 * there. Contract, section 5.
 */
export const QUERY_STRING_SECTIONS = ['command', 'texts', 'more_texts', 'tune', 'seconds_color', 'nonce'] as const;

const SEPARATOR = '~';
/** Texts of the first text section, and of the second. */
const FIRST_TEXTS = 2;
const SECOND_TEXTS = 3;
/** Stands for an empty section: two slashes side by side are made one by some proxies. */
const BLANK = '~';
const SILENCE = 'none';
const TUNE_AT = QUERY_STRING_SECTIONS.indexOf('tune');

/** How the arrows are called, and what they are called in a line. */
const ARROW_NAMES = new Map<string, string>([
  ...ARROWS.map((arrow) => [arrow, arrow] as const),
  ['up', 'top'],
  ['down', 'bottom'],
]);

/** Words whose texts stay on the display, and how many of them each takes. The others are commands. */
const STATIC_WORDS = new Map([
  ['static', STATIC_FIELDS.length],
  ['static2', 2],
  ['location', 1],
]);

/**
 * The request that these sections after the DeviceID, percent-decoded, are, or what is wrong with them. What a request
 * means is judged later, by the rules of every other request. An empty text in a command is none; in `static`,
 * `static2` and `location` it clears.
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
    return { ok: false, message: `At most ${most} sections follow the DeviceID. A slash in a text is %2F.` };
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
    message: `The ${which} text section holds at most ${most} texts, with "${SEPARATOR}" between them. A text with "${SEPARATOR}" in it cannot be sent here; send it in a POST.`,
  };
}

/** Undefined: too many. Separators at the end with nothing behind them are no texts. */
function splitTexts(section: string | undefined, most: number): string[] | undefined {
  if (section === undefined) return [];
  const texts = section.split(SEPARATOR);
  return texts.slice(most).every((text) => text === '') ? texts.slice(0, most) : undefined;
}

/**
 * The shortest path that asks a device for this. `left_out` names the given fields that this form cannot carry: a
 * quantity, a text with a tilde, a code without a free line to travel in. An empty path: it can carry nothing of it.
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
    // Digits at the beginning of a colour would be read as seconds.
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
      // A text behind one that is not given cannot be reached without clearing that one.
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

/** `static2` reaches the third and fourth field without touching the first two. */
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
 * Puts the codes, icon and arrow of a command into its first empty lines. Answers the fields that found one. A static line would
 * own its element, which a field does not.
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
    // Spaces around a name are not part of it in a line.
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

/** What a line stands for, if not for a text. */
function elementOf(line: string): string {
  const encoded = readLineEncoding(line);
  if (encoded === undefined) return '';
  return encoded.element === 'icon' && ARROW_NAMES.has(encoded.text.toLowerCase()) ? 'arrow' : encoded.element;
}

/** As short as it can be for a command, where an empty text is none. */
function joinTexts(texts: readonly string[]): string {
  const joined = texts.join(SEPARATOR).replace(/(?<!~)~+$/, '');
  return isDots(joined) ? `${joined}${SEPARATOR}` : joined;
}

/** Every reader of an address takes such a section, even percent-encoded, as a step in the path. */
function isDots(section: string): boolean {
  return section === '.' || section === '..';
}

function encodeSection(section: string): string {
  return encodeURIComponent(section.toWellFormed()).replace(/%(?:2C|3A|3B|40|26|3D|24|2B)/g, decodeURIComponent);
}

function isGiven<T>(value: T | null | undefined | ''): value is T {
  return value !== undefined && value !== null && value !== '';
}
