import { findWriters } from '../db/folderRights.ts';
import type { Writer } from '../db/writer.ts';
import type { Clock, Log, Timer } from '../ports.ts';
import type { AlertRecords } from './alerts/index.ts';

const KIND = 'data_exposed';

/**
 * Checks at the start and every `everyMs` milliseconds whether other users of this machine can write to the data folder or its backups,
 * where they could plant a database, a key or an order to restore. Raises an alert, which ends when the rights are corrected.
 */
export function createFolderRights(parts: {
  dataFolder: string;
  backupFolder: string;
  alerts: Pick<AlertRecords, 'isOpen' | 'settle'>;
  writer: Pick<Writer, 'write'>;
  everyMs: number;
  clock: Clock;
  log: Log;
}) {
  const { dataFolder, backupFolder, alerts, writer, everyMs, clock, log } = parts;
  let timer: Timer | undefined;
  /** The problem that the last check found. */
  let known: string | undefined;

  function look(): void {
    timer = clock.setTimer(everyMs, look);
    const [problem] = [dataFolder, backupFolder].flatMap((folder) => problemOf(folder) ?? []);
    const isWritten = (problem !== undefined) === alerts.isOpen(KIND, dataFolder);
    if (isWritten && problem === known) return;
    known = problem;
    if (problem !== undefined) log.warn({ dataFolder }, problem);
    writer
      .write((tx) => alerts.settle(tx, { kind: KIND, subject: dataFolder }, problem))
      .catch((error: unknown) =>
        log.warn({ err: error }, 'could not write the alert about the rights of the data folder'),
      );
  }

  return { start: look, stop: (): void => timer?.cancel() };
}

function problemOf(folder: string): string | undefined {
  const writers = findWriters(folder);
  if (writers === undefined) return undefined;
  const who = writers === 'group' ? 'The group of this folder' : 'Every user of this machine';
  return `${who} can write to ${folder}, and could replace the data of this station. Run: chmod go-w ${folder}`;
}
