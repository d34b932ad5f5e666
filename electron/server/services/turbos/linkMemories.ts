import type { TablesOf } from '../../core.ts';
import type { Writer } from '../../db/writer.ts';
import type { LinkMemory, Log } from '../../ports.ts';

type Tables = TablesOf<'turbos'>;

/** Stores data that links need across restarts, by link id. All changes until the next commit are combined into one write. */
export function createLinkMemories(parts: {
  repositories: Tables;
  reads: Tables;
  writer: Pick<Writer, 'writeSoon'>;
  log: Log;
}): (id: string) => LinkMemory {
  const { repositories, reads, writer, log } = parts;
  const unwritten = new Map<string, { linkId: number; key: string; text: string }>();

  function write(): void {
    const rows = [...unwritten.values()];
    unwritten.clear();
    for (const row of rows) repositories.turboLinks.saveMemory(row);
  }

  return (id) => ({
    load: () => new Map(reads.turboLinks.listMemory(Number(id)).map(({ key, text }) => [key, text])),
    save(key, text) {
      const isFirst = unwritten.size === 0;
      unwritten.set(`${id} ${key}`, { linkId: Number(id), key, text });
      if (!isFirst) return;
      writer.writeSoon(write).catch((error: unknown) => {
        log.error({ err: error, link: id }, 'could not store the state of a link');
      });
    },
  });
}
