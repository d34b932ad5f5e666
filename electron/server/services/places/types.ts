import type { Repositories } from '../../db/repositories.ts';
import type { Writer } from '../../db/writer.ts';
import type { Ids } from '../../ports.ts';
import type { Audit } from '../base/index.ts';
import type { Devices } from '../devices/index.ts';

/** State shared by the use-cases of the map. */
export type MapContext = {
  repositories: Pick<Repositories, 'devices' | 'map'>;
  reads: Pick<Repositories, 'map'>;
  writer: Writer;
  devices: Pick<Devices, 'byId'>;
  ids: Ids;
  audit: Pick<Audit, 'record'>;
};
