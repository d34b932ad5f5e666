/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Maps an array. Returns the same array if nothing changed. */
export function mappedArray(values: readonly unknown[], read: (value: unknown) => unknown): readonly unknown[] {
  const mapped = values.map(read);
  return mapped.every((value, index) => Object.is(value, values[index])) ? values : mapped;
}

/** Maps the fields of an object. Returns the same object if nothing changed. */
export function mappedObject(
  object: Readonly<Record<string, unknown>>,
  read: (value: unknown, name: string) => unknown,
): Readonly<Record<string, unknown>> {
  const names = Object.keys(object);
  const mapped = names.map((name) => read(object[name], name));
  if (names.every((name, index) => Object.is(mapped[index], object[name]))) return object;
  return Object.fromEntries(names.map((name, index) => [name, mapped[index]]));
}

/** Maximum number of digits of a fraction that JSON preserves in any case. */
const MAX_DIGITS = 15;

/**
 * Converts numbers and booleans to text. Leaves other values for the schema to validate. For scripts and spreadsheets in which an article
 * number, a label or a nonce is a number. Contract, section 2.
 */
export function textOfNumber(value: unknown): unknown {
  // Replace unpaired surrogates here, because storing the text would replace them anyway.
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'boolean') return String(value);
  // JSON loses digits of longer numbers, so the text would be a different barcode.
  return typeof value === 'number' && isExact(value) ? String(value) : value;
}

/** Whether JSON preserved every digit of the number, and the text of the number has no exponent. */
function isExact(value: number): boolean {
  if (Number.isInteger(value)) return Number.isSafeInteger(value);
  const digits = String(value);
  return /^-?\d+\.\d+$/.test(digits) && digits.replace(/\D/g, '').length <= MAX_DIGITS;
}

/**
 * Converts numeric strings to numbers. Leaves other values for the schema to validate. For clients that fill their JSON from a form, a CSV
 * file or a template, such as `"seconds":"60"`. Contract, section 2.
 */
export function numericText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const trimmed = value.trim();
  if (trimmed === '') return '';
  return /^[+-]?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : value;
}
