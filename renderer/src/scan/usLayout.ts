/** What the keys of a US keyboard type, without and with Shift, by `KeyboardEvent.code`: scanners are delivered as such. */
const SIGNS: Readonly<Record<string, readonly [string, string]>> = {
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
};
const SHIFTED_DIGITS = ')!@#$%^&*(';

/** The character that the key types on a US keyboard; undefined if it types none or does not exist there. */
export function typedOnUsLayout(code: string, shift: boolean): string | undefined {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined) return shift ? letter : letter.toLowerCase();
  const [, pad, digit] = /^(Digit|Numpad)(\d)$/.exec(code) ?? [];
  if (digit !== undefined) return shift && pad === 'Digit' ? SHIFTED_DIGITS.charAt(Number(digit)) : digit;
  return SIGNS[code]?.[shift ? 1 : 0];
}

/** The control character that Ctrl makes of a key, such as GS of Ctrl+]; undefined: none. */
export function controlOf(code: string, shift: boolean): string | undefined {
  const typed = typedOnUsLayout(code, shift)?.toUpperCase() ?? '';
  // Ctrl+6 and Ctrl+- are Ctrl+^ and Ctrl+_ without Shift, as terminals have it.
  const sign = { '6': '^', '-': '_' }[typed] ?? typed;
  return /^[@-_]$/.test(sign) ? String.fromCharCode(sign.charCodeAt(0) - 0x40) : undefined;
}
