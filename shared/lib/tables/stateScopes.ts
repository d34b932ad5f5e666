import { createPace, type InParts } from '../station/inParts.ts';
import { isNo } from './cells/flags.ts';
import { columnKey } from './columnKey.ts';
import { pickStateOf } from './states.ts';

/**
 * The scope of a state in the first row of an order whose other rows are blank: the whole `order`, only the `line`, or unknown.
 */
export type FirstRows = 'order' | 'line' | undefined;

/** Columns that are about the whole order, by `columnKey`. */
const OF_ORDERS =
  /phone|telefon|telephone|telefono|^(?:billing|shipping|bill|ship)(?:to)?(?:name|company|state|province)|address|adresse|direccion|street|strasse|city$|^stadt|^ville|zip|^plz|postal|country|^land$|^pays$|^pais$|customer|kunde|client|buyer|recipient|empfanger/;
/** Mail addresses. Some programs repeat these, but write all other data of an order only in its first row. */
const MAILS = /mail$/;
const OF_LINES = /line|item|position|posten|ligne|linea|artikel|article/;

/** Whether the column is about the whole order, such as its customer. */
export function isOfOrder(key: string): boolean {
  return OF_ORDERS.test(key) || MAILS.test(key);
}

/** Rows of orders with several rows that all have the order's number: the first one, and the others. */
export type RepeatedOrder = { first: number; others: readonly number[] };

/** Returns the orders whose number is repeated in the rows below. `numbers` contains the number of each row, blank where it is. */
export function* repeatedOrders(numbers: readonly string[]): InParts<RepeatedOrder[]> {
  const pace = createPace();
  const orders: { first: number; others: number[] }[] = [];
  let last: { first: number; others: number[] } | undefined;
  for (const [at, number] of numbers.entries()) {
    if (pace.isDue()) yield* pace.rest();
    if (last !== undefined && number !== '' && number === numbers[at - 1]) {
      if (last.others.length === 0) orders.push(last);
      last.others.push(at);
    } else last = { first: at, others: [] };
  }
  return orders;
}

/** Returns whether other columns have data of an order only in its first row (`order`) or in each row (`line`). */
export function* firstRowsOf(
  orders: readonly RepeatedOrder[],
  columns: readonly { key: string; values: readonly string[] }[],
): InParts<FirstRows> {
  const pace = createPace();
  const isFilled = (values: readonly string[], at: number) => (values[at] ?? '') !== '';
  const styleOf = ({ key, values }: { key: string; values: readonly string[] }): FirstRows => {
    const filled = orders.filter(({ first }) => isFilled(values, first));
    if (filled.length === 0) return undefined;
    if (filled.every(({ others }) => others.every((at) => !isFilled(values, at)))) return 'order';
    const isRepeated = filled.every(({ others }) => others.every((at) => isFilled(values, at)));
    return isRepeated && !MAILS.test(key) ? 'line' : undefined;
  };
  const styles: FirstRows[] = [];
  for (const column of columns) {
    if (pace.isDue()) yield* pace.rest();
    styles.push(styleOf(column));
  }
  if (styles.includes('order')) return styles.includes('line') ? undefined : 'order';
  return styles.includes('line') ? 'line' : undefined;
}

/** Whether only first rows have states, and one of them says more than that the order is open. */
export function saysInFirstRows(name: string, values: readonly string[], orders: readonly RepeatedOrder[]): boolean {
  if (OF_LINES.test(columnKey(name))) return false;
  const says = (at: number) => (values[at] ?? '') !== '';
  if (orders.some(({ others }) => others.some(says))) return false;
  return saysMore(orders.map(({ first }) => values[first] ?? ''));
}

/** Whether one of the values says more than that the order is open. */
export function saysMore(values: readonly string[]): boolean {
  return [...new Set(values)].some((text) => text !== '' && !isNo(text) && pickStateOf(text) !== 'open');
}
