import { createPace, type InParts } from '../station/inParts.ts';
import { columnKeySet } from './columnKey.ts';
import type { TableField } from './fields.ts';
import { carriedDown, type HeadColumn, type HeadReading, readValues } from './headColumns.ts';

/** Names of columns with the shop or the series of an order, by `columnKey`. */
const SHOPS = columnKeySet(
  `shop; shop name; webshop; store; store name; marketplace; platform; series; number series; document series; Shopname; Marktplatz; Plattform; Serie; Belegserie; Nummernkreis;
    boutique; place de marché; série; tienda; serie; negozio; winkel; sklep; seria`,
);

/** Names of columns with the channel of an order. Unlike with shops, one order can have lines of several channels. */
const CHANNELS = columnKeySet(
  `channel; channel name; sales channel; sales channel name; order channel; source; origin; store id; shop id; store no; shop no; website; seller account; marketplace account; account name; brand; source channel; selling channel; order source; sales source; Kanal; Verkaufskanal; Vertriebskanal; Absatzkanal; Bestellkanal; Quelle; Herkunft; Mandant; Filiale; Shop-ID; Marke;
    canal; canal de vente; canal des ventes; canal de venta; canal de ventas; origine; origen; marque; marca; canale; canale di vendita; kanaal; verkoopkanaal; kanał; kanał sprzedaży; źródło; źródło zamówienia`,
);
/** Names of columns with the person or the day of an order, by `columnKey`. */
const PEOPLE =
  /customer|kunde|client|klient|buyer|recipient|empfanger|destinat|acheteur|comprador|klant|kupujac|mail$|^(?:billing|shipping|billto|shipto)(?:name|company)$/;
const DAYS =
  /^(?:order|ordered|purchase|sales?|created|placed|paid|payment|bestell|auftrags?|kauf|beleg|document)(?:date|datum|at|on|am|time)$|^(?:date|fecha|data)(?:de|du|della|del)?(?:created|placed|order|commande|pedido|ordine|zakupu|zamowienia)?$|^datum$|^besteldatum$/;

/**
 * Maps the first column of shops or series that has different values for one order number. For a column of channels, the rows must also differ
 * in their person or day.
 */
export function* takeShop(reading: HeadReading, free: Set<HeadColumn>): InParts<void> {
  const numbers = reading.columns.find(({ index }) => index === reading.fields.get('order_number'));
  if (numbers === undefined || reading.fields.has('shop')) return;
  for (const column of free) {
    const isChannel = CHANNELS.has(column.key);
    if (!SHOPS.has(column.key) && !isChannel) continue;
    const ofOrder = isChannel ? reading.columns.filter((each) => isOfPersonOrDay(reading, each)) : [];
    yield* readValues([numbers, column, ...ofOrder]);
    const rows = new Map<string, number>();
    const isOther = (number: string, row: number): boolean => {
      if ((column.values[row] ?? '') === '' || number === '') return false;
      const before = rows.get(number) ?? row;
      rows.set(number, before);
      if (!differs(column, before, row)) return false;
      return !isChannel || ofOrder.some((each) => differs(each, before, row));
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

const OF_PERSON: readonly TableField[] = ['customer', 'customer_first_name', 'customer_last_name'];

function isOfPersonOrDay({ fields }: HeadReading, { key, index }: HeadColumn): boolean {
  return PEOPLE.test(key) || DAYS.test(key) || OF_PERSON.some((field) => fields.get(field) === index);
}

/** Whether both rows have values in the column, and these differ. */
function differs({ values }: HeadColumn, one: number, other: number): boolean {
  const [before = '', after = ''] = [values[one], values[other]];
  return before !== '' && after !== '' && before.toLowerCase() !== after.toLowerCase();
}
