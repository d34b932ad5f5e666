import type { InParts } from '../station/inParts.ts';
import { columnKeys } from './columnKey.ts';
import { OPTION_FIELDS } from './fields.ts';
import { carriedDown, type HeadColumn, type HeadReading, readValues } from './headColumns.ts';

/** Maps columns such as `Color` and `Variation`, in their order, unless each row has the code of its article. */
export function* takeVariants(reading: HeadReading, free: Set<HeadColumn>): InParts<void> {
  if (![...free].some(({ key }) => VARIANTS.has(key))) return;
  const codes = CODE_FIELDS.map((field) => reading.fields.get(field)).filter((index) => index !== undefined);
  const coded = reading.columns.filter(({ index }) => codes.includes(index));
  yield* readValues(coded);
  const [first] = coded;
  if (first?.values.every((_value, row) => coded.some(({ values }) => values[row] !== '')) === true) return;
  for (const column of free) {
    if (!VARIANTS.has(column.key)) continue;
    const field = OPTION_FIELDS.find((each) => !reading.fields.has(each));
    if (field === undefined) return;
    yield* readValues([column]);
    if (column.values.every((value) => value === '')) continue;
    reading.fields.set(field, column.index);
    free.delete(column);
  }
}

/** Fields with the code of an article. */
const CODE_FIELDS = ['SKU', 'UPC', 'sku_and_name'] as const;

/** Names of columns with the variant of an article, by `columnKey`. */
const VARIANTS: ReadonlySet<string> = new Set(
  columnKeys(
    `variant; variants; variant title; variant name; variation; variations; variation name; variation details; item variation; option; options; option name; option 1; option 2; option 3;
    product option; product options; product variant; product variation; item option; item options; item option 1; item option 2; item option 3; item variant; selected options; color; colour; size;
    Variante; Variantenname; Variantenbezeichnung; Variantendetails; Optionen; Farbe; Größe; Ausführung;
    couleur; taille; variante; déclinaison; talla; tamaño; variación; opción; opciones; colore; taglia; kleur; maat; kolor; rozmiar`,
  ),
);

/** Names of columns with the shop or the series of an order, by `columnKey`. */
const SHOPS: ReadonlySet<string> = new Set(
  columnKeys(
    `shop; shop name; webshop; store; store name; marketplace; platform; series; number series; document series; Shopname; Marktplatz; Plattform; Serie; Belegserie; Nummernkreis;
    boutique; place de marché; série; tienda; serie; negozio; winkel; sklep; seria`,
  ),
);

/** Maps the first column of shops or series that has several of them for one order number. */
export function* takeShop(reading: HeadReading, free: Set<HeadColumn>): InParts<void> {
  const numbers = reading.columns.find(({ index }) => index === reading.fields.get('order_number'));
  if (numbers === undefined || reading.fields.has('shop')) return;
  for (const column of free) {
    if (!SHOPS.has(column.key)) continue;
    yield* readValues([numbers, column]);
    const shops = new Map<string, string>();
    const isOther = (number: string, row: number): boolean => {
      const shop = column.values[row] ?? '';
      if (shop === '' || number === '') return false;
      const before = shops.get(number) ?? shop;
      shops.set(number, before);
      return before !== shop;
    };
    if (!carriedDown(numbers.values).some(isOther)) continue;
    reading.fields.set('shop', column.index);
    free.delete(column);
    return;
  }
}
