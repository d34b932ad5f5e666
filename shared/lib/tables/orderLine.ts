import { withoutIdentifier } from '../articles/dataIdentifiers.ts';
import { countText } from '../text/locale.ts';
import type { NewOrder } from '../../api/order.ts';
import type { NewItem } from '../../api/orderItem.ts';
import type { OrderAddress } from '../../api/orderAddress.ts';
import { parseColor } from '../../led/color.ts';
import { MAX_ADDRESS_TEXT, MAX_CUSTOMER, MAX_NOTE, MAX_PRIORITY, MAX_TEXT } from '../orders/orderLimits.ts';
import { withoutEntities } from './cells/entities.ts';
import { isNo } from './cells/flags.ts';
import { readBarcode, readCode, type CodeReading, readPlace } from './cells/codes.ts';
import { createMomentReader } from './cells/dates.ts';
import { isDeviceId } from './fits.ts';
import { columnKey, columnKeySet } from './columnKey.ts';
import {
  type AddressField,
  COUNT_FIELDS,
  OPTION_FIELDS,
  ORDER_FIELDS,
  type OrderField,
  type TableField,
} from './fields.ts';
import type { DecimalMark, ReadValue } from './cells/numbers.ts';
import type { UnknownUnit } from './cells/pieces.ts';
import { endOfPieces, piecesOf } from './orderPieces.ts';
import { type FileCell, textOf } from './table.ts';
import { plainText, refused, shortened } from './cells/texts.ts';
import { END_REASONS, isNeverShipped, LEAVE_OUT_SENTENCES, type LeaveOutReason } from './states.ts';
import type { EndedLine, OrderReading, ReadRow, SortedRow } from './types.ts';

/** Result of reading an item. `isConflict` means that the row can be read, but contradicts the station. */
type ReadItem = ReadValue<NewItem | 'nothing left'> & { isConflict?: boolean } & UnknownUnit;

/** A row with its parsed values. */
export type ReadLine = {
  row: ReadRow;
  /** Number of the row's shipment. Empty if there is none. */
  shipment: string;
  /** Fields of the row's order. */
  order: OwnFields;
  /** Whether the due time is ambiguous. */
  asksDateOrder: boolean;
  /** Whether a column says that the line is open. */
  isOpen: boolean;
  /** The line, if it is left out because of its state or quantities and names an article. */
  ended: EndedLine | undefined;
};

export type OwnFields = Partial<
  Pick<
    NewOrder,
    'address' | 'color' | 'customer' | 'due_time' | 'note' | 'ordered_at' | 'paid' | 'priority' | 'seconds'
  >
>;

/** Returns a function that reads a line. `decimal` is the decimal separator given by the caller or found in the column. */
export function createLineReader(
  how: Omit<OrderReading, 'decimal' | 'placePaths' | 'sharedPlaces'> & {
    decimal: DecimalMark | undefined;
    /** Keys of places to which several paths lead, so that these paths are refused. */
    sharedPlaces: ReadonlySet<string>;
  },
): (row: SortedRow) => ReadLine {
  const readMoment = createMomentReader(how);

  /** Reads optional fields of the order. Drops invalid values with a note. */
  function ownFieldsOf({ cellOf }: SortedRow, notes: string[]): OwnFields {
    const own: OwnFields = {};
    const take = <K extends keyof OwnFields>(
      key: K,
      field: OrderField,
      read: (text: string) => ReadValue<OwnFields[K]>,
    ) => {
      const value = optional(cellOf(field), field, notes, read);
      if (value !== undefined) own[key] = value;
    };
    take('color', 'light_color', readColor);
    take('seconds', 'seconds', readSeconds);
    take('priority', 'priority', readPriority);
    take('customer', 'customer', (text) => within(text, MAX_CUSTOMER));
    const names = (['customer_first_name', 'customer_last_name'] as const).flatMap(
      (field) => optional(cellOf(field), 'customer', notes, (value) => ({ ok: true, value })) ?? [],
    );
    if (own.customer === undefined && names.length > 0) {
      const customer = optional(names.join(' '), 'customer', notes, (text) => within(text, MAX_CUSTOMER));
      if (customer !== undefined) own.customer = customer;
    }
    take('note', 'note', (text) => within(text, MAX_NOTE));
    const address = addressOf(cellOf, notes);
    if (address !== undefined) own.address = address;
    const ordered = cellOf('ordered_at');
    const moment = ordered === undefined || textOf(ordered) === '' ? undefined : readMoment(ordered);
    if (moment?.ok === true) own.ordered_at = new Date(moment.value).toISOString();
    const isPaid = paidOf(cellOf);
    if (isPaid !== undefined) own.paid = isPaid;
    return own;
  }

  /** Reads the codes and names of the article and its place. */
  function namesOf({ cellOf }: SortedRow, notes: string[]): ReadValue<Partial<NewItem>> {
    const item: Partial<NewItem> = {};
    const both = skuAndName(cellOf('sku_and_name'));
    if (!both.ok) return both;
    Object.assign(item, both.value);
    const isKnown = (text: string): boolean => how.isPlace(text) || how.articleUnit(text) !== undefined;
    for (const { field, read } of CODES) {
      const code = read(cellOf(field), isKnown, how.sharedPlaces);
      if (!code.ok) return code;
      if (code.note !== '') notes.push(code.note);
      if (code.value === '') continue;
      const article = field === 'SKU' || field === 'UPC' ? withoutIdentifier(code.value) : undefined;
      if (article !== undefined && !code.isQuoted && !isKnown(code.value) && how.articleUnit(article) !== undefined) {
        notes.push(`"${shortened(code.value)}" is read as the article ${article}, without its data identifier.`);
        code.value = article;
      }
      const plain = field === 'SKU' || field === 'UPC' ? withoutEntities(code.value) : code.value;
      if (plain !== code.value && !isKnown(code.value) && how.articleUnit(plain) !== undefined) {
        notes.push(`"${shortened(code.value)}" is read as the article ${plain}: HTML entities are replaced.`);
        code.value = plain;
      }
      if (code.value.length > MAX_TEXT) {
        return refused(`Its ${field} is longer than ${countText(MAX_TEXT)} characters. Shorten it.`);
      }
      item[field] = code.value;
    }
    if (item.name !== undefined && item.SKU === undefined && item.UPC === undefined)
      item.name = variantName(item.name, cellOf, (text) => how.articleUnit(text) !== undefined);
    return { ok: true, value: item };
  }

  /** Reads a line that is not picked, with all of its pieces. Some shops write 0 pieces for canceled lines. */
  function endedOf(row: SortedRow, reason: LeaveOutReason): EndedLine | undefined {
    const ends = END_REASONS.find((each) => each === reason);
    if (ends === undefined && !isNeverShipped(reason)) return undefined;
    const names = namesOf(row, []);
    if (!names.ok) return undefined;
    const cellOf: SortedRow['cellOf'] = (field) => (COUNTS.has(field) ? undefined : row.cellOf(field));
    const pieces = piecesOf(cellOf, { decimal: how.decimal, article: articleOf(names.value), given: how.units });
    return { item: { ...names.value, ordered_quantity: (pieces.ok ? pieces.value : 0) ?? 0 }, ends };
  }

  /** Returns how a line without pieces left to ship ended, if its other quantities say so. */
  function goneOf(row: SortedRow): LeaveOutReason {
    const names = namesOf(row, []);
    const cellOf: SortedRow['cellOf'] = (field) => (field === 'quantity_to_ship' ? undefined : row.cellOf(field));
    const article = names.ok ? articleOf(names.value) : () => '';
    const pieces = piecesOf(cellOf, { decimal: how.decimal, isGone: true, article, given: how.units });
    return pieces.ok && pieces.value === undefined ? endOfPieces(cellOf, how.decimal) : 'none_left';
  }

  function articleOf({ SKU, UPC, name }: Partial<NewItem>): () => string {
    const named = [SKU, UPC, name].filter((text) => text !== undefined);
    return () => named.map((text) => how.articleUnit(text)).find((unit) => unit !== undefined) ?? '';
  }

  function itemOf(row: SortedRow, notes: string[]): ReadItem {
    const { cellOf } = row;
    const names = namesOf(row, notes);
    if (!names.ok) return names;
    const item = names.value;
    const meant = item.SKU === undefined ? undefined : how.meantSku(item.SKU);
    if (meant !== undefined)
      return { ...refused(`There is no article ${item.SKU ?? ''}. Did you mean ${meant}?`), isConflict: true };
    const { SKU = '', UPC = '' } = item;
    const [bySku, byUpc] = [SKU, UPC].map((text) => (text === '' ? undefined : how.findArticle?.(text)));
    if (bySku !== undefined && byUpc !== undefined && bySku !== byUpc)
      notes.push(`Its barcode ${UPC} belongs to another article, ${byUpc}. The SKU counts.`);
    for (const field of ['description', 'callback_nonce'] as const) {
      const text = optional(cellOf(field), field, notes, (said) => within(said, MAX_TEXT));
      if (text !== undefined) item[field] = text;
    }
    const deviceid = optional(cellOf('deviceid'), 'deviceid', notes, readDeviceId);
    if (deviceid !== undefined) item.deviceid = deviceid;
    const pieces = piecesOf(cellOf, { decimal: how.decimal, article: articleOf(item), given: how.units });
    if (!pieces.ok) return pieces;
    if (pieces.note !== '') notes.push(pieces.note);
    return {
      ok: true,
      value: pieces.value === undefined ? 'nothing left' : { ...item, ordered_quantity: pieces.value },
    };
  }

  return (row) => {
    const notes: string[] = [];
    const said = saidBy(row);
    const { kind } = row;
    const order = ownFieldsOf(row, notes);
    const due = row.cellOf('due_time');
    const moment = due === undefined || textOf(due) === '' ? undefined : readMoment(due);
    if (moment?.ok === true) order.due_time = new Date(moment.value).toISOString();
    const asksDateOrder = moment?.ok === false && moment.why === 'unclear';
    if (moment?.ok === false) notes.push(dueNote(textOf(due), moment.why));
    const read = kind === 'line' && !row.isWrong ? itemOf(row, notes) : undefined;
    const isWrong = row.isWrong || read?.ok === false;
    const isDone = read?.ok === true && read.value === 'nothing left';
    const gone = row.reason === 'none_left' ? goneOf(row) : row.reason;
    const message = [
      read?.ok === false ? read.message : '',
      isDone ? 'Nothing is left to pick.' : '',
      gone === undefined ? '' : LEAVE_OUT_SENTENCES[gone],
      row.message,
      notes.join(' '),
    ];
    const shipment = plainText(row.cellOf('shipment_number'));
    const reason = isDone ? endOfPieces(row.cellOf, how.decimal) : gone;
    return {
      row: {
        line: row.row.line,
        said,
        kind: isDone || kind === 'hidden' ? 'left_out' : kind,
        message: message.find((text) => text !== '') ?? '',
        isWrong,
        ...(read?.ok === false && read.isConflict === true ? { isConflict: true } : {}),
        ...(reason === undefined ? {} : { reason }),
        ...(read?.ok === false && read.unit !== undefined ? { unknownUnit: read.unit } : {}),
        item: read?.ok === true && read.value !== 'nothing left' ? read.value : undefined,
      },
      shipment: shipment.ok ? shipment.value : '',
      order,
      asksDateOrder,
      isOpen: row.isOpen ?? false,
      ended: reason === undefined ? undefined : endedOf(row, reason),
    };
  };
}

const COUNTS: ReadonlySet<TableField> = new Set(COUNT_FIELDS);

/** Fields that say what to pick and where. If one of them cannot be read, the order is refused. */
const CODES: readonly {
  field: 'SKU' | 'UPC' | 'name' | 'warehouse_location';
  read(cell: FileCell | undefined, isKnown: (text: string) => boolean, shared: ReadonlySet<string>): CodeReading;
}[] = [
  { field: 'SKU', read: readCode },
  { field: 'UPC', read: readBarcode },
  { field: 'name', read: readName },
  { field: 'warehouse_location', read: readPlace },
];

function readName(cell: FileCell | undefined): CodeReading {
  const text = plainText(cell);
  return text.ok ? { ...text, note: '' } : text;
}

/** Words of exports for an article without variants. */
const NO_VARIANT = columnKeySet('default; default title; standard; none; n/a');

/** Adds the options of an article to its name, unless only the name without them is that of an article. */
function variantName(name: string, cellOf: SortedRow['cellOf'], isKnown: (text: string) => boolean): string {
  const said = name.toLowerCase();
  const options = OPTION_FIELDS.map((field) => textOf(cellOf(field))).filter(
    (text) => text !== '' && !NO_VARIANT.has(columnKey(text)) && !said.includes(text.toLowerCase()),
  );
  const whole = `${name} ${options.join(' / ')}`.trim();
  return whole.length > MAX_TEXT || (isKnown(name) && !isKnown(whole)) ? name : whole;
}

/** Splits an article in Odoo's form: `[K-100] Mug`. */
function skuAndName(cell: FileCell | undefined): ReadValue<Pick<NewItem, 'SKU' | 'name'>> {
  const text = plainText(cell);
  if (!text.ok) return text;
  const [, SKU = '', name = text.value] = /^\[([^\]]+)\]\s*(.*)$/s.exec(text.value) ?? [];
  return { ok: true, value: { ...(SKU === '' ? {} : { SKU }), ...(name === '' ? {} : { name }) } };
}

const PAID = columnKeySet('paid; fully paid; bezahlt; payé; payée; pagado; betaald; opłacone; opłacony');
const NOT_PAID = columnKeySet(
  'unpaid; not paid; payment pending; unbezahlt; nicht bezahlt; non payé; no pagado; niet betaald; nieopłacone',
);

/** Whether the cells of a row say that its order is paid. Undefined if they say nothing certain. */
function paidOf(cellOf: SortedRow['cellOf']): boolean | undefined {
  const paid = textOf(cellOf('is_paid'));
  if (paid !== '') return !isNo(columnKey(paid));
  const state = columnKey(textOf(cellOf('payment_status')));
  return PAID.has(state) ? true : NOT_PAID.has(state) ? false : undefined;
}

/** Reads the address in a row. Returns undefined if it has none. */
function addressOf(cellOf: SortedRow['cellOf'], notes: string[]): OrderAddress | undefined {
  const read = (field: AddressField): string =>
    optional(cellOf(field), field, notes, (text) => within(text.replace(/^'(?=\d|\+)/, ''), MAX_ADDRESS_TEXT)) ?? '';
  const lines = (['company', 'address_1', 'address_2', 'address_3'] as const).map(read).filter((line) => line !== '');
  const city = [read('city'), read('region')].filter((text) => text !== '').join(', ');
  const texts = {
    postcode: read('postcode'),
    city,
    country: read('country'),
    email: read('email'),
    phone: read('phone'),
  };
  const filled = Object.entries(texts).filter(([, text]) => text !== '');
  if (lines.length + filled.length === 0) return undefined;
  return { ...(lines.length === 0 ? {} : { lines }), ...Object.fromEntries(filled) };
}

/** Reads an optional cell. Returns undefined if the cell is empty, or was dropped with a note. */
function optional<T>(
  cell: FileCell | undefined,
  field: AddressField | OrderField,
  notes: string[],
  read: (text: string) => ReadValue<T>,
): T | undefined {
  if (cell === undefined || textOf(cell) === '') return undefined;
  const text = plainText(cell);
  const value = text.ok ? read(text.value) : text;
  if (value.ok) return value.value;
  notes.push(`Its ${field} is left out: ${value.message}`);
  return undefined;
}

function readColor(text: string): ReadValue<string> {
  if (parseColor(text) !== undefined) return { ok: true, value: text };
  return refused(`"${shortened(text)}" is not a color. Give r, g, b, two of them, a name such as blue, or #rrggbb.`);
}

function readSeconds(text: string): ReadValue<number> {
  if (/^\d{1,9}$/.test(text)) return { ok: true, value: Number(text) };
  return refused(`"${shortened(text)}" is not a time in seconds. Give a whole number from 0 up.`);
}

function readPriority(text: string): ReadValue<number> {
  if (/^-?\d{1,4}$/.test(text) && Math.abs(Number(text)) <= MAX_PRIORITY) return { ok: true, value: Number(text) };
  return refused(
    `"${shortened(text)}" is not a priority. Give a whole number from -${MAX_PRIORITY} to ${MAX_PRIORITY}.`,
  );
}

function readDeviceId(text: string): ReadValue<string> {
  if (isDeviceId(text)) return { ok: true, value: text.toUpperCase() };
  return refused(`"${shortened(text)}" is not a DeviceID. Write it like 51D000:000006.`);
}

function within(text: string, most: number): ReadValue<string> {
  return text.length <= most ? { ok: true, value: text } : refused(`It has more than ${countText(most)} characters.`);
}

function dueNote(text: string, why: 'unclear' | 'unreadable'): string {
  const said = `Its due_time is left out: "${shortened(text)}"`;
  if (why === 'unclear') return `${said} can be several days. Give date_order, or write it like 2026-11-26.`;
  return `${said} is not a date. Write it like 2026-11-26 or 2026-11-26T14:30.`;
}

function saidBy({ cellOf }: SortedRow): ReadRow['said'] {
  const said: ReadRow['said'] = {};
  for (const field of ORDER_FIELDS) {
    const text = textOf(cellOf(field));
    if (text !== '') said[field] = text;
  }
  return said;
}
