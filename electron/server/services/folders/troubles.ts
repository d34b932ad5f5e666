import type { AlertKind } from '#shared/api/alert.ts';
import type { Writer } from '../../db/writer.ts';
import type { Clock, Log } from '../../ports.ts';
import type { AlertRecords } from '../alerts/index.ts';
import { createReconcileQueue } from '../../scheduling/index.ts';

const KINDS = {
  inbox: 'folder_failing',
  outbox: 'folder_failing',
  file: 'file_refused',
  sheet: 'sheet_failing',
} as const satisfies Record<string, AlertKind>;
type Place = keyof typeof KINDS;
type FolderAlertKind = (typeof KINDS)[Place];

/** A problem with a folder or the sheet. `subject` is the folder, or the host of the sheet. */
type Trouble = { subject: string; problem: string };

/** Raises alerts about folders and the sheet. Each alert ends when its cause is resolved. */
export function createTroubles(parts: {
  records: AlertRecords;
  writer: Pick<Writer, 'writeEach'>;
  clock: Clock;
  log: Log;
}) {
  const { records, writer, clock, log } = parts;
  /** The problem with each place, or null if there is none. Places that have not been checked since startup have no entry. */
  const known = new Map<Place, Trouble | null>();
  const queue = createReconcileQueue({
    clock,
    log,
    writer,
    reconcile(tx, subject) {
      const kind = subject as FolderAlertKind;
      const places = (Object.keys(KINDS) as Place[]).filter((place) => KINDS[place] === kind);
      const wanted = places.flatMap((place) => known.get(place) ?? []);
      const open = records.listSubjects(kind).flatMap((each) => records.findOpen(kind, each) ?? []);
      const isAllKnown = places.every((place) => known.has(place));
      for (const row of isAllKnown ? open : []) {
        if (!wanted.some((trouble) => trouble.subject === row.subject)) records.end(tx, row);
      }
      for (const { subject: about, problem } of wanted) {
        const row = records.findOpen(kind, about);
        if (row === undefined)
          records.raise(tx, { kind, subject: about, since: tx.now, value: null, threshold: null, problem });
        else if (row.problem !== problem) records.setProblem(tx, row, problem);
      }
    },
  });

  return {
    /** Sets the problem with a place, or clears it if `trouble` is undefined. */
    set(place: Place, trouble: Trouble | undefined): void {
      const before = known.get(place);
      const isSame = before !== undefined && before?.subject === trouble?.subject;
      if (isSame && before?.problem === trouble?.problem) return;
      known.set(place, trouble ?? null);
      // Do not log the message: it names paths and files, and diagnostics include the log.
      if (trouble !== undefined && !isSame) log.warn({ place }, 'files or a sheet of orders need attention');
      queue.add(KINDS[place]);
    },
    stop: (): void => queue.stop(),
  };
}

export type Troubles = ReturnType<typeof createTroubles>;
