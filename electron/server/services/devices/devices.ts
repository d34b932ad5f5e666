import type { Device, DeviceListQuery, WaitingDevice } from '#shared/api/device.ts';
import type { TablesOf } from '../../core.ts';
import { hardwareOf, withSettingsOf, type DeviceRow, type NewHardware } from '../../db/repositories/devices.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import type { StaticChanges } from '#shared/lib/requests/deviceRequest.ts';
import type { DeviceStatus, DeviceHardware, Log } from '../../ports.ts';
import { deviceEntry, deviceSettings } from '../base/index.ts';
import type { PlaceLights, SaidOfLights } from './placeLights.ts';
import type { Refusals } from './refusals.ts';
import type { Registrations } from './registrations.ts';
import { keptAliases, type SaidOfStatics, sharedLabel, withStatics } from './statics.ts';
import { type Target, targetById, targetByLocation, unknownDevice } from './targets.ts';
import type { Telemetry } from './telemetry.ts';
import type { SettingsService } from '../settings/index.ts';

/** Maximum number of devices that wait to be accepted. */
const MAX_WAITING = 5_000;
/** Longest interval at which a slow device polls for its screen. */
const SLOW_MS = 40_000;
/** Number of devices to list per step. */
const DEVICES_AT_ONCE = 32;

type DevicesParts = {
  repositories: TablesOf<'devices'>;
  reads: TablesOf<'devices'>;
  writer: Writer;
  telemetry: Telemetry;
  settings: SettingsService;
  refusals: Refusals;
  registrations: Registrations;
  refresh: (tx: Transaction, deviceId: string) => void;
  placeLights: PlaceLights;
  log: Log;
};

/** State shared by the functions that manage devices. */
type DevicesContext = DevicesParts & {
  /** Stored hardware of each registered device. Kept so that an unchanged status causes no commit. */
  hardware: Map<string, DeviceHardware>;
  /** Last status of each unknown device, including refused devices. Kept because a device reports its hardware only once. */
  waiting: Map<string, DeviceStatus>;
  isPublishing: boolean;
};

export function createDevices(parts: DevicesParts) {
  const { repositories, reads, writer, telemetry, settings, refusals, registrations, refresh, placeLights, log } =
    parts;
  const hardware = new Map<string, DeviceHardware>();
  const context: DevicesContext = {
    repositories,
    reads,
    writer,
    telemetry,
    settings,
    refusals,
    registrations,
    refresh,
    placeLights,
    log,
    hardware,
    waiting: new Map<string, DeviceStatus>(),
    isPublishing: false,
  };
  for (const row of repositories.devices.list()) hardware.set(row.device_id, hardwareOf(row));
  return {
    listIds: (deviceListQuery: DeviceListQuery) => listIds(context, deviceListQuery),
    count: (): number => hardware.size,
    /** Returns how long the device may take to show a command, in milliseconds, or 0 if it shows commands immediately. */
    latencyMs: (deviceId: string): number => (hardware.get(deviceId)?.latency === 'slow' ? SLOW_MS : 0),
    /** Whether the device is registered, rather than waiting to be accepted. */
    knows: (deviceId: string): boolean => hardware.has(deviceId),
    get: (deviceId: string) => get(context, deviceId),
    list: (): Device[] => [...listInParts(context, reads)].flat(),
    listInParts: (source: TablesOf<'devices'>) => listInParts(context, source),
    register: (tx: Transaction, asked: NewHardware & { deviceId: string }) => register(context, tx, asked),
    forget: (deviceId: string) => forget(context, deviceId),
    recordStatus: (deviceId: string, status: DeviceStatus, turboKey: string | undefined) =>
      recordStatus(context, deviceId, status, turboKey),
    acceptPressed: (tx: Transaction, deviceId: string, buttons: 1 | 3, turboKey: string | undefined) =>
      acceptPressed(context, tx, deviceId, buttons, turboKey),
    listWaiting: () => listWaiting(context),
    /** Whether the device is refused, so that its reports are ignored. */
    isRefused: refusals.has,
    acceptWaiting: (deviceId?: string) => acceptWaiting(context, deviceId),
    /** Finds a device by DeviceID. Throws `not_found`. Call inside a transaction. */
    byId: (deviceId: string): Target => targetById(repositories, deviceId),
    /** Finds a device by alias, label or DeviceID, ignoring case. Throws `not_found`. Call inside a transaction. */
    byLocation: (location: string): Target => targetByLocation(repositories, location),
    change: (tx: Transaction, deviceId: string, changes: StaticChanges, by?: string) =>
      change(context, tx, deviceId, changes, by),
    relabel: (tx: Transaction, labels: readonly { deviceId: string; label: string }[], by: string) =>
      relabel(context, tx, labels, by),
    /** Takes the label of a device that is about to be removed. */
    takeLabel(tx: Transaction, deviceId: string, by: string): void {
      const row = find(context, deviceId);
      const former = placeLights.of(row.label);
      repositories.devices.update({ ...row, label: '' });
      placeLights.changed(tx, former, { by });
    },
    /** Copies the statics and settings from another device. */
    setLike: (tx: Transaction, deviceId: string, other: DeviceRow): void =>
      save(context, tx, withSettingsOf(find(context, deviceId), other)),
  };
}

/** Lists DeviceIDs in ascending order, or one page of them. */
function listIds({ reads }: DevicesContext, { after = '', limit }: DeviceListQuery): string[] {
  const ids = reads.devices.listIds();
  return after === '' && limit === undefined ? ids : ids.filter((id) => id > after).slice(0, limit);
}

/** Throws `not_found`. */
function get({ reads, telemetry }: DevicesContext, deviceId: string): Device {
  const row = reads.devices.find(deviceId);
  if (row === undefined) throw unknownDevice(deviceId);
  return deviceEntry(row, reads.commands.list(deviceId), telemetry.of(row));
}

/** Forgets a removed device, so that later reports count as those of a new device. */
function forget({ hardware, waiting }: DevicesContext, deviceId: string): void {
  hardware.delete(deviceId);
  waiting.delete(deviceId);
}

/**
 * Handles the status of a device that a turbo receives. Registers a new device if new devices are accepted and the turbo's key may register
 * more; otherwise, the device waits. Returns false if too many devices are waiting.
 */
function recordStatus(
  context: DevicesContext,
  deviceId: string,
  status: DeviceStatus,
  turboKey: string | undefined,
): boolean {
  const { hardware, writer, log } = context;
  const known = hardware.get(deviceId);
  if (known !== undefined && isSameHardware(known, status)) return true;
  if (known === undefined && mustWait(context, deviceId, turboKey)) return wait(context, deviceId, status);
  writer
    .writeSoon((tx) => note(context, tx, deviceId, status))
    .catch((error: unknown) => log.warn({ err: error, deviceId }, 'could not record a device that reported'));
  return true;
}

/**
 * Handles a press on an unknown device. Returns whether the device is accepted and the press counts, according to the rules of
 * `recordStatus`. Call inside a transaction.
 */
function acceptPressed(
  context: DevicesContext,
  tx: Transaction,
  deviceId: string,
  buttons: 1 | 3,
  turboKey: string | undefined,
): boolean {
  if (mustWait(context, deviceId, turboKey)) return false;
  // The rest follows with the device's status, which is still in transit.
  return register(context, tx, { deviceId, buttons, firmware: 0 });
}

/** Lists unknown devices that are not refused, in the order of their DeviceIDs. */
function listWaiting({ waiting, refusals }: DevicesContext): WaitingDevice[] {
  return [...waiting]
    .filter(([deviceid]) => !refusals.has(deviceid))
    .map(([deviceid, { buttons, firmware, batteryMv, rssiDbm }]) => ({
      deviceid,
      buttons,
      firmware,
      voltage: Math.round(batteryMv / 10) / 100,
      rssi: rssiDbm,
    }))
    .toSorted((a, b) => (a.deviceid < b.deviceid ? -1 : 1));
}

/** Registers all waiting devices, or only the device `only`, if new devices are accepted now. */
async function acceptWaiting(context: DevicesContext, only?: string): Promise<void> {
  const { settings, waiting, refusals, writer } = context;
  if (settings.current().accept_devices !== 'all') return;
  await Promise.all(
    [...waiting]
      .filter(([deviceId]) => (only === undefined || deviceId === only) && !refusals.has(deviceId))
      .map(([deviceId, status]) => writer.write((tx) => note(context, tx, deviceId, status))),
  );
}

/**
 * Changes statics and settings, and returns warnings. Work for the label moves to the device that has it now. Throws `invalid` for codes
 * that do not fit next to each other.
 */
function change(
  context: DevicesContext,
  tx: Transaction,
  deviceId: string,
  changes: StaticChanges,
  by = 'Pickstation',
): SaidOfStatics {
  const { repositories, placeLights } = context;
  const before = find(context, deviceId);
  if (Object.keys(changes).length === 0) return { warnings: [], leftOut: [] };
  const { row, leftOut, warnings } = withStatics(before, changes);
  if (before.label === row.label) {
    save(context, tx, row);
    return { leftOut, warnings };
  }
  const former = placeLights.of(before.label, row.label);
  save(context, tx, row);
  const shared = [...keptAliases(repositories, before, row), ...sharedLabel(repositories, before, row)];
  const said = placeLights.changed(tx, former, { by, labeled: deviceId });
  const lost = said.lost.map((message) => ({ path: '/locationoverride', message }));
  return { leftOut: [...leftOut, ...lost], warnings: [...warnings, ...shared, ...said.lost, ...said.warnings] };
}

/**
 * Gives devices new labels together, so that they can exchange them. Returns the warnings about each device, and what the change causes at
 * the places.
 */
function relabel(
  context: DevicesContext,
  tx: Transaction,
  labels: readonly { deviceId: string; label: string }[],
  by: string,
): { warnings: string[][]; said: SaidOfLights } {
  const { repositories, placeLights } = context;
  const changes = labels.map(({ deviceId, label }) => {
    const before = find(context, deviceId);
    return { before, ...withStatics(before, { locationoverride: label }) };
  });
  const { said } = placeLights.together(tx, by, () => {
    for (const { before, row } of changes) {
      const former = placeLights.of(before.label, row.label);
      save(context, tx, row);
      placeLights.changed(tx, former, { by, labeled: row.device_id });
    }
  });
  const warnings = changes.map(({ before, row, warnings: own }) => [
    ...own,
    ...keptAliases(repositories, before, row),
    ...sharedLabel(repositories, before, row),
  ]);
  return { warnings, said };
}

/** Registers a device. Returns false if it is already registered. */
function register(
  { repositories, waiting, refusals, telemetry, hardware, refresh }: DevicesContext,
  tx: Transaction,
  { deviceId, ...wanted }: NewHardware & { deviceId: string },
): boolean {
  if (repositories.devices.find(deviceId) !== undefined) return false;
  // Prefer the status of a waiting device, because the device reports it again only after a change.
  repositories.devices.insert({ ...(waiting.get(deviceId) ?? wanted), deviceId });
  const row = repositories.devices.find(deviceId);
  if (row === undefined) throw new Error(`Device ${deviceId} was written and is not there.`);
  refusals.remove(tx, deviceId);
  tx.emit({ type: 'device.added', device: deviceEntry(row, [], telemetry.of(row)) });
  if (waiting.has(deviceId)) tx.emit({ type: 'waiting.changed' });
  tx.apply(() => {
    waiting.delete(deviceId);
    hardware.set(deviceId, hardwareOf(row));
  });
  refresh(tx, deviceId);
  return true;
}

function mustWait(
  { settings, refusals, registrations }: DevicesContext,
  deviceId: string,
  turboKey: string | undefined,
): boolean {
  if (settings.current().accept_devices === 'ask' || refusals.has(deviceId)) return true;
  return !registrations.allows(turboKey, deviceId);
}

/** Returns a device's row. Call inside a transaction. Throws `not_found`. */
function find({ repositories }: DevicesContext, deviceId: string): DeviceRow {
  const row = repositories.devices.find(deviceId);
  if (row === undefined) throw unknownDevice(deviceId);
  return row;
}

function save({ repositories, refresh }: DevicesContext, tx: Transaction, row: DeviceRow): void {
  repositories.devices.update(row);
  tx.emit({ type: 'device.changed', deviceid: row.device_id, changed: deviceSettings(row) });
  refresh(tx, row.device_id);
}

function wait(context: DevicesContext, deviceId: string, status: DeviceStatus): boolean {
  const { waiting, refusals } = context;
  const isNew = !waiting.has(deviceId);
  if (isNew && waiting.size >= MAX_WAITING) return false;
  waiting.set(deviceId, status);
  if (isNew && !refusals.has(deviceId)) publishWaiting(context);
  return true;
}

/** Publishes that the waiting devices have changed, once for devices that arrive together. */
function publishWaiting(context: DevicesContext): void {
  const { writer, log } = context;
  if (context.isPublishing) return;
  context.isPublishing = true;
  writer
    .writeSoon((tx) => {
      context.isPublishing = false;
      tx.emit({ type: 'waiting.changed' });
    })
    .catch((error: unknown) => {
      context.isPublishing = false;
      log.warn({ err: error }, 'could not publish that devices wait to be accepted');
    });
}

function note(context: DevicesContext, tx: Transaction, deviceId: string, status: DeviceStatus): void {
  const { repositories, hardware } = context;
  const { firmware, buttons, screen, led, latency } = status;
  const capabilities = { screen, led, buttons, latency };
  if (register(context, tx, { deviceId, ...capabilities, firmware })) return;
  repositories.devices.setHardware(deviceId, status);
  tx.emit({ type: 'device.changed', deviceid: deviceId, changed: { buttons, firmware, capabilities } });
  tx.apply(() => hardware.set(deviceId, { ...capabilities, firmware }));
}

/** Lists all devices from these tables, in steps of less than 1 ms. */
function* listInParts({ telemetry }: DevicesContext, source: TablesOf<'devices'>): Generator<Device[], void, void> {
  for (let after = ''; ;) {
    const rows = source.devices.listAfter(after, DEVICES_AT_ONCE);
    const last = rows.at(-1)?.device_id ?? after;
    const queues = Map.groupBy(source.commands.listOf(after, last), (command) => command.deviceId);
    yield rows.map((row) => deviceEntry(row, queues.get(row.device_id) ?? [], telemetry.of(row)));
    if (rows.length < DEVICES_AT_ONCE) return;
    after = last;
  }
}

function isSameHardware(a: DeviceHardware, b: DeviceHardware): boolean {
  return (
    a.firmware === b.firmware &&
    a.buttons === b.buttons &&
    a.screen === b.screen &&
    a.led === b.led &&
    a.latency === b.latency
  );
}

export type Devices = ReturnType<typeof createDevices>;
