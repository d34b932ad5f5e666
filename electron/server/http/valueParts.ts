import { LazyList } from '#shared/lib/lazyList.ts';

/** Values in one piece of text, unless one field alone is longer: a part of a millisecond. */
const MAX_WEIGHT = 1_000;

/** `isFirst`: nothing of the same array or object is before it. `isAlone`: it is the only field of its object. */
type Place = { isFirst: boolean; isAlone: boolean };
type Around = readonly [open: string, close: string];

/** How a format writes values whole, and what it puts around those that are written in pieces. */
export type ValueFormat = {
  whole(value: unknown): string;
  elements(values: readonly unknown[], isFirst: boolean): string;
  field(name: string, value: unknown, place: Place): string;
  array: Around;
  object: Around;
  aroundElement(isFirst: boolean): Around;
  aroundField(name: string, place: Place): Around;
};

/** Whether a value takes more than one piece. Looks at its beginning only. */
export function isLong(value: unknown): boolean {
  return weightOf(value, MAX_WEIGHT) > MAX_WEIGHT;
}

/** The text of a value in pieces, some of them empty. A `LazyList` can be a field of the value or of a field. */
export function* piecesOf(value: unknown, format: ValueFormat): Generator<string, void, void> {
  if (!isLong(value)) {
    yield format.whole(value);
    return;
  }
  if (Array.isArray(value)) {
    yield format.array[0];
    yield* elementsOf([value], format);
    yield format.array[1];
    return;
  }
  yield format.object[0];
  const fields = Object.entries(value as object).filter(([, part]) => part !== undefined);
  for (const [index, [name, part]] of fields.entries())
    yield* fieldOf(name, part, { format, place: { isFirst: index === 0, isAlone: fields.length === 1 } });
  yield format.object[1];
}

function* fieldOf(
  name: string,
  value: unknown,
  { format, place }: { format: ValueFormat; place: Place },
): Generator<string, void, void> {
  const [open, close] = format.aroundField(name, place);
  if (!(value instanceof LazyList)) {
    if (!isLong(value)) {
      yield format.field(name, value, place);
      return;
    }
    yield open;
    yield* piecesOf(value, format);
    yield close;
    return;
  }
  let isEmpty = true;
  for (const piece of elementsOf(value.parts(), format)) {
    if (isEmpty && piece !== '') {
      yield open + format.array[0];
      isEmpty = false;
    }
    yield piece;
  }
  yield isEmpty ? format.field(name, [], place) : format.array[1] + close;
}

function* elementsOf(parts: Iterable<readonly unknown[]>, format: ValueFormat): Generator<string, void, void> {
  let isFirst = true;
  for (const part of parts) {
    if (part.length === 0) yield '';
    for (let at = 0; at < part.length;) {
      const end = endOfPiece(part, at);
      if (end === at + 1 && isLong(part[at])) {
        const [open, close] = format.aroundElement(isFirst);
        yield open;
        yield* piecesOf(part[at], format);
        yield close;
      } else yield format.elements(part.slice(at, end), isFirst);
      isFirst = false;
      at = end;
    }
  }
}

/** The element after those that fit into one piece from `at` on: at least one. */
function endOfPiece(elements: readonly unknown[], at: number): number {
  let weight = weightOf(elements[at], MAX_WEIGHT);
  let end = at + 1;
  while (end < elements.length) {
    weight += weightOf(elements[end], MAX_WEIGHT);
    if (weight > MAX_WEIGHT) break;
    end += 1;
  }
  return end;
}

/** Number of values in it, or a number above `most`. */
function weightOf(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof LazyList) return most + 1;
  let weight = 1;
  if (Array.isArray(value)) {
    for (const part of value) if ((weight += weightOf(part, most - weight)) > most) break;
    return weight;
  }
  // Without a copy of the values: every answer is weighed.
  for (const name in value) {
    weight += weightOf((value as Record<string, unknown>)[name], most - weight);
    if (weight > most) break;
  }
  return weight;
}

export const JSON_FORMAT: ValueFormat = {
  whole: (value) => JSON.stringify(value) ?? 'null',
  elements: (values, isFirst) => `${isFirst ? '' : ','}${JSON.stringify(values).slice(1, -1)}`,
  field: (name, value, { isFirst }) => `${isFirst ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}`,
  array: ['[', ']'],
  object: ['{', '}'],
  aroundElement: (isFirst) => [isFirst ? '' : ',', ''],
  aroundField: (name, { isFirst }) => [`${isFirst ? '' : ','}${JSON.stringify(name)}:`, ''],
};
