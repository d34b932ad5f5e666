import {
  MAX_IMPORT_ROWS,
  type ImportedRow,
  type ImportUndo,
  type LastImport,
  type LocationImport,
} from '#shared/api/locationImport.ts';
import { DEVICE_IS } from '#shared/lib/deviceIs.ts';
import { readLocations, writeLocations, type LocationFile, type LocationRow } from '#shared/lib/locationCsv.ts';
import type { ImportChange } from '../../db/repositories/locationImports.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Aliases, OpenOf } from '../aliases/index.ts';
import type { Audit, BackgroundReadQueue, By } from '../base/index.ts';
import type { Devices } from '../devices/index.ts';
import { createImportRows, invalid, isSame } from './locationImportRow.ts';

type ReadFile = Extract<LocationFile, { ok: true }>;
type Applied = { rows: ImportedRow[]; counts: LocationImport['counts']; id: number | null };

/** Rows that were judged good and met a difficulty after all, such as a queue that is full. More of them refuse the file. */
const MAX_HALF_DONE = 20;

/** Places as files: location aliases, and labels of devices. */
export function createLocationImport(parts: {
  repositories: Pick<Repositories, 'aliases' | 'devices' | 'locationImports'>;
  reads: Pick<Repositories, 'aliases' | 'devices' | 'locationImports'>;
  writer: Writer;
  aliases: Aliases;
  devices: Pick<Devices, 'change'>;
  backgroundReads: Pick<BackgroundReadQueue, 'takeAll'>;
  audit: Audit;
}) {
  const { repositories, reads, writer, aliases, devices, backgroundReads, audit } = parts;

  function apply(tx: Transaction, file: ReadFile, by: string): ImportedRow[] {
    const importRows = createImportRows({ repositories, aliases, devices, file: file.rows, by });
    let halfDone = 0;
    const done = file.rows.map((row) => {
      let hasBegun = false;
      const emit: Transaction['emit'] = (fact) => {
        hasBegun = true;
        tx.emit(fact);
      };
      try {
        return tx.attempt(() => importRows.run({ ...tx, emit }, row));
      } catch (error) {
        if (!(error instanceof StationError)) throw error;
        if (hasBegun) {
          importRows.forgetLast();
          halfDone += 1;
        }
        if (halfDone > MAX_HALF_DONE) throw invalid(`Line ${row.line}: ${error.message} Nothing was changed.`);
        return refusedRow(row, error.message);
      }
    });
    return done.map((row) => (row.outcome === 'refused' ? row : { ...row, message: importRows.warningOf(row) }));
  }

  /** As what can be taken back, in the place of the import before. Answers null where nothing was changed. */
  function keep(tx: Transaction, made: Omit<Applied, 'id'>, by: By): number | null {
    const changes = made.rows.map(changeOf).filter((change) => change.alias !== null || change.label !== null);
    if (changes.length === 0) return null;
    const id = repositories.locationImports.keep({ at: tx.now, by: by.name, counts: made.counts, changes });
    // One entry, however many rows: what each of them was is in the import that is kept.
    const detail = { rows: { new: made.counts.new, changed: made.counts.changed } };
    audit.record(tx, { action: 'aliases.imported', by, subject: '', detail });
    tx.emit({ type: 'import.kept', last_import: repositories.locationImports.last() });
    return id;
  }

  async function applyAll(file: ReadFile, dryRun: boolean, by: By): Promise<Applied> {
    try {
      return await writer.write((tx) => {
        const done = apply(tx, file, by.name);
        const made = { rows: done, counts: countsOf(done) };
        if (dryRun) throw new TakenBack(made);
        return { ...made, id: keep(tx, made, by) };
      });
    } catch (error) {
      if (error instanceof TakenBack) return { ...error.made, id: null };
      throw error;
    }
  }

  /** Returns why the alias stays unchanged; empty: it is restored. */
  function undoAlias(
    tx: Transaction,
    { id, after, before }: NonNullable<ImportChange['alias']>,
    how: { by: string; openOf: OpenOf },
  ): string {
    const now = repositories.aliases.find(id);
    if (now === undefined) return 'It was removed since.';
    if (!isSame(now, after)) return 'It was changed since.';
    if (before === null) aliases.removeWithin(tx, now);
    else if (repositories.devices.find(before.deviceid) === undefined) return `${before.deviceid} is gone.`;
    else aliases.replaceWithin(tx, now, before, how);
    return '';
  }

  function undoLabel(tx: Transaction, { deviceid, after, before }: NonNullable<ImportChange['label']>): string {
    const now = repositories.devices.find(deviceid);
    if (now === undefined) return `${deviceid} is gone.`;
    if (now.label !== after) return 'Its label was changed since.';
    devices.change(tx, deviceid, { locationoverride: before });
    return '';
  }

  function undoAll(tx: Transaction, changes: readonly ImportChange[], by: string): ImportUndo {
    const kept: ImportUndo['kept'] = [];
    const keep = (name: string, message: string): void => {
      if (message !== '') kept.push({ name, message });
    };
    const how = { by, openOf: aliases.openCommands() };
    let undone = 0;
    for (const { alias, label } of changes) {
      const before = kept.length;
      if (alias !== null) keep(alias.after.name, undoAlias(tx, alias, how));
      if (label !== null) keep(label.after === '' ? label.deviceid : label.after, undoLabel(tx, label));
      if (kept.length === before) undone += 1;
    }
    return { undone, kept };
  }

  return {
    /**
     * Makes and changes aliases and labels by the rows of a file, the good ones in one commit; those that are refused are left
     * out. A dry run does the very same and takes it back. Throws `invalid` where the file cannot be read at all.
     */
    async run(csv: string, { dryRun, by }: { dryRun: boolean; by: By }): Promise<LocationImport> {
      const file = await backgroundReads.takeAll(readLocations(csv, MAX_IMPORT_ROWS + 1));
      if (!file.ok) throw unreadable(file.message);
      if (file.rows.length > MAX_IMPORT_ROWS) {
        throw unreadable(`The file has more than ${MAX_IMPORT_ROWS.toLocaleString('en')} rows. Split it.`);
      }
      const { rows: done, counts, id } = await applyAll(file, dryRun, by);
      const { delimiter, columns, ignored } = file;
      return {
        id,
        dry_run: dryRun,
        delimiter,
        columns,
        ignored,
        counts,
        // An id that was taken back will be another's.
        rows: dryRun ? done.map((row) => (row.outcome === 'new' ? { ...row, id: null } : row)) : done,
      };
    },
    /** The import that can be taken back. Throws `not_found`. */
    last(): LastImport {
      const last = reads.locationImports.last();
      if (last !== null) return last;
      throw new StationError(
        'not_found',
        'There is no import, or the last one was taken back. POST /api/location-aliases/import/ imports a file.',
      );
    },
    /**
     * Takes the last import back, in one commit. What somebody has changed since stays as it is. Throws `not_found` where it
     * is not the last, or is no more.
     */
    undo: (id: number, by: By): Promise<ImportUndo> =>
      writer.write((tx) => {
        const changes = repositories.locationImports.findChanges(id);
        if (changes === undefined) {
          throw new StationError(
            'not_found',
            `Import ${id} cannot be taken back: it was already, or another came after it. GET /api/location-aliases/import/ says which one can.`,
          );
        }
        const answer = undoAll(tx, changes, by.name);
        const detail = { rows: { undone: answer.undone } };
        audit.record(tx, { action: 'aliases.importUndone', by, subject: '', detail });
        repositories.locationImports.forget();
        tx.emit({ type: 'import.kept', last_import: null });
        return answer;
      }),
    /** All of them as CSV. */
    export: (): string =>
      writeLocations(
        reads.devices.list().map(({ device_id: deviceid, label }) => ({ deviceid, label })),
        reads.aliases.listAll(),
      ),
  };
}

export type LocationImports = ReturnType<typeof createLocationImport>;

/** A dry run, at its end. */
class TakenBack extends Error {
  readonly made: Omit<Applied, 'id'>;

  constructor(made: Omit<Applied, 'id'>) {
    super('a dry run is taken back');
    this.made = made;
  }
}

function countsOf(rows: readonly ImportedRow[]): LocationImport['counts'] {
  const counts = { new: 0, changed: 0, unchanged: 0, refused: 0 };
  for (const { outcome } of rows) counts[outcome] += 1;
  return counts;
}

function refusedRow({ line, name, deviceid, deviceIs, label }: LocationRow, message: string): ImportedRow {
  const nothing = { id: null, before: null, label_before: null };
  return { line, outcome: 'refused', name, deviceid, deviceIs, label, message, ...nothing };
}

/** What a row has changed. */
function changeOf({
  outcome,
  id,
  name,
  deviceid,
  deviceIs: said,
  before,
  label,
  label_before,
}: ImportedRow): ImportChange {
  const deviceIs = DEVICE_IS.find((each) => each === said);
  const isAlias = id !== null && deviceIs !== undefined && (outcome === 'new' || before !== null);
  return {
    alias: isAlias ? { id, after: { name, deviceid, deviceIs }, before } : null,
    label: label === null || label_before === null ? null : { deviceid, after: label, before: label_before },
  };
}

function unreadable(message: string): StationError {
  return new StationError('invalid', message, [{ path: '/csv', message }]);
}
