/**
 * Interpretation of the number in a cell. `zeros` is the number of digits to which leading zeros pad the number. `unit` is the text with
 * letters that the format shows beside the number, such as `kg`, or empty. `prefix` is such a text before the number, as in `SO-1001`.
 * `decimals` is the number of digits that the format always shows after the decimal sign.
 */
export type NumberFormat =
  | { kind: 'number'; zeros: number; unit: string; prefix: string; decimals: number }
  | { kind: 'date'; hasTime: boolean; hasDay: boolean };

export const PLAIN: NumberFormat = { kind: 'number', zeros: 0, unit: '', prefix: '', decimals: 0 };
const DAY: NumberFormat = { kind: 'date', hasTime: false, hasDay: true };
const TIME: NumberFormat = { kind: 'date', hasTime: true, hasDay: false };
const MOMENT: NumberFormat = { kind: 'date', hasTime: true, hasDay: true };

/** Built-in date and time formats by id, including those of East Asian versions. Id 46 is missing because it is a duration. */
const BUILT_IN: readonly (readonly [from: number, to: number, format: NumberFormat])[] = [
  [14, 17, DAY],
  [18, 21, TIME],
  [22, 22, MOMENT],
  [27, 31, DAY],
  [32, 35, TIME],
  [36, 36, DAY],
  [45, 45, TIME],
  [47, 47, TIME],
  [50, 54, DAY],
  [55, 56, TIME],
  [57, 58, DAY],
];

export function builtInFormat(id: number): NumberFormat {
  return BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2] ?? PLAIN;
}

/** Parses a format code such as `00000`, `dd.mm.yyyy` or `#,##0.00 "kg"`. */
export function parseFormat(code: string): NumberFormat {
  const split = splitLiterals(code);
  if (split === undefined) return PLAIN;
  const { bare, literal, prefix } = split;
  const unit = /\p{L}/u.test(literal) ? literal.trim() : '';
  const [section = ''] = bare.split(';', 1);
  const zeros = /^0{2,}$/.exec(section.trim());
  const decimals = /^[#?0]*0\.(0+)$/.exec(section.trim())?.[1]?.length ?? 0;
  const beside = { unit, prefix: /\p{L}/u.test(prefix) ? prefix.trimStart() : '', decimals };
  if (zeros !== null) return { kind: 'number', zeros: zeros[0].length, ...beside };
  const letters = section.replaceAll(/general|standard|am\/pm|a\/p|e[+-]/gi, '').toLowerCase();
  const hasDay = /[yd]/.test(letters) || (/m/.test(letters) && !/[hs]/.test(letters));
  const hasTime = /[hs]/.test(letters);
  return hasDay || hasTime ? { kind: 'date', hasDay, hasTime } : { kind: 'number', zeros: 0, ...beside };
}

/**
 * Splits a format code. `bare` is the code without quoted and escaped characters, colors, currencies and languages. `literal` contains the
 * characters that it shows for a positive number, and `prefix` those before the number. Returns undefined for a duration, such as `[h]:mm`.
 */
function splitLiterals(code: string): { bare: string; literal: string; prefix: string } | undefined {
  let bare = '';
  let literal = '';
  let prefix = '';
  for (let at = 0; at < code.length; at += 1) {
    const letter = code[at] ?? '';
    const isFirst = !bare.includes(';');
    if (letter === '\\' || letter === '_' || letter === '*') {
      at += 1;
      if (letter === '\\' && isFirst) literal += code[at] ?? '';
    } else if (letter === '"' || letter === '[') {
      const end = code.indexOf(letter === '"' ? '"' : ']', at + 1);
      if (end < 0) break;
      if (letter === '[' && /^(?:h+|m+|s+)$/i.test(code.slice(at + 1, end))) return undefined;
      if (letter === '"' && isFirst) literal += code.slice(at + 1, end);
      at = end;
    } else bare += letter;
    // Colors and blanks can come first.
    if (bare.trim() === '') prefix = literal;
  }
  return { bare, literal, prefix };
}
