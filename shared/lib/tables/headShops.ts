import { createPace, type InParts } from '../station/inParts.ts';
import { columnKeySet } from './columnKey.ts';
import { carriedDown, type HeadColumn, type HeadReading, readValues } from './headColumns.ts';

/** Names of columns with the shop or the series of an order, by `columnKey`. */
const SHOPS = columnKeySet(
  `shop; shop name; webshop; store; store name; marketplace; platform; series; number series; document series; Shopname; Marktplatz; Plattform; Serie; Belegserie; Nummernkreis;
    boutique; place de marché; série; tienda; serie; negozio; winkel; sklep; seria`,
);

/** Maps the first column of shops or series that has different values for one order number. */
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
    const pace = createPace();
    let isShop = false;
    for (const [row, number] of carriedDown(numbers.values).entries()) {
      if (pace.isDue()) yield* pace.rest();
      isShop = isOther(number, row);
      if (isShop) break;
    }
    if (!isShop) continue;
    reading.fields.set('shop', column.index);
    free.delete(column);
    return;
  }
}
