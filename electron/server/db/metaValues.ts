import { parseJson } from './parseJson.ts';

type Check = (value: unknown) => boolean;

/** The last millisecond that a Date can show. */
const LAST_MS = 8.64e15;

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
/** Whether it is a time in epoch milliseconds that a Date can show. */
export const isTime = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= LAST_MS;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const objectOf =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(fields).every(([name, check]) => check((value as Readonly<Record<string, unknown>>)[name]));

/** Checks of the JSON values in the table `meta`, by key. Keys of a further receiver continue with `_` and its id. */
const CHECKS: Readonly<Record<string, Check>> = {
  callback_trouble: orNull(
    objectOf({ isFailing: isFlag, since: isTime, status: orNull(Number.isSafeInteger), error: isText }),
  ),
  created_at: isTime,
  first_command: Number.isSafeInteger,
  callback_recovery: objectOf({ isRecovering: isFlag, notBefore: isTime, failingSince: orNull(isTime) }),
  mails_sent: listOf(isTime),
  mqtt_instances: listOf(isText),
  orders_sheet: objectOf({ url: isText, hash: isText }),
  restored: objectOf({ id: isText, from: isText, by: isText, address: isText, at: isTime, kept: isText }),
  wrapped_key: objectOf({ keyId: isText, salt: isText, sealed: isText }),
};

function checkOf(key: string): Check | undefined {
  return CHECKS[key.replace(/^(callback_(?:trouble|recovery))_.+$/s, '$1')];
}

/** The parsed value of a key; undefined if the station could not have written it, as in a modified database. */
export function metaValue(key: string, text: string): unknown {
  const value = parseJson(text);
  return checkOf(key)?.(value) === true ? value : undefined;
}

/** Whether the station could have written this value. Values that are not JSON pass. */
export function isMetaValue(key: string, text: string): boolean {
  return checkOf(key)?.(parseJson(text)) ?? true;
}
