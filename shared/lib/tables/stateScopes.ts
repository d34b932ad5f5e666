import { isNo } from './cells/flags.ts';
import { columnKey } from './columnKey.ts';
import { pickStateOf } from './states.ts';

/**
 * Whether a state in the first row of an order is also that of its other rows, whose cells are blank: of the `order`, of the `line` only, or
 * unknown.
 */
export type FirstRows = 'order' | 'line' | undefined;

/** Columns that are about the whole order, by `columnKey`. */
const OF_ORDERS =
  /phone|telefon|telephone|telefono|^(?:billing|shipping|bill|ship)(?:to)?(?:name|company|state|province)|address|adresse|direccion|street|strasse|city$|^stadt|^ville|zip|^plz|postal|country|^land$|^pays$|^pais$|customer|kunde|client|buyer|recipient|empfanger/;
/** Columns of mail addresses, which programs repeat that write everything else of an order in its first row. */
const MAILS = /mail$/;
const OF_LINES = /line|item|position|posten|ligne|linea|artikel|article/;

/** Whether the column is about the whole order, such as its customer. */
export function isOfOrder(key: string): boolean {
  return OF_ORDERS.test(key) || MAILS.test(key);
}

/** Rows of orders with several rows that all have the order's number: the first one, and the others. */
export type RepeatedOrder = { first: number; others: readonly number[] };

/** Returns the orders whose number is repeated in the rows below. `numbers` contains the number of each row, blank where it is. */
export function repeatedOrders(numbers: readonly string[]): RepeatedOrder[] {
  const orders: { first: number; others: number[] }[] = [];
  let last: { first: number; others: number[] } | undefined;
  for (const [at, number] of numbers.entries()) {
    if (last !== undefined && number !== '' && number === numbers[at - 1]) {
      if (last.others.length === 0) orders.push(last);
      last.others.push(at);
    } else last = { first: at, others: [] };
  }
  return orders;
}

/** Tells by other columns of orders whether the file writes what is of an order in its first row only, or in each row. */
export function firstRowsOf(
  orders: readonly RepeatedOrder[],
  columns: readonly { key: string; values: readonly string[] }[],
): FirstRows {
  const isFilled = (values: readonly string[], at: number) => (values[at] ?? '') !== '';
  const styles = columns.map(({ key, values }) => {
    const filled = orders.filter(({ first }) => isFilled(values, first));
    if (filled.length === 0) return undefined;
    if (filled.every(({ others }) => others.every((at) => !isFilled(values, at)))) return 'order';
    const isRepeated = filled.every(({ others }) => others.every((at) => isFilled(values, at)));
    return isRepeated && !MAILS.test(key) ? 'line' : undefined;
  });
  if (styles.includes('order')) return styles.includes('line') ? undefined : 'order';
  return styles.includes('line') ? 'line' : undefined;
}

/** Whether the first row of an order says that it is not picked, and its other rows say nothing, while no other row speaks for itself. */
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
