import type { InParts } from '../station/inParts.ts';
import { columnKeySet } from './columnKey.ts';
import { OPTION_FIELDS } from './fields.ts';
import { type HeadColumn, type HeadReading, readValues } from './headColumns.ts';

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
const VARIANTS = columnKeySet(
  `variant; variants; variant title; variant name; variation; variations; variation name; variation details; item variation; option; options; option name; option 1; option 2; option 3;
    product option; product options; product variant; product variation; item option; item options; item option 1; item option 2; item option 3; item variant; selected options; color; colour; size;
    Variante; Variantenname; Variantenbezeichnung; Variantendetails; Optionen; Farbe; Größe; Ausführung;
    couleur; taille; variante; déclinaison; talla; tamaño; variación; opción; opciones; colore; taglia; kleur; maat; kolor; rozmiar`,
);
