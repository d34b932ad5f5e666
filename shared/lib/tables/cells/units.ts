import { columnKey } from '../columnKey.ts';

/** Words for single pieces in English, German, French, Spanish, Italian, Dutch, Polish and Portuguese, and their codes in trade. */
const PIECES = `x; pc; pcs; piece; pieces; pce; pces; ea; each; u; un; unit; units; item; items; article; articles; nos; qty; C62; H87; NAR;
  Stück; Stücke; Stueck; Stk; Stck; St; Einheit; Einheiten; Exemplar; Exemplare; Artikel;
  pièce; pièces; unité; unités; exemplaire; exemplaires;
  pieza; piezas; pza; pzas; pz; pzs; ud; uds; und; unds; uni; unidad; unidades; artículo; artículos;
  pezzo; pezzi; unità; articolo; articoli; stuk; stuks; eenheid; eenheden; artikelen; szt; sztuka; sztuki; sztuk; jednostka; jednostki;
  peça; peças; ks; kpl; шт`;
/** Words for a fixed number of pieces. */
const COUNTED: Readonly<Record<number, string>> = {
  12: `dozen; dozens; doz; dz; dzn; dzd; dtz; dtzd; DZN; Dutzend; douzaine; douzaines; docena; docenas; dozzina; dozzine; dozijn; dozijnen;
    tuzin; tuziny; tuzinów; dúzia; dúzias`,
  144: 'gross; grosses; GRO; Gros; grosse; gruesa; gruesas; grosa; grossa; grosze; gros',
};
const keysIn = (words: string): string[] => words.split(';').map((word) => columnKey(word.trim()));
/** Number of pieces of each word, by `columnKey`. Of any other word, nobody can say how many pieces it is. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ...Object.entries(COUNTED).flatMap(([pieces, words]) =>
    keysIn(words).map((key): [string, number] => [key, Number(pieces)]),
  ),
  ...keysIn(PIECES).map((key): [string, number] => [key, 1]),
]);

/** What is known about the units of a row. */
export type UnitsOfRow = {
  /** Text of the column of units. Empty if there is none. */
  column: string;
  /** Returns the unit in which the station counts the article. Empty if unknown. */
  article(): string;
  /** Numbers of pieces that the caller gives for units. */
  given: Readonly<Record<string, number>>;
  /** Number of pieces in one unit according to the row itself, or null. `isSure` tells whether it also applies without a unit. */
  per: { pieces: number; isSure: boolean } | null;
};

export const NO_UNITS: UnitsOfRow = { column: '', article: () => '', given: {}, per: null };

/** The number of pieces in one unit, or a sentence about why it is unknown. `unit` is the unit that the caller can give. */
export type PiecesOfUnit = { ok: true; pieces: number } | { ok: false; message: string; unit: string | null };

/** Returns the number of pieces in one unit of a quantity. `unit` is the unit in the quantity's own cell, or empty. */
export function piecesOfUnit(unit: string, { column, article, given, per }: UnitsOfRow): PiecesOfUnit {
  const own = unitOf(unit, given);
  const other = unitOf(column, given);
  if (own !== undefined && other !== undefined && own.key !== other.key && !(own.pieces === 1 && other.pieces === 1)) {
    const message = `The quantity is in "${unit}", and its unit is "${column}". Keep one of them.`;
    return { ok: false, message, unit: null };
  }
  const said = own ?? other;
  if (per !== null) {
    const { pieces, isSure } = per;
    if (isSure || pieces === 1 || (said !== undefined && said.pieces !== 1)) return { ok: true, pieces };
    const message = `The row says that one unit has ${String(pieces)} pieces, but not that its quantity is in such units. Name the unit.`;
    return { ok: false, message, unit: null };
  }
  if (said === undefined) return { ok: true, pieces: 1 };
  const text = own === undefined ? column : unit;
  if (said.isGiven) return { ok: true, pieces: said.pieces ?? 1 };
  const stock = article();
  const counted = unitOf(stock, {});
  if (counted !== undefined && isSameUnit(counted, said)) return { ok: true, pieces: 1 };
  if (counted !== undefined && (counted.pieces ?? 1) > 1) {
    const message = `The quantity is in "${text}", and the article is counted in "${stock}". Give the quantity in "${stock}".`;
    return { ok: false, message, unit: null };
  }
  if (said.pieces !== null) return { ok: true, pieces: said.pieces };
  const example = JSON.stringify({ [text]: 10 });
  return {
    ok: false,
    message: `How many pieces "${text}" means is not known. Give the number of pieces, or say it in units, such as ${example}.`,
    unit: text,
  };
}

type Unit = { key: string; pieces: number | null; isGiven: boolean };

/** Returns the meaning of a unit, or undefined if there is none. A text without letters, such as `-`, has none. */
function unitOf(text: string, given: UnitsOfRow['given']): Unit | undefined {
  const key = columnKey(text) || text.replaceAll(/[\s.\-–—_/]/gu, '');
  if (key === '') return undefined;
  const name = Object.keys(given).find((each) => singular(columnKey(each)) === singular(key));
  const pieces = name === undefined ? undefined : given[name];
  return { key, pieces: pieces ?? UNITS.get(key) ?? null, isGiven: pieces !== undefined };
}

/** Removes the ending of a plural, so that `boxes` is `box`. */
function singular(key: string): string {
  return key.length > 3 ? key.replace(/(?:es|en|s|e|n)$/, '') : key;
}

function isSameUnit(one: Unit, other: Unit): boolean {
  return singular(one.key) === singular(other.key) || (one.pieces !== null && one.pieces === other.pieces);
}
