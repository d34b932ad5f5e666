import { compareNames } from '#shared/lib/text/locale.ts';
import { FOUND_KINDS, type FoundThing, type FoundKind, type MatchedField } from '#shared/api/find.ts';
import { MAX_FOUND } from '#shared/lib/text/findLimits.ts';
import type { TablesOf } from '../../core.ts';
import { bestMatches, type Candidate } from '../../domain/find/bestMatches.ts';
import { type MatchRank, searchKey } from '../../domain/find/textIndex.ts';
import type { StepQueue } from '../../scheduling/index.ts';
import { findByLocation } from '../devices/index.ts';
import {
  ARTICLE_FIELDS,
  batchName,
  CUSTOMER_FIELDS,
  customerText,
  DEVICE_FIELDS,
  ITEM_FIELDS,
  shownLine,
  type Refs,
  type SearchIndex,
} from './searchIndex.ts';

type Tables = TablesOf<'find'>;

/** A match with a function that loads it. Only the best matches are loaded. */
type Lead = Candidate<FoundKind, () => FoundThing | undefined>;

/** State shared by the search functions. */
type FindContext = {
  reads: Tables;
  searchIndex: SearchIndex;
  foregroundReads: Pick<StepQueue, 'takeAll'>;
};

/** Searches everything that people see, by any part of its text. */
export function createFind({
  reads,
  searchIndex,
  foregroundReads,
}: {
  reads: Tables;
  searchIndex: SearchIndex;
  foregroundReads: Pick<StepQueue, 'takeAll'>;
}) {
  const context: FindContext = { reads, searchIndex, foregroundReads };
  return {
    /** `withCustomers` also finds orders by their customer, address and note. */
    find: (wanted: string, how: { withCustomers: boolean } = { withCustomers: false }) => find(context, wanted, how),
  };
}

export type Find = ReturnType<typeof createFind>;

/** Finds matches, best first. Rejects when the station stops. */
async function find(
  context: FindContext,
  wanted: string,
  { withCustomers }: { withCustomers: boolean },
): Promise<FoundThing[]> {
  const { searchIndex, foregroundReads } = context;
  const { indexes, isWhole } = await searchIndex.current();
  const found = async <S extends keyof Refs>(
    subject: S,
    kind: FoundKind,
    thingOf: (ref: Refs[S]) => string | number,
    read: (ref: Refs[S], field: number) => FoundThing | undefined,
  ): Promise<Lead[]> => {
    const matches = await foregroundReads.takeAll(indexes[subject].find(wanted, MAX_FOUND));
    return matches.map(({ ref, field, rank }) => {
      return { kind, thing: String(thingOf(ref)), rank, field, ref: () => read(ref, field) };
    });
  };
  const same = <T>(ref: T): T => ref;
  const leads = [
    ...(await found('device', 'device', same, (deviceId, field) => device(context, deviceId, field))),
    ...(await found(
      'command',
      'device',
      ({ deviceId }) => deviceId,
      (each0, field) => lit(context, each0, field),
    )),
    ...(await found('alias', 'location', same, (id) => alias(context, id))),
    ...(await found('article', 'article', same, (id, field) => article(context, id, field))),
    ...(await found('order', 'order', same, (text) => ({
      kind: 'order',
      order_number: text,
      text,
      matched: 'order_number',
    }))),
    ...(withCustomers
      ? await found('customer', 'order', same, (number, field) => customer(context, number, field))
      : []),
    ...(await found('batch', 'batch', same, (id, field) => batch(context, id, field))),
    ...(await found('carrier', 'cart', same, (id, field) => carrier(context, id, field))),
    ...(await found('sequence', 'sequence', same, (text) => ({
      kind: 'sequence',
      sequenceid: text,
      text,
      matched: 'sequence',
    }))),
    ...(await found('items', 'item', same, (id, field) => item(context, id, field))),
  ];
  if (!isWhole) leads.push(...older(context, wanted, withCustomers));
  return inOrder(bestMatches(leads, { kinds: FOUND_KINDS, limit: MAX_FOUND }));
}

function device({ reads }: FindContext, deviceId: string, field: number): FoundThing | undefined {
  const row = reads.devices.find(deviceId);
  const name = DEVICE_FIELDS[field];
  if (row === undefined || name === undefined) return undefined;
  const { label } = row;
  const text = { deviceid: deviceId, label, ...staticsOf(row) }[name];
  return { kind: 'device', deviceid: deviceId, ...placed(label), text, matched: DEVICE_MATCHES[name] };
}

function lit({ reads }: FindContext, { id, deviceId }: Refs['command'], field: number): FoundThing | undefined {
  const command = reads.commands.find(id);
  const text = command?.content.lines[field];
  if (command === undefined || text === undefined) return undefined;
  const place = command.alias === '' ? (reads.devices.find(deviceId)?.label ?? '') : command.alias;
  return { kind: 'device', deviceid: deviceId, ...placed(place), text, matched: 'lit' };
}

function alias({ reads }: FindContext, id: number): FoundThing | undefined {
  const found = reads.aliases.find(id);
  if (found === undefined) return undefined;
  const { name, deviceid } = found;
  return { kind: 'location', deviceid, location: name, text: name, matched: 'alias' };
}

/** Loads an article. Skips inactive articles. */
function article({ reads }: FindContext, id: number, field: number): FoundThing | undefined {
  const row = reads.articles.find(id);
  if (row === undefined || !row.isActive) return undefined;
  const { sku, name, description } = row;
  const matched = ARTICLE_FIELDS[field] ?? 'upc';
  const said = name === '' ? description : name;
  if (matched === 'name' || matched === 'description') return { kind: 'article', sku, text: row[matched], matched };
  // Fields after the named ones are barcodes.
  const code =
    matched === 'sku'
      ? sku
      : (reads.articles.listBarcodes(JSON.stringify([id]))[field - ARTICLE_FIELDS.length]?.code ?? sku);
  return { kind: 'article', sku, text: said === '' ? code : `${code} · ${said}`, matched };
}

/** Loads an order that was found by its customer or note, in fields that logs do not show. */
function customer({ reads }: FindContext, number: string, field: number): FoundThing | undefined {
  const [row] = reads.find.customer(number);
  const matched = CUSTOMER_FIELDS[field];
  if (row === undefined || matched === undefined) return undefined;
  const said = customerText(row);
  return {
    kind: 'order',
    order_number: number,
    text: number,
    ...(said === '' ? {} : { customer: said }),
    ...(matched === 'note' && row.note !== null ? { note: row.note } : {}),
    matched,
  };
}

/** Loads a cart or wall that was found by its name, its code or the code of a slot. */
function carrier({ reads }: FindContext, id: number, field: number): FoundThing | undefined {
  const row = reads.carriers.find(id);
  if (row === undefined) return undefined;
  const { kind, name, code } = row;
  const thing = { kind, [kind]: id };
  if (field === 0) return { ...thing, text: name, matched: 'name' };
  if (field === 1) return { ...thing, text: `${code} · ${name}`, matched: 'code' };
  const slot = reads.carriers.listSlots(id)[field - 2];
  return slot && { ...thing, slot: slot.slot, text: `${slot.code} · ${name} ${slot.slot}`, matched: 'code' };
}

function batch({ reads }: FindContext, id: number, field: number): FoundThing | undefined {
  const row = reads.batches.find(id);
  if (row === undefined) return undefined;
  const name = batchName(id, row.carrierName);
  if (field === 0) return { kind: 'batch', batch: id, text: name, matched: 'batch' };
  const slot = reads.batches.read(row).slots.filter(({ state }) => state !== 'free')[field - 1];
  return (
    slot && { kind: 'batch', batch: id, slot: slot.slot, text: `${slot.tote} · ${name} ${slot.slot}`, matched: 'tote' }
  );
}

function item({ reads }: FindContext, id: number, field: number): FoundThing | undefined {
  const row = reads.items.find(id);
  const order = row && reads.orders.find(row.orderId);
  const matched = ITEM_FIELDS[field];
  if (row === undefined || order === undefined || matched === undefined) return undefined;
  const text = row[matched] ?? '';
  const article = row.name ?? row.description;
  const isCode = matched === 'sku' || matched === 'upc';
  const given = row.litDeviceId ?? row.deviceId;
  const place = row.warehouseLocation ?? undefined;
  const deviceid = given ?? (place && findByLocation(reads, place)?.deviceId) ?? row.foundDeviceId ?? undefined;
  return {
    kind: 'item',
    ...(deviceid === undefined || deviceid === '' ? {} : { deviceid }),
    ...placed(place ?? (deviceid && reads.devices.find(deviceid)?.label) ?? ''),
    order_number: order.orderNumber,
    text: isCode && article !== null ? `${text} · ${article}` : text,
    matched,
  };
}

/** Finds orders and items in the database whose text starts with the query, newest first. May repeat matches from memory. */
function older(context: FindContext, wanted: string, withCustomers: boolean): Lead[] {
  const { reads } = context;
  const key = searchKey(wanted);
  const beginning = (
    column: keyof Tables['find']['beginning'],
    lead: (row: { id: number; text: string }) => Lead,
  ): Lead[] =>
    reads.find.beginning[column](wanted.trim().normalize('NFC'))
      .filter(({ text }) => searchKey(text).startsWith(key))
      .toSorted((a, b) => b.id - a.id)
      .map(lead);
  const rankOf = (text: string): MatchRank => (searchKey(text) === key ? 0 : 1);
  return [
    ...beginning('order_number', ({ text }) => ({
      kind: 'order',
      thing: text,
      rank: rankOf(text),
      field: 0,
      ref: () => ({ kind: 'order', order_number: text, text, matched: 'order_number' }),
    })),
    ...(withCustomers
      ? beginning('customer', ({ id, text }) => {
          const number = reads.orders.findNumber(id) ?? '';
          return {
            kind: 'order',
            thing: number,
            rank: rankOf(text),
            field: 0,
            ref: () => customer(context, number, 0),
          };
        })
      : []),
    ...(['sku', 'upc', 'name'] as const).flatMap((column) => {
      const field = ITEM_FIELDS.indexOf(column);
      return beginning(column, ({ id, text }) => ({
        kind: 'item',
        thing: String(id),
        rank: rankOf(text),
        field,
        ref: () => item(context, id, field),
      }));
    }),
  ];
}

const DEVICE_MATCHES: Readonly<Record<(typeof DEVICE_FIELDS)[number], MatchedField>> = {
  deviceid: 'deviceid',
  label: 'label',
  statica: 'static',
  staticb: 'static',
  staticc: 'static',
  staticd: 'static',
  statice: 'static',
};

/** Sorts places by name in natural order, keeps work in the given order (newest first), and drops matches that no longer exist. */
function inOrder(leads: readonly Lead[]): FoundThing[] {
  const read = leads.flatMap(({ rank, ref }) => {
    const found = ref();
    return found === undefined ? [] : [{ rank, found }];
  });
  const isPlace = ({ kind }: FoundThing): boolean => kind === 'device' || kind === 'location';
  return read
    .toSorted((a, b) => {
      if (a.rank !== b.rank || a.found.kind !== b.found.kind || !isPlace(a.found)) return 0;
      return compareNames(nameOf(a.found), nameOf(b.found));
    })
    .map(({ found }) => found);
}

const nameOf = ({ location, deviceid = '' }: FoundThing): string => location ?? deviceid;

function staticsOf(row: Record<`static${'a' | 'b' | 'c' | 'd' | 'e'}`, string>) {
  const { statica, staticb, staticc, staticd, statice } = row;
  return {
    statica: shownLine(statica),
    staticb: shownLine(staticb),
    staticc: shownLine(staticc),
    staticd: shownLine(staticd),
    statice: shownLine(statice),
  };
}

const placed = (location: string): { location?: string } => (location === '' ? {} : { location });
