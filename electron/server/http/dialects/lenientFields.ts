import { LINE_FIELDS, STATIC_FIELDS } from '#shared/api/device.ts';

const NUMBERS = ['quantity', 'seconds', 'brightness'] as const;
const TEXTS = [
  'command',
  ...LINE_FIELDS,
  ...STATIC_FIELDS,
  'barcode',
  'qrcode',
  'icon',
  'arrow',
  'color',
  'sound',
  'nonce',
  'deviceid',
  'location',
  'locationoverride',
  'unsolicitedNonce',
] as const;

/** Fields where null and an empty string clear what is there; everywhere else they mean "not given". */
const CLEARABLE = new Set<string>([
  ...STATIC_FIELDS,
  'barcode',
  'qrcode',
  'icon',
  'arrow',
  'quantity',
  'locationoverride',
  'unsolicitedNonce',
]);

/**
 * What old clients send for a device, in canonical form: numeric strings are numbers, numbers and booleans in text
 * fields are text, an empty string or null means "not given", or "clear" in statics; unknown fields are dropped.
 * Contract, sections 2 and 4.
 */
export function lenientDeviceRequest(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  // A copy without a prototype: a field called __proto__ is just a field that nobody asks for.
  const given = new Map(Object.entries(body));
  const result: Record<string, unknown> = {};
  const isCommand = ['command', ...LINE_FIELDS].some((field) => !isBlank(given.get(field)));
  for (const field of TEXTS) {
    const value = text(given.get(field));
    if (value !== undefined) put(field, value);
  }
  for (const field of NUMBERS) {
    const value = number(given.get(field));
    if (value !== undefined) put(field, value);
  }
  return result;

  function put(field: string, value: unknown): void {
    if (!isBlank(value)) result[field] = value;
    else if (!isCommand && CLEARABLE.has(field)) result[field] = field === 'quantity' ? null : '';
  }
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Numbers and booleans as text; anything else as it came, for the schema to judge. */
function text(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** Numeric strings as numbers; anything else as it came, for the schema to judge. */
function number(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const trimmed = value.trim();
  if (trimmed === '') return '';
  return /^[+-]?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : value;
}
