import { isDeepStrictEqual } from 'node:util';
import { conditionSchema, type CommandEntry, type Device } from '#shared/api/device.ts';
import type { Station } from '#shared/api/station.ts';
import type { Oracle } from './oracle.ts';
import { placeName } from './naming.ts';
import type { ModelCommand, ModelDevice } from './state.ts';

/** Returns the persistent part of a station: everything except the current conditions of devices and turbos. */
export function lasting(station: Station | undefined): object[] {
  return (station?.devices ?? []).map((device) =>
    Object.fromEntries(Object.entries(device).filter(([name]) => !(name in conditionSchema.shape))),
  );
}

/**
 * Throws if the snapshot differs from the oracle. `withTimes` is false while the station may not have noticed a jump of
 * the wall clock.
 */
export function compareStation(snapshot: Station, oracle: Oracle, withTimes: boolean): void {
  const ids = snapshot.devices.map((device) => device.deviceid);
  const wanted = [...oracle.devices.keys()].toSorted();
  if (!isDeepStrictEqual(ids, wanted)) throw new Error(`The devices are ${ids.join()}, and should be ${wanted.join()}`);
  for (const device of snapshot.devices) compareDevice(device, oracle.device(device.deviceid), withTimes);
}

/** Throws if a restart changed anything except the conditions of devices and turbos. */
export function sameStation(before: Station, after: Station): void {
  if (after.revision < before.revision) throw new Error(`Revision ${before.revision} became ${after.revision}`);
  same('The station after a restart', lasting(after), lasting(before));
}

function compareDevice(device: Device, model: ModelDevice, withTimes: boolean): void {
  const { locationoverride, location, quantity, arrow, barcode, unsolicitedNonce, brightness } = device;
  const { buttons, firmware, state } = device;
  const { statica, staticb, staticc, staticd, statice } = device;
  const lines = [statica, staticb, staticc, staticd, statice];
  const found = {
    locationoverride,
    location,
    lines,
    quantity,
    arrow,
    barcode,
    unsolicitedNonce,
    brightness,
    buttons,
    firmware,
    state,
  };
  const wanted = {
    locationoverride: model.label,
    location: model.label,
    lines: model.lines,
    quantity: model.quantity,
    arrow: model.arrow === '' ? null : model.arrow,
    barcode: '',
    unsolicitedNonce: model.unsolicitedNonce,
    brightness: model.brightness,
    buttons: model.buttons,
    firmware: model.firmware,
    state: model.queue.length > 0 ? 'active' : 'static',
  };
  same(`The device ${model.id}`, found, wanted);
  const queue = device.commands.map((command) => entryOf(command, withTimes));
  same(
    `The queue of ${model.id}`,
    queue,
    model.queue.map((command) => modelEntry(command, placeName(model, command), withTimes)),
  );
}

function entryOf(entry: CommandEntry, withTimes: boolean): object {
  const { command_id, command, nonce, location, line1, line2, line3, line4, line5, quantity, color, seconds } = entry;
  const { sender, created_at, shown_at, expires_at, state, sent_at } = entry;
  if ((state === 'queued') !== (sent_at === null && shown_at === null)) {
    throw new Error(`Command ${command_id} is ${state}, sent at ${sent_at}, shown at ${shown_at}`);
  }
  const { delivery, unreachable_since } = entry;
  if (delivery !== (unreachable_since === null ? state : 'unreachable')) {
    throw new Error(`Command ${command_id} is ${state} and ${delivery}, unreachable since ${unreachable_since}`);
  }
  const lines = [line1, line2, line3, line4, line5];
  const kept = { command_id, command, nonce, location, lines, quantity, color, seconds, sender, created_at };
  const isShown = state === 'shown';
  return withTimes ? { ...kept, isShown, shown_at, expires_at } : { ...kept, isShown };
}

function modelEntry(command: ModelCommand, location: string, withTimes: boolean): object {
  const { id, word, nonce, lines, quantity, adjusted, color, seconds, createdAt, shownAt } = command;
  const kept = {
    command_id: String(id),
    command: word,
    nonce,
    location,
    lines: [0, 1, 2, 3, 4].map((slot) => lines[slot] ?? ''),
    quantity: adjusted ?? quantity,
    color,
    seconds,
    sender: command.sender,
    created_at: new Date(createdAt).toISOString(),
    isShown: shownAt !== null,
  };
  if (!withTimes) return kept;
  return {
    ...kept,
    shown_at: iso(shownAt),
    expires_at: iso(shownAt === null || seconds === 0 ? null : shownAt + seconds * 1_000),
  };
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

export function same(what: string, found: unknown, wanted: unknown): void {
  if (isDeepStrictEqual(found, wanted)) return;
  throw new Error(`${what} is ${JSON.stringify(found)}, and should be ${JSON.stringify(wanted)}`);
}
