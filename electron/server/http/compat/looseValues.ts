/** Of a fraction, that JSON surely keeps. */
const MAX_DIGITS = 15;

/**
 * Numbers and booleans as text; anything else as it came, for the schema to judge. Who sends it: scripts and spreadsheets in
 * which an article number, a label or a nonce is a number, and so is one in their JSON. Contract, section 2.
 */
export function textOfNumber(value: unknown): unknown {
  // Half a surrogate pair would be one thing in memory and another on disk.
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'boolean') return String(value);
  // JSON has lost digits of a longer one: as a barcode it would scan as another.
  return typeof value === 'number' && isExact(value) ? String(value) : value;
}

/** Whether JSON has kept every digit of a number, and we would write it as it was: a small one gets an exponent. */
function isExact(value: number): boolean {
  if (Number.isInteger(value)) return Number.isSafeInteger(value);
  const digits = String(value);
  return /^-?\d+\.\d+$/.test(digits) && digits.replace(/\D/g, '').length <= MAX_DIGITS;
}

/**
 * Numeric strings as numbers; anything else as it came, for the schema to judge. Who sends it: clients that fill their JSON from
 * a form, a CSV file or a template, such as `"seconds":"60"`. Contract, section 2.
 */
export function numericText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const trimmed = value.trim();
  if (trimmed === '') return '';
  return /^[+-]?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : value;
}
