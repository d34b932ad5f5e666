import type { WorkLine } from '#shared/api/picking.ts';
import { byName, byWalk, walkRanks } from '#shared/lib/walk.ts';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import type { BatchPickRow } from '../../db/repositories/batches.ts';
import { byRank, openOf, sumAt } from '../../domain/batch/shares.ts';
import { isFirst } from '../../domain/commandQueue.ts';
import { lasts } from '../../domain/outage.ts';
import { stockOfLines } from '../articles/index.ts';
import { isoOrNull } from '../base/index.ts';
import { descriptionOfItem, titleOfItem } from '../orders/index.ts';
import type { BatchesContext, Open } from './types.ts';

type Tables = BatchesContext['reads'];

/** One line for each place and article, in walking order; lines without a light come last. */
export function batchLines(tables: Tables, open: Open): WorkLine[] {
  const compare = byWalk(walkRanks(tables.map.get()));
  const lines = tables.batches.listPicks(open.row.id).flatMap((pick) => lineAt(tables, open, pick) ?? []);
  const label = (deviceId: string): string => tables.devices.find(deviceId)?.label ?? '';
  return lines.toSorted((one, other) => {
    if (one.deviceid === null || other.deviceid === null) {
      const isDark = Number(one.deviceid === null) - Number(other.deviceid === null);
      return isDark === 0 ? byName(one.location, other.location) : isDark;
    }
    const place = ({ deviceid: deviceId }: { deviceid: string }) => ({ deviceId, label: label(deviceId) });
    return compare(place({ deviceid: one.deviceid }), place({ deviceid: other.deviceid }));
  });
}

function lineAt(tables: Tables, { row, batch }: Open, pick: BatchPickRow): WorkLine | undefined {
  const { shares, sum } = sumAt(batch, pick.id);
  const item = shares[0] === undefined ? undefined : tables.items.find(shares[0].itemId);
  if (item === undefined) return undefined;
  const command = tables.commands.findByOwner({ kind: 'pick', id: pick.id });
  const only = shares.length === 1 ? shares[0] : undefined;
  return {
    deviceid: pick.deviceId,
    location: pick.location,
    light: command !== undefined,
    text: titleOfItem(item),
    description: descriptionOfItem(item) ?? '',
    SKU: item.sku ?? '',
    UPC: item.upc ?? '',
    quantity: sum,
    ordered_quantity: null,
    quantity_fulfilled: null,
    order_number: only?.orderNumber ?? null,
    item_id: only?.itemId ?? null,
    customer: '',
    note: '',
    color: command?.content.color ?? row.color ?? DEFAULT_SETTINGS.order_color,
    picker: row.picker,
    command_id: command === undefined ? null : String(command.id),
    waiting: command !== undefined && !isFirst(command),
    current: false,
    unreachable: command !== undefined && lasts(command.outage),
    shown_at: isoOrNull(command?.state.kind === 'shown' ? command.state.shownAt : null),
    ...stockOfLines(tables, [item])(item),
    elsewhere: [],
    batch: row.id,
    // In the order in which they get the pieces if fewer are found.
    shares: shares.toSorted(byRank).map((share) => ({
      slot: share.slot,
      order_number: share.orderNumber,
      item_id: share.itemId,
      quantity: openOf(share),
    })),
  };
}
