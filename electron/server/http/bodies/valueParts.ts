import type { Clock } from '../../ports.ts';

/** Lists up to this length are written in one piece. */
const TOGETHER = 100;
/** Working time between two pauses, in milliseconds. */
const PAUSE_AFTER_MS = 10;

/**
 * Place of a value in its array or object. `isFirst` tells whether no other value precedes it, and `isAlone` whether it is the only field
 * of its object.
 */
type Place = { isFirst: boolean; isAlone: boolean };
type Around = readonly [open: string, close: string];

/** Defines how a format writes whole values, and the text around values that are written in pieces. */
export type ValueFormat = {
  whole(value: unknown): string;
  element(value: unknown, isFirst: boolean): string;
  field(name: string, value: unknown, place: Place): string;
  array: Around;
  object: Around;
  aroundField(name: string, place: Place): Around;
};

/** Whether to write a value in pieces, because it is a long list or an object that has a long list in a field. */
export function isLong(value: unknown): boolean {
  if (isLongList(value)) return true;
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).some(isLongList);
}

function isLongList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > TOGETHER;
}

/** Yields the text of a value in pieces. Long lists are written element by element. */
export function* piecesOf(value: unknown, format: ValueFormat): Generator<string, void, void> {
  if (isLongList(value)) {
    yield* listOf(value, format);
    return;
  }
  if (!isLong(value)) {
    yield format.whole(value);
    return;
  }
  yield format.object[0];
  const fields = Object.entries(value as object).filter(([, part]) => part !== undefined);
  for (const [index, [name, part]] of fields.entries()) {
    const place = { isFirst: index === 0, isAlone: fields.length === 1 };
    if (!isLongList(part)) {
      yield format.field(name, part, place);
      continue;
    }
    const [open, close] = format.aroundField(name, place);
    yield open;
    yield* listOf(part, format);
    yield close;
  }
  yield format.object[1];
}

function* listOf(list: readonly unknown[], format: ValueFormat): Generator<string, void, void> {
  const [open, close] = format.array;
  yield open;
  for (const [index, element] of list.entries()) yield format.element(element, index === 0);
  yield close;
}

export const JSON_FORMAT: ValueFormat = {
  whole: (value) => JSON.stringify(value) ?? 'null',
  element: (value, isFirst) => `${isFirst ? '' : ','}${JSON.stringify(value) ?? 'null'}`,
  field: (name, value, { isFirst }) => `${isFirst ? '' : ','}${JSON.stringify(name)}:${JSON.stringify(value)}`,
  array: ['[', ']'],
  object: ['{', '}'],
  aroundField: (name, { isFirst }) => [`${isFirst ? '' : ','}${JSON.stringify(name)}:`, ''],
};

/** Returns a promise to await between two pieces of work, or undefined to continue immediately. */
export type Pauses = () => Promise<void> | undefined;

/** Creates pauses that let other work run after every 10 ms. */
export function createPauses(clock: Pick<Clock, 'monotonic'>): Pauses {
  let begunAt = clock.monotonic();
  return () => {
    if (clock.monotonic() - begunAt < PAUSE_AFTER_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        begunAt = clock.monotonic();
        resolve();
      });
    });
  };
}
