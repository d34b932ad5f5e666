import { compareNames } from '#shared/lib/text/locale.ts';
import type { NewTurboLink, SavedTurboLink, SerialPortEntry, TurboLink, TurboLinkChange } from '#shared/api/turbo.ts';
import { StationError } from '../../errors.ts';
import type { By } from '../base/index.ts';
import { addController, addPort, changeLink } from './linkChanges.ts';
import { given, invalidWords } from './linkChecks.ts';
import { getLink, keyOf, linkEntry, linksWithPlaces, portEntry } from './linkEntries.ts';
import { settlePlaces } from './linkPlaces.ts';
import { openLinks } from './openLinks.ts';
import type { LinkContext } from './types.ts';

/** Manages the serial ports and network addresses of turbos that the owner wants to stay connected. */
export function createTurboLinks(parts: Omit<LinkContext, 'openedKeys'>) {
  const context: LinkContext = { ...parts, openedKeys: new Map() };
  const { repositories, reads, writer, ports, serialLinks, networkLinks, bus, audit } = context;
  const list = (): TurboLink[] => reads.turboLinks.list().map((row) => linkEntry(context, row));
  const get = (id: string): TurboLink => linkEntry(context, getLink(reads, id));

  return {
    list,
    /** Returns the ports and addresses of links with an invalid row, each with a message about it. */
    invalid: (): ReadonlyMap<string, string> =>
      new Map(
        linksWithPlaces(context).flatMap(({ row, places }) => {
          const words = invalidWords(row, places);
          return words === undefined ? [] : [[row.kind === 'usb' ? row.path : row.url, words] as const];
        }),
      ),
    /** Returns the addresses of links whose key cannot be decrypted, each with the reason. */
    closed: (): ReadonlyMap<string, string> =>
      new Map(
        reads.turboLinks.list().flatMap((row) => {
          return keyOf(context, row) === undefined ? [[row.url, context.keyRing.whyClosed(row.key ?? '')]] : [];
        }),
      ),
    /** Reopens the links with the keys that are stored now. */
    reopen: (): void => openLinks(context),
    /** Lists the serial ports of the system, USB devices first. */
    async listPorts(): Promise<SerialPortEntry[]> {
      const known = await ports.list();
      const kept = new Map(list().map(({ path, id }) => [path, id]));
      return known
        .map((info) => portEntry(info, kept.get(info.path) ?? null))
        .toSorted((a, b) => Number(b.is_usb) - Number(a.is_usb) || compareNames(a.path, b.path));
    },
    /** Adds a port or address that the station keeps open, even after restarts. Throws `invalid`, or `conflict` if it is already stored. */
    async add(asked: NewTurboLink, by: By): Promise<SavedTurboLink> {
      const { kind, path, url } = asked;
      const { id, warnings } =
        kind === 'usb'
          ? await addPort(context, given(path, '/path'), asked, by)
          : await addController(context, kind, given(url, '/url'), asked, by);
      openLinks(context);
      return withWarnings(get(String(id)), warnings);
    },
    /**
     * Changes a link. Throws `not_found`, `conflict` if another link has the address, and `invalid`, also if `strict` and a place with goods
     * would lose its last light.
     */
    async change(id: string, change: TurboLinkChange, how: { by: By; strict: boolean }): Promise<SavedTurboLink> {
      const warnings = await changeLink(context, id, change, how);
      openLinks(context);
      settlePlaces(context);
      return withWarnings(get(id), warnings);
    },
    /** Removes a link and closes its connection. Throws `not_found`. */
    async remove(id: string, by: By): Promise<void> {
      const { path } = get(id);
      await writer.write((tx) => {
        if (!repositories.turboLinks.remove(Number(id))) throw new StationError('not_found', `There is no link ${id}.`);
        audit.record(tx, { action: 'turboLink.removed', by, subject: path, detail: {} });
      });
      openLinks(context);
    },
    /** Retries a disconnected link immediately. Throws `not_found`. */
    retry(id: string): TurboLink {
      (getLink(reads, id).kind === 'usb' ? serialLinks : networkLinks).retry(id);
      return get(id);
    },
    /** Opens the stored ports and addresses. */
    start(): void {
      const publish = (): void => bus.publishEphemera({ devices: [], turbos: [], links: list() });
      serialLinks.watch(publish);
      networkLinks.watch(() => {
        settlePlaces(context);
        publish();
      });
      openLinks(context);
    },
  };
}

export type TurboLinks = ReturnType<typeof createTurboLinks>;

function withWarnings(link: TurboLink, warnings: string[]): SavedTurboLink {
  return warnings.length === 0 ? link : { ...link, warnings };
}
