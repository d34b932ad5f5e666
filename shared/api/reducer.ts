import type { Alert } from './alert.ts';
import type { LocationAlias } from './alias.ts';
import type { CommandEntry, Device } from './device.ts';
import type { Place, Placed, StationMap } from './map.ts';
import type { Ephemera, Fact, Station } from './station.ts';

/**
 * Returns the station after one commit, applying the facts in order. A pure function: unchanged parts keep their identity, so that a fact
 * redraws only its device. Ignores a commit that is not newer than the station, and facts about unknown devices. `station.devices` stays
 * sorted by DeviceID.
 */
export function applyFacts(station: Station, facts: readonly Fact[], revision: number): Station {
  if (revision <= station.revision) return station;
  const devices = new SortedDraft(station.devices, deviceIdOf);
  const aliases = new SortedDraft(station.aliases, ({ id }: LocationAlias) => id);
  let { map, setup, last_import, alerts, turbos } = station;
  for (const fact of facts) {
    applyFact(devices, fact);
    map = applyToMap(map, fact);
    if (fact.type === 'alias.changed') aliases.set(fact.alias);
    if (fact.type === 'alias.removed') aliases.remove(fact.id);
    alerts = applyToAlerts(alerts, fact);
    turbos = applyToTurbos(turbos, fact);
    if (fact.type === 'setup.done') setup = 'done';
    if (fact.type === 'import.kept') ({ last_import } = fact);
  }
  const lists = { devices: devices.result(), turbos, aliases: aliases.result(), alerts };
  return { ...station, ...lists, revision, map, last_import, setup };
}

/**
 * Applies the latest conditions of the given devices and turbos and, if given, all links and the state of the receiver. A pure function.
 * Adds unknown turbos.
 */
export function applyEphemera(station: Station, ephemera: Ephemera): Station {
  const draft = new SortedDraft(station.devices, deviceIdOf);
  for (const { deviceid, ...condition } of ephemera.devices) {
    draft.update(deviceid, (device) => merge(device, condition));
  }
  const devices = draft.result();
  const turbos = mergeTurbos(station.turbos, ephemera.turbos);
  const links = sameValue(station.links, ephemera.links ?? station.links) ? station.links : (ephemera.links ?? []);
  const told = ephemera.receiver === undefined ? station.receiver : ephemera.receiver;
  const receiver = sameValue(station.receiver, told) ? station.receiver : told;
  const isSame =
    devices === station.devices &&
    turbos === station.turbos &&
    links === station.links &&
    receiver === station.receiver;
  return isSame ? station : { ...station, devices, turbos, links, receiver };
}

/**
 * Returns the index of a key in a list sorted by these keys. If the key is missing, returns the complement (`~index`) of its insertion
 * point.
 */
function placeIn<T, Key extends string | number>(list: readonly T[], key: Key, keyOf: (element: T) => Key): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // Safe cast: `middle` is inside the list.
    const found = keyOf(list[middle] as T);
    if (found === key) return middle;
    if (found < key) low = middle + 1;
    else high = middle;
  }
  return ~low;
}

const deviceIdOf = ({ deviceid }: Device): string => deviceid;

/**
 * Returns the index of a device in a list sorted by DeviceID. If the device is missing, returns the complement (`~index`) of its insertion
 * point.
 */
export function placeOfDevice(devices: readonly Device[], deviceid: string): number {
  return placeIn(devices, deviceid, deviceIdOf);
}

/** Finds a device in a list sorted by DeviceID. */
export function findDevice(devices: readonly Device[], deviceid: string): Device | undefined {
  const place = placeOfDevice(devices, deviceid);
  return place < 0 ? undefined : devices[place];
}

/** A sorted list that is copied on its first change, so that a commit with many facts copies it only once. */
class SortedDraft<T, Key extends string | number> {
  readonly #before: T[];
  readonly #keyOf: (element: T) => Key;
  #list: T[];

  constructor(before: T[], keyOf: (element: T) => Key) {
    this.#before = before;
    this.#keyOf = keyOf;
    this.#list = before;
  }

  result(): T[] {
    return this.#list;
  }

  set(element: T): void {
    const place = this.#placeOf(this.#keyOf(element));
    if (place < 0) this.#own().splice(~place, 0, element);
    else if (!sameValue(this.#list[place], element)) this.#own()[place] = element;
  }

  remove(key: Key): void {
    const place = this.#placeOf(key);
    if (place >= 0) this.#own().splice(place, 1);
  }

  update(key: Key, change: (element: T) => T): void {
    const place = this.#placeOf(key);
    if (place >= 0) this.#updateAt(place, change);
  }

  updateAll(change: (element: T) => T): void {
    for (const place of this.#list.keys()) this.#updateAt(place, change);
  }

  #updateAt(place: number, change: (element: T) => T): void {
    const element = this.#list[place];
    if (element === undefined) return;
    const changed = change(element);
    if (changed !== element) this.#own()[place] = changed;
  }

  #placeOf(key: Key): number {
    return placeIn(this.#list, key, this.#keyOf);
  }

  #own(): T[] {
    if (this.#list === this.#before) this.#list = this.#before.slice();
    return this.#list;
  }
}

type DeviceDraft = SortedDraft<Device, string>;

function applyFact(devices: DeviceDraft, fact: Fact): void {
  switch (fact.type) {
    case 'device.added':
      return devices.set(fact.device);
    case 'device.changed':
      return devices.update(fact.deviceid, (device) => merge(relabeled(device, fact.changed.location), fact.changed));
    case 'device.removed':
      return devices.remove(fact.deviceid);
    case 'command.queued':
      return devices.update(fact.deviceid, (device) => withQueue(device, [...device.commands, fact.command]));
    case 'command.replaced':
      return updateCommand(devices, fact, () => fact.command);
    case 'command.moved':
      updateCommand(devices, fact, () => undefined);
      return devices.update(fact.to, (device) => withQueue(device, [...device.commands, fact.command]));
    case 'command.changed':
      return updateCommand(devices, fact, (command) => merge(command, fact.changed));
    case 'command.first':
      return devices.update(fact.deviceid, (device) => withFirst(device, fact.command_id, fact.waits));
    case 'command.sent':
      return updateCommand(devices, fact, (command) => ({
        ...command,
        state: 'sent',
        delivery: command.unreachable_since === null ? 'sent' : 'unreachable',
        sent_at: fact.at,
      }));
    case 'command.shown':
      return updateCommand(devices, fact, (command) => ({
        ...command,
        state: 'shown',
        delivery: 'shown',
        sent_at: fact.sent_at,
        shown_at: fact.at,
        expires_at: fact.expires_at,
        unreachable_since: null,
      }));
    case 'command.unreachable':
      return updateCommand(devices, fact, (command) => ({
        ...command,
        delivery: 'unreachable',
        unreachable_since: fact.at,
      }));
    case 'command.reached':
      return updateCommand(devices, fact, (command) => ({
        ...command,
        delivery: command.state,
        unreachable_since: null,
      }));
    case 'command.adjusted':
      return updateCommand(devices, fact, (command) => ({ ...command, quantity: fact.quantity }));
    case 'command.acknowledged':
    case 'command.timedOut':
    case 'command.killed':
      return updateCommand(devices, fact, () => undefined);
    case 'deadlines.shifted':
      return devices.updateAll((device) => shiftDeadlines(device, fact.ms));
    default:
    // Other facts do not change devices.
  }
}

function applyToMap(map: StationMap, fact: Fact): StationMap {
  switch (fact.type) {
    case 'map.racks':
      return sameValue(map.racks, fact.racks) ? map : { ...map, racks: fact.racks };
    case 'map.zones':
      return sameValue(map.zones, fact.zones) ? map : { ...map, zones: fact.zones };
    case 'map.placed':
      return withPlaces(map, fact.places);
    case 'device.removed':
      return withPlaces(map, [{ deviceid: fact.deviceid, place: null }]);
    default:
      return map;
  }
}

/** Applies a fact to the open alerts, which are sorted by id. */
function applyToAlerts(alerts: Alert[], fact: Fact): Alert[] {
  switch (fact.type) {
    case 'alert.raised':
      return alerts.some(({ id }) => id === fact.alert.id) ? alerts : [...alerts, fact.alert];
    case 'alert.changed':
      return alerts.map((alert) => (alert.id === fact.alert.id ? merge(alert, fact.alert) : alert));
    case 'alert.ended':
      return alerts.filter(({ id }) => id !== fact.alert.id);
    default:
      return alerts;
  }
}

/** Returns the map with these devices moved. Places stay sorted by DeviceID. */
function withPlaces(map: StationMap, moved: readonly Placed[]): StationMap {
  const places = new Map<string, Place>(map.places.map((place) => [place.deviceid, place]));
  let isChanged = false;
  for (const { deviceid, place } of moved) {
    const known = places.get(deviceid);
    if (known?.shelf === place?.shelf && known?.column === place?.column) continue;
    isChanged = true;
    if (place === null) places.delete(deviceid);
    else places.set(deviceid, { deviceid, ...place });
  }
  if (!isChanged) return map;
  return { ...map, places: [...places.values()].toSorted((a, b) => (a.deviceid < b.deviceid ? -1 : 1)) };
}

type CommandChange = (command: CommandEntry) => CommandEntry | undefined;

/** Changes or removes one command. */
function updateCommand(
  devices: DeviceDraft,
  at: { deviceid: string; command_id: string },
  change: CommandChange,
): void {
  devices.update(at.deviceid, (device) => {
    if (!device.commands.some((command) => command.command_id === at.command_id)) return device;
    const commands = device.commands.flatMap((command) => {
      if (command.command_id !== at.command_id) return [command];
      return change(command) ?? [];
    });
    return withQueue(device, commands);
  });
}

/** Moves a command to the front of the queue. The command `waits`, which was shown before, is queued again. */
function withFirst(device: Device, first: string, waits: string | null): Device {
  const queue = device.commands.map((command) => (command.command_id === waits ? { ...command, ...WAITING } : command));
  const head = queue.filter(({ command_id: id }) => id === first);
  return withQueue(device, [...head, ...queue.filter(({ command_id: id }) => id !== first)]);
}

const WAITING = { state: 'queued', delivery: 'queued', sent_at: null, shown_at: null, expires_at: null } as const;

function withQueue(device: Device, commands: CommandEntry[]): Device {
  return { ...device, commands, state: commands.length > 0 ? 'active' : 'static' };
}

/** Sets the device's new label as the location of its commands, except those for other names. */
function relabeled(device: Device, label: string | undefined): Device {
  if (label === undefined || label === device.location || device.commands.length === 0) return device;
  const commands = device.commands.map((command) =>
    command.alias_id === null && command.location === device.location ? { ...command, location: label } : command,
  );
  return { ...device, commands };
}

/** Shifts the times of lit commands after the wall clock was set back, so that the commands keep their remaining time. */
function shiftDeadlines(device: Device, ms: number): Device {
  if (!device.commands.some((command) => command.state === 'shown')) return device;
  const shift = (time: string | null) => (time === null ? null : new Date(Date.parse(time) + ms).toISOString());
  const commands = device.commands.map((command) => {
    if (command.state !== 'shown') return command;
    return { ...command, shown_at: shift(command.shown_at), expires_at: shift(command.expires_at) };
  });
  return { ...device, commands };
}

function applyToTurbos(turbos: Station['turbos'], fact: Fact): Station['turbos'] {
  switch (fact.type) {
    case 'turbo.named':
      return turbos.map((turbo) =>
        turbo.serial_number === fact.serial_number ? merge(turbo, { name: fact.name }) : turbo,
      );
    case 'turbo.forgotten':
      return turbos.filter(({ serial_number }) => serial_number !== fact.serial_number);
    default:
      return turbos;
  }
}

function mergeTurbos(turbos: Station['turbos'], newer: Ephemera['turbos']): Station['turbos'] {
  let merged = turbos;
  for (const turbo of newer) {
    const place = merged.findIndex((known) => known.serial_number === turbo.serial_number);
    const known = merged[place];
    if (known === undefined) merged = [...merged, turbo];
    else if (merge(known, turbo) !== known) merged = merged.with(place, turbo);
  }
  return merged;
}

/** Returns `base` with the given fields of `change`. Reuses equal parts of `base`, and returns `base` itself if nothing differs. */
function merge<T extends object>(base: T, change: Partial<T>): T {
  let merged = base;
  for (const key of Object.keys(change) as (keyof T)[]) {
    const value = change[key];
    if (value === undefined || sameValue(base[key], value)) continue;
    if (merged === base) merged = { ...base };
    merged[key] = value;
  }
  return merged;
}

/** Whether two JSON values are deeply equal. */
function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = new Map<string, unknown>(Object.entries(b));
  return left.length === right.size && left.every(([key, value]) => right.has(key) && sameValue(value, right.get(key)));
}
