import type { DeviceRequest } from '../api/device.ts';
import type { LINE_FIELDS, STATIC_FIELDS } from './deviceFields.ts';
import type { FieldError } from '../api/problem.ts';
import { MAX_BARCODE_CHARACTERS, MAX_WITH_QUIET_ZONE } from '../screen/barcode.ts';
import { ARROWS, type Arrow } from '../screen/content.ts';
import { findIcon, ICONS, iconWireName } from '../screen/icons.ts';
import { readLineEncoding, type EncodedElement } from '../screen/lineEncoding.ts';
import { MAX_QR_BYTES } from '../screen/qrcode.ts';
import { toCodes, unknownCharacters } from '../screen/text.ts';
import { cutLine, isTooLong } from './text.ts';

/** What is found while a request is read: paths are JSON Pointers into it. */
export type Findings = { errors: FieldError[]; warnings: string[] };

export type Elements = { arrow: Arrow | null; barcode: string; qrcode: string; icon: string };
type ElementName = keyof Elements;
type TextField = (typeof LINE_FIELDS)[number] | (typeof STATIC_FIELDS)[number];

/** Characters as a reader counts them. Contract, section 4. */
export const MAX_QR_CHARACTERS = 23;
const MOST_QUOTED = 60;
/** Nothing to cut, to warn of or to normalise: most lines, and each is read for every command. */
const PLAIN_LINE = /^(?=.*[!-~])[ -~]{1,26}$/;
const SPACE = 0x20;

/** With `up` and `down`, which device commands of the specification's own examples say. */
const ARROW_NAMES: ReadonlyMap<string, Arrow> = new Map<string, Arrow>([
  ...ARROWS.map((arrow): [string, Arrow] => [arrow, arrow]),
  ['up', 'top'],
  ['down', 'bottom'],
]);
const KNOWN_ARROWS = [...ARROW_NAMES.keys()].join(', ');
const KNOWN_ICONS =
  `Use an arrow (${KNOWN_ARROWS}), hazard and one of the characters ${ICONS.map(({ char }) => char).join(' ')}, ` +
  `or a sign by its name: ${ICONS.map(({ name }) => name).join(', ')}.`;

/**
 * The lines of a request and its other elements, in whatever form they are given: by their own fields, or inside a line
 * as `\bc`, `\qr` and `\ic`. `texts` has an entry for each of the line fields that is given, null as an empty one.
 */
export function readElements<Field extends TextField>(
  request: DeviceRequest,
  lineFields: readonly Field[],
  findings: Findings,
): { texts: Map<Field, string>; elements: Elements } {
  const taken: Taken = {};
  const texts = new Map<Field, string>();
  if (given(request.barcode)) take(taken, 'barcode', request.barcode, 'barcode', findings);
  if (given(request.qrcode)) take(taken, 'qrcode', request.qrcode, 'qrcode', findings);
  if (given(request.arrow)) takeArrow(taken, request.arrow, findings);
  if (given(request.icon)) takeIcon(taken, request.icon, 'icon', findings);
  for (const field of lineFields) {
    const text = request[field];
    if (text !== undefined) texts.set(field, readLine(taken, text ?? '', field, findings));
  }
  if (taken.barcode !== undefined) checkBarcode(taken.barcode, findings);
  if (taken.qrcode !== undefined) checkQrcode(taken.qrcode, findings);
  const elements: Elements = {
    arrow: arrowByName(taken.arrow?.value ?? '') ?? null,
    barcode: taken.barcode?.value ?? '',
    qrcode: taken.qrcode?.value ?? '',
    icon: taken.icon?.value ?? '',
  };
  return { texts, elements };
}

/** Says which characters of a text a screen cannot draw. */
export function warnUnknown(text: string, field: string, { warnings }: Findings): void {
  const unknown = unknownCharacters(text);
  if (unknown.length === 0) return;
  warnings.push(
    `${field} has characters that no screen can draw; each is shown as a box: ${quote(unknown.join(' '))}.`,
  );
}

/** Whether a text has characters, and none of them leaves ink. */
export function isInvisible(text: string): boolean {
  return text !== '' && toCodes(text).every((code) => code === SPACE);
}

/** A caller's text in a message: as much as a reader needs. */
export function quote(text: string): string {
  return `"${text.length > MOST_QUOTED ? `${cutLine(text, MOST_QUOTED)}…` : text}"`;
}

export function given<T>(value: T | null | undefined | ''): value is T {
  return value !== undefined && value !== null && value !== '';
}

/** An element's text and the field that it came in. */
type Source = { value: string; field: string };
type Taken = Partial<Record<ElementName, Source>>;

/**
 * A screen has each element once. The same one by its field and in a line is still that one; two different ones are a
 * mistake, and whichever was left out would be missed at the shelf.
 */
function take(taken: Taken, element: ElementName, value: string, field: string, { errors }: Findings): void {
  const first = taken[element];
  taken[element] ??= { value, field };
  if (first === undefined || first.value === value) return;
  errors.push({
    path: `/${field}`,
    message: `One screen has one ${element}, and this request has two: ${quote(first.value)} in ${first.field}, ${quote(value)} in ${field}.`,
  });
}

function takeArrow(taken: Taken, name: string, findings: Findings): void {
  const arrow = arrowByName(name);
  if (arrow !== undefined) take(taken, 'arrow', arrow, 'arrow', findings);
  else findings.errors.push({ path: '/arrow', message: `${quote(name)} is no arrow. Use ${KNOWN_ARROWS}.` });
}

/** An arrow may be given as an icon, and is an arrow then. */
function takeIcon(taken: Taken, name: string, field: string, findings: Findings): void {
  const arrow = arrowByName(name);
  if (arrow !== undefined) return take(taken, 'arrow', arrow, field, findings);
  const icon = findIcon(name);
  if (icon !== undefined) return take(taken, 'icon', iconWireName(icon), field, findings);
  findings.errors.push({ path: `/${field}`, message: `There is no icon ${quote(name)}. ${KNOWN_ICONS}` });
}

const ENCODINGS: Record<EncodedElement, string> = { barcode: '\\bc', qrcode: '\\qr', icon: '\\ic' };

/** A line's text as it is shown; empty where the line stands for another element. */
function readLine(taken: Taken, text: string, field: string, findings: Findings): string {
  const encoded = readLineEncoding(text);
  if (encoded === undefined) return readText(text, field, findings);
  const { element } = encoded;
  if (encoded.text === '') {
    findings.warnings.push(`${field} has nothing after ${ENCODINGS[element]} and shows nothing.`);
  } else if (element === 'icon') {
    takeIcon(taken, encoded.text, field, findings);
  } else {
    take(taken, element, encoded.text, field, findings);
  }
  return '';
}

function readText(text: string, field: string, findings: Findings): string {
  if (text === '' || PLAIN_LINE.test(text)) return text;
  const { warnings } = findings;
  const cut = cutLine(text);
  if (isTooLong(text)) warnings.push(`${field} is longer than 26 characters and was cut to "${cut}".`);
  if (/\p{Cc}/u.test(text)) {
    warnings.push(`${field} has a line break, a tab or another control character, which is shown as a space.`);
  }
  if (isInvisible(cut)) {
    warnings.push(`${field} has only spaces or invisible characters: it takes the place of a line and shows nothing.`);
  }
  warnUnknown(cut, field, findings);
  return cut;
}

function checkBarcode({ value, field }: Source, { errors, warnings }: Findings): void {
  const path = `/${field}`;
  const [foreign] = /[^\x20-\x7e]/u.exec(value) ?? [];
  if (foreign !== undefined) {
    errors.push({
      path,
      message: `A barcode can hold the ASCII characters 32 to 126 only, and not ${JSON.stringify(foreign)}. A qrcode can hold others.`,
    });
  } else if (value.length > MAX_BARCODE_CHARACTERS) {
    errors.push({ path, message: tooLong('barcode', MAX_BARCODE_CHARACTERS) });
  } else if (value.length > MAX_WITH_QUIET_ZONE) {
    warnings.push(
      `The barcode has over ${MAX_WITH_QUIET_ZONE} characters: its quiet zone is smaller than readers like.`,
    );
  }
  warnSpaces('barcode', value, warnings);
}

function checkQrcode({ value, field }: Source, { errors, warnings }: Findings): void {
  const path = `/${field}`;
  // Half a character becomes U+FFFD on its way, or would in the code: either way it is not what was meant.
  if (!value.isWellFormed() || value.includes('\ufffd')) {
    errors.push({
      path,
      message:
        'The qrcode has half a character or U+FFFD in it, which is what a damaged text looks like. Send it in UTF-8.',
    });
  } else if (isTooLong(value, MAX_QR_CHARACTERS)) {
    errors.push({ path, message: tooLong('qrcode', MAX_QR_CHARACTERS) });
  } else {
    const bytes = new TextEncoder().encode(value).length;
    if (bytes > MAX_QR_BYTES) {
      errors.push({
        path,
        message: `The qrcode has ${bytes} bytes in UTF-8, and at most ${MAX_QR_BYTES} bytes fit: a letter beyond ASCII takes 2 to 4 of them. Send a shorter one.`,
      });
    }
  }
  warnSpaces('qrcode', value, warnings);
}

function warnSpaces(code: 'barcode' | 'qrcode', value: string, warnings: string[]): void {
  if (/^\s|\s$/.test(value)) warnings.push(`The ${code} begins or ends with a space, which is part of the code.`);
}

function tooLong(code: 'barcode' | 'qrcode', limit: number): string {
  return `The ${code} has more than ${limit} characters. A cut code would scan as another one; send a shorter one.`;
}

function arrowByName(name: string): Arrow | undefined {
  return ARROW_NAMES.get(name.toLowerCase());
}
