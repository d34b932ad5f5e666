/** Scripts allowed in names; see Unicode Standard Annex 31, tables 5 and 7. */
const SCRIPTS = [
  'Adlam',
  'Arabic',
  'Armenian',
  'Balinese',
  'Bengali',
  'Bopomofo',
  'Canadian_Aboriginal',
  'Cherokee',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Javanese',
  'Kannada',
  'Katakana',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Mongolian',
  'Myanmar',
  'Nko',
  'Oriya',
  'Sinhala',
  'Syriac',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
  'Tifinagh',
  'Yi',
] as const;
type Script = (typeof SCRIPTS)[number];

/** Writing systems that mix scripts, such as Japanese; see Unicode Technical Standard 39, section 5.1. */
const TOGETHER: readonly (readonly Script[])[] = [
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Bopomofo'],
  ['Han', 'Hangul'],
];

const PATTERNS = SCRIPTS.map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const);
const OF_ANY_SCRIPT = /[\p{Script=Common}\p{Script=Inherited}]/u;
/** Control and format characters, fillers, line ends and unassigned code points. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether the name contains an invisible character or two consecutive spaces, so that it could look like a different name. */
export function hasInvisible(name: string): boolean {
  return INVISIBLE.test(name) || name.includes('  ');
}

/**
 * Whether all letters belong to one script, so that no letter can imitate one of another script. Digits and symbols belong to every script.
 */
export function isOfOneScript(name: string): boolean {
  const found = new Set<Script | undefined>();
  for (const character of name) {
    if (OF_ANY_SCRIPT.test(character)) continue;
    found.add(PATTERNS.find(([, pattern]) => pattern.test(character))?.[0]);
  }
  const scripts = [...found];
  if (scripts.includes(undefined)) return false;
  return (
    scripts.length <= 1 || TOGETHER.some((group) => scripts.every((script) => group.some((one) => one === script)))
  );
}
