import type { NewTurboLink, SerialPortEntry, TurboLink } from '#shared/api/turbo.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { SerialLinkRow } from '../../db/repositories/serialLinks.ts';
import type { Writer } from '../../db/writer.ts';
import { usbName } from '../../domain/usbIdentities.ts';
import { StationError } from '../../errors.ts';
import type { SerialLinks, SerialPortInfo, SerialPorts, SerialWish, Turbos } from '../../ports.ts';
import { type Audit, type Bus, type By, isoOrNull } from '../base/index.ts';

/** More sockets than a machine has. */
const MAX_LINKS = 32;

/** Serial ports on which the owner has a turbo, or wants one. */
export function createTurboLinks(parts: {
  repositories: Pick<Repositories, 'serialLinks'>;
  reads: Pick<Repositories, 'serialLinks'>;
  writer: Pick<Writer, 'write'>;
  ports: SerialPorts;
  links: SerialLinks;
  turbos: Pick<Turbos, 'list'>;
  bus: Pick<Bus, 'publishEphemera'>;
  audit: Audit;
}) {
  const { repositories, reads, writer, ports, links, turbos, bus, audit } = parts;

  function open(): void {
    links.set(reads.serialLinks.list().map(wishOf));
  }

  function entryOf(row: SerialLinkRow): TurboLink {
    const { id, vendor_id, product_id, serial_number, baud_rate, flow_control } = row;
    const state = links.states().find((one) => one.id === String(id));
    const path = state?.path ?? row.path;
    const turbo =
      state?.step === 'online' ? turbos.list().find((one) => one.transport === 'usb' && one.port === path) : undefined;
    return {
      id: String(id),
      path,
      vendor_id,
      product_id,
      serial_number,
      baud_rate,
      flow_control: flow_control === 1,
      step: state?.step ?? 'absent',
      problem: state?.problem ?? null,
      attempts: state?.attempts ?? 0,
      next_try: isoOrNull(state?.nextTryAt ?? null),
      turbo: turbo?.serialNumber ?? null,
    };
  }

  const list = (): TurboLink[] => reads.serialLinks.list().map(entryOf);

  function get(id: string): TurboLink {
    const row = reads.serialLinks.list().find((one) => String(one.id) === id);
    if (row === undefined) {
      throw new StationError('not_found', `There is no link ${id}. GET /api/turbo/links/ lists those that there are.`);
    }
    return entryOf(row);
  }

  return {
    /** Every port that the system knows, those of USB devices first. */
    async listPorts(): Promise<SerialPortEntry[]> {
      const known = await ports.list();
      const kept = new Map(reads.serialLinks.list().map((row) => [entryOf(row).path, String(row.id)]));
      return known
        .map((info) => portEntry(info, kept.get(info.path) ?? null))
        .toSorted(
          (a, b) => Number(b.is_usb) - Number(a.is_usb) || a.path.localeCompare(b.path, 'en', { numeric: true }),
        );
    },
    list,
    /** Keeps a port open, over restarts too. Throws `conflict` if it is open already. */
    async add({ path, baud_rate, flow_control }: NewTurboLink, by: By): Promise<TurboLink> {
      const info = (await ports.list()).find((port) => port.path === path);
      const id = await writer.write((tx) => {
        const all = repositories.serialLinks.list();
        const known = all.find((row) => entryOf(row).path === path);
        if (known !== undefined) {
          throw new StationError(
            'conflict',
            `${path} is kept open already, as link ${known.id}. Remove that one first.`,
          );
        }
        if (all.length >= MAX_LINKS) {
          throw new StationError('conflict', `${MAX_LINKS} ports are kept open already. Remove one of them first.`);
        }
        audit.record(tx, { action: 'turboLink.added', by, subject: path, detail: {} });
        return repositories.serialLinks.insert({
          path,
          vendor_id: info?.vendorId ?? '',
          product_id: info?.productId ?? '',
          serial_number: info?.serialNumber ?? '',
          baud_rate,
          flow_control: flow_control ? 1 : 0,
        });
      });
      open();
      return get(String(id));
    },
    /** Throws `not_found`. */
    async remove(id: string, by: By): Promise<void> {
      const { path } = get(id);
      await writer.write((tx) => {
        if (!repositories.serialLinks.remove(Number(id)))
          throw new StationError('not_found', `There is no link ${id}.`);
        audit.record(tx, { action: 'turboLink.removed', by, subject: path, detail: {} });
      });
      open();
    },
    /** Tries at once what waits. Throws `not_found`. */
    retry(id: string): TurboLink {
      get(id);
      links.retry(id);
      return get(id);
    },
    /** Opens the saved ports. */
    start(): void {
      links.watch(() => bus.publishEphemera({ devices: [], turbos: [], links: list() }));
      open();
    },
  };
}

export type TurboLinks = ReturnType<typeof createTurboLinks>;

function wishOf(row: SerialLinkRow): SerialWish {
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
