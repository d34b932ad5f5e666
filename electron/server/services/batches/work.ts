import type { WorkLine } from '#shared/api/picking.ts';
import { byName, byWalk, walkRanks } from '#shared/lib/walk.ts';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import type { BatchPickRow } from '../../db/repositories/batches.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import { byRank, isLive, openOf, sumAt } from '../../domain/batch/shares.ts';
import type { Share } from '../../domain/batch/types.ts';
import { availableOf } from '../../domain/batch/wall.ts';
import { isFirst, type QueuedCommand } from '../../domain/commandQueue.ts';
import { lasts } from '../../domain/outage.ts';
import { stockOfLines } from '../articles/index.ts';
import { isoOrNull } from '../base/index.ts';
import { descriptionOfItem, titleOfItem } from '../orders/index.ts';
import type { BatchesContext, Open } from './types.ts';

type Tables = BatchesContext['reads'];

/**
 * One line for each place and article, in walking order; lines without a light come last. While it is sorted at a wall, one for each article
 * that slots need.
 */
export function batchLines(tables: Tables, open: Open): WorkLine[] {
  if (open.batch.state === 'sorting') return wallLines(tables, open);
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

function lineAt(tables: Tables, open: Open, pick: BatchPickRow): WorkLine | undefined {
  const shares = sumAt(open.batch, pick.id).shares.map((share) => ({ share, quantity: openOf(share) }));
  const item = shares[0] === undefined ? undefined : tables.items.find(shares[0].share.itemId);
  if (item === undefined) return undefined;
  const command = tables.commands.findByOwner({ kind: 'pick', id: pick.id });
  return lineOf(tables, open, { item, shares, command, deviceId: pick.deviceId, location: pick.location });
}

/** What can be scanned at the wall, by name: for articles without a barcode. */
function wallLines(tables: Tables, open: Open): WorkLine[] {
  const byArticle = new Map<string, { share: Share; quantity: number }[]>();
  for (const share of open.batch.shares) {
    const quantity = availableOf(open.batch, share);
    if (quantity > 0 && isLive(share))
      byArticle.set(share.article, [...(byArticle.get(share.article) ?? []), { share, quantity }]);
  }
  const lines = [...byArticle.values()].flatMap((shares): WorkLine[] => {
    const item = shares[0] === undefined ? undefined : tables.items.find(shares[0].share.itemId);
    const location = item?.place ?? item?.warehouseLocation ?? '';
    return item === undefined
      ? []
      : [lineOf(tables, open, { item, shares, command: undefined, deviceId: null, location })];
  });
  return lines.toSorted((one, other) => byName(one.text, other.text));
}

type LineParts = {
  item: LitItemRow;
  shares: readonly { share: Share; quantity: number }[];
  command: QueuedCommand | undefined;
  deviceId: string | null;
  location: string;
};

function lineOf(tables: Tables, { row }: Open, { item, shares, command, deviceId, location }: LineParts): WorkLine {
  const only = shares.length === 1 ? shares[0]?.share : undefined;
  return {
    deviceid: deviceId,
    location,
    light: command !== undefined,
    text: titleOfItem(item),
    description: descriptionOfItem(item) ?? '',
    SKU: item.sku ?? '',
    UPC: item.upc ?? '',
    quantity: shares.reduce((sum, { quantity }) => sum + quantity, 0),
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
    shares: shares
      .toSorted((a, b) => byRank(a.share, b.share))
      .map(({ share, quantity }) => ({
        slot: share.slot,
        order_number: share.orderNumber,
        item_id: share.itemId,
        quantity,
      })),
  };
}
