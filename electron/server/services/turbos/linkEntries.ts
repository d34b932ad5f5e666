import type { SerialPortEntry, TurboLink } from '#shared/api/turbo.ts';
import type { LinkPlaceRow, TurboLinkRow } from '../../db/repositories/turboLinks.ts';
import { linkPlace } from '../../db/secretRows.ts';
import { usbName } from '../../domain/devices/usbIdentities.ts';
import { StationError } from '../../errors.ts';
import type { SerialPortInfo } from '../../ports.ts';
import { isoOrNull } from '../base/index.ts';
import { invalidWords } from './linkChecks.ts';
import { deviceIdOf } from './linkPlaces.ts';
import type { LinkContext, KeptLinkState, LinkTables, LinkWithPlaces } from './types.ts';

export function linksWithPlaces({ reads }: LinkContext): LinkWithPlaces[] {
  const places = Map.groupBy(reads.turboLinks.listPlaces(), (place) => place.link_id);
  return reads.turboLinks.list().map((row) => ({ row, places: places.get(row.id) ?? [] }));
}

/** Returns a link. Throws `not_found`. */
export function getLink(from: LinkTables, id: string): TurboLinkRow {
  const row = from.turboLinks.list().find((one) => String(one.id) === id);
  if (row === undefined) {
    throw new StationError('not_found', `There is no link ${id}. GET /api/turbo/links/ lists all of them.`);
  }
  return row;
}

/** Returns the key of a display, null if the display has none, or undefined if the key cannot be decrypted. */
export function keyOf({ openedKeys, keyRing }: LinkContext, { id, key }: TurboLinkRow): string | null | undefined {
  if (key === null) return null;
  const at = `${id} ${key}`;
  if (!openedKeys.has(at)) openedKeys.set(at, keyRing.open(linkPlace(id), key));
  return openedKeys.get(at);
}

/** Returns the connection state of a link. */
export function stateOf({ serialLinks, networkLinks }: LinkContext, { id, kind }: TurboLinkRow): KeptLinkState {
  const states = kind === 'usb' ? serialLinks.states() : networkLinks.states();
  return states.find((one) => one.id === String(id));
}

/** Returns the current path of a serial port or, if its link is not open, the stored path. */
export function pathOf(row: TurboLinkRow, state: KeptLinkState): string {
  return state !== undefined && 'path' in state ? state.path : row.path;
}

export function linkEntry(context: LinkContext, row: TurboLinkRow): TurboLink {
  const { id, kind, url, name, vendor_id, product_id, serial_number, baud_rate, flow_control } = row;
  const state = stateOf(context, row);
  const path = kind === 'usb' ? pathOf(row, state) : url;
  const places = context.reads.turboLinks.listPlaces().filter(({ link_id }) => link_id === id);
  return {
    id: String(id),
    kind,
    url,
    name,
    key_set: row.key !== null,
    places: places.map((place) => placeEntry(context, row, place)),
    problems: state !== undefined && 'problems' in state ? [...state.problems] : [],
    path,
    vendor_id,
    product_id,
    serial_number: kind === 'usb' ? serial_number : '',
    baud_rate,
    flow_control: flow_control === 1,
    step: state?.step ?? 'absent',
    problem: problemOf(context, { row, places }) ?? state?.problem ?? null,
    attempts: state?.attempts ?? 0,
    next_try: isoOrNull(state?.nextTryAt ?? null),
    turbo: state?.step === 'online' ? turboOf(context, row, path) : null,
  };
}

function problemOf(context: LinkContext, { row, places }: LinkWithPlaces): string | null {
  const invalid = invalidWords(row, places);
  if (invalid !== undefined) return invalid;
  if (keyOf(context, row) !== undefined) return null;
  return `The key of this display cannot be read. ${context.keyRing.whyClosed(row.key ?? '')} Enter the key of the display again.`;
}

function turboOf({ turbos }: LinkContext, { kind }: TurboLinkRow, path: string): string | null {
  return turbos.list().find((one) => one.transport === kind && one.port === path)?.serialNumber ?? null;
}

function placeEntry(
  { reads }: LinkContext,
  row: TurboLinkRow,
  { number, label, ranges, is_new }: LinkPlaceRow,
): TurboLink['places'][number] {
  const deviceid = deviceIdOf(row, number);
  // If somebody has labeled the device differently, show its current label as the place.
  const known = deviceid === null || is_new === 1 ? undefined : reads.devices.find(deviceid);
  const [first = { start: 0, count: 0 }] = ranges;
  return { number, label: known?.label ?? label, ...first, ranges: [...ranges], deviceid };
}

/** Converts a serial port of the system to its API form. `link` is the id of the link that keeps the port open, or null. */
export function portEntry(info: SerialPortInfo, link: string | null): SerialPortEntry {
  const { path, vendorId, productId, serialNumber, manufacturer } = info;
  return {
    path,
    name: usbName(vendorId, productId) ?? manufacturer,
    vendor_id: vendorId,
    product_id: productId,
    serial_number: serialNumber,
    is_usb: vendorId !== '',
    link,
  };
}
