import type { WorkLine } from '#shared/api/picking.ts';
import type { Oracle } from './oracle.ts';
import { isOver, itemsOf, remainingOf, type ModelItem } from './orderState.ts';
import { colorOf } from './people.ts';
import { placeName } from './naming.ts';
import { same } from './snapshot.ts';
import type { ModelCommand, ModelDevice } from './state.ts';
import { devicesInWalkingOrder } from './walk.ts';

/** Fields of a line in `GET /api/work/` that the model covers. */
const FIELDS = [
  'deviceid',
  'location',
  'light',
  'quantity',
  'ordered_quantity',
  'quantity_fulfilled',
  'order_number',
  'item_id',
  'color',
  'picker',
  'command_id',
  'waiting',
  'current',
] as const satisfies (keyof WorkLine)[];

type ModelLine = Pick<WorkLine, (typeof FIELDS)[number]>;

export function comparableLine(line: WorkLine): object {
  return Object.fromEntries(FIELDS.map((name) => [name, line[name]]));
}

/** Returns whether the line is lit, or is a picker's line without a light. */
export function isWork(item: ModelItem): boolean {
  return item.command !== null || isWithoutLight(item);
}

function isWithoutLight(item: ModelItem): boolean {
  return item.state === 'active' && item.noLight && !isOver(item);
}

export function lineOf(oracle: Oracle, item: ModelItem, nowMono: number): ModelLine {
  const { command, deviceId } = item;
  if (command !== null) return litLine(oracle, oracle.device(deviceId ?? ''), command, nowMono);
  return {
    ...ofItem(oracle, item, nowMono),
    deviceid: null,
    location: item.given.warehouse_location ?? '',
    light: false,
    quantity: remainingOf(item),
    color: colorOf(item.of.of, item) ?? oracle.settings.orderColor,
    command_id: null,
    waiting: false,
  };
}

function litLine(oracle: Oracle, device: ModelDevice, command: ModelCommand, nowMono: number): ModelLine {
  const { owner, adjusted, quantity, color, id } = command;
  return {
    ...ofItem(oracle, owner?.kind === 'item' ? owner.item : undefined, nowMono),
    deviceid: device.id,
    location: placeName(device, command),
    light: true,
    quantity: adjusted ?? quantity,
    color,
    command_id: String(id),
    waiting: device.queue[0] !== command,
  };
}

function ofItem({ currents }: Oracle, item: ModelItem | undefined, nowMono: number) {
  return {
    ordered_quantity: item?.given.ordered_quantity ?? null,
    quantity_fulfilled: item?.fulfilled ?? null,
    order_number: item?.of.of.number ?? null,
    item_id: item?.id ?? null,
    picker: item?.picker ?? null,
    current: item !== undefined && currents.isCurrent(item, nowMono),
  };
}

/** Throws if `GET /api/work/` lists lines other than the oracle's. Lines without a light can come in any order. */
export function compareWorkLines(oracle: Oracle, found: readonly WorkLine[], nowMono: number): void {
  const lit = devicesInWalkingOrder(oracle).flatMap((device) =>
    device.queue.flatMap((command) => (command.target === 'device' ? [litLine(oracle, device, command, nowMono)] : [])),
  );
  const dark = [...oracle.orders.all.values()]
    .flatMap(itemsOf)
    .filter(isWithoutLight)
    .map((item) => lineOf(oracle, item, nowMono));
  const { true: light = [], false: unlit = [] } = Object.groupBy(found, (line) => `${line.light}` as const);
  const byItem = <L extends { item_id: number | null }>(lines: readonly L[]) =>
    lines.toSorted((a, b) => (a.item_id ?? 0) - (b.item_id ?? 0));
  compare('lit line', light, lit);
  compare('line without a light', byItem(unlit), byItem(dark));
}

function compare(what: string, found: readonly WorkLine[], wanted: readonly ModelLine[]): void {
  for (const [index, line] of wanted.entries()) {
    const one = found[index];
    same(`The ${what} ${index}`, one && comparableLine(one), line);
  }
  same(`The number of the ${what}s`, found.length, wanted.length);
}
