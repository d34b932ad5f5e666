import type { Alert } from './alert.ts';
import type { LocationAlias } from './alias.ts';
import type { CommandEntry, Device } from './device.ts';
import type { Place, Placed, StationMap } from './map.ts';
import type { Ephemera, Fact, Station } from './station.ts';

/**
 * The station after one commit: applies the facts in order. Pure. Unchanged parts keep their identity, so that one fact
 * redraws one device. Ignores a commit that is not newer than the station, and facts about unknown devices.
 * `station.devices` stays sorted by DeviceID.
 */
export function applyFacts(station: Station, facts: readonly Fact[], revision: number): Station {
  if (revision <= station.revision) return station;
  const devices = new DeviceDraft(station.devices);
  const aliases = new AliasDraft(station.aliases);
  let { map, setup, last_import, alerts, turbos } = station;
  for (const fact of facts) {
    applyFact(devices, fact);
    map = applyToMap(map, fact);
    aliases.apply(fact);
    alerts = applyToAlerts(alerts, fact);
    turbos = applyToTurbos(turbos, fact);
    if (fact.type === 'setup.done') setup = 'done';
    if (fact.type === 'import.kept') ({ last_import } = fact);
  }
  return {
    ...station,
    revision,
    devices: devices.result(),
    turbos,
    map,
    aliases: aliases.result(),
    alerts,
    last_import,
    setup,
  };
}

/** Applies the newest conditions of the given devices and turbos, and all links if given. Pure; adds unknown turbos. */
export function applyEphemera(station: Station, ephemera: Ephemera): Station {
  const draft = new DeviceDraft(station.devices);
  for (const { deviceid, ...condition } of ephemera.devices) {
    draft.update(deviceid, (device) => merge(device, condition));
  }
  const devices = draft.result();
  const turbos = mergeTurbos(station.turbos, ephemera.turbos);
  const links = sameValue(station.links, ephemera.links ?? station.links) ? station.links : (ephemera.links ?? []);
  const isSame = devices === station.devices && turbos === station.turbos && links === station.links;
  return isSame ? station : { ...station, devices, turbos, links };
}

/** Index of a device in a list sorted by DeviceID; if missing, the complement (`~index`) of its insertion point. */
export function placeOfDevice(devices: readonly Device[], deviceid: string): number {
  let low = 0;
  let high = devices.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = devices[middle]?.deviceid ?? '';
    if (found === deviceid) return middle;
    if (found < deviceid) low = middle + 1;
    else high = middle;
  }
  return ~low;
}

/** Finds a device in a list sorted by DeviceID. */
export function findDevice(devices: readonly Device[], deviceid: string): Device | undefined {
  const place = placeOfDevice(devices, deviceid);
  return place < 0 ? undefined : devices[place];
}

/** Copies the list on the first change: once per commit, however many facts it has. */
class DeviceDraft {
  readonly #before: Device[];
  #devices: Device[];

  constructor(devices: Device[]) {
    this.#before = devices;
    this.#devices = devices;
  }

  result(): Device[] {
    return this.#devices;
  }

  set(device: Device): void {
    const place = placeOfDevice(this.#devices, device.deviceid);
    this.#own().splice(place < 0 ? ~place : place, place < 0 ? 0 : 1, device);
  }

  remove(deviceid: string): void {
    const place = placeOfDevice(this.#devices, deviceid);
    if (place >= 0) this.#own().splice(place, 1);
  }

  update(deviceid: string, change: (device: Device) => Device): void {
    const place = placeOfDevice(this.#devices, deviceid);
    if (place >= 0) this.#updateAt(place, change);
  }

  updateAll(change: (device: Device) => Device): void {
    for (const place of this.#devices.keys()) this.#updateAt(place, change);
  }

  #updateAt(place: number, change: (device: Device) => Device): void {
    const device = this.#devices[place];
    if (device === undefined) return;
    const changed = change(device);
    if (changed !== device) this.#own()[place] = changed;
  }

  #own(): Device[] {
    if (this.#devices === this.#before) this.#devices = this.#before.slice();
    return this.#devices;
  }
}

function applyFact(devices: DeviceDraft, fact: Fact): void {
  switch (fact.type) {
    case 'device.added':
      return devices.set(fact.device);
    case 'device.changed':
      return devices.update(fact.deviceid, (device) => merge(relabelled(device, fact.changed.location), fact.changed));
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
    case 'device.called':
    case 'device.pressed':
    case 'press.late':
    case 'settings.changed':
    case 'alias.changed':
    case 'alias.removed':
    case 'alert.raised':
    case 'alert.changed':
    case 'alert.ended':
    case 'import.kept':
    case 'sequence.changed':
    case 'sequence.step':
    case 'sequence.removed':
    case 'order.changed':
    case 'order.item':
    case 'order.removed':
    case 'map.racks':
    case 'map.zones':
    case 'map.placed':
    case 'turbo.named':
    case 'turbo.forgotten':
    case 'setup.done':
    case 'waiting.changed':
    case 'access.changed':
      // These change no device.
      return;
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

/** The open alerts, sorted by id. */
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

/** Copies the list on the first change: an import is one commit with a fact per row. Sorted by id. */
class AliasDraft {
  readonly #before: LocationAlias[];
  #aliases: LocationAlias[];

  constructor(aliases: LocationAlias[]) {
    this.#before = aliases;
    this.#aliases = aliases;
  }

  result(): LocationAlias[] {
    return this.#aliases;
  }

  apply(fact: Fact): void {
    if (fact.type === 'alias.removed') this.#remove(fact.id);
    else if (fact.type === 'alias.changed') this.#set(fact.alias);
  }

  #set(alias: LocationAlias): void {
    const place = this.#placeOf(alias.id);
    const known = this.#aliases[place];
    if (known?.id !== alias.id) this.#own().splice(place, 0, alias);
    else if (!sameValue(known, alias)) this.#own()[place] = alias;
  }

  #remove(id: number): void {
    const place = this.#placeOf(id);
    if (this.#aliases[place]?.id === id) this.#own().splice(place, 1);
  }

  /** Index of the alias, or its insertion point. */
  #placeOf(id: number): number {
    let low = 0;
    let high = this.#aliases.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#aliases[middle]?.id ?? id) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #own(): LocationAlias[] {
    if (this.#aliases === this.#before) this.#aliases = this.#before.slice();
    return this.#aliases;
  }
}

/** The map with these devices moved; places stay sorted by DeviceID. */
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

function withQueue(device: Device, commands: CommandEntry[]): Device {
  return { ...device, commands, state: commands.length > 0 ? 'active' : 'static' };
}

/** Renames the location of commands that were sent to the device itself to its new label. */
function relabelled(device: Device, label: string | undefined): Device {
  if (label === undefined || label === device.location || device.commands.length === 0) return device;
  const commands = device.commands.map((command) =>
    command.alias_id === null ? { ...command, location: label } : command,
  );
  return { ...device, commands };
}

/** After the wall clock was set back: shifts `shown` so that lit commands keep their remaining time. */
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

/** `base` with the given fields of `change`. Returns `base` itself if nothing differs, and keeps its equal parts. */
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

/** Deep equality of JSON data. */
function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = new Map<string, unknown>(Object.entries(b));
  return left.length === right.size && left.every(([key, value]) => right.has(key) && sameValue(value, right.get(key)));
}
