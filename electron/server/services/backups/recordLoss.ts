import type { AcceptedLoss } from '../../db/database.ts';
import type { Writer } from '../../db/writer.ts';
import type { Log } from '../../ports.ts';
import type { StationAlerts } from '../alerts/index.ts';

/** Records which data were lost before this start. Once the record is on disk, later starts no longer report the loss. */
export async function recordLoss(
  { writer, log }: { writer: Writer; log: Log },
  { loss, stationAlerts }: { loss: AcceptedLoss | undefined; stationAlerts: StationAlerts },
): Promise<void> {
  if (loss === undefined) return;
  const { found, keptIn, isRestored } = loss;
  const done = isRestored ? 'A backup was restored' : 'The station was started with what was there';
  const problem = `${found} ${done}. The files as they were found are in the folder ${keptIn} of the data folder.`;
  await writer.write((tx) => stationAlerts.raise(tx, { kind: 'data_lost', about: keptIn, problem }));
  loss.settle();
  log.warn({ keptIn }, problem);
}
