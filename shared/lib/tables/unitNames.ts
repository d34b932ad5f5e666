import { columnKey, columnKeySet } from './columnKey.ts';
import { isPieceWord, isUnitWord } from './cells/units.ts';
import { wordSet, wordsOfName } from './nameWords.ts';

/** Words for a unit in English, German, French, Spanish, Italian, Dutch and Polish, without accents. */
const UNITS = wordSet(
  'unit uom um udm einheit einh me mengeneinheit mengeneinh unite unidad ud unita eenheid jednostka jedn jm',
);
/** Words that say what the unit measures. */
const OF = wordSet(
  `of measure measurement de di da mesure medida misura miary sales selling sale sell order ordering ordered quantity qty menge mengen verkauf verkaufs bestell
   bestellung vk auftrag auftrags vente venta commande pedido cantidad quantite sprzedazy bestel verkoop line item`,
);
/** Words that count only after a precise word, `uom`. */
const DETAILS = wordSet('name code type description desc text');

const isKnown = (word: string): boolean => UNITS.has(word) || OF.has(word) || DETAILS.has(word);

/** Whether a column with this name contains the units of the quantities: `Selling Unit`, `Bestell-ME`, `Ud. medida`. */
export function isUnitName(name: string): boolean {
  const words = wordsOfName(name, isKnown);
  const isPrecise = words.includes('uom');
  return (
    words.some((word) => UNITS.has(word)) && words.every((word) => isKnown(word) && (isPrecise || !DETAILS.has(word)))
  );
}

/** Names with units of something other than the quantity, by `columnKey`. */
const OTHERS =
  /price|preis|prix|precio|prezzo|cena|cost|kosten|currency|wahrung|weight|gewicht|poids|peso|dimension|length|volume|ship|versand|deliver|liefer|carrier|parcel|sendung|transport|gift|geschenk|cadeau|regalo/;
/** Names that may mean units. A column with any other name needs a value written in full, and a name that does not describe goods. */
const UNIT_LIKE = /unit|uom|einh|pack|gebinde|vpe|conditionn|embal|measure|qty|menge|quant|cant/;
const OF_GOODS =
  /size|grosse|taille|talla|color|colour|farbe|variant|variation|option|style|model|title|titel|name|descri|bezeichn|category|kategorie|brand|marke|group|gruppe|tag|product|produkt|artikel|item|country|state|province|type|typ$|tipo|form|edition|version|contain|present|wrap|shape|cut/;
/** Names that mean units only if all values are units. Other files have types of goods there. */
const WEAK = columnKeySet(
  'type; typ; tipo; kind; Art; soort; rodzaj; container; Behälter; conteneur; contenedor; contenitore; form; format',
);
/** Maximum number of different values of a column of units. */
const MOST_UNITS = 30;
/** Minimum length of a word that cannot be the code of a country or a state. */
const MIN_WORD = 3;

/** Whether a column can contain the units of the quantities, because most of its values are units, and not only words for pieces. */
export function mayBeUnits(name: string, values: readonly string[]): boolean {
  const key = columnKey(name);
  const isUnitLike = UNIT_LIKE.test(key);
  const isWeak = !isUnitLike && OF_GOODS.test(key);
  if (OTHERS.test(key) || (isWeak && !WEAK.has(key))) return false;
  const distinct = new Set<string>();
  for (const value of values) {
    if (value !== '' && value !== '-') distinct.add(value);
    if (distinct.size > MOST_UNITS) return false;
  }
  const known = [...distinct].filter((value) => columnKey(value).length > 1 && isUnitWord(value));
  if (isWeak && known.length < distinct.size) return false;
  const isInFull = isUnitLike || known.some((value) => columnKey(value).length >= MIN_WORD);
  return isInFull && known.length * 2 > distinct.size && known.some((value) => !isPieceWord(value));
}
