import type { OrderAddress } from '#shared/api/orderAddress.ts';
import type { Fact } from '#shared/api/station.ts';
import type { InParts } from '#shared/lib/station/inParts.ts';
import type { TablesOf } from '../../core.ts';
import type {
  ArticleTexts,
  BatchTexts,
  CarrierTexts,
  CommandTexts,
  CustomerTexts,
  DeviceTexts,
  ItemTexts,
  OrderName,
} from '../../db/repositories/find.ts';
import { storedJson } from '../../db/storedJson.ts';
import { createTextIndex, type Part, type TextIndex } from '../../domain/find/textIndex.ts';
import type { Bus } from '../base/index.ts';
import type { StepQueue } from '../../scheduling/index.ts';

/** Kinds of objects in the index. Each kind has separate keys. */
const SUBJECTS = [
  'device',
  'alias',
  'article',
  'order',
  'sequence',
  'items',
  'command',
  'carrier',
  'batch',
  'customer',
] as const;
type Subject = (typeof SUBJECTS)[number];

/** What a match refers to, by subject. */
export type Refs = {
  device: string;
  alias: number;
  article: number;
  order: string;
  sequence: string;
  items: number;
  command: { id: number; deviceId: string };
  /** Id of a cart or wall. */
  carrier: number;
  /** Id of a batch that has not ended. */
  batch: number;
  /** Number of an order whose customer, address or note has the text. */
  customer: string;
};

export const DEVICE_FIELDS = ['deviceid', 'label', 'statica', 'staticb', 'staticc', 'staticd', 'statice'] as const;
/** Indexed fields of an article. The article's barcodes follow these fields. */
export const ARTICLE_FIELDS = ['sku', 'name', 'description'] as const;
export const ITEM_FIELDS = ['sku', 'upc', 'name', 'description'] as const;

/**
 * Maximum number of items to index in memory: those of the newest orders and of older open orders. Older ended orders are searched in the
 * database. See docs/decisions/0110.
 */
const MAX_ITEMS = 100_000;
/** Ended orders are dropped when the items in memory exceed MAX_ITEMS by this factor. */
const SLACK = 1.1;
/** Number of keys to compare with the database per step. */
const KEYS_AT_ONCE = 200;

/** Number of items to read per step, which takes less than 1 ms. */
const ITEMS_AT_ONCE = 100;
const OPEN_STATES = ['open', 'in_progress'] as const;

/** Number of changes that a search reads immediately. Further changes are read in the background. */
const MAX_AT_ONCE = 50;

type Change = readonly [subject: Subject, key: string];
type Changes = { changed?: readonly Change[]; gone?: readonly Change[] };

type FactOf<Type> = Extract<Fact, { type: Type }>;
type ByType = { [Type in Fact['type']]?: (fact: FactOf<Type>) => Changes };

const ended = ({ command_id: id }: { command_id: string }): Changes => ({ gone: [['command', id]] });
const replaced = ({ command_id: id, command }: { command_id: string; command: { command_id: string } }): Changes => ({
  gone: [['command', id]],
  changed: [['command', command.command_id]],
});
const ofDevice = (deviceid: string): Changes => ({ changed: [['device', deviceid]] });

const ofBatch: ByType['batch.changed'] = ({ batch_id: id, state }) =>
  state === 'done' ? { gone: [['batch', String(id)]] } : { changed: [['batch', String(id)]] };

/**
 * Texts that each type of fact changes. `changesOf` handles changed orders and sequences separately, because a press on an item changes an
 * order, but none of the order's texts. Facts of other types change no texts.
 */
const CHANGES: ByType = {
  'device.added': ({ device }) => ofDevice(device.deviceid),
  'device.changed': ({ deviceid }) => ofDevice(deviceid),
  'device.removed': ({ deviceid }) => ({ gone: [['device', deviceid]] }),
  'alias.changed': ({ alias }) => ({ changed: [['alias', String(alias.id)]] }),
  'alias.removed': ({ id }) => ({ gone: [['alias', String(id)]] }),
  'article.changed': ({ article }) => ({ changed: [['article', String(article.id)]] }),
  'article.removed': ({ id }) => ({ gone: [['article', String(id)]] }),
  'order.replaced': ({ order_number: number }) => ({ changed: ofOrder(number) }),
  'order.line': ({ order_number: number }) => ({ changed: ofOrder(number) }),
  'order.removed': ({ order_number: number }) => ({ gone: ofOrder(number) }),
  'sequence.removed': ({ sequenceid }) => ({ gone: [['sequence', sequenceid]] }),
  'command.queued': ({ command }) => ({ changed: [['command', command.command_id]] }),
  'command.replaced': replaced,
  'command.moved': replaced,
  'command.acknowledged': ended,
  'command.timedOut': ended,
  'command.killed': ended,
  'carrier.changed': ({ id }) => ({ changed: [['carrier', String(id)]] }),
  'carrier.removed': ({ id }) => ({ gone: [['carrier', String(id)]] }),
  'batch.changed': ofBatch,
};

const ofOrder = (number: string): readonly Change[] => [
  ['order', number],
  ['items', number],
  ['customer', number],
];

type SearchIndexParts = {
  reads: TablesOf<'find'>;
  bus: Pick<Bus, 'subscribe'>;
  backgroundReads: StepQueue;
  maxItems?: number;
};

/** State shared by the functions that manage the search index. */
type SearchIndexContext = Pick<SearchIndexParts, 'reads' | 'bus' | 'backgroundReads'> & {
  /** Maximum number of items in memory. */
  maxItems: number;
  indexes: { [S in Subject]: TextIndex<Refs[S]> };
  /** Keys to read again, by subject. */
  changed: ReadonlyMap<Subject, Set<string>>;
  filling: Promise<void> | undefined;
  dropping: Promise<void> | undefined;
  /** Ended orders with a lower id than this are not in memory. 0 if all orders are in memory. */
  oldest: number;
  /** Number of items that remained when ended orders were last dropped. */
  kept: number;
  unsubscribe: () => void;
  readAgain: Readonly<Record<Subject, (key: string) => void>>;
};

/**
 * Keeps all texts of the station in memory, except those of old ended orders. The first search fills the index in the background. After
 * that, published facts mark texts that have changed, and the next search reads these texts again. Presses and commands themselves read
 * nothing.
 */
export function createSearchIndex(parts: SearchIndexParts) {
  const { reads, bus, backgroundReads } = parts;
  const indexes: { [S in Subject]: TextIndex<Refs[S]> } = {
    device: createTextIndex(),
    alias: createTextIndex(),
    article: createTextIndex(),
    order: createTextIndex(),
    sequence: createTextIndex(),
    items: createTextIndex(),
    command: createTextIndex(),
    carrier: createTextIndex(),
    batch: createTextIndex(),
    customer: createTextIndex<string>(),
  };
  const context: SearchIndexContext = {
    reads,
    bus,
    backgroundReads,
    maxItems: parts.maxItems ?? MAX_ITEMS,
    indexes,
    changed: new Map(SUBJECTS.map((subject) => [subject, new Set<string>()])),
    filling: undefined,
    dropping: undefined,
    oldest: 0,
    kept: 0,
    unsubscribe: () => undefined,
    readAgain: {
      device: (key) => indexes.device.set(key, reads.find.device(key).map(devicePart)),
      alias: (key) => indexes.alias.set(key, reads.find.alias(Number(key)).map(aliasPart)),
      article: (key) => indexes.article.set(key, reads.find.article(Number(key)).map(articlePart)),
      sequence: (key) =>
        indexes.sequence.set(
          key,
          reads.find.sequence(key).map(({ sequenceid }) => named(sequenceid)),
        ),
      command: (key) => indexes.command.set(key, reads.find.command(Number(key)).map(commandPart)),
      carrier: (key) => indexes.carrier.set(key, reads.find.carrier(Number(key)).map(carrierPart)),
      batch: (key) => indexes.batch.set(key, reads.find.batch(Number(key)).map(batchPart)),
      order: (key) =>
        indexes.order.set(
          key,
          reads.find.order(key).map(({ order_number: number }) => named(number)),
        ),
      items: (key) => indexes.items.set(key, reads.find.itemsOf(key).map(itemPart)),
      customer: (key) => indexes.customer.set(key, reads.find.customer(key).flatMap(customerPart)),
    },
  };
  return {
    current: () => current(context),
    stop: () => stop(context),
  };
}

export type SearchIndex = ReturnType<typeof createSearchIndex>;

/** Updates the index to the last commit. `isWhole` tells whether the index contains all orders. Rejects when the station stops. */
async function current(context: SearchIndexContext): Promise<{ indexes: Readonly<typeof indexes>; isWhole: boolean }> {
  const { backgroundReads, indexes, maxItems } = context;
  context.filling ??= filled(context);
  await context.filling;
  const work = catchUp(context);
  // Read a few changes immediately, because the background queue may be resting.
  if (work.next().done !== true) await backgroundReads.takeAll(work);
  if (indexes.items.parts() > Math.max(context.kept, maxItems) * SLACK) {
    context.dropping ??= backgroundReads.takeAll(dropOld(context)).finally(() => (context.dropping = undefined));
    await context.dropping;
  }
  return { indexes, isWhole: context.oldest === 0 };
}

function note({ indexes, changed }: SearchIndexContext, fact: Fact): void {
  const { changed: read = [], gone = [] } = changesOf(fact, indexes);
  for (const [subject, key] of gone) {
    indexes[subject].delete(key);
    changed.get(subject)?.delete(key);
  }
  for (const [subject, key] of read) changed.get(subject)?.add(key);
}

/** Fills the index, one page at a time. */
function* fill(context: SearchIndexContext): InParts<void> {
  const { reads, indexes } = context;
  const { devices, aliases, articles, sequences, commands, carriers, batches, orders } = reads.find;
  yield* pages(
    devices,
    '',
    ({ deviceid }) => deviceid,
    (row) => indexes.device.set(row.deviceid, [devicePart(row)]),
  );
  yield* pages(aliases, 0, idOf, (row) => indexes.alias.set(String(row.id), [aliasPart(row)]));
  yield* pages(articles, 0, idOf, (row) => indexes.article.set(String(row.id), [articlePart(row)]));
  yield* pages(sequences, 0, idOf, ({ sequenceid }) => indexes.sequence.set(sequenceid, [named(sequenceid)]));
  yield* pages(commands, 0, idOf, (row) => indexes.command.set(String(row.id), [commandPart(row)]));
  yield* pages(carriers, 0, idOf, (row) => indexes.carrier.set(String(row.id), [carrierPart(row)]));
  yield* pages(batches, 0, idOf, (row) => indexes.batch.set(String(row.id), [batchPart(row)]));
  context.oldest = yield* findOldest(context);
  // Add the newest orders last: among equal matches, later additions are found first.
  if (context.oldest > 0)
    for (const state of OPEN_STATES)
      yield* readOrders(
        context,
        (after: string) => reads.find.ordersIn(state, after),
        '',
        ({ order_number: number }) => number,
        ({ id }) => id < context.oldest,
      );
  yield* readOrders(context, orders, context.oldest - 1, idOf, () => true);
  context.kept = indexes.items.parts();
}

/** Finds the id of the oldest order among the newest orders that have `maxItems` items in total. Returns 0 if all orders fit. */
function* findOldest({ reads, maxItems }: SearchIndexContext): InParts<number> {
  let [before, items] = [Number.MAX_SAFE_INTEGER, 0];
  for (;;) {
    const rows = reads.find.newestOrders(before);
    if (rows.length === 0) return 0;
    for (const row of rows) {
      items += row.items;
      before = row.id;
      if (items >= maxItems) return row.id;
    }
    yield;
  }
}

function* readOrders<After extends string | number>(
  { indexes, reads }: SearchIndexContext,
  read: (after: After) => OrderName[],
  first: After,
  afterOf: (row: OrderName) => After,
  isWanted: (row: OrderName) => boolean,
): InParts<void> {
  let after = first;
  for (;;) {
    const rows = read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    let count = 0;
    for (const row of rows) {
      if (!isWanted(row)) continue;
      indexes.order.set(row.order_number, [named(row.order_number)]);
      indexes.customer.set(row.order_number, reads.find.customer(row.order_number).flatMap(customerPart));
      const items = reads.find.itemsOf(row.order_number);
      indexes.items.set(row.order_number, items.map(itemPart));
      count += items.length;
      if (count >= ITEMS_AT_ONCE) yield;
      if (count >= ITEMS_AT_ONCE) count = 0;
    }
    after = afterOf(last);
    yield;
  }
}

/** Drops old ended orders if there are too many items. */
function* dropOld(context: SearchIndexContext): InParts<void> {
  const { indexes, reads } = context;
  context.oldest = yield* findOldest(context);
  const keys = indexes.order.keys();
  for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
    const ended = reads.find.endedAmong(JSON.stringify(keys.slice(at, at + KEYS_AT_ONCE)), context.oldest);
    for (const { order_number: number } of ended) {
      indexes.order.delete(number);
      indexes.items.delete(number);
      indexes.customer.delete(number);
    }
    yield;
  }
  context.kept = indexes.items.parts();
}

/** Reads what has changed since the last search, in small steps. */
function* catchUp({ changed, readAgain }: SearchIndexContext): InParts<void> {
  let count = 0;
  for (const [subject, keys] of changed) {
    for (const key of keys) {
      keys.delete(key);
      readAgain[subject](key);
      count += 1;
      if (count % MAX_AT_ONCE === 0) yield;
    }
  }
}

async function filled(context: SearchIndexContext): Promise<void> {
  const { bus, backgroundReads } = context;
  context.unsubscribe = bus.subscribe({ commit: ({ facts }) => facts.forEach((fact) => note(context, fact)) });
  try {
    await backgroundReads.takeAll(fill(context));
  } catch (error) {
    stop(context);
    throw error;
  }
}

function stop(context: SearchIndexContext): void {
  const { indexes, changed } = context;
  context.unsubscribe();
  context.filling = undefined;
  for (const subject of SUBJECTS) indexes[subject].clear();
  for (const keys of changed.values()) keys.clear();
  [context.oldest, context.kept] = [0, 0];
}

function changesOf(fact: Fact, indexes: Record<'order' | 'sequence', { has(key: string): boolean }>): Changes {
  // These facts also report progress. A known order or sequence can only have another customer; its other texts do not change.
  if (fact.type === 'order.changed') {
    const { order_number: number } = fact.order;
    return { changed: indexes.order.has(number) ? [['customer', number]] : ofOrder(number) };
  }
  if (fact.type === 'sequence.changed') {
    const { sequenceid } = fact.sequence;
    return indexes.sequence.has(sequenceid) ? {} : { changed: [['sequence', sequenceid]] };
  }
  // Safe cast: `CHANGES` lists each function under the type of its fact.
  return (CHANGES[fact.type] as ((fact: Fact) => Changes) | undefined)?.(fact) ?? {};
}

function* pages<Row, After extends string | number>(
  read: (after: After) => Row[],
  first: After,
  afterOf: (row: Row) => After,
  add: (row: Row) => void,
): InParts<void> {
  let after = first;
  for (;;) {
    const rows = read(after);
    rows.forEach(add);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = afterOf(last);
    yield;
  }
}

const idOf = ({ id }: { id: number }): number => id;

const named = (name: string): Part<string> => ({ ref: name, fields: [name] });

function articlePart({ id, sku, name, description, codes }: ArticleTexts): Part<number> {
  return { ref: id, fields: [sku, name, description, ...(JSON.parse(codes) as string[])] };
}

function devicePart(row: DeviceTexts): Part<string> {
  return { ref: row.deviceid, fields: DEVICE_FIELDS.map((field) => shownLine(row[field])) };
}

/** Maximum number of characters of a note to search. */
const MAX_NOTE = 200;

/** Fields of the part of an order's customer. */
export const CUSTOMER_FIELDS = ['customer', 'note'] as const;

function customerPart(row: CustomerTexts): Part<string>[] {
  const [said, note] = [customerText(row), (row.note ?? '').slice(0, MAX_NOTE)];
  return said === '' && note === '' ? [] : [{ ref: row.order_number, fields: [said, note] }];
}

/** Returns the customer of an order as search results show it: the names and the city. */
export function customerText({ customer, address }: Pick<CustomerTexts, 'address' | 'customer'>): string {
  const stored = address === null ? undefined : storedJson('orders.address', address);
  // Safe cast: the check covers the fields of an address.
  const { name = '', postcode = '', city = '' } = (stored ?? {}) as OrderAddress;
  const names = [...new Set([customer ?? '', name])];
  return [...names, `${postcode} ${city}`.trim()].filter((text) => text !== '').join(', ');
}

const aliasPart = ({ id, name }: { id: number; name: string }): Part<number> => ({ ref: id, fields: [name] });

/** Returns the fields of a cart or wall: its name, its code, then its slot codes row by row. */
function carrierPart({ id, name, codes }: CarrierTexts): Part<number> {
  return { ref: id, fields: [name, ...(JSON.parse(codes) as string[])] };
}

/** Returns the fields of a batch: its name, then the totes of occupied slots, row by row. */
function batchPart({ id, carrier, totes }: BatchTexts): Part<number> {
  return { ref: id, fields: [batchName(id, carrier), ...(JSON.parse(totes) as string[])] };
}

export function batchName(id: number, carrier: string): string {
  return `Batch ${id} · ${carrier}`;
}

function commandPart({ id, deviceid, lines }: CommandTexts): Part<Refs['command']> {
  return { ref: { id, deviceId: deviceid }, fields: lines };
}

function itemPart(row: ItemTexts): Part<number> {
  return { ref: row.id, fields: ITEM_FIELDS.map((field) => row[field] ?? '') };
}

/** Removes the prefix of a static line that makes it a code or an icon. */
export function shownLine(line: string): string {
  return line.replace(/^\\(?:bc|qr|ic)/i, '');
}
