import type { WorkLine } from '#shared/api/picking.ts';
import { byName, byWalk, walkRanks } from '#shared/lib/picking/walk.ts';
import { DEFAULT_SETTINGS } from '#shared/api/settings.ts';
import type { BatchPickRow } from '../../db/repositories/batches.ts';
import type { LitItemRow } from '../../db/repositories/items.ts';
import { byRank, isLive, openOf, sumAt } from '../../domain/batches/shares.ts';
import type { Share } from '../../domain/batches/types.ts';
import { availableOf } from '../../domain/batches/wall.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { isFirst, type QueuedCommand } from '../../domain/commands/commandQueue.ts';
import { lasts } from '../../domain/devices/outage.ts';
import { barcodesOf, stockOfLines } from '../articles/index.ts';
import { isoOrNull } from '../base/index.ts';
import { descriptionOfItem, titleOfItem } from '../orders/index.ts';
import { getBatch } from './apply.ts';
import { colorOf } from './lights.ts';
import type { BatchesContext, Open } from './types.ts';

/** Whether the page of this picker shows this pick now. */
type IsCurrentPick = (owner: { kind: 'pick'; id: number }, picker: string | null) => boolean;

type Tables = Pick<
  BatchesContext['reads'],
  'accounts' | 'articles' | 'batches' | 'commands' | 'devices' | 'items' | 'map' | 'stock'
>;

/**
 * Lists one line for each place and article, in walking order. Lines without a light come last. While a batch is sorted at a wall, lists
 * one line for each article that slots need. `whose` limits the list to one person's lines.
 */
export function batchLines(
  tables: Tables,
  open: Open,
  { whose, isCurrent }: { whose?: string | undefined; isCurrent: IsCurrentPick },
): WorkLine[] {
  const isTheirs = ({ picker }: WorkLine): boolean => whose === undefined || nameKey(picker ?? '') === nameKey(whose);
  if (open.batch.state === 'sorting') return wallLines(tables, open).filter(isTheirs);
  const compare = byWalk(walkRanks(tables.map.get()));
  const lines = tables.batches
    .listPicks(open.row.id)
    .flatMap((pick) => lineAt(tables, open, pick, isCurrent) ?? [])
    .filter(isTheirs);
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

/** Returns functions that look up lines of batches that are being picked. They read each batch only once. */
export function linesOfPicks(
  tables: Tables,
  isCurrent: IsCurrentPick,
): {
  /** Returns the line of a pick, or undefined if none of its pieces are open. */
  find: (pickId: number) => WorkLine | undefined;
  /** Returns the lines without a light in the batches that this person picks, or in all batches if `picker` is undefined. */
  listDark: (picker: string | undefined) => WorkLine[];
} {
  const known = new Map<number, Open>();
  const openOf = (id: number): Open => {
    const open = known.get(id) ?? getBatch(tables, id);
    known.set(id, open);
    return open;
  };
  return {
    find(pickId) {
      const pick = tables.batches.findPick(pickId);
      return pick === undefined ? undefined : lineAt(tables, openOf(pick.batchId), pick, isCurrent);
    },
    listDark(picker) {
      const whose = picker === undefined ? undefined : (tables.accounts.findUser(picker)?.username ?? picker);
      const ids = whose === undefined ? tables.batches.listPicking() : tables.batches.listPickedBy(whose);
      return ids.flatMap((id) => batchLines(tables, openOf(id), { whose, isCurrent })).filter(({ light }) => !light);
    },
  };
}

function lineAt(tables: Tables, open: Open, pick: BatchPickRow, isCurrent: IsCurrentPick): WorkLine | undefined {
  const shares = sumAt(open.batch, pick.id).shares.map((share) => ({ share, quantity: openOf(share) }));
  const item = shares[0] === undefined ? undefined : tables.items.find(shares[0].share.itemId);
  if (item === undefined) return undefined;
  const command = tables.commands.findByOwner({ kind: 'pick', id: pick.id });
  const { deviceId, location, picker } = pick;
  const line = lineOf(tables, open, { item, shares, command, deviceId, location, picker });
  return { ...line, current: isCurrent({ kind: 'pick', id: pick.id }, line.picker) };
}

/**
 * Finds the pick of an item of a batch that is being picked: the picker's own if there are several. Returns undefined if no pieces of the
 * item have to be picked.
 */
export function pickOfItem(
  tables: Tables,
  item: Pick<LitItemRow, 'id' | 'orderId'>,
  picker: string,
): number | undefined {
  const batchId = tables.batches.findOf(item.orderId);
  const open = batchId === undefined ? undefined : getBatch(tables, batchId);
  if (open?.batch.state !== 'picking') return undefined;
  const picks = open.batch.shares.flatMap((share) => {
    if (share.itemId !== item.id || openOf(share) === 0 || share.pickId === null) return [];
    return tables.batches.findPick(share.pickId) ?? [];
  });
  const own = picks.find((pick) => nameKey(pick.picker ?? open.row.picker ?? '') === nameKey(picker));
  return (own ?? picks[0])?.id;
}

/** Lists articles that can be scanned at the wall. People choose an article without a barcode by name. */
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
      : [lineOf(tables, open, { item, shares, command: undefined, deviceId: null, location, picker: null })];
  });
  return lines.toSorted((one, other) => byName(one.text, other.text));
}

type LineParts = {
  item: LitItemRow;
  shares: readonly { share: Share; quantity: number }[];
  command: QueuedCommand | undefined;
  deviceId: string | null;
  location: string;
  /** The person to whom the line is assigned, or null for the picker of the batch. */
  picker: string | null;
};

function lineOf(
  tables: Tables,
  { row }: Open,
  { item, shares, command, deviceId, location, picker }: LineParts,
): WorkLine {
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
    color: command?.content.color ?? colorOf(tables, row, picker) ?? DEFAULT_SETTINGS.order_color,
    picker: picker ?? row.picker,
    command_id: command === undefined ? null : String(command.id),
    waiting: command !== undefined && !isFirst(command),
    current: false,
    unreachable: command !== undefined && lasts(command.outage),
    shown_at: isoOrNull(command?.state.kind === 'shown' ? command.state.shownAt : null),
    ...stockOfLines(tables, [item])(item),
    barcodes: barcodesOf(tables, item.articleId),
    elsewhere: [],
    batch: row.id,
    // Sort the shares in the order in which they get pieces if fewer are found.
    shares: shares
      .toSorted((a, b) => byRank(a.share, b.share))
      .map(({ share, quantity }) => ({
        slot: share.slot,
        order_number: share.orderNumber,
        item_id: share.itemId,
        quantity,
        quantity_fulfilled: tables.items.find(share.itemId)?.fulfilled ?? 0,
      })),
  };
}
