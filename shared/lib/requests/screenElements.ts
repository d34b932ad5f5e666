import type { DeviceRequest } from '../../api/device.ts';
import type { LINE_FIELDS, STATIC_FIELDS, TextElement } from './deviceFields.ts';
import type { FieldError } from '../../api/problem.ts';
import { MAX_BARCODE_CHARACTERS, MAX_WITH_QUIET_ZONE } from '../../screen/barcode.ts';
import { ARROWS, LINE_NAMES, type Arrow } from '../../screen/content.ts';
import { findIcon, findPlainHazard, ICONS, iconWireName } from '../../screen/icons.ts';
import { readLineEncoding, type EncodedElement } from '../../screen/lineEncoding.ts';
import { MAX_QR_BYTES } from '../../screen/qrcode.ts';
import { toCodes, unknownCharacters } from '../../screen/text.ts';
import { LIMITS, type Source, type Surplus } from './screenLimits.ts';
import { cutLine, isTooLong } from '../text/text.ts';

/**
 * Findings while a request is parsed. Paths are JSON Pointers into the request. `leftOut` lists what the device will not show, which is an
 * error for a strict caller.
 */
export type Findings = { errors: FieldError[]; warnings: string[]; leftOut: FieldError[] };

export type Elements = { arrow: Arrow | null; barcode: string; qrcode: string; icon: string };
type TextField = (typeof LINE_FIELDS)[number] | (typeof STATIC_FIELDS)[number];

const MAX_QUOTED = 60;
/** Maximum number of characters to store for a line with an element: enough for any code or icon and some spaces. */
const MAX_STORED = 100;
/** Lines that need no cutting, warning or normalization. A fast path, because every line of every command is parsed. */
const PLAIN_LINE = /^(?=.*[!-~])[ -~]{1,26}$/;
const SPACE = 0x20;

/** Arrows by name, including `up` and `down`, which the specification uses in examples. */
const ARROW_NAMES: ReadonlyMap<string, Arrow> = new Map<string, Arrow>([
  ...ARROWS.map((arrow): [string, Arrow] => [arrow, arrow]),
  ['up', 'top'],
  ['down', 'bottom'],
]);
const KNOWN_ARROWS = [...ARROW_NAMES.keys()].join(', ');
const KNOWN_ICONS =
  `Use an arrow (${KNOWN_ARROWS}), hazard and one of the characters ${ICONS.map(({ char }) => char).join(' ')}, ` +
  `or a sign by its name: ${ICONS.map(({ name }) => name).join(', ')}.`;

/** Elements of a request or a device. `texts` contains the text of each line, which is empty if the line holds another element. */
export type HeldElements<Field> = { texts: ReadonlyMap<Field, string>; sources: readonly Source[] };

/** Source of each shown element. */
export type Chosen = Partial<Record<TextElement, Source>>;

/** An element that is given twice. `shown` is drawn, and `hidden` is not. */
export type Doubled = { shown: Source; hidden: Source };

/**
 * Reads the lines and other elements of a request. For each given line, `texts` contains the text to draw and `lines` the line to store.
 * `sources` begins with the elements in lines.
 */
export function readElements<Field extends TextField>(
  request: DeviceRequest,
  lineFields: readonly Field[],
  findings: Findings,
): HeldElements<Field> & { lines: ReadonlyMap<Field, string> } {
  const texts = new Map<Field, string>();
  const lines = new Map<Field, string>();
  const sources: Source[] = [];
  for (const field of lineFields) {
    const line = request[field];
    if (line === undefined) continue;
    const { source, text, stored } = readLine(line ?? '', field, findings);
    if (source !== undefined) sources.push(source);
    texts.set(field, text);
    lines.set(field, stored);
  }
  sources.push(...readFields(request, findings));
  for (const [index, source] of sources.entries()) {
    if (sources.slice(0, index).some((earlier) => isSame(earlier, source))) continue;
    if (source.element === 'barcode') checkBarcode(source, findings);
    if (source.element === 'qrcode') checkQrcode(source, findings);
  }
  return { texts, sources, lines };
}

function isSame(a: Source, b: Source): boolean {
  return a.element === b.element && a.value === b.value;
}

/** Reads the elements that have their own field. */
function readFields({ barcode, qrcode, arrow, icon }: DeviceRequest, findings: Findings): Source[] {
  const sources: Source[] = [];
  if (given(barcode)) sources.push({ element: 'barcode', value: barcode, field: 'barcode' });
  if (given(qrcode)) sources.push({ element: 'qrcode', value: qrcode, field: 'qrcode' });
  if (given(arrow)) {
    const value = arrowByName(arrow);
    if (value !== undefined) sources.push({ element: 'arrow', value, field: 'arrow' });
    else findings.errors.push({ path: '/arrow', message: `${quote(arrow)} is no arrow. Use ${KNOWN_ARROWS}.` });
  }
  const sign = given(icon) ? readSign(icon, 'icon', findings) : undefined;
  return sign === undefined ? sources : [...sources, sign];
}

/** Chooses the first source of each element and lists other sources with a different value. */
export function chooseElements(sources: readonly Source[]): { elements: Elements; chosen: Chosen; doubled: Doubled[] } {
  const chosen: Chosen = {};
  const doubled: Doubled[] = [];
  for (const source of sources) {
    const shown = (chosen[source.element] ??= source);
    if (shown.value !== source.value) doubled.push({ shown, hidden: source });
  }
  const elements: Elements = {
    arrow: arrowByName(chosen.arrow?.value ?? '') ?? null,
    barcode: chosen.barcode?.value ?? '',
    qrcode: chosen.qrcode?.value ?? '',
    icon: chosen.icon?.value ?? '',
  };
  return { elements, chosen, doubled };
}

export function doubledFault({ shown, hidden }: Doubled): FieldError {
  const { element } = shown;
  const message = `A screen has one ${element}: ${quote(shown.value)} in ${shown.field} is shown, ${quote(hidden.value)} in ${hidden.field} is not.`;
  return { path: `/${hidden.field}`, message };
}

/** Returns faults about surplus elements, by field. `lineFields` are the names of the lines in the caller's request. */
export function surplusFaults(
  surplus: readonly Surplus[],
  chosen: Chosen,
  lineFields: readonly string[],
): FieldError[] {
  return surplus.map(({ element, limit }) => {
    const slot = LINE_NAMES.findIndex((name) => name === element);
    const field = lineFields[slot] ?? chosen[element as TextElement]?.field ?? element;
    const name = slot !== -1 || field === element ? field : `${element} in ${field}`;
    return { path: `/${field}`, message: `${name} is not drawn: ${LIMITS[limit]}.` };
  });
}

/** Reads a stored line, which was validated when it arrived. The line is empty if its icon is unknown to this version. */
export function readStoredLine(line: string, field: string): { text: string; source: Source | undefined } {
  const encoded = readLineEncoding(line);
  if (encoded === undefined) return { text: line, source: undefined };
  const { element, text: value } = encoded;
  if (value === '') return { text: '', source: undefined };
  return { text: '', source: element === 'icon' ? findSign(value, field) : { element, value, field } };
}

/** Warns about characters that a screen cannot draw. */
export function warnUnknown(text: string, field: string, { warnings }: Pick<Findings, 'warnings'>): void {
  const unknown = unknownCharacters(text);
  if (unknown.length === 0) return;
  warnings.push(
    `${field} has characters that a screen cannot draw; each is shown as a box: ${quote(unknown.join(' '))}.`,
  );
}

/** Whether a text is not empty but draws nothing. */
export function isInvisible(text: string): boolean {
  return text !== '' && toCodes(text).every((code) => code === SPACE);
}

/** Quotes a caller's text in a message, shortened. */
export function quote(text: string): string {
  return `"${text.length > MAX_QUOTED ? `${cutLine(text, MAX_QUOTED)}…` : text}"`;
}

export function given<T>(value: T | null | undefined | ''): value is T {
  return value !== undefined && value !== null && value !== '';
}

/** Finds an arrow or an icon by name. If an icon field contains the name of an arrow, it sets the arrow. */
function findSign(name: string, field: string): Source | undefined {
  const arrow = arrowByName(name);
  if (arrow !== undefined) return { element: 'arrow', value: arrow, field };
  const icon = findIcon(name) ?? findPlainHazard(name);
  return icon && { element: 'icon', value: iconWireName(icon), field };
}

function readSign(name: string, field: string, { errors, leftOut }: Findings): Source | undefined {
  const sign = findSign(name, field);
  if (sign === undefined) errors.push({ path: `/${field}`, message: `Unknown icon ${quote(name)}. ${KNOWN_ICONS}` });
  else if (findPlainHazard(name) !== undefined) {
    const message = `${field}: ${quote(name)} does not end with the character of a sign. An empty triangle is shown.`;
    leftOut.push({ path: `/${field}`, message });
  }
  return sign;
}

const ENCODINGS: Record<EncodedElement, string> = { barcode: '\\bc', qrcode: '\\qr', icon: '\\ic' };

/** A line as drawn and as stored, with its element. */
type ReadLine = { text: string; stored: string; source: Source | undefined };

function readLine(line: string, field: string, findings: Findings): ReadLine {
  const encoded = readLineEncoding(line);
  if (encoded === undefined) {
    const text = readText(line, field, findings);
    return { text, stored: text, source: undefined };
  }
  const { element, text: value } = encoded;
  if (value === '') findings.warnings.push(`${field} has nothing after ${ENCODINGS[element]} and shows nothing.`);
  // Store spaces around an icon's name with the line, unless there are so many that the line becomes too long.
  const stored = line.length > MAX_STORED ? `${line.slice(0, 3)}${value}` : line;
  if (value === '') return { text: '', stored, source: undefined };
  const source = element === 'icon' ? readSign(value, field, findings) : { element, value, field };
  return { text: '', stored, source };
}

function readText(text: string, field: string, findings: Findings): string {
  if (text === '' || PLAIN_LINE.test(text)) return text;
  const { warnings } = findings;
  const cut = cutLine(text);
  if (isTooLong(text)) warnings.push(`${field} is longer than 26 characters and was cut to "${cut}".`);
  // JSON reads "\bc1" as a backspace and "c1".
  if (text.startsWith('\bc')) {
    warnings.push(
      `${field} begins with a backspace, which is shown as a space. For a barcode write the backslash twice: "\\\\bc…".`,
    );
  } else if (/\p{Cc}/u.test(text)) {
    warnings.push(`${field} has a line break, a tab or another control character, which is shown as a space.`);
  }
  if (isInvisible(cut)) {
    warnings.push(`${field} has only spaces or invisible characters: it occupies a line and shows nothing.`);
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
      message: `A barcode can only hold the ASCII characters 32 to 126, not ${JSON.stringify(foreign)}. Use a qrcode for others.`,
    });
  } else if (value.length > MAX_BARCODE_CHARACTERS) {
    errors.push({
      path,
      message: `The barcode has more than ${MAX_BARCODE_CHARACTERS} characters. Send a shorter one: a cut code would scan as a different one.`,
    });
  } else if (value.length > MAX_WITH_QUIET_ZONE) {
    warnings.push(
      `The barcode has over ${MAX_WITH_QUIET_ZONE} characters: its quiet zone is smaller than scanners need.`,
    );
  }
  warnSpaces('barcode', value, warnings);
}

function checkQrcode({ value, field }: Source, { errors, warnings }: Findings): void {
  const path = `/${field}`;
  // Reject both a lone surrogate and U+FFFD, which replaces it in transit: each shows that the text is damaged.
  if (!value.isWellFormed() || value.includes('\ufffd')) {
    errors.push({
      path,
      message: 'The qrcode has half a character or U+FFFD in it: its text is damaged. Send it in UTF-8.',
    });
  } else {
    const bytes = new TextEncoder().encode(value).length;
    if (bytes > MAX_QR_BYTES) {
      errors.push({
        path,
        message: `The qrcode has ${bytes} bytes in UTF-8; at most ${MAX_QR_BYTES} bytes fit, and a letter beyond ASCII takes 2 to 4. Send a shorter one.`,
      });
    }
  }
  warnSpaces('qrcode', value, warnings);
}

function warnSpaces(code: 'barcode' | 'qrcode', value: string, warnings: string[]): void {
  if (/^\s|\s$/.test(value)) warnings.push(`The ${code} begins or ends with a space, which is part of the code.`);
}

function arrowByName(name: string): Arrow | undefined {
  return ARROW_NAMES.get(name.toLowerCase());
}
