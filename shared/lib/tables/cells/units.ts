import { columnKey, columnKeys, columnKeySet } from '../columnKey.ts';
import { MAX_UNIT_CHARACTERS } from '../tableLimits.ts';
import { shortened } from './texts.ts';

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
/** Number of pieces of each word, by `columnKey`. Of any other word, nobody can say how many pieces it is. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ...Object.entries(COUNTED).flatMap(([pieces, words]) =>
    columnKeys(words).map((key): [string, number] => [key, Number(pieces)]),
  ),
  ...columnKeys(PIECES).map((key): [string, number] => [key, 1]),
]);

/** Words and trade codes for other units in our languages. Excludes sets and bundles, which are articles with parts. */
const OTHERS: readonly string[] = columnKeys(
  `box; bx; case; cs; carton; ctn; ct; pack; pk; pkt; packet; package; pkg; bag; bg; bottle; btl; can; tin; jar; tub; tube; roll; rl; ro; reel; spool; coil; sheet; pad; ream;
  pair; pr; pallet; plt; pal; skid; tray; drum; barrel; bucket; pail; crate; sack; strip; sleeve; hundred; thousand; kg; kgs; kilo; kilogram; kgm; gram; grm; lb; lbs; pound; oz; ounce;
  metre; meter; mtr; cm; mm; ft; foot; feet; inch; yd; yard; litre; liter; ltr; ml; gal; gallon; sqm; m2; cbm; m3; ton; tonne;
  Karton; Kart; Krt; Ktn; Kiste; Kasten; Packung; Pck; Päckchen; Paket; Beutel; Säcke; Flasche; Dose; Glas; Gläser; Rolle; Rll; Bogen; Blatt; Block; Paar; Bund; Bündel; Gebinde; Palette;
  Eimer; Fass; Fässer; Kanister; Tafel; Stange; VE; VPE; lfm; Kilogramm; Gramm; Hundert; Tausend;
  boîte; caisse; paquet; sachet; sac; bouteille; bidon; rouleau; paire; barquette; colis; mètre; cartouche; ramette; pot; flacon; fût; plaquette; étui;
  caja; cartón; paquete; bolsa; saco; botella; bote; lata; rollo; par; pares; palé; palet; bandeja; metro; litro; bidón; resma; estuche; garrafa;
  scatola; scatole; cartone; cartoni; confezione; confezioni; pacco; pacchi; busta; buste; sacco; bottiglia; bottiglie; rotolo; rotoli; paio; paia; bancale; cassa; casse;
  doos; dozen; pak; zak; fles; rol; paar; krat; stel; karton; kartony; opak; opakowanie; paczka; paczki; para; pary; rolka; rolki; butelka; worek; skrzynka; paleta; metr; zgrzewka;
  caixa; pacote; rolo`,
);

/** Words for no unit, by `columnKey`. */
const NONE = columnKeySet(
  'n/a; none; null; nil; keine; kein; ohne; aucun; aucune; ninguno; ninguna; nessuno; nessuna; geen; brak; nenhum; nenhuma',
);
/** A price: with a sign or code of a currency. */
const PRICE =
  /\p{Sc}|(?:^|[\s\d])(?:EUR|USD|GBP|CHF|PLN|CZK|SEK|NOK|DKK|HUF|RON|AUD|CAD|NZD|JPY|CNY|INR|BRL|MXN|TRY|ZAR|kr|zł|Kč)(?:$|[\s\d.])/u;

/** Whether these values of a column can be units, and not only prices or other numbers. */
export function hasUnits(values: readonly string[]): boolean {
  const filled = values.filter((value) => !NONE.has(columnKey(value)) && value !== '' && value !== '-');
  return filled.length === 0 || filled.some((value) => !PRICE.test(value) && /[^\d\s.,'’+\-\u2212/]/u.test(value));
}

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
  if (
    own !== undefined &&
    other !== undefined &&
    !isSameWord(own.key, other.key) &&
    !(own.pieces === 1 && other.pieces === 1)
  ) {
    const message = `The quantity is in "${unit}", and its unit is "${column}". Keep one of them.`;
    return { ok: false, message, unit: null };
  }
  const said = own ?? other;
  const text = own === undefined ? column : unit;
  const stock = said === undefined ? '' : article();
  const counted = unitOf(stock, {});
  const isCounted = said !== undefined && counted !== undefined && isAlike(counted, said);
  if (isCounted && (per === null || per.pieces === 1)) return { ok: true, pieces: 1 };
  if (isCounted && per !== null) {
    const message = `The article is counted in "${stock}", but the row says that "${text}" has ${String(per.pieces)} pieces. Correct one of them.`;
    return { ok: false, message, unit: null };
  }
  if (per !== null) {
    const { pieces, isSure } = per;
    if (isSure || pieces === 1 || (said !== undefined && said.pieces !== 1)) return { ok: true, pieces };
    const message = `The row says that one unit has ${String(pieces)} pieces, but not that its quantity is in such units. Name the unit.`;
    return { ok: false, message, unit: null };
  }
  if (said === undefined) return { ok: true, pieces: 1 };
  if (counted !== undefined && (counted.pieces ?? 1) > 1) {
    const message = `The quantity is in "${text}", and the article is counted in "${stock}". Give the quantity in "${stock}".`;
    return { ok: false, message, unit: null };
  }
  if (said.pieces !== null) return { ok: true, pieces: said.pieces };
  if (text.length > MAX_UNIT_CHARACTERS) {
    const message = `The number of pieces in "${shortened(text)}" is unknown, and the unit is longer than ${String(MAX_UNIT_CHARACTERS)} characters. Give the quantity in pieces.`;
    return { ok: false, message, unit: null };
  }
  const example = JSON.stringify({ [text]: 10 });
  return {
    ok: false,
    message: `The number of pieces in "${text}" is unknown. Answer the question in the preview once, or send units, such as ${example}.`,
    unit: text,
  };
}

type Unit = { key: string; pieces: number | null };

/** Returns the meaning of a unit, or undefined if there is none. A text without letters, such as `-`, has none. */
function unitOf(text: string, given: UnitsOfRow['given']): Unit | undefined {
  const key = keyOf(text);
  if (key === '' || NONE.has(key)) return undefined;
  const names = Object.keys(given);
  const name = names.find((each) => keyOf(each) === key) ?? names.find((each) => isSameWord(keyOf(each), key));
  const pieces = name === undefined ? undefined : given[name];
  return { key, pieces: pieces ?? UNITS.get(key) ?? null };
}

/** Returns the key of a unit: `1 Stk` is `stk`. */
function keyOf(text: string): string {
  return columnKey(text.replace(/^1\s?(?=\p{L})/u, '')) || text.replaceAll(/[\s.\-–—_/]/gu, '');
}

/** Endings of plurals in English, German, French and Spanish, each with the words that take it. */
const PLURALS: readonly { ending: string; after: RegExp }[] = [
  { ending: 's', after: /../ },
  { ending: 'es', after: /.(?:[sxznrld]|[cs]h)$/ },
  { ending: 'e', after: /...[^aeiou]$/ },
  { ending: 'en', after: /..[^aeiou]$/ },
  { ending: 'n', after: /..(?:e|el|er)$/ },
  { ending: 'er', after: /...[dst]$/ },
  { ending: 'x', after: /.(?:eau|eu|ou)$/ },
];

/** Endings that the plural replaces: battery and batteries, loaf and loaves, bocal and bocaux, haz and haces. */
const REPLACED: readonly (readonly [string, string])[] = [
  ['y', 'ies'],
  ['f', 'ves'],
  ['al', 'aux'],
  ['z', 'ces'],
];

/** Whether two keys are one word, in the singular or plural. `tub` and `tube` are two words. */
function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const [singular, plural] = one.length < other.length ? [one, other] : [other, one];
  if (REPLACED.some(([end, ends]) => singular.endsWith(end) && plural === `${singular.slice(0, -end.length)}${ends}`))
    return true;
  return PLURALS.some(({ ending, after }) => plural === `${singular}${ending}` && after.test(singular));
}

/** Whether a text is a word for pieces or for another unit, such as `Karton` or `dozens`. */
export function isUnitWord(text: string): boolean {
  if (text.length > MAX_UNIT_CHARACTERS) return false;
  const key = keyOf(text);
  return UNITS.has(key) || OTHERS.some((each) => isSameWord(each, key));
}

/** Whether a text is a word for single pieces. */
export function isPieceWord(text: string): boolean {
  return UNITS.get(keyOf(text)) === 1;
}

/** Whether two texts are one unit, such as `Karton` and `1 kartons`. */
export function isSameUnit(one: string, other: string): boolean {
  return isSameWord(keyOf(one), keyOf(other));
}

/** Whether two texts mean the same unit, such as `EA` and `Each`, or both mean no unit. */
export function meansSameUnit(one: string, other: string): boolean {
  const [first, second] = [unitOf(one, {}), unitOf(other, {})];
  return first === undefined || second === undefined ? first === second : isAlike(first, second);
}

function isAlike(one: Unit, other: Unit): boolean {
  return isSameWord(one.key, other.key) || (one.pieces !== null && one.pieces === other.pieces);
}
