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

/** What the links to turbos work with. */
export type LinkContext = {
  repositories: LinkTables;
  /** Committed rows only. */
  reads: LinkTables;
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
  /** Keys that were opened, by link and sealed key: states are listed often. */
  openedKeys: Map<string, string | undefined>;
};

/** Of a link that is kept open; undefined: it is not. */
export type KeptLinkState = SerialLinkState | NetworkLinkState | undefined;

/** Each link with its places. */
export type LinkWithPlaces = { row: TurboLinkRow; places: readonly LinkPlaceRow[] };
