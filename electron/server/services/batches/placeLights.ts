import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { BatchPickRow } from '../../db/repositories/batches.ts';
import type { RenamedKey } from '../../db/repositories/stock.ts';
import type { Transaction } from '../../db/writer.ts';
import { isLaunched, sumAt } from '../../domain/batches/shares.ts';
import type { CommandMoves } from '../commands/index.ts';
import type { Target } from '../devices/index.ts';
import { getBatch } from './apply.ts';
import { lightPick } from './lights.ts';
import type { BatchesContext, Open } from './types.ts';

/** Where the picks of a place are lit now. `light` is undefined if the place has no light. */
export type PickLight = { name: string; light: Target | undefined; by: string };

/** Follows the light of a place with the picks of batches, to another device or to none. Call inside a transaction. */
export function relightPicks(
  context: BatchesContext,
  tx: Transaction,
  moves: CommandMoves,
  { name, light, by }: PickLight,
): void {
  const { batches } = context.repositories;
  const key = nameKey(name);
  for (const id of batches.listLive()) {
    const named = batches.listPicks(id).filter((pick) => nameKey(pick.place ?? pick.location) === key);
    if (named.length === 0) continue;
    const open = getBatch(context.repositories, id);
    const own = named.filter((pick) => !isOfDevice(context, open, pick));
    for (const pick of own) relightPick(context, tx, moves, { open, pick, light, by });
    if (own.length > 0) tx.emit({ type: 'batch.changed', batch_id: id, state: open.batch.state });
  }
}

/** Renames places in the picks of batches. Call inside a transaction, before the lights of the places are followed. */
export function renamePicks(
  { repositories: { batches } }: BatchesContext,
  tx: Transaction,
  renamed: readonly RenamedKey[],
): void {
  const nameOf = new Map(renamed.map(({ from, place }) => [from, place]));
  for (const id of batches.listLive()) {
    const { batch } = getBatch({ batches }, id);
    let isRenamed = false;
    for (const pick of batches.listPicks(id)) {
      const location = nameOf.get(nameKey(pick.location)) ?? pick.location;
      const place = pick.place === null ? null : (nameOf.get(nameKey(pick.place)) ?? pick.place);
      if (location === pick.location && place === pick.place) continue;
      batches.setPickNames({ id: pick.id, location, place });
      isRenamed = true;
    }
    if (isRenamed) tx.emit({ type: 'batch.changed', batch_id: id, state: batch.state });
  }
}

/** Whether all lines of a pick name its device, so that it stays there. */
function isOfDevice({ repositories }: BatchesContext, { batch }: Open, { id, deviceId }: BatchPickRow): boolean {
  const shares = batch.shares.filter(({ pickId }) => pickId === id);
  if (deviceId === null || shares.length === 0) return false;
  return shares.every(({ itemId }) => repositories.items.find(itemId)?.deviceId === deviceId);
}

function relightPick(
  context: BatchesContext,
  tx: Transaction,
  moves: CommandMoves,
  { open, pick, light, by }: { open: Open; pick: BatchPickRow; light: Target | undefined; by: string },
): void {
  const { batches, commands } = context.repositories;
  const owner = { kind: 'pick', id: pick.id } as const;
  const command = commands.findByOwner(owner);
  if (command !== undefined && light === undefined) context.commands.withdraw(tx, owner, by);
  else if (command !== undefined && light !== undefined) moves.follow(tx, command, light, by);
  const moved = {
    ...pick,
    deviceId: light?.deviceId ?? null,
    target: light?.target ?? 'device',
    alias: light?.alias ?? '',
  };
  const { batchId: _, ...row } = moved;
  batches.movePick({ ...row, now: tx.now });
  const { shares } = sumAt(open.batch, pick.id);
  for (const itemId of new Set(shares.map((share) => share.itemId))) context.batchWork.relight(tx, itemId, light, by);
  if (command === undefined && light !== undefined && isLaunched(open.batch))
    lightPick(context, tx, open.row, moved, shares);
}
