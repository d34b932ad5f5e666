/** Characters by HTML entity name, in any case. */
const MARKS = new Map(
  Object.entries<string>({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
  }),
);
/** HTML entity names of the characters from U+00A1 to U+00FF, in this order. */
const LATIN =
  `iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot
  cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute
  Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde
  auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave
  uacute ucirc uuml yacute thorn yuml`.split(/\s+/);
const LATIN_START = 0xa1;

/** Characters by HTML entity name, case-sensitive: `&Eacute;` is É, and `&eacute;` is é. */
const LETTERS = new Map([
  ...LATIN.map((name, at): [string, string] => [name, String.fromCodePoint(LATIN_START + at)]),
  ...Object.entries<string>({
    Aogon: 'Ą',
    aogon: 'ą',
    Cacute: 'Ć',
    cacute: 'ć',
    Eogon: 'Ę',
    eogon: 'ę',
    Lstrok: 'Ł',
    lstrok: 'ł',
    Nacute: 'Ń',
    nacute: 'ń',
    OElig: 'Œ',
    oelig: 'œ',
    Sacute: 'Ś',
    sacute: 'ś',
    Scaron: 'Š',
    scaron: 'š',
    Yuml: 'Ÿ',
    Zacute: 'Ź',
    zacute: 'ź',
    Zdot: 'Ż',
    zdot: 'ż',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    bull: '•',
    hellip: '…',
    euro: '€',
    trade: '™',
  }),
]);
const ENTITY = /&(?:#(\d{2,6})|#x([\da-f]{2,5})|([a-z]{2,6}\d{0,2}));/gi;

/** Replaces the entities that shops such as Etsy write into texts: `Mugs &amp; cups` is `Mugs & cups`. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return LETTERS.get(name) ?? MARKS.get(name.toLowerCase()) ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code >= 32 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff)
      ? String.fromCodePoint(code)
      : entity;
  });
}

/** Ways in which shops write apostrophes. */
const APOSTROPHES = ["'", '&#39;', '&#039;', '&apos;', '&#x27;'];

/** Returns the other spellings of a text, with and without entities, because a shop's files differ. */
export function otherSpellings(text: string): string[] {
  if (!/[&<>"']/.test(text)) return [];
  const plain = withoutEntities(text);
  const encoded = plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const spellings = [encoded, encoded.replaceAll('"', '&quot;')].flatMap((each) =>
    APOSTROPHES.map((apostrophe) => each.replaceAll("'", apostrophe)),
  );
  return [...new Set([plain, ...spellings])].filter((each) => each !== text);
}
