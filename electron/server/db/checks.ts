/** Whether the station could have written a value. */
export type Check = (value: unknown) => boolean;

/** The latest millisecond that a Date can represent. */
const LAST_MS = 8.64e15;

export const isText: Check = (value) => typeof value === 'string';
export const isFlag: Check = (value) => typeof value === 'boolean';
/** Whether a value is a time in epoch milliseconds within the range of Date. */
export const isTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= LAST_MS;
export const isWhole: Check = Number.isSafeInteger;
export const oneOf =
  (words: readonly string[]): Check =>
  (value) =>
    isText(value) && words.includes(value as string);
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
export const objectOf =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(fields).every(([name, check]) => check((value as Readonly<Record<string, unknown>>)[name]));
export const isObject = objectOf({});
export const areTexts: Check = (value) => isObject(value) && Object.values(value as object).every(isText);
