import type { TablesOf } from '../../core.ts';
import type { Writer } from '../../db/writer.ts';
import type { Ids } from '../../ports.ts';
import type { Audit } from '../base/index.ts';
import type { Devices } from '../devices/index.ts';

/** State shared by the map functions. */
export type MapContext = {
  repositories: TablesOf<'places'>;
  reads: TablesOf<'places'>;
  writer: Writer;
  devices: Pick<Devices, 'byId'>;
  ids: Ids;
  audit: Pick<Audit, 'record'>;
};
