import { newLocationAliasSchema, type LocationAlias, type NewLocationAlias } from '#shared/api/alias.ts';
import { DEVICE_ID_PATTERN, MAX_NAME_CHARACTERS } from '#shared/api/device.ts';
import type { ImportedRow } from '#shared/api/locationImport.ts';
import { labelWarnings } from '#shared/lib/deviceRequest.ts';
import type { LocationRow } from '#shared/lib/locationCsv.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Aliases } from '../aliases/index.ts';
import { type Devices, unknownDevice } from '../devices/index.ts';

type AliasPart = Pick<ImportedRow, 'outcome' | 'id' | 'before'>;
type Labelled = { line: number; label: string };

/**
 * The rows of one file, each carried out as it comes. Whom a row means by a label is decided before any label is changed, so that
 * two devices can change theirs with each other.
 */
export function createImportRows(parts: {
  repositories: Pick<Repositories, 'aliases' | 'devices'>;
  aliases: Aliases;
  devices: Pick<Devices, 'change'>;
  file: readonly LocationRow[];
  by: string;
}) {
  const { repositories, aliases, devices, file, by } = parts;
  // Many rows may name one device.
  const namedDevices = new Map<string, string | StationError>();
  const devicesOf = new Map(file.map((row) => [row.line, deviceOf(row.deviceid)]));
  const firstLines = new Map<string, number>();
  const labelled = new Map<string, Labelled>();
  const openOf = aliases.openCommands();
  /** Take back what the last row noted. */
  let forget: (() => void)[] = [];

  function note<Value>(noted: Map<string, Value>, key: string, value: Value): void {
    const before = noted.get(key);
    noted.set(key, value);
    forget.push(() => (before === undefined ? noted.delete(key) : noted.set(key, before)));
  }

  function deviceOf(text: string): string | StationError {
    const known = namedDevices.get(text) ?? lookUp(text);
    namedDevices.set(text, known);
    return known;
  }

  /** People know a device by its label. Answers why it cannot be told. */
  function lookUp(text: string): string | StationError {
    if (text === '') return invalid('It names no device.');
    const id = text.toUpperCase();
    if (DEVICE_ID_PATTERN.test(id)) return id;
    const [only, ...others] = repositories.devices.listByLabel(text);
    if (only === undefined) return invalid(`No DeviceID or label is "${text}".`);
    if (others.length === 0) return only;
    return invalid(`${others.length + 1} devices have the label "${text}". Say which by its DeviceID.`);
  }

  function wantedOf({ name, deviceIs }: LocationRow, deviceid: string): NewLocationAlias {
    if (name.length > MAX_NAME_CHARACTERS) throw invalid(`Its name has more than ${MAX_NAME_CHARACTERS} characters.`);
    const read = newLocationAliasSchema.safeParse({ name, deviceIs, deviceid });
    if (read.success) return read.data;
    throw invalid(read.error.issues[0]?.message ?? '');
  }

  function runAlias(tx: Transaction, line: number, wanted: NewLocationAlias): AliasPart {
    const key = nameKey(wanted.name);
    const firstLine = firstLines.get(key);
    if (firstLine !== undefined) throw invalid(`Line ${firstLine} has this name already.`);
    const there = repositories.aliases.findByName(wanted.name);
    if (there === undefined) {
      const { id } = aliases.addWithin(tx, wanted);
      note(firstLines, key, line);
      return { outcome: 'new', id, before: null };
    }
    if (isSame(there, wanted)) {
      note(firstLines, key, line);
      return { outcome: 'unchanged', id: there.id, before: null };
    }
    aliases.replaceWithin(tx, there, wanted, { by, openOf });
    note(firstLines, key, line);
    return { outcome: 'changed', id: there.id, before: fieldsOf(there) };
  }

  /** Answers the label that was there; null: it is the same. */
  function runLabel(tx: Transaction, line: number, deviceId: string, label: string): string | null {
    if (label.length > MAX_NAME_CHARACTERS) throw invalid(`Its label has more than ${MAX_NAME_CHARACTERS} characters.`);
    const before = repositories.devices.find(deviceId)?.label;
    if (before === undefined) throw invalid(unknownDevice(deviceId).message);
    const other = labelled.get(deviceId);
    if (other !== undefined && other.label !== label) {
      throw invalid(`Line ${other.line} gives ${deviceId} the label "${other.label}".`);
    }
    // An empty cell that finds nothing to clear says nothing: another row may name the device.
    if (label !== '' || before !== '') note(labelled, deviceId, { line, label });
    if (before === label) return null;
    devices.change(tx, deviceId, { locationoverride: label });
    return before;
  }

  return {
    /** Throws a StationError about this row only. */
    run(tx: Transaction, row: LocationRow): ImportedRow {
      forget = [];
      const { line, name } = row;
      const isAlias = name !== '' || row.deviceIs !== '' || row.label === null;
      // Beside a name, an empty cell was left out.
      const label = isAlias && row.label === '' ? null : row.label;
      if (isAlias && name === '') throw invalid('It has no name.');
      const deviceId = devicesOf.get(line) ?? invalid('It names no device.');
      if (deviceId instanceof StationError) throw deviceId;
      const wanted = isAlias ? wantedOf(row, deviceId) : undefined;
      const part: AliasPart =
        wanted === undefined ? { outcome: 'unchanged', id: null, before: null } : runAlias(tx, line, wanted);
      const labelBefore = label === null ? null : runLabel(tx, line, deviceId, label);
      return {
        ...part,
        outcome: part.outcome === 'unchanged' && labelBefore !== null ? 'changed' : part.outcome,
        line,
        name,
        deviceid: deviceId,
        deviceIs: wanted?.deviceIs ?? '',
        label,
        message: '',
        label_before: labelBefore,
      };
    },
    /** The last row was taken back: what it named is free for others. */
    forgetLast(): void {
      for (const each of forget) each();
    },
    /** A warning about a row, after all rows are done. */
    warningOf({ deviceid, label, label_before }: ImportedRow): string {
      if (label === null || label === '' || label_before === null) return '';
      const other = repositories.devices.listByLabel(label, 2).find((each) => each !== deviceid);
      const shared = other === undefined ? [] : [`${other} has this label too.`];
      return [...shared, ...labelWarnings(label, 'this row')].join(' ');
    },
  };
}

function fieldsOf({ name, deviceid, deviceIs }: LocationAlias): NewLocationAlias {
  return { name, deviceid, deviceIs };
}

export function isSame(a: NewLocationAlias, b: NewLocationAlias): boolean {
  return a.name === b.name && a.deviceid === b.deviceid && a.deviceIs === b.deviceIs;
}

export function invalid(message: string): StationError {
  return new StationError('invalid', message);
}
