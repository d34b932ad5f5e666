import type { WedgeKey } from '../../../renderer/src/scan/wedge.ts';

/** Characters that a different keyboard layout types for each key position, without and with Shift. */
export type KeyLayout = Readonly<Record<string, readonly [string, string]>>;

export type ScannerOptions = {
  /** Time from one character to the next in milliseconds. */
  everyMs: number;
  at?: number;
  /** The computer's keyboard layout; the scanner presses the keys of a US keyboard. */
  layout?: KeyLayout;
  capsLock?: boolean;
};

const SHIFTED: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('~!@#$%^&*()_+{}|:"<>?', (char, index) => [char, "`1234567890-=[]\\;',./".charAt(index)]),
);
const NAMES: Readonly<Record<string, string>> = {
  '`': 'Backquote',
  '-': 'Minus',
  '=': 'Equal',
  '[': 'BracketLeft',
  ']': 'BracketRight',
  '\\': 'Backslash',
  ';': 'Semicolon',
  "'": 'Quote',
  ',': 'Comma',
  '.': 'Period',
  '/': 'Slash',
  ' ': 'Space',
};
const NOTHING = { shift: false, ctrl: false, alt: false, altGraph: false, meta: false, repeat: false };

/**
 * Returns the keys that a scanner presses for a text, with Shift for capitals, Enter for CR, Tab for HT, and Ctrl for
 * control characters.
 */
export function scannerKeys(text: string, options: ScannerOptions): WedgeKey[] {
  const { everyMs, at = 0, layout = {}, capsLock = false } = options;
  return Array.from(text).flatMap((char, index) => {
    const now = at + index * everyMs;
    const base = { ...NOTHING, capsLock, at: now };
    if (char === '\r' || char === '\t') {
      const key = char === '\r' ? 'Enter' : 'Tab';
      return [{ ...base, key, code: key }];
    }
    if (char < ' ') {
      const sign = String.fromCharCode(char.charCodeAt(0) + 0x40);
      const control = { ...base, key: 'Control', code: 'ControlLeft', ctrl: true };
      return [control, { ...base, key: sign.toLowerCase(), code: codeOf(sign.toLowerCase()), ctrl: true }];
    }
    const isLetter = /[a-z]/i.test(char);
    const shift = SHIFTED[char] !== undefined || /[A-Z]/.test(char);
    const code = codeOf(SHIFTED[char] ?? char.toLowerCase());
    const typed = layout[code]?.[shift ? 1 : 0] ?? char;
    const key = capsLock && isLetter ? turned(typed) : typed;
    const pressed = { ...base, key, code, shift };
    return shift ? [{ ...base, key: 'Shift', code: 'ShiftLeft', shift }, pressed] : [pressed];
  });
}

function turned(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}

function codeOf(char: string): string {
  if (/\d/.test(char)) return `Digit${char}`;
  return NAMES[char] ?? `Key${char.toUpperCase()}`;
}
