import type { TablesOf } from '../../core.ts';
import type { KeyRing } from '../../db/keyRing.ts';
import type { LinkPlaceRow, TurboLinkRow } from '../../db/repositories/turboLinks.ts';
import type { Writer } from '../../db/writer.ts';
import type {
  Log,
  NetworkLinks,
  NetworkLinkState,
  SerialLinks,
  SerialLinkState,
  SerialPorts,
  Turbos,
} from '../../ports.ts';
import type { Audit, Bus } from '../base/index.ts';
import type { Devices } from '../devices/index.ts';

export type LinkTables = TablesOf<'turbos'>;

/** State shared by the functions that manage links. */
export type LinkContext = {
  repositories: LinkTables;
  /** Repositories for reading, which return committed rows only. */
  reads: LinkTables;
  writer: Pick<Writer, 'write'>;
  ports: SerialPorts;
  serialLinks: SerialLinks;
  networkLinks: NetworkLinks;
  turbos: Pick<Turbos, 'list'>;
  devices: Pick<Devices, 'register' | 'change' | 'relabel'>;
  bus: Pick<Bus, 'publishEphemera'>;
  audit: Audit;
  log: Log;
  keyRing: KeyRing;
  /** Decrypted keys by link and encrypted key. They are cached because links are listed often. */
  openedKeys: Map<string, string | undefined>;
};

/** State of an open link, or undefined if the link is not open. */
export type KeptLinkState = SerialLinkState | NetworkLinkState | undefined;

export type LinkWithPlaces = { row: TurboLinkRow; places: readonly LinkPlaceRow[] };
