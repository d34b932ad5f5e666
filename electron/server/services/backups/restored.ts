import type { TablesOf } from '../../core.ts';
import type { Writer } from '../../db/writer.ts';
import { type Audit, STATION } from '../base/index.ts';

/** Records in a restored database who restored it, because its audit log ends with the backup. */
export async function recordRestored(parts: {
  repositories: TablesOf<'backups'>;
  writer: Writer;
  audit: Audit;
}): Promise<void> {
  const { repositories, writer, audit } = parts;
  const restored = repositories.restores.find();
  if (restored === undefined) return;
  const { from, by: name, address, kept, isClosed } = restored;
  await writer.write((tx) => {
    repositories.restores.forget();
    const by = name === '' ? STATION : { name, address };
    const detail = { ...(kept === '' ? {} : { kept }), ...(isClosed ? { listen: 'this_machine' as const } : {}) };
    audit.record(tx, { action: 'backup.restored', by, subject: from, detail });
  });
}
