import type { NewTurboLink, TurboLinkChange } from '#shared/api/turbo.ts';
import type { TurboLinkRow } from '../../db/repositories/turboLinks.ts';
import { linkPlace } from '../../db/secretRows.ts';
import { usualBaud } from '../../domain/devices/boardProfiles.ts';
import { StationError } from '../../errors.ts';
import type { NetworkWish } from '../../ports.ts';
import type { By } from '../base/index.ts';
import { addressOf, refuseKey } from './linkChecks.ts';
import { getLink, pathOf, stateOf } from './linkEntries.ts';
import { nameTurbo, savePlaces } from './linkPlaces.ts';
import type { LinkContext } from './types.ts';

/** Maximum number of links: more than a shop needs. Polling 128 displays ten times per second each uses a tenth of a processor core. */
const MAX_LINKS = 128;

type SavedLink = { id: number; warnings: string[] };

/** Stores a serial port to keep open. Resolves to the id of the link. Throws `conflict` if the port is already stored. */
export async function addPort(context: LinkContext, path: string, asked: NewTurboLink, by: By): Promise<SavedLink> {
  const { repositories, writer, ports, audit } = context;
  const info = (await ports.list()).find((port) => port.path === path);
  return writer.write((tx) => {
    refuseKnown(context, path, (row) => row.kind === 'usb' && pathOf(row, stateOf(context, row)) === path);
    audit.record(tx, { action: 'turboLink.added', by, subject: path, detail: {} });
    const id = repositories.turboLinks.insert({
      kind: 'usb',
      path,
      vendor_id: info?.vendorId ?? '',
      product_id: info?.productId ?? '',
      serial_number: info?.serialNumber ?? '',
      baud_rate: asked.baud_rate ?? usualBaud(info),
      flow_control: asked.flow_control ? 1 : 0,
      url: '',
      name: asked.name ?? '',
      key: null,
    });
    return { id, warnings: [] };
  });
}

/**
 * Stores the address of a controller or display. Resolves to the id of the link. Throws `invalid`, or `conflict` if the address is already
 * stored.
 */
export async function addController(
  context: LinkContext,
  kind: NetworkWish['kind'],
  given: string,
  asked: NewTurboLink,
  by: By,
): Promise<SavedLink> {
  const { repositories, writer, audit, keyRing } = context;
  const key = asked.key ?? null;
  const url = addressOf(kind, given, key);
  return writer.write((tx) => {
    refuseKnown(context, url, (row) => row.url === url);
    audit.record(tx, { action: 'turboLink.added', by, subject: url, detail: {} });
    const none = {
      path: '',
      vendor_id: '',
      product_id: '',
      serial_number: '',
      baud_rate: 0,
      flow_control: 0,
    } as const;
    const id = repositories.turboLinks.insert({ ...none, kind, url, name: asked.name ?? '', key: null });
    if (key !== null) repositories.turboLinks.setKey({ id, key: keyRing.seal(linkPlace(id), key) });
    return {
      id,
      warnings: savePlaces(context, tx, { id, kind, serial_number: '' }, asked.places ?? [], { by, strict: false }),
    };
  });
}

/**
 * Changes a link. Resolves to warnings. Throws `not_found`, `conflict` if another link has the address, and `invalid`, also if `strict` and a
 * place with goods would lose its last light.
 */
export async function changeLink(
  context: LinkContext,
  id: string,
  change: TurboLinkChange,
  how: { by: By; strict: boolean },
): Promise<string[]> {
  const { by } = how;
  const { repositories, writer, audit, keyRing } = context;
  const { url, name, places, key } = change;
  return writer.write((tx) => {
    const row = getLink(repositories, id);
    if (row.kind === 'usb' && (url !== undefined || places !== undefined)) {
      throw new StationError('invalid', 'A serial port has neither an address nor places.', [
        { path: url === undefined ? '/places' : '/url', message: 'Only for links in the network.' },
      ]);
    }
    const nextKey = typeof key === 'string' ? keyRing.seal(linkPlace(row.id), key) : key === null ? null : row.key;
    const address = url === undefined ? row.url : addressOf(row.kind, url, nextKey);
    refuseKey(row.kind, nextKey);
    if (address !== row.url) refuseKnown(context, address, (other) => other.url === address);
    repositories.turboLinks.setAddress({ id: row.id, url: address, name: name ?? row.name, key: nextKey });
    const warnings = places === undefined ? [] : savePlaces(context, tx, row, places, how);
    if (name !== undefined && name !== '' && row.kind !== 'usb' && row.serial_number !== '') {
      nameTurbo(context, tx, row.serial_number, name);
    }
    const subject = row.kind === 'usb' ? row.path : address;
    audit.record(tx, { action: 'turboLink.changed', by, subject, detail: {} });
    return warnings;
  });
}

function refuseKnown({ repositories }: LinkContext, where: string, isFor: (row: TurboLinkRow) => boolean): void {
  const all = repositories.turboLinks.list();
  const known = all.find(isFor);
  if (known !== undefined) {
    throw new StationError('conflict', `${where} is already open as link ${known.id}. Remove that link first.`);
  }
  if (all.length >= MAX_LINKS) {
    throw new StationError('conflict', `${MAX_LINKS} links already exist. Remove one of them first.`);
  }
}
