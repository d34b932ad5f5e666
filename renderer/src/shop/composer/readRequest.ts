import type { DeviceRequest } from '#shared/api/device.ts';
import type { FieldError } from '#shared/api/problem.ts';
import { LINE_FIELDS, NO_STATICS, STATIC_FIELDS } from '#shared/lib/requests/deviceFields.ts';
import {
  type CommandContent,
  commandScreen,
  type Defaults,
  type Instruction,
  parseDeviceRequest,
} from '#shared/lib/requests/deviceRequest.ts';
import { checkStatics, staticScreen } from '#shared/lib/requests/staticScreen.ts';
import { EMPTY_SCREEN, type ScreenContent } from '#shared/screen/content.ts';
import { parseSound, SOUND_NAMES } from '#shared/sound/sound.ts';
import { ledOf } from '../device/commandWords.ts';
import * as texts from '../../words/texts.ts';
import type { LightWords } from './ScreenPreview.tsx';

/** The effect that the station's rules give a request. */
export type RequestReading = {
  /** The screen that the device will show. For a refused request, this is as much as can be shown. */
  screen: ScreenContent;
  /** The command with all defaults filled in, or undefined for statics. */
  content: CommandContent | undefined;
  /** Sentences about content that is cut, ignored or unusual. */
  warnings: readonly string[];
  /** The reasons why the request is refused, with JSON Pointers into the request. Empty if the request is accepted. */
  errors: readonly FieldError[];
};

/** Defaults that are used until the station's own defaults are loaded. */
export const USUAL_DEFAULTS: Defaults = { seconds: 0, color: 'red' };

/** Checks a command for a place with this label and returns its effect. */
export function readCommand(request: DeviceRequest, defaults: Defaults, label: string): RequestReading {
  const { instruction, ...said } = readAsFar(request, defaults);
  const content = instruction?.kind === 'command' ? instruction.content : undefined;
  return { screen: content === undefined ? EMPTY_SCREEN : commandScreen(content, label), content, ...said };
}

/** Checks a request that sets every static field of a device to its current or changed value, and returns the effect. */
export function readStatics(request: DeviceRequest, defaults: Defaults, label: string): RequestReading {
  const { instruction, ...said } = readAsFar(request, defaults);
  const changes = instruction?.kind === 'statics' ? instruction.changes : {};
  const statics = { ...NO_STATICS, ...changes };
  const { problem, leftOut } = checkStatics(statics, changes);
  const errors = problem === undefined ? said.errors : [...said.errors, { path: '', message: problem }];
  const warnings = [...said.warnings, ...leftOut.map(({ message }) => message)];
  return { screen: staticScreen(statics, label), content: undefined, warnings, errors };
}

/** Fields in the order in which they are dropped from a screen with too much content. */
const RAREST_FIRST: readonly string[] = [
  'icon',
  'arrow',
  'qrcode',
  'quantity',
  'barcode',
  ...STATIC_FIELDS.toReversed(),
  ...LINE_FIELDS.toReversed(),
];

type AsFar = { instruction: Instruction | undefined; warnings: readonly string[]; errors: readonly FieldError[] };

/** Reads a request. A refused request is read without its invalid fields, so that the preview keeps following the input. */
function readAsFar(request: DeviceRequest, defaults: Defaults): AsFar {
  const parsed = parseDeviceRequest(request, defaults);
  if (parsed.ok) return { instruction: parsed.instruction, warnings: parsed.warnings, errors: [] };
  const rest = without(request, parsed.errors);
  if (rest === undefined) return { instruction: undefined, warnings: [], errors: parsed.errors };
  const { instruction, warnings } = readAsFar(rest, defaults);
  return { instruction, warnings, errors: parsed.errors };
}

/**
 * Returns the request without its invalid fields or, if all are valid, without one field that needs space. Returns
 * undefined if there is no such field.
 */
function without(request: DeviceRequest, errors: readonly FieldError[]): DeviceRequest | undefined {
  const wrong = new Set(errors.map(({ path }) => path.slice(1)));
  const entries = Object.entries(request);
  const sound = entries.filter(([field]) => !wrong.has(field));
  if (sound.length < entries.length) return Object.fromEntries(sound);
  const rarest = RAREST_FIRST.find((field) => Object.hasOwn(request, field));
  if (rarest === undefined) return undefined;
  return Object.fromEntries(entries.filter(([field]) => field !== rarest));
}

/** Describes the light, the duration and the sound of a command. `sound` is the typed text. */
export function lightOf({ content, errors }: RequestReading, sound: string): LightWords {
  const isWrong = (field: string) => errors.some(({ path }) => path === `/${field}`);
  if (content === undefined) return { led: undefined, time: '', sound: '' };
  return {
    led: isWrong('color') ? undefined : ledOf(content.command, content.color),
    time: texts.queue.seconds(content.seconds),
    sound: isWrong('sound') || content.sound === '' ? '' : soundWords(sound, content.sound),
  };
}

/** Describes a sound by the name of its tune, or by a word for a custom sound, and its duration. */
function soundWords(typed: string, encoding: string): string {
  const parsed = parseSound(encoding);
  const ms = parsed.ok ? parsed.notes.reduce((sum, note) => sum + note.ms, 0) : 0;
  const name = SOUND_NAMES.find((known) => known.toLowerCase() === typed.trim().toLowerCase());
  const isEncoding = /^\d/.test(typed.trim());
  return texts.form.soundOf(name ?? (isEncoding ? texts.form.ownSound : typed.trim()), ms / 1_000);
}

/** Names the first character that a barcode cannot encode; empty if a barcode can encode the whole text. */
export function barcodeProblem(text: string): string {
  const [foreign] = /[^\x20-\x7e]/u.exec(text) ?? [];
  return foreign === undefined ? '' : texts.form.notInBarcode(foreign);
}
