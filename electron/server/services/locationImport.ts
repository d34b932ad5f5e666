import { newLocationAliasSchema, type LocationAlias, type NewLocationAlias } from '#shared/api/alias.ts';
import { DEVICE_ID_PATTERN, MAX_NAME_CHARACTERS } from '#shared/api/device.ts';
import {
  MAX_IMPORT_ROWS,
  type ImportedRow,
  type ImportUndo,
  type ImportUndoRequest,
  type LocationImport,
} from '#shared/api/locationImport.ts';
import { readLocations, writeLocations, type LocationFile, type LocationRow } from '#shared/lib/locationCsv.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import type { Rows } from '../db/rows.ts';
import type { Unit, Writer } from '../db/writer.ts';
import { StationError } from '../errors.ts';
import type { Aliases } from './aliases.ts';

/** Location aliases as files. */
export type LocationImports = {
  /**
   * Makes and changes aliases by the rows of a file, the good ones in one commit; those that are refused are left out. A
   * dry run does the very same and takes it back. Throws `invalid` where the file cannot be read at all.
   */
  run(csv: string, how: { dryRun: boolean; by: string }): Promise<LocationImport>;
  /** Takes an import back, in one commit. What somebody has changed since stays as it is. */
  undo(rows: ImportUndoRequest['rows'], by: string): Promise<ImportUndo>;
  /** All of them as CSV. */
  export(): string;
};

type ReadFile = Extract<LocationFile, { ok: true }>;

/** Rows that were judged good and met a difficulty after all, such as a queue that is full. More than these is another. */
const MOST_TRIES = 20;

export function createLocationImport(parts: {
  rows: Rows;
  reads: Rows;
  writer: Writer;
  aliases: Aliases;
}): LocationImports {
  const { rows, reads, writer, aliases } = parts;

  /** Throws a StationError that says what is wrong with this row alone. */
  function wantedOf(row: LocationRow): NewLocationAlias {
    if (row.name === '') throw invalid('It has no name.');
    if (row.name.length > MAX_NAME_CHARACTERS)
      throw invalid(`Its name has more than ${MAX_NAME_CHARACTERS} characters.`);
    const read = newLocationAliasSchema.safeParse({ ...row, deviceid: deviceIdOf(row.deviceid) });
    if (read.success) return read.data;
    throw invalid(read.error.issues[0]?.message ?? '');
  }

  /** People know a device by its label. */
  function deviceIdOf(text: string): string {
    if (text === '') throw invalid('It names no device.');
    const id = text.toUpperCase();
    if (DEVICE_ID_PATTERN.test(id)) return id;
    const [labelled, ...others] = rows.devices.listByLabel(text);
    if (labelled === undefined) throw invalid(`No DeviceID or label is "${text}".`);
    if (others.length === 0) return labelled;
    throw invalid(`${others.length + 1} devices have the label "${text}". Say which by its DeviceID.`);
  }

  function judge(unit: Unit, row: LocationRow, firstLines: Map<string, number>, by: string): ImportedRow {
    const wanted = wantedOf(row);
    const { name, deviceid, deviceIs } = wanted;
    const firstLine = firstLines.get(nameKey(name));
    if (firstLine !== undefined) throw invalid(`Line ${firstLine} has this name already.`);
    const there = rows.aliases.findByName(name);
    if (there !== undefined && isSame(there, wanted)) {
      firstLines.set(nameKey(name), row.line);
      return {
        line: row.line,
        outcome: 'unchanged',
        name,
        deviceid,
        deviceIs,
        message: '',
        id: there.id,
        before: null,
      };
    }
    const { id } =
      there === undefined ? aliases.addWithin(unit, wanted) : aliases.replaceWithin(unit, there, wanted, by);
    firstLines.set(nameKey(name), row.line);
    const before = there === undefined ? null : fieldsOf(there);
    const outcome = there === undefined ? 'new' : 'changed';
    return { line: row.line, outcome, name, deviceid, deviceIs, message: '', id, before };
  }

  /** `refusals`: what was found when this was tried before, by lines. */
  function apply(unit: Unit, file: ReadFile, refusals: ReadonlyMap<number, string>, by: string): ImportedRow[] {
    const firstLines = new Map<string, number>();
    return file.rows.map((row) => {
      const refusal = refusals.get(row.line);
      if (refusal !== undefined) return refusedRow(row, refusal);
      let hasBegun = false;
      const emit: Unit['emit'] = (fact) => {
        hasBegun = true;
        unit.emit(fact);
      };
      try {
        return judge({ ...unit, emit }, row, firstLines, by);
      } catch (error) {
        if (!(error instanceof StationError)) throw error;
        // What has begun to take effect is taken back with all the others, which are tried again without it.
        if (hasBegun) throw new HalfDone(row.line, error.message);
        return refusedRow(row, error.message);
      }
    });
  }

  async function tryAll(file: ReadFile, dryRun: boolean, by: string): Promise<ImportedRow[]> {
    const refusals = new Map<number, string>();
    for (;;) {
      try {
        return await writer.write((unit) => {
          const done = apply(unit, file, refusals, by);
          if (dryRun) throw new TakenBack(done);
          return done;
        });
      } catch (error) {
        if (error instanceof TakenBack) return error.rows;
        if (!(error instanceof HalfDone)) throw error;
        if (refusals.size >= MOST_TRIES) throw invalid(`Line ${error.line}: ${error.message} Nothing was changed.`);
        refusals.set(error.line, error.message);
      }
    }
  }

  function undoOne(unit: Unit, row: ImportUndoRequest['rows'][number], by: string): string {
    const now = rows.aliases.find(row.id);
    if (now === undefined) return 'It was removed since.';
    if (!isSame(now, row)) return 'It was changed since.';
    if (row.before === null) aliases.removeWithin(unit, now);
    else if (rows.devices.findPlace(row.before.deviceid) === undefined) return `${row.before.deviceid} is gone.`;
    else aliases.replaceWithin(unit, now, row.before, by);
    return '';
  }

  return {
    async run(csv, { dryRun, by }) {
      const file = readLocations(csv);
      if (!file.ok) throw unreadable(file.message);
      if (file.rows.length > MAX_IMPORT_ROWS) {
        throw unreadable(`It has ${file.rows.length} rows. Send at most ${MAX_IMPORT_ROWS} at once.`);
      }
      const done = await tryAll(file, dryRun, by);
      const count = (outcome: ImportedRow['outcome']) => done.filter((row) => row.outcome === outcome).length;
      const { delimiter, columns, ignored } = file;
      const counts = { new: count('new'), changed: count('changed'), unchanged: count('unchanged') };
      return {
        dry_run: dryRun,
        delimiter,
        columns,
        ignored,
        counts: { ...counts, refused: count('refused') },
        // An id that was taken back will be another's.
        rows: dryRun ? done.map((row) => (row.outcome === 'new' ? { ...row, id: null } : row)) : done,
      };
    },
    undo: (undone, by) =>
      writer.write((unit) => {
        const kept: ImportUndo['kept'] = [];
        for (const row of undone) {
          const message = undoOne(unit, row, by);
          if (message !== '') kept.push({ name: row.name, message });
        }
        return { undone: undone.length - kept.length, kept };
      }),
    export: () => writeLocations(reads.aliases.listAll()),
  };
}

/** A dry run, at its end. */
class TakenBack extends Error {
  readonly rows: ImportedRow[];

  constructor(rows: ImportedRow[]) {
    super('a dry run is taken back');
    this.rows = rows;
  }
}

/** A row failed when a part of it was done. */
class HalfDone extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

function refusedRow({ line, name, deviceid, deviceIs }: LocationRow, message: string): ImportedRow {
  return { line, outcome: 'refused', name, deviceid, deviceIs, message, id: null, before: null };
}

function fieldsOf({ name, deviceid, deviceIs }: LocationAlias): NewLocationAlias {
  return { name, deviceid, deviceIs };
}

function isSame(a: NewLocationAlias, b: NewLocationAlias): boolean {
  return a.name === b.name && a.deviceid === b.deviceid && a.deviceIs === b.deviceIs;
}

function invalid(message: string): StationError {
  return new StationError('invalid', message);
}

function unreadable(message: string): StationError {
  return new StationError('invalid', message, [{ path: '/csv', message }]);
}
