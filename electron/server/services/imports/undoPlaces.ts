import type { NewLocationAlias } from '#shared/api/alias.ts';
import type { ImportUndo } from '#shared/api/locationImport.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import type { ImportedPlace, ImportedPlaces } from '../../db/repositories/imports.ts';
import type { Repositories } from '../../db/repositories.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { StationError } from '../../errors.ts';
import type { Aliases } from '../aliases/index.ts';
import type { Audit, BackgroundReadQueue, By } from '../base/index.ts';
import type { Devices } from '../devices/index.ts';
import { isSame } from './judgePlaces.ts';

export type UndoPlacesContext = {
  repositories: Pick<Repositories, 'aliases' | 'devices' | 'imports'>;
  reads: Pick<Repositories, 'imports'>;
  backgroundReads: Pick<BackgroundReadQueue, 'take'>;
  writer: Pick<Writer, 'write' | 'writeEach'>;
  aliases: Pick<Aliases, 'openCommands' | 'removeWithin' | 'replaceWithin'>;
  devices: Pick<Devices, 'change'>;
  audit: Audit;
};

/** `message`: why a place is kept, entirely or in part. */
type Kept = ImportUndo['kept'][number];

/** Orders whose items are read in one step: about a millisecond. */
const READ_ORDERS = 20;

/**
 * Reverts the use-cases of an import, last one first: removes created places that nobody uses and restores changed ones. Keeps values that
 * have changed since the import.
 */
export async function undoPlaces(context: UndoPlacesContext, id: number, by: By): Promise<ImportUndo> {
  const { reads, writer, repositories, audit } = context;
  const used = await usedNames(context);
  const results = await writer.writeEach(
    reads.imports.listPlaces(id),
    (tx, step) => undoStep(context, tx, step, { by: by.name, used }),
    (error, step) => {
      if (!(error instanceof StationError)) throw error;
      return step.map(({ line, place }) => ({ line, kept: [{ name: nameOf(place), message: error.message }] }));
    },
  );
  const lines = results.flat().sort((a, b) => a.line - b.line);
  const kept = lines.flatMap((each) => each.kept);
  const undone = lines.filter((each) => each.kept.length === 0).length;
  await writer.write((tx) => {
    repositories.imports.setUndone(tx.now, id);
    audit.record(tx, { action: 'aliases.importUndone', by, subject: '', detail: { rows: { undone } } });
    tx.emit({ type: 'import.kept', last_import: repositories.imports.lastOfPlaces() });
  });
  return { undone, kept };
}

type How = { by: string; used: ReadonlySet<string> };

/** Reverts one use-case. Returns what is kept, by line. */
function undoStep(
  context: UndoPlacesContext,
  tx: Transaction,
  step: ImportedPlaces,
  how: How,
): { line: number; kept: Kept[] }[] {
  return step.map(({ line, place: { alias, label } }) => ({
    line,
    kept: [
      ...(alias === null ? [] : keptAs(alias.after.name, undoAlias(context, tx, alias, how))),
      ...(label === null ? [] : keptAs(nameOf({ alias: null, label }), undoLabel(context, tx, label))),
    ],
  }));
}

function keptAs(name: string, message: string): Kept[] {
  return message === '' ? [] : [{ name, message }];
}

function nameOf({ alias, label }: ImportedPlace): string {
  return alias?.after.name ?? (label === null || label.after === '' ? (label?.deviceid ?? '') : label.after);
}

/** Returns why the alias is kept, entirely or in part; empty if it is undone. */
function undoAlias(
  { repositories, aliases }: UndoPlacesContext,
  tx: Transaction,
  { id, after, before }: NonNullable<ImportedPlace['alias']>,
  { by, used }: How,
): string {
  const now = repositories.aliases.find(id);
  if (now === undefined) return 'It was removed since.';
  if (before === null) {
    if (!isSame(now, after)) return 'It was changed since.';
    if (aliases.openCommands(now).length > 0) return 'It has open commands.';
    if (used.has(nameKey(now.name))) return 'An open order or sequence uses it.';
    aliases.removeWithin(tx, now);
    return '';
  }
  const restored = restoredAlias(now, after, before);
  if (isSame(now, restored)) return 'It was changed since.';
  if (repositories.devices.find(restored.deviceid) === undefined) return `${restored.deviceid} is gone.`;
  aliases.replaceWithin(tx, now, restored, by);
  return isSame(restored, before) ? '' : 'Only a part was restored: the rest was changed since the import.';
}

/** Restores device and direction together, because the direction leads from the place to this device. */
function restoredAlias(now: NewLocationAlias, after: NewLocationAlias, before: NewLocationAlias): NewLocationAlias {
  const isPlaced = now.deviceid === after.deviceid && now.deviceIs === after.deviceIs;
  const { deviceid, deviceIs } = isPlaced ? before : now;
  return { name: now.name === after.name ? before.name : now.name, deviceid, deviceIs };
}

function undoLabel(
  { repositories, devices }: UndoPlacesContext,
  tx: Transaction,
  { deviceid, after, before }: NonNullable<ImportedPlace['label']>,
): string {
  const now = repositories.devices.find(deviceid);
  if (now === undefined) return `${deviceid} is gone.`;
  if (now.label !== after) return 'Its label was changed since.';
  devices.change(tx, deviceid, { locationoverride: before });
  return '';
}

/** Keys of all names by which open orders and sequences can match places. */
async function usedNames({ reads, backgroundReads }: UndoPlacesContext): Promise<Set<string>> {
  const names = new Set((await backgroundReads.take(() => reads.imports.listStepPlaces())).map(nameKey));
  for (let after: number | undefined = 0; after !== undefined;) {
    const from: number = after;
    const orders = await backgroundReads.take(() => reads.imports.listOpenOrders(from, READ_ORDERS));
    for (const order of orders) {
      for (const name of await backgroundReads.take(() => reads.imports.listWantedPlaces(order)))
        names.add(nameKey(name));
    }
    after = orders.at(READ_ORDERS - 1);
  }
  return names;
}
