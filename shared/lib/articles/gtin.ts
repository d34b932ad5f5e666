/** Lengths of GTIN-14 (cartons), EAN-13, UPC-A and EAN-8. */
const LENGTHS = [14, 13, 12, 8] as const;

/** Whether a text consists only of digits, as many as a GTIN has. */
export function isGtinLength(text: string): boolean {
  return LENGTHS.some((length) => length === text.length) && /^\d+$/.test(text);
}

/** Returns the check digit for these digits: weights 3 and 1 alternate, with 3 for the last digit (GS1 General Specifications, 7.9). */
export function checkDigitOf(digits: string): string {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}

/** Whether the last digit is the check digit of the other digits. */
export function hasRightCheckDigit(digits: string): boolean {
  return digits.endsWith(checkDigitOf(digits.slice(0, -1)));
}

/**
 * Returns the UPC-A of a UPC-E of eight digits with a correct check digit, or undefined for any other text. A number that is also an EAN-8
 * is not a UPC-E.
 */
export function expandUpcE(digits: string): string | undefined {
  const [, system = '', six = '', check = ''] = /^([01])(\d{6})(\d)$/.exec(digits) ?? [];
  if (six === '' || hasRightCheckDigit(digits)) return undefined;
  const last = six.charAt(5);
  const body = /[012]/.test(last)
    ? `${six.slice(0, 2)}${last}0000${six.slice(2, 5)}`
    : last === '3'
      ? `${six.slice(0, 3)}00000${six.slice(3, 5)}`
      : last === '4'
        ? `${six.slice(0, 4)}00000${six.charAt(4)}`
        : `${six.slice(0, 5)}0000${last}`;
  const whole = system + body + check;
  return hasRightCheckDigit(whole) ? whole : undefined;
}

/**
 * Returns the same number in every length that its leading zeros allow, starting with the given one. For example, the UPC-A `036000291452`
 * is equal to the EAN-13 `0036000291452`.
 */
export function spellingsOfGtin(digits: string): string[] {
  const whole = digits.padStart(14, '0');
  const others = LENGTHS.filter((length) => length !== digits.length && /^0*$/.test(whole.slice(0, 14 - length)));
  return [digits, ...others.map((length) => whole.slice(14 - length))];
}
