import { ORDER_STATES } from '#shared/api/order.ts';
import { ALERT_KINDS } from '#shared/lib/alerts/alertSubjects.ts';
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

/** An object without nested lists and objects. */
const isFlat: Check = (value) =>
  isObject(value) && Object.values(value as object).every((each) => each === null || typeof each !== 'object');

const isObjectOrList: Check = (value) => typeof value === 'object' && value !== null;

/** Maximum column index, which is higher than in any file. A larger index would exhaust memory. */
const MAX_COLUMN = 9_999;
const isColumn: Check = (value) => isWhole(value) && (value as number) >= 0 && (value as number) <= MAX_COLUMN;
const isCell: Check = (value) =>
  isText(value) ||
  objectOf({
    kind: oneOf(['number', 'date', 'fault']),
    text: isText,
    value: optional(Number.isFinite),
    message: optional(isText),
  })(value);
/** A field with the index of its column. */
const isFieldColumn: Check = (value) =>
  Array.isArray(value) && value.length === 2 && isText(value[0]) && isColumn(value[1]);
/** A former picker, or null for nobody, and the time until which this person had the line. */
const isFormerPicker: Check = (value) =>
  Array.isArray(value) && value.length === 2 && (value[0] === null || isText(value[0])) && isWhole(value[1]);
const isPlaceNote = objectOf({ isMade: isFlag, note: isText });
/** A row of a table file. */
export const isTableRow = objectOf({ line: isWhole, cells: listOf(isCell), isHidden: isFlag, followsGap: isFlag });

const isTimeText: Check = (value) => isText(value) && !Number.isNaN(Date.parse(value as string));

/** Optional texts. */
const texts = (...names: readonly string[]): Readonly<Record<string, Check>> =>
  Object.fromEntries(names.map((name) => [name, optional(isText)]));

const isItem = objectOf({
  ordered_quantity: isWhole,
  ...texts('name', 'SKU', 'UPC', 'description', 'warehouse_location', 'deviceid', 'callback_nonce'),
});

/** The address of a customer. */
const isAddress = objectOf({
  ...texts('name', 'postcode', 'city', 'country', 'email', 'phone'),
  lines: optional(listOf(isText)),
});

/** An order as stored. */
const isOrder = objectOf({
  order_number: isText,
  ...texts('ordernonce', 'color', 'sound', 'customer', 'note'),
  seconds: optional(isWhole),
  priority: optional(isWhole),
  due_time: optional(isTimeText),
  ordered_at: optional(isTimeText),
  paid: optional(isFlag),
  address: optional(isAddress),
  scan_required: optional(isFlag),
  items: optional(listOf(isItem)),
  shipments: optional(listOf(objectOf({ shipment_number: isText, ...texts('shipmentnonce'), items: listOf(isItem) }))),
});

const isTextOrNull = optional(orNull(isText));
const isWholeOrNull = optional(orNull(isWhole));

/** The fields of an article that an import changed. */
const isArticleFields = objectOf({
  sku: optional(isText),
  ...Object.fromEntries(['name', 'description', 'unit', 'note'].map((name) => [name, isTextOrNull])),
  active: optional(isFlag),
  barcodes: optional(listOf(objectOf({ code: isText, quantity: isWhole }))),
  places: optional(
    listOf(objectOf({ location: isText, priority: isWholeOrNull, minimum: isWholeOrNull, maximum: isWholeOrNull })),
  ),
});

const isAlias = objectOf({ name: isText, deviceid: isText, deviceIs: isText });
const isGivenArticle = objectOf({ id: isWhole, sku: isText, place: isText });
const isRename = objectOf({ from: isText, to: isText });
const isIntegerOrNull = orNull(Number.isSafeInteger);

/** Checks of JSON columns in which a damaged row does not affect other rows. Each check covers what readers rely on. */
const CHECKS = {
  'commits.facts': listOf(isObject),
  // Check only the main fields, because an order stored by an earlier version may lack newer ones.
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
    batch: optional(isObject),
    shown: optional(isObject),
  }),
  'import_articles.after': objectOf({
    sku: isText,
    fields: isArticleFields,
    stock: listOf(
      objectOf({ location: isText, from: orNull(Number.isSafeInteger), to: Number.isSafeInteger, movementId: isWhole }),
    ),
  }),
  'import_articles.before': isArticleFields,
  'import_drafts.file': objectOf({
    head: listOf(isText),
    fields: listOf(isFieldColumn),
    profile: orNull(isText),
    states: optional(listOf(objectOf({ index: isWhole, field: isText, rules: listOf(isObject) }))),
    options: objectOf({
      ...texts('date_order', 'decimal', 'order_prefix', 'unpaid'),
      include_left_out: optional(isFlag),
      states: optional(isObject),
      units: optional(isFlat),
      place_paths: optional(listOf(isText)),
    }),
    sharedPlaces: optional(listOf(isText)),
    rows: listOf(isTableRow),
  }),
  'import_orders.after': isOrder,
  'import_orders.before': isOrder,
  'import_places.before': objectOf({
    alias: orNull(isAlias),
    label: orNull(isText),
    named: optional(objectOf({ name: isText, key: isText, after: isPlaceNote, before: isPlaceNote })),
    articles: optional(listOf(isGivenArticle)),
    renames: optional(listOf(isRename)),
  }),
  'import_rows.answer': isFlat,
  'import_undone.content': objectOf({
    results: optional(listOf(isObject)),
    redone: optional(listOf(objectOf({ name: isText, message: isText }))),
    order: optional(objectOf({ digest: isText, before: isOrder, after: orNull(isOrder), ends: optional(isText) })),
    draft: optional(isFlat),
    article: optional(
      objectOf({
        sku: isText,
        before: isArticleFields,
        after: orNull(isArticleFields),
        stock: listOf(objectOf({ location: isText, from: isIntegerOrNull, to: isIntegerOrNull, movementId: isWhole })),
      }),
    ),
    places: optional(
      objectOf({
        renames: listOf(isRename),
        rows: listOf(
          objectOf({
            alias: orNull(objectOf({ id: isWhole, before: isAlias, after: orNull(isAlias) })),
            label: orNull(objectOf({ deviceid: isText, before: isText, after: isText })),
            named: orNull(objectOf({ name: isText, before: isPlaceNote, after: isPlaceNote })),
            articles: optional(listOf(isGivenArticle)),
          }),
        ),
      }),
    ),
  }),
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
  'items.former_pickers': orNull(listOf(isFormerPicker)),
  'orders.address': orNull(isAddress),
  'orders.ended_lines': orNull(listOf(isItem)),
  'tasks.sources': orNull(listOf(objectOf({ place: isText, quantity: isWhole }))),
} as const satisfies Readonly<Record<string, Check>>;

/** Parses a JSON column, named `table.column`. Returns undefined if the station could not have written the text, so the row is damaged. */
export function storedJson(column: keyof typeof CHECKS, text: string): unknown {
  const value = parseJson(text);
  return CHECKS[column](value) ? value : undefined;
}
