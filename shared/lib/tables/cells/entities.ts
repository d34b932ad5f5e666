/** Characters by their names in HTML, as far as shops write them into files. */
const NAMED = new Map(
  Object.entries<string>({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
  }),
);
const ENTITY = /&(?:#(\d{2,6})|#x([\da-f]{2,5})|([a-z]{2,4}));/gi;

/** Replaces the entities that shops such as Etsy write into texts: `Mugs &amp; cups` is `Mugs & cups`. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? entity;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code >= 32 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff)
      ? String.fromCodePoint(code)
      : entity;
  });
}

/** Ways in which shops write apostrophes, and the characters that they may leave unchanged. */
const APOSTROPHES = ["'", '&#39;', '&#039;', '&apos;', '&#x27;'];

/** Returns the other ways to write a text, with entities and without them, as shops write it into different files. */
export function otherSpellings(text: string): string[] {
  if (!/[&<>"']/.test(text)) return [];
  const plain = withoutEntities(text);
  const encoded = plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const spellings = [encoded, encoded.replaceAll('"', '&quot;')].flatMap((each) =>
    APOSTROPHES.map((apostrophe) => each.replaceAll("'", apostrophe)),
  );
  return [...new Set([plain, ...spellings])].filter((each) => each !== text);
}
