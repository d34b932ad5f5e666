import type { FoundControllerEntry } from '#shared/api/turbo.ts';
import type { TablesOf } from '../../core.ts';
import { StationError } from '../../errors.ts';
import type { FoundController } from '../../ports.ts';

/** Searches the network for controllers, and marks those that are already linked. */
export function createControllerSearch(parts: { reads: TablesOf<'turbos'>; find: () => Promise<FoundController[]> }) {
  const { reads, find } = parts;
  let underWay: Promise<FoundController[]> | undefined;

  return {
    /** Searches the network, or joins a running search. Throws `conflict` if the network cannot be searched. */
    async find(): Promise<FoundControllerEntry[]> {
      underWay ??= find().finally(() => (underWay = undefined));
      const found = await underWay.catch((error: unknown) => {
        throw new StationError('conflict', error instanceof Error ? error.message : String(error));
      });
      const links = reads.turboLinks.list();
      return found.map(({ kind, url, name, serialNumber, needsKey }) => ({
        kind,
        url,
        name,
        linked: links.some((row) => row.url === url || (serialNumber !== '' && row.serial_number === serialNumber)),
        needs_key: needsKey,
      }));
    },
  };
}

export type ControllerSearch = ReturnType<typeof createControllerSearch>;
