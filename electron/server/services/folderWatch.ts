import type { DatabasePath, DatabaseGuard } from '../db/databaseGuard.ts';
import type { Writer } from '../db/writer.ts';
import type { Clock, Log, Timer } from '../ports.ts';
import type { AlertRecords } from './alerts/index.ts';

const KIND = 'data_lost';

/**
 * Checks every `everyMs` milliseconds whether the open database is still in its folder. If not, raises an alert and refuses all further
 * changes until the folder is back.
 */
export function createFolderWatch(parts: {
  dataFolder: string;
  databaseFile: string;
  guard: DatabaseGuard;
  alerts: Pick<AlertRecords, 'isOpen' | 'settle'>;
  writer: Pick<Writer, 'write'>;
  everyMs: number;
  clock: Clock;
  log: Log;
}) {
  const { dataFolder, databaseFile: subject, guard, alerts, writer, everyMs, clock, log } = parts;
  let timer: Timer | undefined;
  let isLost = false;

  function arm(): void {
    timer = clock.setTimer(everyMs, () => {
      look();
      arm();
    });
  }

  function look(): void {
    const found = guard.look();
    if ((found !== 'same') === isLost) return;
    isLost = found !== 'same';
    if (isLost) lose(found);
    else end();
  }

  function lose(found: DatabasePath): void {
    const problem = problemOf(dataFolder, found);
    log.error({ dataFolder }, problem);
    settle(problem);
    // The alert is already queued. Everything after it is refused.
    guard.refuse(problem);
  }

  function end(): void {
    guard.allow();
    settle(undefined);
  }

  function settle(problem: string | undefined): void {
    writer
      .write((tx) => alerts.settle(tx, { kind: KIND, subject }, problem))
      .catch((error: unknown) => log.warn({ err: error }, 'could not write the alert about the data folder'));
  }

  return {
    start(): void {
      if (alerts.isOpen(KIND, subject)) end();
      arm();
    },
    stop(): void {
      timer?.cancel();
    },
  };
}

function problemOf(dataFolder: string, found: DatabasePath): string {
  const what =
    found === 'gone'
      ? `The data folder ${dataFolder} was moved or removed while the station ran.`
      : `The database in ${dataFolder} was replaced by another file while the station ran.`;
  return `${what} Nothing is stored any more: presses wait, and changes are refused. Move the folder back, and the station continues within seconds; or stop the station, restore a backup, and start it again.`;
}
