import type { WorkLine, WorkQuery } from '#shared/api/picking.ts';
import { nameKey } from '#shared/lib/nameKey.ts';
import type { LitItemRow } from '../../db/repositories/orders.ts';
import type { Repositories } from '../../db/repositories.ts';
import { isFirst, locationOf, quantityOf, type QueuedCommand } from '../../domain/commandQueue.ts';
import { lasts } from '../../domain/outage.ts';
import { byWalk, walkRanks } from '#shared/lib/walk.ts';
import { isoOrNull } from '../base/index.ts';
import { IDENTIFY_TARGET } from '../commands/index.ts';
import type { Orders } from '../orders/index.ts';

type Tables = Pick<Repositories, 'commands' | 'devices' | 'map' | 'orders'>;

/** An open command with the item that it lights, if any. */
export type Lit = { command: QueuedCommand; item: LitItemRow | undefined; label: string; location: string };

/** All lit work, unsorted. */
export function listLit(tables: Tables): Lit[] {
  return described(tables, tables.commands.listAll());
}

/** What is lit of one order, unsorted: asked for with each scan, and the shop may have thousands of other lights. */
export function listLitOf(tables: Tables, orderNumber: string): Lit[] {
  const order = tables.orders.findByNumber(orderNumber);
  const ids = order === undefined ? [] : tables.orders.listItems(order.id).flatMap(({ commandId }) => commandId ?? []);
  return described(
    tables,
    ids.flatMap((id) => tables.commands.find(id) ?? []),
  );
}

/** What is lit at these devices, the shown command of each first. */
export function listLitAt(tables: Tables, deviceIds: readonly string[]): Lit[] {
  return described(
    tables,
    deviceIds.flatMap((id) => tables.commands.list(id)),
  );
}

/** Past the racks; at one device in the order of its queue. */
export function inWalkingOrder<T extends Pick<Lit, 'command' | 'label'>>(tables: Tables, lit: readonly T[]): T[] {
  if (lit.length < 2) return [...lit];
  const compare = byWalk(walkRanks(tables.map.get()));
  return lit
    .map((line) => ({ line, deviceId: line.command.deviceId, label: line.label }))
    .toSorted((a, b) => compare(a, b) || a.line.command.position - b.line.command.position)
    .map(({ line }) => line);
}

function described(tables: Tables, commands: readonly QueuedCommand[]): Lit[] {
  const labels = new Map<string, string>();
  const labelOf = (deviceId: string): string => {
    const label = labels.get(deviceId) ?? tables.devices.find(deviceId)?.label ?? '';
    labels.set(deviceId, label);
    return label;
  };
  return commands
    .filter(({ target }) => target !== IDENTIFY_TARGET)
    .map((command) => {
      const label = labelOf(command.deviceId);
      const { owner } = command;
      const item = owner?.kind === 'item' ? tables.orders.findItem(owner.id) : undefined;
      return { command, item, label, location: locationOf(command, label) };
    });
}

/** Whether a line is of this person. */
export function isOf({ item }: Lit, picker: string): boolean {
  return nameKey(item?.picker ?? '') === nameKey(picker);
}

export function listWork(reads: Tables, elsewhere: Orders['elsewhere'], { picker, order }: WorkQuery): WorkLine[] {
  const all = order === undefined ? listLit(reads) : listLitOf(reads, order);
  const lines = inWalkingOrder(
    reads,
    all.filter((lit) => picker === undefined || isOf(lit, picker)),
  );
  return fromWhere(reads, lines, { picker, order }).map((lit) => workLine(lit, elsewhere));
}

/** The lines of a picker begin behind the place that the person confirmed last, and end before it. */
function fromWhere(reads: Tables, lines: readonly Lit[], { picker, order }: WorkQuery): readonly Lit[] {
  if (picker === undefined || order === undefined) return lines;
  const pickers = reads.orders.findByNumber(order)?.pickers ?? [];
  const deviceId = pickers.find(({ name }) => nameKey(name) === nameKey(picker))?.deviceId ?? null;
  if (deviceId === null) return lines;
  const last = { deviceId, label: reads.devices.find(deviceId)?.label ?? '' };
  const compare = byWalk(walkRanks(reads.map.get()));
  const start = lines.findIndex(({ command, label }) => compare({ deviceId: command.deviceId, label }, last) >= 0);
  return start < 0 ? lines : [...lines.slice(start), ...lines.slice(0, start)];
}

function workLine({ command, item, location }: Lit, elsewhere: Orders['elsewhere']): WorkLine {
  const { state, content, owner, deviceId } = command;
  const [text = '', description = ''] = content.lines;
  return {
    deviceid: deviceId,
    location,
    // Whole, where the display has room for a part.
    text: item?.name ?? text,
    description: item?.description ?? description,
    SKU: item?.sku ?? '',
    UPC: item?.upc ?? '',
    quantity: quantityOf(command),
    ordered_quantity: item?.ordered ?? null,
    quantity_fulfilled: item?.fulfilled ?? null,
    order_number: owner?.kind === 'item' ? owner.of : null,
    item_id: item?.id ?? null,
    color: content.color,
    picker: item?.picker ?? null,
    command_id: String(command.id),
    waiting: !isFirst(command),
    unreachable: lasts(command.outage),
    shown_at: isoOrNull(state.kind === 'shown' ? state.shownAt : null),
    elsewhere: item === undefined ? [] : elsewhere(item, deviceId),
  };
}
