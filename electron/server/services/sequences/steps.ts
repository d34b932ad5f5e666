import type { NewStep } from '#shared/api/sequence.ts';
import type { FieldError } from '#shared/api/problem.ts';
import { parseDeviceRequest, type CommandContent } from '#shared/lib/requests/deviceRequest.ts';
import { quote } from '#shared/lib/requests/screenElements.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { NewStepRow, StoredStepContent, StepRow } from '../../db/repositories/sequences.ts';
import { StationError } from '../../errors.ts';
import type { RequestDefaults } from '../commands/index.ts';
import {
  type Target,
  type TargetTables,
  findByAnyName,
  findById,
  slowWarning,
  withNamesOnce,
} from '../devices/index.ts';

/** Maximum number of errors to list, because a thousand steps may all have the same error. */
const MAX_NAMED = 50;

const WORDS: ReadonlySet<string> = new Set(['flash', 'message', 'pick', 'display']);

export type CheckedSteps = { steps: NewStepRow[]; warnings: string[] };

/**
 * Checks new steps. Throws `invalid` with a JSON Pointer for each error. Omitted fields get their defaults when the step is lit, and a step
 * without `command` flashes. An unknown device or place only causes a warning, because it may exist at launch.
 */
export function checkSteps(
  given: readonly NewStep[],
  { tables, defaults, strict }: { tables: TargetTables; defaults: RequestDefaults; strict: boolean },
): CheckedSteps {
  const errors: FieldError[] = [];
  const warnings: string[] = [];
  const named = withNamesOnce(tables);
  const steps = given.map((step, index) => {
    const at = `/steps/${index}`;
    errors.push(...addressErrors(step, at));
    const { order, device = null, location = null, stepnonce = '', ...content } = step;
    const parsed = readContent(content, defaults);
    const faults = [...(parsed.ok ? [] : parsed.errors), ...(strict ? parsed.leftOut : [])];
    errors.push(...faults.map(({ path, message }) => ({ path: `${at}${path}`, message })));
    if (parsed.ok) warnings.push(...parsed.warnings.map((warning) => `${at}: ${warning}`));
    if (device !== null && findById(tables, device) === undefined) {
      warnings.push(`${at}: There is no device ${device} yet. The launch is refused until there is.`);
    }
    const place = device === null && location !== null ? findByAnyName(named, location) : undefined;
    if (device === null && location !== null && place === undefined) {
      warnings.push(
        `${at}/location: No device is found at ${quote(location)} yet. The launch is refused until there is one.`,
      );
    }
    const guess = place?.warning;
    if (guess !== undefined && strict) errors.push({ path: `${at}/location`, message: guess });
    else if (guess !== undefined) warnings.push(`${at}: ${guess}`);
    return { order, device, location, nonce: stepnonce, content };
  });
  if (errors.length > 0) throw refusal('invalid', 'The steps are not valid', errors);
  return { steps, warnings: atMost(warnings) };
}

/**
 * Returns the errors in the content of steps that are rejected for a different reason. An element of `contents` is undefined if it could
 * not be parsed.
 */
export function contentFaults(
  contents: readonly (StoredStepContent | undefined)[],
  defaults: RequestDefaults,
): FieldError[] {
  return contents.flatMap((content, index) => {
    const read = content === undefined ? undefined : readContent(content, defaults);
    if (read === undefined || read.ok) return [];
    return read.errors.map(({ path, message }) => ({ path: `/steps/${index}${path}`, message }));
  });
}

/** Content of a step with defaults for omitted fields, or the errors in it. */
export type ReadContent =
  | { ok: true; content: CommandContent; warnings: string[]; leftOut: FieldError[] }
  | { ok: false; errors: FieldError[]; leftOut: FieldError[] };

export function readContent(given: StoredStepContent, defaults: RequestDefaults): ReadContent {
  const word = given.command ?? 'flash';
  if (!WORDS.has(word.toLowerCase())) {
    const message = `A step cannot ${quote(word)}. Use one of ${[...WORDS].join(', ')}.`;
    return { ok: false, errors: [{ path: '/command', message }], leftOut: [] };
  }
  const { default_seconds: seconds, default_color: color } = defaults;
  const parsed = parseDeviceRequest({ ...given, command: word }, { seconds, color });
  if (!parsed.ok) return parsed;
  const { instruction, warnings, leftOut } = parsed;
  if (instruction.kind !== 'command') throw new Error(`A step was read as ${instruction.kind}.`);
  return { ok: true, content: instruction.content, warnings, leftOut };
}

/** Finds where to light each step. Throws `conflict` if a step has no device. */
export function findPlaces(
  repositories: TargetTables,
  steps: readonly StepRow[],
): { places: Target[]; warnings: string[] } {
  const errors: FieldError[] = [];
  const warnings: string[] = [];
  const places: Target[] = [];
  const named = withNamesOnce(repositories);
  // Look up each place only once, because many steps share few places.
  const found = new Map<string, Target | undefined>();
  for (const step of steps) {
    const { position, device, location } = step;
    const key = device ?? nameKey(location ?? '');
    if (!found.has(key)) found.set(key, findPlace(named, step));
    const place = found.get(key);
    const at = `/steps/${position}`;
    if (place !== undefined) {
      places.push(place);
      const said = [place.warning, slowWarning(place)].filter((warning) => warning !== undefined);
      warnings.push(...said.map((warning) => `${at}: ${warning}`));
    } else if (device !== null) errors.push({ path: `${at}/device`, message: `There is no device ${device}.` });
    else errors.push({ path: `${at}/location`, message: `No device is found at ${quote(location ?? '')}.` });
  }
  if (errors.length > 0) throw refusal('conflict', 'Nothing was lit', errors);
  return { places, warnings: atMost(warnings) };
}

function findPlace(repositories: TargetTables, { device, location }: StepRow): Target | undefined {
  if (device !== null) return findById(repositories, device);
  return location === null ? undefined : findByAnyName(repositories, location);
}

/** Shortens a list of warnings to a readable length. */
export function atMost(warnings: readonly string[]): string[] {
  const more = warnings.length - MAX_NAMED;
  return more > 0 ? [...warnings.slice(0, MAX_NAMED), `And ${more} more.`] : [...warnings];
}

function addressErrors({ device, location }: NewStep, at: string): FieldError[] {
  if (device === undefined && location === undefined) {
    return [{ path: at, message: 'The step names no place. Give device or location.' }];
  }
  if (device === undefined || location === undefined) return [];
  return [{ path: `${at}/location`, message: 'A step has device or location. Leave one of the two out.' }];
}

function refusal(code: 'invalid' | 'conflict', lead: string, errors: readonly FieldError[]): StationError {
  const named = errors.slice(0, MAX_NAMED);
  const [first] = named;
  const more = errors.length > 1 ? ` And ${errors.length - 1} more.` : '';
  return new StationError(code, `${lead}. ${first?.path ?? ''}: ${first?.message ?? ''}${more}`, named);
}
