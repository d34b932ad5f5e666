import { LINE_FIELDS, STATIC_FIELDS } from '#shared/api/device.ts';

type Kind = 'number' | 'text';

/** What each field holds; anything else that is sent is dropped. */
const KINDS = new Map<string, Kind>([
  ...(['quantity', 'seconds', 'brightness'] as const).map((field) => [field, 'number'] as const),
  ...(
    [
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
    ] as const
  ).map((field) => [field, 'text'] as const),
]);

const COMMAND_FIELDS = new Set<string>(['command', ...LINE_FIELDS]);

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
  const fields = Object.entries(body);
  const isCommand = fields.some(([field, value]) => COMMAND_FIELDS.has(field) && !isBlank(value));
  const result: Record<string, unknown> = {};
  for (const [field, given] of fields) {
    const kind = KINDS.get(field);
    if (kind === undefined) continue;
    const value = kind === 'text' ? text(given) : number(given);
    if (!isBlank(value)) result[field] = value;
    else if (!isCommand && CLEARABLE.has(field)) result[field] = field === 'quantity' ? null : '';
  }
  return result;
}

/** The same where null or an empty string only ever means "not given". Contract, section 2. */
export function lenientFields(kinds: Readonly<Record<string, Kind>>): (body: unknown) => unknown {
  const known = new Map(Object.entries(kinds));
  return (body) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    const read = Object.entries(body).map(([field, given]): [string, unknown] => {
      const kind = known.get(field);
      return [field, kind === undefined ? given : kind === 'text' ? text(given) : number(given)];
    });
    return Object.fromEntries(read.filter(([, value]) => !isBlank(value)));
  };
}

/** The fields of a request that mean nothing here, at most ten of them: a typing error should not pass in silence. */
export function unknownFields(body: unknown): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
  return Object.keys(body)
    .filter((field) => !KINDS.has(field))
    .slice(0, 10)
    .map((field) => field.slice(0, 100).toWellFormed());
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Numbers and booleans as text; anything else as it came, for the schema to judge. */
function text(value: unknown): unknown {
  // Half a surrogate pair would be one thing in memory and another on disk.
  if (typeof value === 'string') return value.toWellFormed();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** Numeric strings as numbers; anything else as it came, for the schema to judge. */
function number(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const trimmed = value.trim();
  if (trimmed === '') return '';
  return /^[+-]?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : value;
}
