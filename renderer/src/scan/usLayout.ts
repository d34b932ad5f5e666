/**
 * Characters of US keyboard keys without and with Shift, by `KeyboardEvent.code`. Scanners use this layout by
 * default.
 */
const SIGNS = new Map(
  Object.entries<readonly [string, string]>({
    Backquote: ['`', '~'],
    Minus: ['-', '_'],
    Equal: ['=', '+'],
    BracketLeft: ['[', '{'],
    BracketRight: [']', '}'],
    Backslash: ['\\', '|'],
    IntlBackslash: ['\\', '|'],
    Semicolon: [';', ':'],
    Quote: ["'", '"'],
    Comma: [',', '<'],
    Period: ['.', '>'],
    Slash: ['/', '?'],
    Space: [' ', ' '],
    NumpadDecimal: ['.', '.'],
    NumpadAdd: ['+', '+'],
    NumpadSubtract: ['-', '-'],
    NumpadMultiply: ['*', '*'],
    NumpadDivide: ['/', '/'],
  }),
);
const SHIFTED_DIGITS = ')!@#$%^&*(';

/** Returns the character that the key types on a US keyboard, or undefined if there is none. */
export function typedOnUsLayout(code: string, shift: boolean): string | undefined {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined) return shift ? letter : letter.toLowerCase();
  const [, pad, digit] = /^(Digit|Numpad)(\d)$/.exec(code) ?? [];
  if (digit !== undefined) return shift && pad === 'Digit' ? SHIFTED_DIGITS.charAt(Number(digit)) : digit;
  return SIGNS.get(code)?.[shift ? 1 : 0];
}

/** Returns the control character that the key types with Ctrl, such as GS for Ctrl+], or undefined if there is none. */
export function controlOf(code: string, shift: boolean): string | undefined {
  const typed = typedOnUsLayout(code, shift)?.toUpperCase() ?? '';
  // As in terminals, Ctrl+6 and Ctrl+- mean Ctrl+^ and Ctrl+_, without Shift.
  const sign = typed === '6' ? '^' : typed === '-' ? '_' : typed;
  return /^[@-_]$/.test(sign) ? String.fromCharCode(sign.charCodeAt(0) - 0x40) : undefined;
}
