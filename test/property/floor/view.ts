import type { Batch, BatchProgress } from '#shared/api/batch.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import type { Task } from '#shared/api/task.ts';
import { type PiecesOf, inOrder, type FloorView } from './oracle.ts';
import { type ModelFloor, itemsIn, sharesOf, sum } from './shop.ts';

/** Reads a batch with its lines, items, tasks and people. */
export async function view(floor: ModelFloor, id: number): Promise<FloorView> {
  const { station } = floor;
  const batch = await station.get<Batch>(`/api/batches/${id}/`);
  const lines = await station.get<WorkLine[]>(`/api/work/?batch=${id}`);
  const tasks = await station.get<Task[]>('/api/tasks/?state=open&kind=put_back');
  const others = (await station.get<BatchProgress[]>('/api/batches/?state=picking')).filter((each) => each.id !== id);
  const isLaunched = batch.state === 'picking' || batch.state === 'sorting';
  const kind = batch.mode === 'cart' ? 'cart' : batch.cart === null ? 'wall' : 'bulk';
  const helpers = batch.pickers.map(({ name }) => name).filter((name) => name !== batch.picker);
  const hands = batch.hands.flatMap(({ by, shares }) => shares.map((share) => ({ ...share, by })));
  return {
    kind,
    state: kind === 'bulk' && isLaunched ? 'launched' : batch.state,
    pickers: [batch.picker, ...inOrder(helpers)],
    shares: sharesOf(batch),
    settled: [],
    slots: Object.fromEntries(
      batch.slots.map(({ slot, state, order_number: order }) => [
        slot,
        { state, order: state === 'free' ? null : order },
      ]),
    ),
    hands: heldIn(hands),
    scanned: heldIn(batch.scanned),
    whose: batch.state === 'sorting' || batch.state === 'done' ? {} : whoseOf(lines),
    items: Object.fromEntries(
      (await itemsIn(floor)).map(({ id: item, quantity_fulfilled: fulfilled, state }) => [
        item,
        `${fulfilled} ${state === 'done' || state === 'short' ? 'over' : 'open'}`,
      ]),
    ),
    toPutBack: sum(tasks.map(({ quantity }) => quantity ?? 0)),
    isSorting: batch.state === 'sorting',
    busy: [...new Set([...others.flatMap(({ pickers }) => pickers.map(({ name }) => name)), ...inOrders(floor)])],
  };
}

/** Returns the people who are picking an order that is not in a batch. */
const inOrders = ({ station }: ModelFloor): string[] =>
  station
    .rows<{ picker: string }>("SELECT DISTINCT picker FROM items WHERE state = 'active' AND picker IS NOT NULL")
    .map(({ picker }) => picker);

function heldIn(all: readonly { by: string; item_id: number; slot: string | null; quantity: number }[]): PiecesOf {
  const held: PiecesOf = {};
  for (const { by, item_id: item, slot, quantity } of all) {
    const key = `${by}/${item}/${slot ?? ''}`;
    held[key] = (held[key] ?? 0) + quantity;
  }
  return held;
}

function whoseOf(lines: readonly WorkLine[]): FloorView['whose'] {
  const names = new Map<number, Set<string | null>>();
  for (const { picker, shares = [] } of lines)
    for (const { item_id: item } of shares) names.set(item, (names.get(item) ?? new Set()).add(picker));
  return Object.fromEntries([...names].map(([item, all]) => [item, inOrder(all)]));
}
