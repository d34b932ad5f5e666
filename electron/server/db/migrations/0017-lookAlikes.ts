/** Pairs of a Cyrillic or Greek letter and the Latin letter that looks like it. A released index never changes, so this list does not either. */
const LETTERS = [
  'аaвbеeкkмmнhоoрpсcтtуyхxіiјjѕsАaВbЕeКkМmНhОoРpСcТtУyХxІiЈjЅs',
  'αaβbεeζzηhιiκkμmνnοoρpτtυyχxΑaΒbΕeΖzΗhΙiΚkΜmΝnΟoΡpΤtΥyΧx',
].join('');
/** Blanks and dashes. */
const SEPARATORS = [0x20, 0x2d, 0xa0, 0x2007, 0x2009, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2015, 0x202f, 0x2212];

const COLUMNS = [
  ['location_aliases', 'name_key'],
  ['devices', 'label_key'],
  ['carriers', 'code_key'],
  ['carrier_slots', 'code_key'],
  ['batch_slots', 'tote_key'],
  ['article_places', 'place_key'],
  ['named_places', 'name_key'],
  ['articles', 'sku_key'],
  ['article_barcodes', 'code_key'],
  ['orders', 'order_number'],
] as const;

/** Returns the SQL condition for names with non-ASCII characters. */
export function isOdd(column: string): string {
  return `${column} GLOB '*[^ -~]*'`;
}

/** Returns the SQL of a name without separators and with Latin letters in place of their Cyrillic and Greek twins. */
export function foldedLook(column: string): string {
  const letters = [...LETTERS.matchAll(/(.)(.)/gu)].reduce(
    (sql, [, letter, latin]) => `replace(${sql}, '${letter}', '${latin}')`,
    `lower(${column})`,
  );
  return SEPARATORS.reduce((sql, code) => `replace(${sql}, char(${code}), '')`, letters);
}

/** Finds names with Cyrillic or Greek letters that look like a Latin name. */
export const lookAlikes = {
  name: '0017-lookAlikes',
  sql: COLUMNS.map(
    ([table, column]) => `CREATE INDEX ${table}_look ON ${table} (${foldedLook(column)}) WHERE ${isOdd(column)};`,
  ).join('\n'),
};
