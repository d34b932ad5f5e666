/** A JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same array if `read` returns each element unchanged. */
export function mappedArray(values: readonly unknown[], read: (value: unknown) => unknown): readonly unknown[] {
  const mapped = values.map(read);
  return mapped.every((value, index) => Object.is(value, values[index])) ? values : mapped;
}

/** The same object if `read` returns the value of each field unchanged. */
export function mappedObject(
  object: Readonly<Record<string, unknown>>,
  read: (value: unknown, name: string) => unknown,
): Readonly<Record<string, unknown>> {
  const names = Object.keys(object);
  const mapped = names.map((name) => read(object[name], name));
  if (names.every((name, index) => Object.is(mapped[index], object[name]))) return object;
  return Object.fromEntries(names.map((name, index) => [name, mapped[index]]));
}

/** Digits of a fraction that JSON surely keeps. */
const MAX_DIGITS = 15;

/**
 * Converts numbers and booleans to text; other values stay as sent, and the schema judges them. Who sends it: scripts and
 * spreadsheets in which an article number, a label or a nonce is a number. Contract, section 2.
 */
export function textOfNumber(value: unknown): unknown {
  // Half a surrogate pair would differ between memory and disk.
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'boolean') return String(value);
  // JSON loses digits of a longer number: its barcode would scan as another one.
  return typeof value === 'number' && isExact(value) ? String(value) : value;
}

/** Whether JSON kept every digit of a number and we write it as sent: very small ones would get an exponent. */
function isExact(value: number): boolean {
  if (Number.isInteger(value)) return Number.isSafeInteger(value);
  const digits = String(value);
  return /^-?\d+\.\d+$/.test(digits) && digits.replace(/\D/g, '').length <= MAX_DIGITS;
}

/**
 * Converts numeric strings to numbers; other values stay as sent, and the schema judges them. Who sends it: clients that fill
 * their JSON from a form, a CSV file or a template, such as `"seconds":"60"`. Contract, section 2.
 */
export function numericText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const trimmed = value.trim();
  if (trimmed === '') return '';
  return /^[+-]?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : value;
}
