type Range = readonly [first: number, last: number];

const UNASSIGNED = /\p{Unassigned}/u;

const LETTERS: readonly Range[] = [
  [0x20, 0x7e], // ASCII
  [0xa0, 0xac], // Latin-1, without the soft hyphen
  [0xae, 0xff],
  [0x100, 0x17f], // Latin Extended-A
  [0x218, 0x21b], // Romanian comma below
  [0x384, 0x3ce], // Greek
  [0x400, 0x45f], // Cyrillic
  [0x490, 0x491], // Ukrainian
];

const EVERYDAY_SYMBOLS: readonly Range[] = [
  [0x2010, 0x2015], // hyphens and dashes
  [0x2018, 0x201e], // quotation marks
  [0x2020, 0x2022],
  [0x2026, 0x2026], // ellipsis
  [0x2030, 0x2030],
  [0x2032, 0x2033], // minutes, feet; seconds, inches
  [0x20ac, 0x20ac], // euro
  [0x2116, 0x2116], // numero
  [0x2190, 0x2193], // arrows
  [0x2212, 0x2212], // minus
  [0x2260, 0x2260],
  [0x2264, 0x2265],
  [0x2300, 0x2300], // diameter
];

const FURTHER_SYMBOLS: readonly Range[] = [
  [0x2039, 0x203a],
  [0x20a0, 0x20b5], // current currencies
  [0x20b8, 0x20ba],
  [0x20bc, 0x20bf],
  [0x2103, 0x2103],
  [0x2109, 0x2109],
  [0x2122, 0x2122],
  [0x2126, 0x2126], // ohm
  [0x2153, 0x2156], // fractions
  [0x215b, 0x215e],
  [0x2194, 0x2199],
  [0x221a, 0x221a],
  [0x221e, 0x221e],
  [0x2248, 0x2248],
  [0x25a0, 0x25a0],
  [0x25cf, 0x25cf],
  [0x2605, 0x2605],
  [0x2713, 0x2714], // check marks
  [0x2717, 0x2718],
];

const FURTHER: readonly Range[] = [
  [0x18f, 0x18f],
  [0x192, 0x192],
  [0x1a0, 0x1a1], // Vietnamese
  [0x1af, 0x1b0],
  [0x1cd, 0x1dc],
  [0x259, 0x259],
  [0x2c6, 0x2c7],
  [0x2d8, 0x2dd],
  [0x460, 0x481],
  [0x48a, 0x48f],
  [0x492, 0x4ff],
  [0x1e02, 0x1e03],
  [0x1e80, 0x1e85],
  [0x1e9e, 0x1e9e],
  [0x1ea0, 0x1ef9], // Vietnamese
  [0x2016, 0x2016],
  [0x203c, 0x203c],
  [0x2044, 0x2044],
  [0x2070, 0x208e], // superscripts and subscripts
  [0x21b5, 0x21b5],
  [0x21d0, 0x21d5],
  [0x2150, 0x2152],
  [0x2157, 0x215a],
  [0x2200, 0x2219],
  [0x221b, 0x221d],
  [0x221f, 0x222b],
  [0x2261, 0x2261],
  [0x25b2, 0x25b2],
  [0x25b6, 0x25b6],
  [0x25bc, 0x25bc],
  [0x25c0, 0x25c0],
  [0x25c6, 0x25c6],
  [0x25ca, 0x25cb],
  [0x260e, 0x260e],
  [0x2640, 0x2642],
  [0x2660, 0x2660],
  [0x2715, 0x2716],
  [0x2663, 0x2663],
  [0x2665, 0x2666],
  [0xfb01, 0xfb02],
];

function* codesOf(ranges: readonly Range[]): Generator<number> {
  for (const [first, last] of ranges) for (let code = first; code <= last; code++) yield code;
}

const BASIC_CODES: readonly number[] = [...codesOf(LETTERS), ...codesOf(EVERYDAY_SYMBOLS)];

/** Characters that every size should have if its font contains them: signs, and the letters for part names in any European language. */
export const ESSENTIAL_CODES: readonly number[] = inOrder([...BASIC_CODES, ...codesOf(FURTHER_SYMBOLS)]);

/** Characters that most shops need: Western European letters and everyday signs. */
export const FIRST_CODES: ReadonlySet<number> = new Set(BASIC_CODES.filter((code) => code <= 0xff || code >= 0x2010));

/** Essential characters, and further ones that the text sizes have if their fonts contain them. */
export const ALL_CODES: readonly number[] = inOrder([...ESSENTIAL_CODES, ...codesOf(FURTHER)]);

function inOrder(codes: readonly number[]): number[] {
  return [...new Set(codes)].filter((code) => !UNASSIGNED.test(String.fromCodePoint(code))).toSorted((a, b) => a - b);
}
