import { expect } from 'vitest';
import type { Batch, BatchShare } from '#shared/api/batch.ts';
import type { WorkLine } from '#shared/api/picking.ts';
import { fulfilledIn, type ModelFloor, REASONS, send, sharesOf, SLOTS } from './shop.ts';

export type FloorAct = (floor: ModelFloor, batch: Batch, person: string) => Promise<unknown>;

const onBatch =
  (path: string, body: (floor: ModelFloor, batch: Batch, person: string) => object | undefined): FloorAct =>
  async (floor, batch, person) => {
    const sent = body(floor, batch, person);
    return sent && send(floor, 'POST', `/api/batches/${batch.id}/${path}`, sent);
  };

const slotOf = ({ random }: ModelFloor): string => random.one(SLOTS);
const shareIn = ({ random }: ModelFloor, batch: Batch): BatchShare | undefined => {
  const all = sharesOf(batch);
  return all[random.below(all.length)];
};

const onItem =
  (verb: string, body: (floor: ModelFloor, share: BatchShare, person: string) => object): FloorAct =>
  async (floor, batch, person) => {
    const share = shareIn(floor, batch);
    if (share === undefined) return undefined;
    const path = `/api/orders/${share.order_number}/items/${share.item_id}/${verb}`;
    return send(floor, verb === '' ? 'PATCH' : 'POST', path, body(floor, share, person));
  };

/** Picks the quantity at a light, or fewer pieces, and checks that the station does not record more pieces. */
export const pick: FloorAct = async (floor, batch, person) => {
  const { station, random } = floor;
  const lines = await station.get<WorkLine[]>(`/api/work/?batch=${batch.id}`);
  const line = lines[random.below(lines.length)];
  if (line === undefined) return;
  const sumShown = line.quantity ?? 0;
  const quantity = random.chance(0.6) ? sumShown : random.below(sumShown + 2);
  const reason = random.chance(0.5) ? { reason: random.one(REASONS) } : {};
  const before = await fulfilledIn(floor);
  if (line.deviceid !== null && line.command_id !== null) {
    const asked = { command_id: line.command_id, qty: quantity, ...reason, picker: person };
    const status = await send(floor, 'POST', `/api/device/${line.deviceid}/acknowledge/`, asked);
    const isFirst = status === 200 && batch.state === 'picking';
    if (isFirst) expect((await fulfilledIn(floor)) - before, 'a pick').toBe(Math.min(quantity, sumShown));
    if (isFirst && (line.shares ?? []).length > 1) floor.counts.shared += 1;
  } else if (line.item_id !== null) {
    const asked = { quantity: Math.min(quantity, sumShown), reason: 'missing', picker: person };
    await send(floor, 'POST', `/api/orders/${line.order_number}/items/${line.item_id}/confirm/`, asked);
  }
};

/** Requests to a batch, with their weights. */
export const ACTS: Record<string, [weight: number, act: FloorAct]> = {
  pick: [24, pick],
  put: [6, onBatch('put/', (floor, _, picker) => ({ slot: slotOf(floor), picker }))],
  putSome: [4, onBatch('put/', (floor) => ({ slot: slotOf(floor), quantity: 1 + floor.random.below(2) }))],
  putAll: [4, onBatch('put/', () => ({ all: true }))],
  launch: [5, onBatch('launch/', (_, __, picker) => ({ picker }))],
  launchForNobody: [2, onBatch('launch/', () => ({}))],
  join: [3, onBatch('join/', (_, __, picker) => ({ picker }))],
  leave: [1, onBatch('leave/', (_, __, picker) => ({ picker }))],
  pause: [1, onBatch('pause/', (floor, _, picker) => (floor.random.chance(0.5) ? { picker } : {}))],
  handOver: [1, onBatch('handover/', (_, __, picker) => ({ picker }))],
  undoPut: [
    2,
    onBatch('put/undo/', (floor, batch) => {
      const share = shareIn(floor, batch);
      const slot = share?.slot ?? undefined;
      return share === undefined || slot === undefined ? undefined : { slot, item_id: share.item_id };
    }),
  ],
  settle: [
    2,
    onBatch('hand/', (floor, batch, picker) => ({
      by: batch.hands[0]?.by ?? '',
      do: floor.random.one(['take', 'missing', 'put_back', 'set_aside']),
      picker,
    })),
  ],
  free: [2, onBatch('free/', () => ({}))],
  freeSlot: [2, onBatch('slots/A1/free/', ({ random }) => ({ keep: random.chance(0.3) }))],
  undoFree: [1, onBatch('slots/A1/free/undo/', () => ({}))],
  move: [1, onBatch('slots/A1/move/', () => ({ to: 'B2' }))],
  full: [1, onBatch('slots/A2/full/', () => ({}))],
  reopen: [3, onItem('reopen/', () => ({}))],
  short: [2, onItem('short/', ({ random }) => ({ reason: random.one(REASONS) }))],
  correct: [1, onItem('', ({ random }) => ({ quantity_fulfilled: random.below(4) }))],
  reassign: [
    2,
    onBatch('shares/', (floor, batch) => {
      const last = sharesOf(batch).filter(({ in_hand: held }) => held > 0);
      const [one, other] = last;
      if (one === undefined || other === undefined || last.length !== 2) return undefined;
      const total = one.picked + other.picked;
      const first = Math.min(one.quantity, floor.random.below(total + 1));
      return {
        shares: [
          { item_id: one.item_id, quantity: first },
          { item_id: other.item_id, quantity: total - first },
        ],
        reason: floor.random.one(REASONS),
      };
    }),
  ],
  scan: [
    8,
    async (floor, batch, picker) => {
      if (batch.mode !== 'wall') return;
      const stack = floor.random.chance(0.3) ? { quantity: 1 + floor.random.below(4) } : {};
      await send(floor, 'POST', '/api/scan/', {
        code: floor.random.one(['X', 'Y']),
        batch: batch.id,
        act: true,
        picker,
        ...stack,
      });
    },
  ],
  removeSlot: [1, (floor, batch) => send(floor, 'DELETE', `/api/batches/${batch.id}/slots/${slotOf(floor)}/`)],
  removeOrder: [
    1,
    async (floor, batch) => {
      const share = shareIn(floor, batch);
      return share && send(floor, 'DELETE', `/api/batches/${batch.id}/orders/${share.order_number}/`);
    },
  ],
  abort: [0.3, onBatch('abort/', () => ({}))],
};
