import { createPace, type InParts } from '../station/inParts.ts';
import { columnKey } from './columnKey.ts';
import { isEventDate } from './doneNames.ts';
import { type TableField, fieldOf } from './fields.ts';
import {
  type GivenColumns,
  type HeadColumn,
  type HeadReading,
  carriedDown,
  plainName,
  readValues,
} from './headColumns.ts';
import { FIELD_BY_KEY } from './profiles/synonyms.ts';
import { MOST_VALUES, readStates, type StateValues } from './stateColumns.ts';
import { isStateField } from './stateNames.ts';
import { firstRowsOf, isOfOrder, repeatedOrders } from './stateScopes.ts';

/** Fields with remarks, in which a shop may write that an order is canceled. */
const REMARKS: readonly TableField[] = ['note', 'description'];

/** Finds the columns that say whether rows are picked, by their names and values. Adds questions about those that are not understood. */
export function* takeStates(
  reading: HeadReading,
  free: Set<HeadColumn>,
  { columns: given = {}, states, whenIs = () => undefined }: GivenColumns,
): InParts<void> {
  const { columns, fields, profile, takesOthers, ignored } = reading;
  let ofOrders: OrderValues | undefined;
  const fieldAt = new Map([...fields].map(([field, index]) => [index, field]));
  const pace = createPace();
  const answers = yield* answersByKey(given);
  for (const column of columns) {
    if (pace.isDue()) yield* pace.rest();
    const mapped = fieldAt.get(column.index);
    const answer = answers.get(columnKey(column.name));
    const field = answer === undefined || answer === null ? undefined : fieldOf('orders', answer);
    const isRuled = profile?.rules.some((rule) => rule.field === field) ?? false;
    const said = isStateField(field) && !isRuled ? field : undefined;
    const isRemark =
      mapped !== undefined && REMARKS.includes(mapped) && answer === undefined && profile?.isExport !== true;
    const isDue = mapped === 'due_time' && answer === undefined && takesOthers && isEventDate(plainName(column.name));
    if ((!free.has(column) && said === undefined && !isRemark && !isDue) || ignored.has(column.key)) continue;
    yield* readValues([column]);
    const synonym = takesOthers ? FIELD_BY_KEY.orders.get(column.key) : undefined;
    ofOrders ??= yield* orderValues(reading);
    const { quantities, repeated, firstRows } = ofOrders;
    const read = readStates({
      name: isRemark ? 'note' : plainName(column.name),
      field: said ?? (isStateField(synonym) ? synonym : undefined),
      values: column.values,
      ...(yield* valuesIn(column, ofOrders)),
      quantities,
      repeated,
      firstRows,
      isSaid: said !== undefined,
      known: states ?? new Map(),
      whenIs,
    });
    column.forget();
    if (read === undefined) continue;
    if (!isRemark) free.delete(column);
    if (isDue) fields.delete('due_time');
    if ('asks' in read) {
      reading.open.push({
        column,
        fields: read.asks,
        ...(read.unknown === undefined ? {} : { unknown: read.unknown }),
      });
      continue;
    }
    reading.states.push({ index: column.index, field: read.field, rules: read.rules });
    if (!isRemark && !fields.has(read.field)) fields.set(read.field, column.index);
  }
}

function* answersByKey(given: Required<GivenColumns>['columns']): InParts<Map<string, string | null>> {
  const pace = createPace();
  const answers = new Map<string, string | null>();
  for (const [name, answer] of Object.entries(given)) {
    if (pace.isDue()) yield* pace.rest();
    const key = columnKey(name);
    if (!answers.has(key)) answers.set(key, answer);
  }
  return answers;
}

/** What each row says about its order. `orders` contains the index of each row's order, or is null without a column of order numbers. */
type OrderValues = Pick<StateValues, 'firstRows' | 'quantities' | 'repeated'> & {
  orders: { at: readonly number[]; count: number } | null;
};

/** Fields that belong to the order. */
const OF_ORDER: readonly TableField[] = ['customer', 'customer_first_name', 'customer_last_name', 'due_time'];

/** Reads the order number, repeated for blank cells below it, and the quantity of each row. */
function* orderValues({ columns, fields }: HeadReading): InParts<OrderValues> {
  const find = (field: TableField) => columns.find(({ index }) => index === fields.get(field));
  const [orders, quantities] = [find('order_number'), find('ordered_quantity') ?? find('quantity_to_ship')];
  yield* readValues([orders, quantities].filter((column) => column !== undefined));
  const repeated = yield* repeatedOrders(orders?.values ?? []);
  const others = columns.filter(
    ({ key, index }) => isOfOrder(key) || OF_ORDER.some((field) => fields.get(field) === index),
  );
  if (repeated.length > 0) yield* readValues(others);
  return {
    orders: orders === undefined ? null : yield* orderIndexes(orders),
    quantities: quantities?.values ?? null,
    repeated,
    firstRows: yield* firstRowsOf(repeated, repeated.length === 0 ? [] : others),
  };
}

function* orderIndexes({ values }: HeadColumn): InParts<NonNullable<OrderValues['orders']>> {
  const pace = createPace();
  const indexes = new Map<string, number>();
  const at: number[] = [];
  for (const number of carriedDown(values)) {
    const index = indexes.get(number) ?? indexes.size;
    indexes.set(number, index);
    at.push(index);
    if (pace.isDue()) yield* pace.rest();
  }
  return { at, count: indexes.size };
}

/** Counts the values of a column. */
function* valuesIn(
  { values }: HeadColumn,
  { orders }: OrderValues,
): InParts<Pick<StateValues, 'counts' | 'fillsOrders' | 'hasMore'>> {
  const pace = createPace();
  const counts = new Map<string, number>();
  const filled = new Set<number>();
  let hasMore = false;
  for (const [row, value] of values.entries()) {
    if (pace.isDue()) yield* pace.rest();
    if (value === '') continue;
    const order = orders?.at[row];
    if (order !== undefined) filled.add(order);
    const count = counts.get(value);
    if (count !== undefined) counts.set(value, count + 1);
    else if (counts.size < MOST_VALUES) counts.set(value, 1);
    else hasMore = true;
  }
  return { counts, hasMore, fillsOrders: orders !== null && filled.size === orders.count };
}
