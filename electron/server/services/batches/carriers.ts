import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import type { Carrier, CarrierResult, NewCarrier } from '#shared/api/carrier.ts';
import type { FieldError } from '#shared/api/problem.ts';
import { lookAlikeKey } from '#shared/lib/text/lookAlike.ts';
import type { CoreOf } from '../../core.ts';
import type { CarrierRow, CarrierSlotRow } from '../../db/repositories/carriers.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import { deviceSettings, findCodeAlike, lookAlikeWarnings, refuseReserved } from '../base/index.ts';

type Tables = Pick<
  CoreOf<'batches'>['repositories'],
  'aliases' | 'batches' | 'carriers' | 'commands' | 'devices' | 'lookAlikes' | 'map' | 'orders'
>;

/** State shared by the use cases for carts and walls. */
type CarriersContext = { repositories: Tables; reads: Tables; writer: Writer };

type Named = { kind: CarrierKind; id: number };
type RefuseChanged = (current: Carrier) => void;

export function createCarriers(context: CarriersContext) {
  const { reads, repositories } = context;
  return {
    list: (kind: CarrierKind): Carrier[] => reads.carriers.list(kind).map((row) => carrierAnswer(reads, row)),
    /** Throws `not_found`. */
    get: (kind: CarrierKind, id: number): Carrier => carrierAnswer(reads, getCarrier(reads, kind, id)),
    add: (kind: CarrierKind, wanted: NewCarrier) => add(context, kind, wanted),
    replace: (kind: CarrierKind, id: number, wanted: NewCarrier, refuseChanged: RefuseChanged) =>
      replace(context, { kind, id }, wanted, refuseChanged),
    remove: (kind: CarrierKind, id: number, refuseChanged: RefuseChanged) =>
      remove(context, { kind, id }, refuseChanged),
    /** Removes a deleted device from its slot, within a transaction. The slot stays, without a light. */
    deviceRemoved: (deviceId: string): void => repositories.carriers.removeDevice(deviceId),
    /** Assigns a device's slot to its replacement, within a transaction. Throws `conflict` if the replacement already serves a slot. */
    deviceReplaced: (from: string, to: string): void => deviceReplaced(context, from, to),
  };
}

export type Carriers = ReturnType<typeof createCarriers>;

export function carrierAnswer({ carriers }: Pick<Tables, 'carriers'>, row: CarrierRow): Carrier {
  const { id, name, code, rows, columns } = row;
  const slots = carriers.listSlots(id).map((slot) => ({
    slot: slot.slot,
    code: slot.code === '' ? null : slot.code,
    deviceid: slot.deviceId,
    back_deviceid: slot.backDeviceId,
  }));
  return { id, name, code: code === '' ? null : code, rows, columns, slots };
}

/** Throws `not_found`. */
export function getCarrier({ carriers }: Pick<Tables, 'carriers'>, kind: CarrierKind, id: number): CarrierRow {
  const row = carriers.find(id);
  if (row?.kind === kind) return row;
  throw new StationError('not_found', `There is no ${kind} ${id}. GET /api/${kind}s/ lists them.`);
}

function add(context: CarriersContext, kind: CarrierKind, wanted: NewCarrier): Promise<CarrierResult> {
  const { carriers } = context.repositories;
  return context.writer.write((tx) => {
    const slots = slotsOf(wanted);
    const warnings = check(context, wanted, slots, undefined);
    const { name, code, rows, columns } = wanted;
    const id = carriers.insert({ kind, name, code: code ?? '', rows, columns });
    carriers.setSlots(id, slots);
    publishDevices(context, tx, slots);
    tx.emit({ type: 'carrier.changed', kind, id });
    return { ...carrierAnswer(context.repositories, getCarrier(context.repositories, kind, id)), warnings };
  });
}

/** Replaces a cart or wall. Throws any error from `refuseChanged`. */
function replace(
  context: CarriersContext,
  { kind, id }: Named,
  wanted: NewCarrier,
  refuseChanged: RefuseChanged,
): Promise<CarrierResult> {
  const { carriers } = context.repositories;
  return context.writer.write((tx) => {
    const before = getCarrier(context.repositories, kind, id);
    refuseChanged(carrierAnswer(context.repositories, before));
    refuseLive(context, before, 'change it');
    const slots = slotsOf(wanted);
    const warnings = check(context, wanted, slots, id);
    const old = carriers.listSlots(id);
    const { name, code, rows, columns } = wanted;
    carriers.update({ ...before, name, code: code ?? '', rows, columns });
    carriers.setSlots(id, slots);
    publishDevices(context, tx, [...old, ...slots]);
    tx.emit({ type: 'carrier.changed', kind, id });
    return { ...carrierAnswer(context.repositories, getCarrier(context.repositories, kind, id)), warnings };
  });
}

/** Removes a cart or wall. Its devices can serve places again. Throws any error from `refuseChanged`. */
function remove(context: CarriersContext, { kind, id }: Named, refuseChanged: RefuseChanged): Promise<void> {
  const { carriers } = context.repositories;
  return context.writer.write((tx) => {
    const row = getCarrier(context.repositories, kind, id);
    refuseChanged(carrierAnswer(context.repositories, row));
    refuseLive(context, row, 'delete it');
    const slots = carriers.listSlots(id);
    carriers.remove(id);
    publishDevices(context, tx, slots);
    tx.emit({ type: 'carrier.removed', kind, id });
  });
}

function refuseLive({ repositories }: CarriersContext, { id, kind, name }: CarrierRow, what: string): void {
  const batch = repositories.batches.findLive(id);
  if (batch === undefined) return;
  throw new StationError('conflict', `The ${kind} ${name} is in batch ${batch}. End the batch first, then ${what}.`);
}

/**
 * Lists all slots of a cart or wall of this size, with the fields from the request. Throws `invalid` for slots outside the cart or wall.
 */
function slotsOf({ rows, columns, slots: given = [] }: NewCarrier): CarrierSlotRow[] {
  const all = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (__, column) => `${String.fromCodePoint(65 + row)}${column + 1}`),
  ).flat();
  const bySlot = new Map(given.map((slot) => [slot.slot, slot]));
  for (const [index, { slot }] of given.entries()) {
    if (!all.includes(slot))
      refuse(
        `/slots/${index}/slot`,
        `${slot} is outside a size of ${rows} by ${columns} (rows by columns). Send a larger size, or leave the slot out.`,
      );
  }
  return all.map((slot) => {
    const { code, deviceid, back_deviceid: back } = bySlot.get(slot) ?? {};
    return { slot, code: code ?? '', deviceId: deviceid ?? null, backDeviceId: back ?? null };
  });
}

/**
 * Validates a cart or wall and returns warnings. Throws `invalid` or `conflict`. `id` is the id of the cart or wall to replace, or
 * undefined for a new one.
 */
function check(
  context: CarriersContext,
  wanted: NewCarrier,
  slots: readonly CarrierSlotRow[],
  id: number | undefined,
): string[] {
  const { carriers } = context.repositories;
  const { name } = wanted;
  const other = carriers.findByName(name);
  if (other !== undefined && other.id !== id)
    taken('/name', `The ${other.kind} ${other.id} already has the name ${name}. Choose another name.`);
  const pathOf = pathsIn(wanted);
  const ofCodes = checkCodes(
    context,
    [
      { code: wanted.code ?? '', path: '/code' },
      ...slots.map(({ slot, code }) => ({ code, path: `${pathOf(slot)}/code` })),
    ],
    id,
  );
  const seen = new Set<string>();
  const ofDevices = slots.flatMap(({ slot, deviceId, backDeviceId }) =>
    [
      { device: deviceId, path: `${pathOf(slot)}/deviceid` },
      { device: backDeviceId, path: `${pathOf(slot)}/back_deviceid` },
    ].flatMap(({ device, path }) => {
      if (device === null) return [];
      if (seen.has(device)) refuse(path, `${device} is listed twice. A device serves one side of one slot.`);
      seen.add(device);
      return checkDevice(context, device, { id, slot, path });
    }),
  );
  return [...ofCodes, ...ofDevices];
}

/** Returns a function that maps a slot to its JSON Pointer in the request. */
function pathsIn({ slots = [] }: NewCarrier): (slot: string) => string {
  const indexOf = new Map(slots.map(({ slot }, index) => [slot, index]));
  return (slot) => `/slots/${indexOf.get(slot) ?? 0}`;
}

/**
 * Checks slot codes. Returns a warning for each code that also identifies something else, because scans will no longer find that. Throws
 * `invalid` or `conflict`.
 */
function checkCodes(
  { repositories }: CarriersContext,
  codes: readonly { code: string; path: string }[],
  id: number | undefined,
): string[] {
  const seen = new Set<string>();
  const isOwn = (code: string): boolean => repositories.carriers.findByCode(code)?.carrierId === id;
  return codes.flatMap(({ code, path }) => {
    const key = lookAlikeKey(code);
    if (key === '') return [];
    if (seen.has(key)) refuse(path, `The code ${code} is listed twice. Choose a different code for each slot.`);
    seen.add(key);
    refuseReserved(code, path);
    const found = findCodeAlike(repositories, code, ({ kind, name }) => kind === 'code' && isOwn(name));
    if (found !== undefined) {
      const whose = found.kind === 'tote' ? `a tote in ${found.of}` : found.of;
      const looks = found.isSame ? 'belongs to' : `looks like ${found.name}, the code of`;
      taken(path, `The code ${code} ${looks} ${whose}. Choose another code.`);
    }
    const says = () => ` A scan finds ${path === '/code' ? 'this cart or wall' : 'this slot'}.`;
    return lookAlikeWarnings(repositories, 'code', code, { found: says }).map((said) => `${path}: ${said}`);
  });
}

/**
 * Checks a slot's device. A device that serves a place cannot serve a slot, because the place would lose its light. The device can keep its
 * label.
 */
function checkDevice(
  { repositories }: CarriersContext,
  device: string,
  { id, slot, path }: { id: number | undefined; slot: string; path: string },
): string[] {
  const { aliases, carriers, commands, devices, map } = repositories;
  const row = devices.find(device);
  if (row === undefined)
    refuse(path, `There is no device ${device}. GET /api/device/ lists the devices that are known.`);
  const served = carriers.findDevice(device);
  if (served !== undefined && served.carrierId !== id) {
    const of = carriers.find(served.carrierId);
    taken(path, `${device} already serves slot ${served.slot} of the ${of?.kind} ${of?.name}. Remove it there first.`);
  }
  if (served !== undefined) return [];
  const [alias] = aliases.listByDevice(device);
  if (alias !== undefined)
    taken(
      path,
      `${device} serves the place ${alias.name}. Delete or move its location aliases first, then assign it to slot ${slot}.`,
    );
  if (map.get().places.some(({ deviceid }) => deviceid === device))
    taken(path, `${device} has a place on the map. Remove it there first, then assign it to slot ${slot}.`);
  if (commands.findFirst(device) !== undefined)
    taken(path, `${device} has open work. Finish the work, or remove it with the command kill.`);
  if (row.label === '') return [];
  return [
    `${slot}: While ${device} serves this slot, its label ${row.label} is not a place. Orders and articles do not light there.`,
  ];
}

function deviceReplaced({ repositories }: CarriersContext, from: string, to: string): void {
  if (repositories.carriers.findDevice(from) === undefined) return;
  const own = repositories.carriers.findDevice(to);
  if (own !== undefined) taken('/deviceid', `${to} already serves slot ${own.slot}. Remove it there first.`);
  repositories.carriers.giveDevice(to, from);
}

/** Publishes devices that may have become places, or may no longer be places, so that the search index reads them again. */
function publishDevices({ repositories }: CarriersContext, tx: Transaction, slots: readonly CarrierSlotRow[]): void {
  const ids = new Set(slots.flatMap(({ deviceId, backDeviceId }) => [deviceId ?? [], backDeviceId ?? []].flat()));
  for (const id of ids) {
    const row = repositories.devices.find(id);
    if (row !== undefined) tx.emit({ type: 'device.changed', deviceid: id, changed: deviceSettings(row) });
  }
}

function refuse(path: string, message: string): never {
  throw new StationError('invalid', message, [{ path, message } satisfies FieldError]);
}

function taken(path: string, message: string): never {
  throw new StationError('conflict', message, [{ path, message } satisfies FieldError]);
}
