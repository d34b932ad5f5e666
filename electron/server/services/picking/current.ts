import type { WorkLine } from '#shared/api/picking.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { CoreOf } from '../../core.ts';
import type { LineOwner } from '../../domain/orders/currentLines.ts';
import { StationError } from '../../errors.ts';
import { linesOfPicks, pickOfItem } from '../batches/index.ts';
import { type Commands, type CurrentLines, lineOwnerOf } from '../commands/index.ts';
import { lineOf } from './work.ts';

type CurrentContext = Pick<CoreOf<'picking'>, 'repositories' | 'reads' | 'writer'> & {
  commands: Pick<Commands, 'setCurrent'>;
  currentLines: CurrentLines;
};

/** A line that a page shows, by its item or by its open command. */
export type NamedLine = { itemId: number | undefined; commandId: string | undefined };

/**
 * Sets the line that this picker's page shows. With null, the page shows none. Throws `not_found` if the line is not work to pick, and
 * `conflict` if the line is not assigned to this picker.
 */
export function setCurrent(
  context: CurrentContext,
  picker: string,
  line: NamedLine | null,
): Promise<WorkLine | undefined> {
  return context.writer.write((tx) => {
    if (line === null) {
      context.commands.setCurrent(tx, picker, null);
      return undefined;
    }
    const owner = ownerOf(context, line, picker);
    const found = owner && workOf(context, owner);
    if (found === undefined || owner === undefined)
      throw new StationError('not_found', 'This line is not open any more. GET /api/work/ lists the open lines.');
    if (nameKey(found.picker ?? '') !== nameKey(picker)) {
      const whose = found.picker ?? 'nobody in particular';
      throw new StationError('conflict', `This line belongs to ${whose}, not to ${picker}.`);
    }
    context.commands.setCurrent(tx, picker, owner);
    return workOf(context, owner);
  });
}

/** Returns what lights a line: the item or, for an item of a batch, its pick. Returns undefined if the line is unknown. */
function ownerOf(
  { repositories }: CurrentContext,
  { itemId, commandId }: NamedLine,
  picker: string,
): LineOwner | undefined {
  if (itemId === undefined) {
    const command = /^\d{1,15}$/.test(commandId ?? '') ? repositories.commands.find(Number(commandId)) : undefined;
    return command && lineOwnerOf(command);
  }
  const item = repositories.items.find(itemId);
  if (item === undefined) return undefined;
  if (repositories.batches.findOf(item.orderId) === undefined) return { kind: 'item', id: itemId };
  const pickId = pickOfItem(repositories, item, picker);
  return pickId === undefined ? undefined : { kind: 'pick', id: pickId };
}

function workOf({ repositories, currentLines }: CurrentContext, { kind, id }: LineOwner): WorkLine | undefined {
  if (kind === 'pick') return linesOfPicks(repositories, currentLines.isCurrent).find(id);
  const item = repositories.items.find(id);
  return item && lineOf(repositories, item, currentLines.isCurrent);
}

/** Returns the order number of the picker's current line. */
export function currentOrder({ currentLines, reads }: CurrentContext, picker: string): string | undefined {
  const line = currentLines.find(picker);
  const item = line?.owner.kind === 'item' ? reads.items.find(line.owner.id) : undefined;
  const isOwn = item?.state === 'active' && nameKey(item.picker ?? '') === nameKey(picker);
  return isOwn ? reads.orders.findNumber(item.orderId) : undefined;
}
