import { nameKey } from '#shared/lib/nameKey.ts';
import { wledDeviceId } from '#shared/lib/wledNames.ts';
import type { LinkPlaceRow, TurboLinkRow } from '../../db/repositories/turboLinks.ts';
import {
  isHttpAddress,
  type NewTurboLink,
  type SerialPortEntry,
  type TurboLink,
  newTurboLinkSchema,
  type TurboLinkChange,
} from '#shared/api/turbo.ts';
import { faultsOf } from '#shared/api/schemaFaults.ts';
import { readDisplayUrl } from '#shared/lib/openDisplayNames.ts';
import type { KeyRing } from '../../db/keyRing.ts';
import { linkPlace } from '../../db/secretRows.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { usualBaud } from '../../domain/boardProfiles.ts';
import { usbName } from '../../domain/usbIdentities.ts';
import { StationError } from '../../errors.ts';
import type {
  Log,
  NetworkLinks,
  NetworkLinkState,
  NetworkWish,
  SerialLinks,
  SerialLinkState,
  SerialPortInfo,
  SerialPorts,
  SerialWish,
  Turbos,
} from '../../ports.ts';
import { type Audit, type Bus, type By, isoOrNull } from '../base/index.ts';
import type { Devices } from '../devices/index.ts';

/** More sockets than a machine has. So many displays, each asked ten times a second, cost a tenth of a processor. */
const MAX_LINKS = 128;

type Tables = Pick<Repositories, 'devices' | 'turboLinks' | 'turboNames'>;

/** Serial ports and addresses at which the owner has a turbo, or wants one. */
export function createTurboLinks(parts: {
  repositories: Tables;
  reads: Tables;
  writer: Pick<Writer, 'write'>;
  ports: SerialPorts;
  serialLinks: SerialLinks;
  networkLinks: NetworkLinks;
  turbos: Pick<Turbos, 'list'>;
  devices: Pick<Devices, 'register' | 'change'>;
  bus: Pick<Bus, 'publishEphemera'>;
  audit: Audit;
  log: Log;
  keyRing: KeyRing;
}) {
  const { repositories, reads, writer, ports, serialLinks, networkLinks, turbos, devices, bus, audit, log, keyRing } =
    parts;

  /** States are listed often. By id and sealed key. */
  const openedKeys = new Map<string, string | undefined>();

  function open(): void {
    openedKeys.clear();
    const places = Map.groupBy(reads.turboLinks.listPlaces(), (place) => place.link_id);
    const rows = reads.turboLinks.list().filter((row) => invalidWords(row, places.get(row.id) ?? []) === undefined);
    serialLinks.set(rows.flatMap((row) => (row.kind === 'usb' ? [serialWish(row)] : [])));
    networkLinks.set(rows.flatMap((row) => networkWish(row, places.get(row.id) ?? [], keyOf(row))));
  }

  /** Undefined: it cannot be read. */
  function keyOf({ id, key }: TurboLinkRow): string | null | undefined {
    if (key === null) return null;
    const at = `${id} ${key}`;
    if (!openedKeys.has(at)) openedKeys.set(at, keyRing.open(linkPlace(id), key));
    return openedKeys.get(at);
  }

  function problemOf(row: TurboLinkRow): string | null {
    const places = reads.turboLinks.listPlaces().filter(({ link_id }) => link_id === row.id);
    const invalid = invalidWords(row, places);
    if (invalid !== undefined) return invalid;
    if (keyOf(row) !== undefined) return null;
    return `The key of this display cannot be read. ${keyRing.whyClosed(row.key ?? '')} Enter the key of the display again.`;
  }

  function stateOf({ id, kind }: TurboLinkRow): SerialLinkState | NetworkLinkState | undefined {
    const states = kind === 'usb' ? serialLinks.states() : networkLinks.states();
    return states.find((one) => one.id === String(id));
  }

  function entryOf(row: TurboLinkRow): TurboLink {
    const { id, kind, url, name, vendor_id, product_id, serial_number, baud_rate, flow_control } = row;
    const state = stateOf(row);
    const path = kind === 'usb' ? pathOf(row, state) : url;
    return {
      id: String(id),
      kind,
      url,
      name,
      key_set: row.key !== null,
      places: reads.turboLinks.listPlaces().flatMap((place) => (place.link_id === id ? [placeEntry(row, place)] : [])),
      problems: state !== undefined && 'problems' in state ? [...state.problems] : [],
      path,
      vendor_id,
      product_id,
      serial_number: kind === 'usb' ? serial_number : '',
      baud_rate,
      flow_control: flow_control === 1,
      step: state?.step ?? 'absent',
      problem: problemOf(row) ?? state?.problem ?? null,
      attempts: state?.attempts ?? 0,
      next_try: isoOrNull(state?.nextTryAt ?? null),
      turbo: state?.step === 'online' ? turboOf(row, path) : null,
    };
  }

  function turboOf({ kind }: TurboLinkRow, path: string): string | null {
    return turbos.list().find((one) => one.transport === kind && one.port === path)?.serialNumber ?? null;
  }

  function placeEntry(
    row: TurboLinkRow,
    { number, label, start, count, is_new }: LinkPlaceRow,
  ): TurboLink['places'][number] {
    const deviceid = deviceIdOf(row, number);
    // Whoever gives the device another label renames the place.
    const known = deviceid === null || is_new === 1 ? undefined : reads.devices.find(deviceid);
    return { number, label: known?.label ?? label, start, count, deviceid };
  }

  const list = (): TurboLink[] => reads.turboLinks.list().map(entryOf);

  function find(id: string, from: Tables = reads): TurboLinkRow {
    const row = from.turboLinks.list().find((one) => String(one.id) === id);
    if (row === undefined) {
      throw new StationError('not_found', `There is no link ${id}. GET /api/turbo/links/ lists all of them.`);
    }
    return row;
  }

  const get = (id: string): TurboLink => entryOf(find(id));

  function refuseKnown(where: string, isFor: (row: TurboLinkRow) => boolean): void {
    const all = repositories.turboLinks.list();
    const known = all.find(isFor);
    if (known !== undefined) {
      throw new StationError('conflict', `${where} is kept open already, as link ${known.id}. Remove that one first.`);
    }
    if (all.length >= MAX_LINKS) {
      throw new StationError('conflict', `${MAX_LINKS} links are kept open already. Remove one of them first.`);
    }
  }

  async function addSerial(
    path: string,
    { baud_rate, flow_control, name = '' }: NewTurboLink,
    by: By,
  ): Promise<number> {
    const info = (await ports.list()).find((port) => port.path === path);
    return writer.write((tx) => {
      refuseKnown(path, (row) => row.kind === 'usb' && pathOf(row, stateOf(row)) === path);
      audit.record(tx, { action: 'turboLink.added', by, subject: path, detail: {} });
      return repositories.turboLinks.insert({
        kind: 'usb',
        path,
        vendor_id: info?.vendorId ?? '',
        product_id: info?.productId ?? '',
        serial_number: info?.serialNumber ?? '',
        baud_rate: baud_rate ?? usualBaud(info),
        flow_control: flow_control ? 1 : 0,
        url: '',
        name,
        key: null,
      });
    });
  }

  function addController(kind: NetworkWish['kind'], given: string, asked: NewTurboLink, by: By): Promise<number> {
    const key = asked.key ?? null;
    const url = addressOf(kind, given, key);
    return writer.write((tx) => {
      refuseKnown(url, (row) => row.url === url);
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
      savePlaces({ id, kind, serial_number: '' }, asked.places ?? []);
      return id;
    });
  }

  /** Makes these the places of the link: by their numbers, else by their labels. Throws `invalid`. */
  function savePlaces(
    row: Pick<TurboLinkRow, 'id' | 'kind' | 'serial_number'>,
    wanted: TurboLinkChange['places'],
  ): void {
    if (wanted === undefined) return;
    if (wanted.length > 0 && row.kind !== 'wled') {
      throw new StationError('invalid', 'Only a WLED controller has places.', [
        { path: '/places', message: 'Leave out the places.' },
      ]);
    }
    const { turboLinks } = repositories;
    const left = new Map(
      turboLinks.listPlaces().flatMap((place) => (place.link_id === row.id ? [[place.number, place] as const] : [])),
    );
    const numbered = wanted.map((place) => ({
      ...place,
      number: place.number ?? numberOf(row, [...left.values()], place.label),
    }));
    for (const { number, label, start, count } of numbered) {
      const known = number === undefined ? undefined : left.get(number);
      if (number !== undefined && known === undefined) {
        throw new StationError('invalid', `There is no place ${number} on this link, or it is named twice.`, [
          { path: '/places', message: `There is no place ${number}, or it is named twice.` },
        ]);
      }
      if (known !== undefined) left.delete(known.number);
      const isRenamed = known === undefined || known.is_new === 1 || labelOf(row, known) !== label;
      const place = { label, start, count, is_new: isRenamed ? 1 : 0 } as const;
      turboLinks.savePlace({ link_id: row.id, number: known?.number ?? turboLinks.nextPlace(row.id), ...place });
    }
    for (const number of left.keys()) turboLinks.removePlace(row.id, number);
  }

  function numberOf(
    row: Pick<TurboLinkRow, 'serial_number'>,
    places: LinkPlaceRow[],
    label: string,
  ): number | undefined {
    return places.find((place) => nameKey(labelOf(row, place)) === nameKey(label))?.number;
  }

  function labelOf(row: Pick<TurboLinkRow, 'serial_number'>, { number, label, is_new }: LinkPlaceRow): string {
    const deviceId = deviceIdOf(row, number);
    return (is_new === 0 && deviceId !== null ? repositories.devices.find(deviceId)?.label : undefined) ?? label;
  }

  /** Once the controller has said which one it is, its places are devices of this shop, with their labels. */
  function settlePlaces(): void {
    for (const { id, turbo, step } of networkLinks.states()) {
      if (turbo === undefined || step !== 'online') continue;
      const row = reads.turboLinks.list().find((one) => String(one.id) === id);
      const isSettled = row?.serial_number === turbo && !reads.turboLinks.listPlaces().some(isUnsettled(Number(id)));
      if (isSettled) continue;
      writer
        .write((tx) => settle(tx, Number(id), turbo))
        .catch((error: unknown) => log.error({ err: error, link: id }, 'the places of a link could not be recorded'));
    }
  }

  function nameTurbo(tx: Transaction, serial_number: string, name: string): void {
    repositories.turboNames.set(serial_number, name);
    tx.emit({ type: 'turbo.named', serial_number, name });
  }

  function settle(tx: Transaction, id: number, turbo: string): void {
    repositories.turboLinks.setIdentity({ id, serial_number: turbo });
    const name = repositories.turboLinks.list().find((one) => one.id === id)?.name ?? '';
    if (name !== '') nameTurbo(tx, turbo, name);
    for (const place of repositories.turboLinks.listPlaces()) {
      const deviceId = deviceIdOf({ serial_number: turbo }, place.number);
      if (!isUnsettled(id)(place) || deviceId === null) continue;
      // Whoever wrote its label has accepted it.
      devices.register(tx, { deviceId, ...A_LIGHT });
      devices.change(tx, deviceId, { locationoverride: place.label });
      repositories.turboLinks.savePlace({ ...place, is_new: 0 });
    }
  }

  return {
    /** Links whose row is not valid, by address or port, each with what that means, as sentences. */
    invalid: (): ReadonlyMap<string, string> => {
      const places = Map.groupBy(reads.turboLinks.listPlaces(), (place) => place.link_id);
      return new Map(
        reads.turboLinks.list().flatMap((row) => {
          const words = invalidWords(row, places.get(row.id) ?? []);
          return words === undefined ? [] : [[row.kind === 'usb' ? row.path : row.url, words] as const];
        }),
      );
    },
    /** Addresses whose key is set and cannot be read, each with the reason, as a sentence. */
    closed: (): ReadonlyMap<string, string> =>
      new Map(
        reads.turboLinks.list().flatMap((row) => {
          return keyOf(row) === undefined ? [[row.url, keyRing.whyClosed(row.key ?? '')]] : [];
        }),
      ),
    /** Connects again with the keys as they are stored now. */
    reopen: open,
    /** Every port that the system knows, those of USB devices first. */
    async listPorts(): Promise<SerialPortEntry[]> {
      const known = await ports.list();
      const kept = new Map(list().map(({ path, id }) => [path, id]));
      return known
        .map((info) => portEntry(info, kept.get(info.path) ?? null))
        .toSorted(
          (a, b) => Number(b.is_usb) - Number(a.is_usb) || a.path.localeCompare(b.path, 'en', { numeric: true }),
        );
    },
    list,
    /** Keeps a port or an address open, over restarts too. Throws `invalid`, and `conflict` if it is open already. */
    async add(asked: NewTurboLink, by: By): Promise<TurboLink> {
      const { kind, path, url } = asked;
      const id =
        kind === 'usb'
          ? await addSerial(given(path, '/path'), asked, by)
          : await addController(kind, given(url, '/url'), asked, by);
      open();
      return get(String(id));
    },
    /** Changes a link in the network. Throws `not_found`, `invalid`, and `conflict` if another link has the address. */
    async change(id: string, { url, name, places, key }: TurboLinkChange, by: By): Promise<TurboLink> {
      await writer.write((tx) => {
        const row = find(id, repositories);
        if (row.kind === 'usb' && (url !== undefined || places !== undefined)) {
          throw new StationError('invalid', 'A serial port has neither an address nor places.', [
            { path: url === undefined ? '/places' : '/url', message: 'Only for links in the network.' },
          ]);
        }
        const nextKey = typeof key === 'string' ? keyRing.seal(linkPlace(row.id), key) : key === null ? null : row.key;
        const address = url === undefined ? row.url : addressOf(row.kind, url, nextKey);
        refuseKey(row.kind, nextKey);
        if (address !== row.url) refuseKnown(address, (other) => other.url === address);
        repositories.turboLinks.setAddress({ id: row.id, url: address, name: name ?? row.name, key: nextKey });
        savePlaces(row, places);
        if (name !== undefined && name !== '' && row.kind !== 'usb' && row.serial_number !== '')
          nameTurbo(tx, row.serial_number, name);
        audit.record(tx, {
          action: 'turboLink.changed',
          by,
          subject: row.kind === 'usb' ? row.path : address,
          detail: {},
        });
      });
      open();
      settlePlaces();
      return get(id);
    },
    /** Throws `not_found`. */
    async remove(id: string, by: By): Promise<void> {
      const { path } = get(id);
      await writer.write((tx) => {
        if (!repositories.turboLinks.remove(Number(id))) throw new StationError('not_found', `There is no link ${id}.`);
        audit.record(tx, { action: 'turboLink.removed', by, subject: path, detail: {} });
      });
      open();
    },
    /** Tries at once what waits. Throws `not_found`. */
    retry(id: string): TurboLink {
      (find(id).kind === 'usb' ? serialLinks : networkLinks).retry(id);
      return get(id);
    },
    /** Opens the saved ports and addresses. */
    start(): void {
      const tell = (): void => bus.publishEphemera({ devices: [], turbos: [], links: list() });
      serialLinks.watch(tell);
      networkLinks.watch(() => {
        settlePlaces();
        tell();
      });
      open();
    },
  };
}

export type TurboLinks = ReturnType<typeof createTurboLinks>;

/** What a place on a strip is. */
const A_LIGHT = { firmware: 0, screen: false, led: true, buttons: 0, latency: 'live' } as const;

const isUnsettled =
  (linkId: number) =>
  ({ link_id, is_new }: LinkPlaceRow): boolean =>
    link_id === linkId && is_new === 1;

/** Null: its controller has never said which one it is. */
function deviceIdOf({ serial_number }: Pick<TurboLinkRow, 'serial_number'>, number: number): string | null {
  const [, mac] = /^WLED-(\w{12})$/.exec(serial_number) ?? [];
  return mac === undefined ? null : wledDeviceId(mac, number);
}

/** An address without what stands behind its host. Throws `invalid` if hardware of this kind has no such address or key. */
function addressOf(kind: TurboLinkRow['kind'], url: string, key: string | null): string {
  refuseKey(kind, key);
  const isDisplay = kind === 'opendisplay';
  const address = isDisplay ? readDisplayUrl(url, key !== null)?.url : undefined;
  if (address !== undefined) return address;
  if (!isDisplay && isHttpAddress(url)) return new URL('/', url).href;
  const example = isDisplay ? 'opendisplay://192.168.1.40' : 'http://192.168.1.30';
  const message = `Write the address of the ${isDisplay ? 'display' : 'controller'}, such as ${example}.`;
  throw new StationError('invalid', message, [{ path: '/url', message }]);
}

/** Why a link is not opened as it is stored, as sentences; undefined: it is. */
function invalidWords(row: TurboLinkRow, places: readonly LinkPlaceRow[]): string | undefined {
  const reason = row.kind === 'usb' ? portFault(row) : (addressFault(row) ?? placesFault(places));
  if (reason === undefined) return undefined;
  return `The stored address or port of this link is not valid, so the link is not used. ${reason} Enter it again, or remove the link.`;
}

function portFault({ path, baud_rate }: TurboLinkRow): string | undefined {
  return faultsOf(newTurboLinkSchema, { path, baud_rate })[0]?.message;
}

function addressFault({ kind, url, key }: TurboLinkRow): string | undefined {
  try {
    addressOf(kind, url, key);
    return undefined;
  } catch (error) {
    return (error as StationError).message;
  }
}

function placesFault(places: readonly LinkPlaceRow[]): string | undefined {
  return faultsOf(newTurboLinkSchema, { places })[0]?.message;
}

function refuseKey(kind: TurboLinkRow['kind'], key: string | null): void {
  if (key === null || kind === 'opendisplay') return;
  throw new StationError('invalid', 'Only an OpenDisplay display has a key.', [
    { path: '/key', message: 'Leave out the key.' },
  ]);
}

function given(text: string | undefined, path: '/path' | '/url'): string {
  if (text !== undefined) return text;
  const message = path === '/path' ? 'Name the serial port in path.' : 'Give the address of the controller in url.';
  throw new StationError('invalid', message, [{ path, message }]);
}

function pathOf(row: TurboLinkRow, state: SerialLinkState | NetworkLinkState | undefined): string {
  return state !== undefined && 'path' in state ? state.path : row.path;
}

/** None without its key: a display is never connected to in plain because of that. */
function networkWish(
  { id, kind, url }: TurboLinkRow,
  places: readonly LinkPlaceRow[],
  key: string | null | undefined,
): NetworkWish[] {
  if (kind === 'usb' || key === undefined) return [];
  return [
    {
      id: String(id),
      kind,
      url,
      key: key ?? undefined,
      places: places.map(({ number, label, start, count }) => ({ number, label, start, count })),
    },
  ];
}

function serialWish(row: TurboLinkRow): SerialWish {
  const {
    id,
    path,
    vendor_id: vendorId,
    product_id: productId,
    serial_number: serialNumber,
    baud_rate,
    flow_control,
  } = row;
  const identity = vendorId === '' ? null : { vendorId, productId, serialNumber };
  return { id: String(id), path, identity, baudRate: baud_rate, flowControl: flow_control === 1 };
}

function portEntry(info: SerialPortInfo, link: string | null): SerialPortEntry {
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
