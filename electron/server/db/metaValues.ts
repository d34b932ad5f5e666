import { isFlag, isText, isTime, isWhole, listOf, objectOf, orNull, type Check } from './checks.ts';
import { parseJson } from './parseJson.ts';

const isDemoShop = objectOf({ devices: listOf(isText), racks: listOf(isText) });

/** Checks for the JSON values in the table `meta`, by key. Keys of an additional receiver end with `_` and its id. */
const CHECKS = new Map(
  Object.entries<Check>({
    callback_trouble: orNull(
      objectOf({ isFailing: isFlag, since: isTime, status: orNull(Number.isSafeInteger), error: isText }),
    ),
    created_at: isTime,
    // Earlier versions stored 1 instead of an object.
    demo_shop: (value) => value === 1 || isDemoShop(value),
    first_command: Number.isSafeInteger,
    callback_recovery: objectOf({ isRecovering: isFlag, notBefore: isTime, failingSince: orNull(isTime) }),
    inbox_reading: listOf(objectOf({ hash: isText, name: isText, begun: isWhole })),
    mails_sent: listOf(isTime),
    mqtt_instances: listOf(isText),
    orders_sheet: objectOf({ url: isText, hash: isText }),
    update_list_newest: objectOf({ list: isText, signedAt: isTime }),
    restored: objectOf({ id: isText, from: isText, by: isText, address: isText, at: isTime, kept: isText }),
    wrapped_key: objectOf({ keyId: isText, salt: isText, sealed: isText }),
  }),
);

function checkOf(key: string): Check | undefined {
  return CHECKS.get(key.replace(/^(callback_(?:trouble|recovery))_.+$/s, '$1'));
}

/** Returns the parsed value of a key, or undefined if the station could not have written it, for example in a modified database. */
export function metaValue(key: string, text: string): unknown {
  const value = parseJson(text);
  return checkOf(key)?.(value) === true ? value : undefined;
}

/** Whether the station could have written this value. Values that are not JSON pass. */
export function isMetaValue(key: string, text: string): boolean {
  return checkOf(key)?.(parseJson(text)) ?? true;
}
