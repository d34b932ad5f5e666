import { ORDER_STATES } from '#shared/api/order.ts';
import { ALERT_KINDS } from '#shared/lib/alertSubjects.ts';
import {
  areTexts,
  isFlag,
  isWhole,
  oneOf,
  isObject,
  isText,
  isTime,
  listOf,
  objectOf,
  optional,
  orNull,
  type Check,
} from './checks.ts';
import { parseJson } from './parseJson.ts';

/** An object without lists and objects in it. */
const isFlat: Check = (value) =>
  isObject(value) && Object.values(value as object).every((each) => each === null || typeof each !== 'object');

const isObjectOrList: Check = (value) => typeof value === 'object' && value !== null;

const isItem = objectOf({
  ordered_quantity: isWhole,
  ...Object.fromEntries(
    ['name', 'SKU', 'UPC', 'description', 'warehouse_location', 'deviceid', 'callback_nonce'].map((name) => [
      name,
      optional(isText),
    ]),
  ),
});

/** JSON columns whose rows can be damaged without effect on others. Each check names what readers rely on. */
const CHECKS = {
  'commits.facts': listOf(isObject),
  // A newer version may know more fields of an order than the one that stored it.
  'ended_orders.answer': objectOf({
    order_number: isText,
    state: oneOf(ORDER_STATES),
    shipments: listOf(objectOf({ shipment_number: isText, items: listOf(isObject) })),
  }),
  'history.detail': objectOf({
    content: optional(objectOf({ lines: listOf(isText) })),
    changed: optional(listOf(isText)),
    alert: optional(isObject),
    item: optional(isObject),
    shown: optional(isObject),
  }),
  'import_articles.after': objectOf({
    sku: isText,
    fields: isObject,
    stock: listOf(
      objectOf({ location: isText, from: orNull(Number.isSafeInteger), to: Number.isSafeInteger, movementId: isWhole }),
    ),
  }),
  'import_articles.before': isObject,
  'import_drafts.file': objectOf({
    head: listOf(isText),
    fields: listOf(Array.isArray),
    profile: orNull(isText),
    options: isObject,
    rows: listOf(objectOf({ line: isWhole, cells: Array.isArray })),
  }),
  'import_orders.before': objectOf({
    order_number: isText,
    items: optional(listOf(isItem)),
    shipments: optional(listOf(objectOf({ shipment_number: isText, items: listOf(isItem) }))),
  }),
  'import_places.before': objectOf({
    alias: orNull(objectOf({ name: isText, deviceid: isText, deviceIs: isText })),
    label: orNull(isText),
  }),
  'import_rows.answer': isFlat,
  'keyed_requests.answer': isObjectOrList,
  'keyed_steps.result': isObject,
  'mails.notice': objectOf({
    id: isText,
    kind: oneOf(ALERT_KINDS),
    since: isText,
    problem: orNull(isText),
    event: oneOf(['raised', 'ended']),
    name: isText,
    at: isTime,
  }),
  'outbox_attempts.answer': orNull(objectOf({ headers: areTexts, body: orNull(isText), whole: optional(isFlag) })),
  'outbox_attempts.request': objectOf({ method: isText, url: isText, headers: areTexts }),
  'outbox.payload': isObject,
  'remembered_columns.answers': objectOf({ columns: isFlat, encoding: optional(orNull(isText)) }),
  'remembered_columns.names': listOf(isText),
  'tasks.sources': orNull(listOf(objectOf({ place: isText, quantity: isWhole }))),
} as const satisfies Readonly<Record<string, Check>>;

/** The value of a JSON column, named `table.column`; undefined if the station could not have written it: the row is damaged. */
export function storedJson(column: keyof typeof CHECKS, text: string): unknown {
  const value = parseJson(text);
  return CHECKS[column](value) ? value : undefined;
}
