import { createAlarm } from '../../scheduling/alarm.ts';
import { writeMark } from '../../db/mark.ts';
import type { Clock, Log } from '../../ports.ts';
import type { Bus } from './bus.ts';

/** Minimum delay between a commit and the mark that records it. */
const SOON_MS = 1_000;
/** Minimum time between two marks. */
const EVERY_MS = 10_000;

/** Saves the database's revision in a separate file. At the next start, a database with an older revision shows that data were lost. */
export function createStationMark(parts: {
  dataFolder: string;
  identity: string;
  /** Revision of the last commit on disk. */
  revision: () => number;
  /** Whether the database is still in the folder. If not, its mark does not belong there. */
  isInFolder: () => boolean;
  /** Change counter of the database file. */
  changes: () => number;
  bus: Bus;
  clock: Clock;
  log: Log;
}) {
  const { dataFolder, identity, revision, isInFolder, changes, bus, clock, log } = parts;
  let written = 0;
  let writtenAt = 0;
  let hasFailed = false;
  const alarm = createAlarm(clock, () => void write());
  let writing: Promise<void> | undefined;
  let unsubscribe: (() => void) | undefined;

  function arm(): void {
    if (alarm.isSet() || writing !== undefined || unsubscribe === undefined) return;
    alarm.in(Math.max(SOON_MS, writtenAt + EVERY_MS - clock.monotonic()));
  }

  function write(): Promise<void> {
    alarm.cancel();
    writing = writeNow().finally(() => {
      writing = undefined;
      if (written !== revision()) arm();
    });
    return writing;
  }

  async function writeNow(): Promise<void> {
    if (!isInFolder()) return;
    const mark = { identity, revision: revision(), at: clock.now(), changes: changes() };
    writtenAt = clock.monotonic();
    try {
      await writeMark(dataFolder, mark);
      written = mark.revision;
      hasFailed = false;
    } catch (error) {
      if (!hasFailed)
        log.warn(
          { err: error },
          'could not write the mark beside the database; a later loss of data will not be noticed',
        );
      hasFailed = true;
    }
  }

  return {
    /** Writes the mark now, and again soon after commits. Logs failures. */
    async start(): Promise<void> {
      unsubscribe = bus.subscribe({ commit: arm });
      await write();
    },
    /** Whether no write of the mark is in progress. */
    idle: (): boolean => writing === undefined,
    /** Writes the mark one last time. Call after the last commit. */
    async stop(): Promise<void> {
      if (unsubscribe === undefined) return;
      unsubscribe();
      unsubscribe = undefined;
      await writing;
      if (written !== revision() || hasFailed) await write();
    },
  };
}

export type StationMark = ReturnType<typeof createStationMark>;
