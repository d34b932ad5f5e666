import type { DeviceRequest } from '../../api/device.ts';
import { LINE_FIELDS, STATIC_FIELDS } from './deviceFields.ts';
import type { FieldError } from '../../api/problem.ts';
import { COLOR_NAMES, OFF, parseColor } from '../../led/color.ts';
import { MAX_QUANTITY, type Arrow, type ScreenContent } from '../../screen/content.ts';
import { parseSound } from '../../sound/sound.ts';
import { isLabelCut } from './labelFit.ts';
import {
  chooseElements,
  doubledFault,
  given,
  isInvisible,
  quote,
  readElements,
  surplusFaults,
  warnUnknown,
  type Findings,
} from './screenElements.ts';
import { CONTROL_CHARACTER, hasControl, hasUnseen } from '../text/text.ts';
import { crowdedProblem, fitScreen, trimEnd } from './screenLimits.ts';

/** Content of a command (screen, light and sound) with all defaults filled in. Equal contents look the same to the picker. */
export type CommandContent = {
  command: 'flash' | 'pick';
  lines: readonly string[];
  arrow: Arrow | null;
  barcode: string;
  qrcode: string;
  icon: string;
  quantity: number | null;
  /** The color as requested, in a form that `parseColor` accepts. */
  color: string;
  /** The canonical encoding of the sound. Empty for silence. */
  sound: string;
  seconds: number;
};

/** A command without screen content and sound, as a base for the station's own commands. */
export const BARE_CONTENT: Omit<CommandContent, 'lines' | 'color' | 'seconds'> = {
  command: 'flash',
  arrow: null,
  barcode: '',
  qrcode: '',
  icon: '',
  quantity: null,
  sound: '',
};

/** Changes to statics and settings of a device, by API field. An empty text clears a text, and null a quantity. */
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

/**
 * A parsed request. `leftOut` lists what the device will not show, with JSON Pointers into the request. Each entry is also in `warnings`,
 * and is an error for a strict caller.
 */
export type Parsed =
  | { ok: true; instruction: Instruction; warnings: string[]; leftOut: FieldError[] }
  | { ok: false; errors: FieldError[]; leftOut: FieldError[] };

export type Defaults = { seconds: number; color: string };

/** Maximum number of characters in a sound that a turbo can transport. */
const MAX_SOUND_CHARACTERS = 3_000;

type Word = 'flash' | 'pick' | 'kill' | 'static' | 'static2' | 'location';

/**
 * Values of `command`. `message` and `display` are synonyms from the specification. Old callers also POST `static`, `static2` and
 * `location`, which are words of the query-string interface. With these words, a request changes statics.
 */
const WORDS = new Map(
  Object.entries<Word>({
    flash: 'flash',
    message: 'flash',
    pick: 'pick',
    display: 'pick',
    kill: 'kill',
    static: 'static',
    static2: 'static2',
    location: 'location',
  }),
);

/** Fields that only statics have. In a command, they are ignored with a warning. */
const STATIC_ONLY = [...STATIC_FIELDS, 'locationoverride', 'unsolicitedNonce', 'brightness'] as const;
/** Fields that only commands have. */
const COMMAND_ONLY = ['color', 'seconds', 'sound', 'nonce'] as const;
const ELEMENT_FIELDS = ['barcode', 'qrcode', 'icon', 'arrow', 'quantity'] as const;
const NOT_LIT = 'Nothing is lit: without a command or a line, the quantity becomes part of the static screen.';
const EVERY_NONCE = 'The nonce is empty: kill removes every command of the place, whatever its nonce.';
type Field = keyof DeviceRequest;
type StaticField = (typeof STATIC_FIELDS)[number];

/** Pairs of a line in a request and the static that it sets. */
type LinesToStatics = readonly (readonly [(typeof LINE_FIELDS)[number], (typeof STATIC_FIELDS)[number]])[];
/** Lines of the command `static` and the statics that they set. A static without a line stays unchanged. */
const ALL_LINES = [
  ['line1', 'statica'],
  ['line2', 'staticb'],
  ['line3', 'staticc'],
  ['line4', 'staticd'],
  ['line5', 'statice'],
] as const satisfies LinesToStatics;
/** Lines of the command `static2` and the statics that they set. */
const TWO_LINES = [
  ['line1', 'staticc'],
  ['line2', 'staticd'],
] as const satisfies LinesToStatics;

/** Whether a request changes statics. Returns false for a command or a kill. */
export function changesStatics(request: DeviceRequest): boolean {
  const meaning = meaningOf(request);
  return meaning === 'statics' || meaning === 'static' || meaning === 'static2' || meaning === 'location';
}

function meaningOf(request: DeviceRequest): Word | 'statics' | undefined {
  const asked = request.command ?? '';
  if (asked !== '') return wordOf(asked);
  return LINE_FIELDS.some((field) => given(request[field])) ? 'flash' : 'statics';
}

/**
 * Interprets a request (contract, section 4): with a command word or a text line it is a command, otherwise a change to statics. Pure;
 * never throws. Errors contain JSON Pointers into the request.
 */
export function parseDeviceRequest(request: DeviceRequest, defaults: Defaults): Parsed {
  const asked = request.command ?? '';
  switch (meaningOf(request)) {
    case 'statics':
      return parseStatics(request);
    case undefined:
      return {
        ok: false,
        leftOut: [],
        errors: [
          {
            path: '/command',
            message: `Unknown command ${quote(asked)}. Use one of ${[...WORDS.keys()].join(', ')}.`,
          },
        ],
      };
    case 'kill':
      return parseKill(request);
    case 'static':
      return parseLinesAsStatics(request, ALL_LINES);
    case 'static2':
      return parseLinesAsStatics(request, TWO_LINES);
    case 'location':
      return parseLocation(request);
    case 'flash':
      return parseCommand(request, 'flash', defaults);
    case 'pick':
      return parseCommand(request, 'pick', defaults);
  }
}

/** Returns the screen of a command at a place with this label. */
export function commandScreen(content: CommandContent, label: string): ScreenContent {
  const { lines, quantity, arrow, barcode, qrcode, icon } = content;
  return { label, lines, quantity, arrow, barcode, qrcode, icon };
}

function parseCommand(request: DeviceRequest, command: 'flash' | 'pick', defaults: Defaults): Parsed {
  const findings: Findings = { errors: [], warnings: [], leftOut: [] };
  const { errors, warnings, leftOut } = findings;
  warnIgnored(request, STATIC_ONLY, 'in a command; send it in a request without command and lines', warnings);
  const { texts, sources } = readElements(request, LINE_FIELDS, findings);
  const { elements, chosen, doubled } = chooseElements(sources);
  leftOut.push(...doubled.map(doubledFault));
  const color = given(request.color) ? request.color : defaults.color;
  const light = parseColor(color);
  if (light === undefined) errors.push({ path: '/color', message: colorProblem(color) });
  else if (light.hex === OFF) {
    warnings.push(`The LED stays off: ${quote(color)} is black, or has a lightness of 3 % or less.`);
  }
  const lines = trimEnd(LINE_FIELDS.map((field) => texts.get(field) ?? ''));
  const fitted = fitScreen({ label: '', lines, quantity: readQuantity(request, warnings), ...elements });
  leftOut.push(...surplusFaults(fitted.surplus, chosen, LINE_FIELDS));
  const { label: _, ...screen } = fitted.screen;
  const content: CommandContent = {
    command,
    ...screen,
    color,
    sound: readSound(given(request.sound) ? request.sound : 'none', findings),
    seconds: request.seconds ?? defaults.seconds,
  };
  const crowded = crowdedProblem(sources);
  if (crowded !== undefined) errors.push({ path: '', message: crowded });
  return conclude({ kind: 'command', content, nonce: request.nonce ?? '' }, findings);
}

/**
 * Returns the canonical encoding of a sound. Returns an empty text if the sound cannot be parsed or is too long, because a light without a
 * sound is better than none.
 */
function readSound(asked: string, { warnings, leftOut }: Findings): string {
  const sound = parseSound(asked);
  const problem = !sound.ok
    ? sound.message
    : sound.encoding.length > MAX_SOUND_CHARACTERS
      ? `It has more than ${MAX_SOUND_CHARACTERS} characters: the part from character ${MAX_SOUND_CHARACTERS + 1} on does not reach the device.`
      : undefined;
  if (problem !== undefined) leftOut.push({ path: '/sound', message: `The sound is not played. ${problem}` });
  if (!sound.ok || problem !== undefined) return '';
  warnings.push(...sound.warnings);
  return sound.encoding;
}

function parseKill(request: DeviceRequest): Parsed {
  const findings: Findings = { errors: [], warnings: [], leftOut: [] };
  const others: Field[] = [...LINE_FIELDS, ...ELEMENT_FIELDS, 'color', 'seconds', 'sound', ...STATIC_ONLY];
  warnIgnored(request, others, 'by kill, which takes a nonce only', findings.warnings);
  if (request.nonce !== undefined && !given(request.nonce)) findings.warnings.push(EVERY_NONCE);
  return conclude({ kind: 'kill', nonce: given(request.nonce) ? request.nonce : undefined }, findings);
}

function parseStatics(request: DeviceRequest): Parsed {
  const findings: Findings = { errors: [], warnings: [], leftOut: [] };
  const changes = readStatics(request, STATIC_FIELDS, (field) => field, findings);
  if (request.locationoverride !== undefined) {
    changes.locationoverride = readLabel(request.locationoverride ?? '', 'locationoverride', findings);
  }
  if (request.unsolicitedNonce !== undefined) changes.unsolicitedNonce = request.unsolicitedNonce ?? '';
  if (request.brightness !== undefined) changes.brightness = request.brightness;
  if (given(changes.quantity) && Object.keys(changes).length === 1) findings.warnings.push(NOT_LIT);
  checkIgnoredColor(request, findings);
  const why = 'since this request has neither a command nor a line: it changes statics';
  warnIgnored(request, COMMAND_ONLY, why, findings.warnings);
  return conclude({ kind: 'statics', changes }, findings);
}

function parseLinesAsStatics(request: DeviceRequest, mapping: LinesToStatics): Parsed {
  const findings: Findings = { errors: [], warnings: [], leftOut: [] };
  const statics = new Map(mapping);
  const { barcode, qrcode, icon, arrow, quantity, ...rest } = request;
  const elements = { barcode, qrcode, icon, arrow, quantity };
  const ofCommand = Object.fromEntries(Object.entries(elements).filter(([, value]) => given(value)));
  const changes = readStatics({ ...rest, ...ofCommand }, [...statics.keys()], (line) => statics.get(line), findings);
  checkIgnoredColor(request, findings);
  const unread = LINE_FIELDS.filter((line) => !statics.has(line));
  const others: Field[] = [...unread, ...STATIC_ONLY, ...COMMAND_ONLY];
  warnIgnored(request, others, `by ${request.command ?? ''}`, findings.warnings);
  return conclude({ kind: 'statics', changes }, findings);
}

function parseLocation(request: DeviceRequest): Parsed {
  const findings: Findings = { errors: [], warnings: [], leftOut: [] };
  const others: Field[] = [...LINE_FIELDS.slice(1), ...ELEMENT_FIELDS, ...STATIC_ONLY, ...COMMAND_ONLY];
  warnIgnored(request, others, 'by location, which takes line1 only', findings.warnings);
  // An empty `line1` clears the label. A missing one means that the caller forgot it.
  const changes =
    request.line1 === undefined ? {} : { locationoverride: readLabel(request.line1 ?? '', 'line1', findings) };
  return conclude({ kind: 'statics', changes }, findings);
}

/** Parses the screen part of a change to statics. `staticOf` maps a line field to its static. */
function readStatics<LineField extends StaticField | (typeof LINE_FIELDS)[number]>(
  request: DeviceRequest,
  lineFields: readonly LineField[],
  staticOf: (field: LineField) => StaticField | undefined,
  findings: Findings,
): StaticChanges {
  const changes: StaticChanges = {};
  const { lines, sources } = readElements(request, lineFields, findings);
  for (const [field, line] of lines) {
    const name = staticOf(field);
    if (name !== undefined) changes[name] = line;
  }
  // Lines keep their elements. Duplicates are resolved later, together with the elements that the device already has.
  const { elements, doubled } = chooseElements(sources.filter(({ field }) => !lines.has(field as LineField)));
  findings.leftOut.push(...doubled.map(doubledFault));
  if (request.arrow !== undefined || elements.arrow !== null) changes.arrow = elements.arrow ?? '';
  for (const field of ['barcode', 'qrcode', 'icon'] as const) {
    if (request[field] !== undefined) changes[field] = elements[field];
  }
  if (request.quantity !== undefined) changes.quantity = readQuantity(request, findings.warnings);
  return changes;
}

/** Returns the quantity in full, with a warning if it is drawn as `99+`. Stock levels can be that high. */
function readQuantity({ quantity }: DeviceRequest, warnings: string[]): number | null {
  if ((quantity ?? 0) > MAX_QUANTITY) warnings.push(`The quantity ${quantity} is shown as ${MAX_QUANTITY}+.`);
  return quantity ?? null;
}

function readLabel(text: string, field: string, findings: Findings): string {
  const label = text.trim();
  if (hasControl(label)) findings.errors.push({ path: `/${field}`, message: CONTROL_CHARACTER });
  findings.warnings.push(...labelWarnings(label, field));
  return label;
}

/** Returns warnings about how a screen shows this label. */
export function labelWarnings(label: string, field: string): string[] {
  const warnings: string[] = [];
  if (isLabelCut(label)) warnings.push(`The label in ${field} is too long to be shown completely.`);
  if (isInvisible(label)) warnings.push(`The label in ${field} has only invisible characters and shows nothing.`);
  else if (hasUnseen(label))
    warnings.push(
      `The label in ${field} has a character that cannot be seen. Orders with the name that is seen do not find it.`,
    );
  warnUnknown(label, field, { warnings });
  return warnings;
}

export function colorProblem(color: string): string {
  return `${quote(color)} is no color. Use #rrggbb, #rgb, or one of ${COLOR_NAMES.join(', ')}.`;
}

/** Validates a color even though it is ignored, just as the schema validates seconds that are ignored. */
function checkIgnoredColor({ color }: DeviceRequest, { errors }: Findings): void {
  if (given(color) && parseColor(color) === undefined) errors.push({ path: '/color', message: colorProblem(color) });
}

/** Warns about given fields that have no effect here. */
function warnIgnored(request: DeviceRequest, fields: readonly Field[], why: string, warnings: string[]): void {
  for (const field of fields) {
    if (given(request[field])) warnings.push(`${field} is ignored ${why}.`);
  }
}

function conclude(instruction: Instruction, { errors, warnings, leftOut }: Findings): Parsed {
  if (errors.length > 0) return { ok: false, errors, leftOut };
  return { ok: true, instruction, warnings: [...leftOut.map(({ message }) => message), ...warnings], leftOut };
}

/** Returns the meaning of a command word. */
function wordOf(asked: string): Word | undefined {
  return WORDS.get(asked.toLowerCase());
}
