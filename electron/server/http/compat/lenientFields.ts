import { newTurboLinkSchema, turboLinkChangeSchema } from '#shared/api/turbo.ts';
import { lenientBody } from './lenientBody.ts';
import { z } from 'zod';
import { deviceRequestSchema } from '#shared/api/device.ts';
import { LINE_FIELDS, STATIC_FIELDS, TEXT_ELEMENTS } from '#shared/lib/requests/deviceFields.ts';
import { parseColor } from '#shared/led/color.ts';
import { PREVIEW_OPTIONS } from '#shared/api/preview.ts';
import { isObject, numericText, textOfNumber } from './looseValues.ts';

/** How to convert a field. A `person` is a text that must not be empty. */
type Kind = 'number' | 'text' | 'person';

/** Returns the kind of each field, as its schema defines it. */
export function kindsOf(shape: z.ZodRawShape): Record<string, Kind> {
  return Object.fromEntries(Object.entries(shape).map(([field, schema]) => [field, kindOf(schema)]));
}

function kindOf(schema: z.core.$ZodType): Kind {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return kindOf(schema.unwrap());
  return schema instanceof z.ZodNumber ? 'number' : 'text';
}

/** The kinds of all fields of a device request. Unknown fields are dropped. */
const KINDS = new Map(Object.entries(kindsOf(deviceRequestSchema.shape)));

const COMMAND_FIELDS: readonly string[] = ['command', ...LINE_FIELDS];

/** Fields that null or an empty string clears. In all other fields, these values mean "not given". */
const CLEARABLE = new Set<string>([
  ...STATIC_FIELDS,
  ...TEXT_ELEMENTS,
  'quantity',
  'locationoverride',
  'unsolicitedNonce',
]);

/**
 * For each of these commands, the field in which an empty value differs from a missing one. An empty nonce may be an empty variable, and an
 * empty line clears the label.
 */
const KEPT_IN = new Map(Object.entries<string>({ kill: 'nonce', location: 'line1' }));

/**
 * Converts a device request from an old client to the canonical form: numeric strings to numbers, and numbers and booleans in text fields
 * to text. An empty string or null means "not given", or "clear" in statics. Drops unknown fields. For ERPs that fill a template from any
 * row (`"quantity":""`), and clients of other versions (`"api":"2.0"`). Contract, sections 2 and 4.
 */
export function lenientDeviceRequest(body: unknown): unknown {
  if (!isObject(body)) return body;
  // Look up only known fields, because the body may contain a hundred thousand others.
  const isCommand = COMMAND_FIELDS.some((field) => Object.hasOwn(body, field) && !isBlank(body[field]));
  const command = body['command'];
  const kept = isCommand && typeof command === 'string' ? KEPT_IN.get(command.toLowerCase()) : undefined;
  const result: Record<string, unknown> = {};
  for (const [field, kind] of KINDS) {
    if (!Object.hasOwn(body, field)) continue;
    const given = body[field];
    const value = kind === 'text' ? textOfNumber(given) : numericText(given);
    if (!isBlank(value)) result[field] = value;
    else if (field === kept) result[field] = '';
    else if (!isCommand && CLEARABLE.has(field)) result[field] = field === 'quantity' ? null : '';
  }
  return result;
}

/**
 * Returns the canonical form of a device request, with one spelling of each color. Requests with equal forms are repetitions. For a list, call
 * it with each element.
 */
export function deviceRequestContent(body: unknown): unknown {
  const request = lenientDeviceRequest(body);
  if (!isObject(request) || typeof request['color'] !== 'string') return request;
  return { ...request, color: parseColor(request['color']) ?? request['color'] };
}

/**
 * Returns a function that converts the fields of bodies in which null or an empty string always means "not given". For scripts that create
 * places from table rows. Contract, section 2.
 */
export function lenientFields(kinds: Readonly<Record<string, Kind>>): (body: unknown) => unknown {
  const known = new Map(Object.entries(kinds));
  return (body) => {
    if (!isObject(body)) return body;
    const read = Object.entries(body).map(([field, given]): [string, unknown] => {
      const kind = known.get(field);
      return [field, kind === undefined ? given : kind === 'number' ? numericText(given) : textOfNumber(given)];
    });
    const isGiven = ([field, value]: [string, unknown]): boolean =>
      !isBlank(value) || (value === '' && known.get(field) === 'person');
    return Object.fromEntries(read.filter(isGiven));
  };
}

const readPreviewOptions = lenientFields({ firmware: 'number', voltage: 'number', scale: 'number', label: 'text' });

/**
 * Converts a device request together with the options of its preview image. Keeps a voltage of null, which means that no voltage is
 * displayed.
 */
export function lenientPreviewRequest(body: unknown): unknown {
  const request = lenientDeviceRequest(body);
  if (!isObject(body) || !isObject(request)) return request;
  const asked = PREVIEW_OPTIONS.filter((option) => Object.hasOwn(body, option));
  const given = Object.fromEntries(asked.map((option) => [option, body[option]]));
  const options = readPreviewOptions(given);
  return {
    ...request,
    ...('voltage' in given && given['voltage'] === null ? { voltage: null } : {}),
    ...(options as object),
  };
}

/** Converts a picker's color and PIN. Keeps a PIN of null, which removes the PIN. */
export const lenientOwnProfile = leavingAlone('pin', lenientFields({ color: 'text', picker: 'person' }));

const readPlacesOfNew = lenientBody(newTurboLinkSchema);
const readPlacesOfChanged = lenientBody(turboLinkChangeSchema);
const readNewLink = lenientFields({ path: 'text', baud_rate: 'number', url: 'text', name: 'text' });
const readLinkChange = leavingAlone('key', lenientFields({ url: 'text', name: 'text' }));

/** Converts a new link and its places. */
export const lenientNewLink = (body: unknown): unknown => readPlacesOfNew(readNewLink(body));

/** Converts a change of a link and its places. Keeps a key of null, which removes the key. */
export const lenientLinkChange = (body: unknown): unknown => readPlacesOfChanged(readLinkChange(body));

/** Wraps `read` so that it leaves one field as sent. */
function leavingAlone(field: string, read: (body: unknown) => unknown): (body: unknown) => unknown {
  return (body) => {
    const result = read(body);
    return isObject(body) && isObject(result) && Object.hasOwn(body, field)
      ? { ...result, [field]: body[field] }
      : result;
  };
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
