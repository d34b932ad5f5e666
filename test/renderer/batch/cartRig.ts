import type { Batch } from '#shared/api/batch.ts';
import type { ActOutcome, BatchActsResult } from '#shared/api/batchActs.ts';
import type { Carrier } from '#shared/api/carrier.ts';
import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import { next, startBatch } from '../../../renderer/src/features/pick/batch/batchSession.ts';
import type {
  BatchCall,
  BatchAction,
  BatchEffect,
  BatchInput,
  BatchRead,
  BatchSession,
  BatchTouch,
} from '../../../renderer/src/features/pick/batch/batchTypes.ts';
import { bySlot, partOf } from '../../../renderer/src/features/pick/batch/batchPart.ts';
import { viewOf } from '../../../renderer/src/features/pick/batch/batchView.ts';
import type { PickLine } from '../../../renderer/src/features/pick/session/sessionTypes.ts';
import type { OutboxAction } from '../../../renderer/src/station/outbox/actions.ts';
import { AT } from '../../helpers/snapshots.ts';
import { pickLine } from '../pick/pickRig.ts';

type Slot = Batch['slots'][number];
export type CartShare = Slot['shares'][number];

export const CART: Carrier = {
  id: 1,
  name: 'Cart 1',
  code: 'CART-1',
  rows: 2,
  columns: 2,
  slots: ['A1', 'A2', 'B1', 'B2'].map((slot) => ({ slot, code: `C-${slot}`, deviceid: null, back_deviceid: null })),
};

export const WALL: Carrier = { ...CART, id: 3, name: 'Wall 1', code: 'WALL-1' };

/** Returns a batch that is sorted at a wall. `scanned` contains pieces by person, slot and item. */
export function wallBatch(
  shares: readonly CartShare[],
  scanned: readonly (readonly [by: string, slot: string, item: number, quantity: number])[] = [],
  given: Partial<Batch> = {},
): Batch {
  const slots = cartBatch(shares).slots.map((slot) => {
    const isOver = slot.shares.length > 0 && slot.shares.every(({ put, quantity }) => put === quantity);
    return isOver ? { ...slot, state: 'complete' as const } : slot;
  });
  return cartBatch(shares, {
    mode: 'wall',
    cart: null,
    cart_name: '',
    wall: 3,
    wall_name: 'Wall 1',
    singles: true,
    state: 'sorting',
    slots,
    hands: [],
    scanned: scanned.map(([by, slot, item_id, quantity]) => ({
      by,
      slot,
      order_number: `SO-${slot}`,
      item_id,
      quantity,
    })),
    ...given,
  });
}

/** Returns a line for an article that wall slots need. `gives` contains the pieces by slot. */
export const wallLine = (id: number, gives: Readonly<Record<string, number>>): PickLine =>
  cartLine(id, gives, { deviceid: null, location: '', light: false, command_id: null });

/** Returns a share of a slot, for an order named after the slot. */
export function cartShare(slot: string, item: number, given: Partial<CartShare> = {}): CartShare {
  const none = { picked: 0, put: 0, put_back: 0, in_hand: 0, state: 'open', awaits_scan: false } as const;
  return { slot, order_number: `SO-${slot}`, item_id: item, quantity: 3, ...none, ...given };
}

export function cartBatch(shares: readonly CartShare[], given: Partial<Batch> = {}): Batch {
  const holders = new Map<string, { slot: string; order_number: string; item_id: number; quantity: number }[]>();
  holders.set(
    'Anna',
    shares
      .filter(({ in_hand: held }) => held > 0)
      .map(({ slot, order_number, item_id, in_hand }) => ({
        slot: slot ?? '',
        order_number,
        item_id,
        quantity: in_hand,
      })),
  );
  return {
    id: 7,
    mode: 'cart',
    cart: 1,
    cart_name: 'Cart 1',
    wall: null,
    wall_name: '',
    singles: false,
    state: 'picking',
    put_confirmation: 'once',
    picker: 'Anna',
    pickers: [{ name: 'Anna', color: 'blue' }],
    attention: [],
    created_time: AT,
    updated_time: AT,
    slots: CART.slots.map(({ slot }): Slot => {
      const own = shares.filter((each) => each.slot === slot);
      const order = own[0]?.order_number ?? null;
      return {
        slot,
        state: own.length === 0 ? 'free' : 'open',
        order_number: order,
        shipment_number: null,
        tote: null,
        shares: own,
        freed: null,
      };
    }),
    hands: [...holders].flatMap(([by, pieces]) => (pieces.length === 0 ? [] : [{ by, shares: pieces }])),
    put_back: [],
    waiting: [],
    scanned: [],
    ...given,
  };
}

/** Returns a line for a place that supplies these slots with one article. `gives` contains the pieces by slot. */
export function cartLine(id: number, gives: Readonly<Record<string, number>>, given: Partial<PickLine> = {}): PickLine {
  const shares = Object.entries(gives).map(([slot, quantity], index) => ({
    slot,
    order_number: `SO-${slot}`,
    item_id: id * 10 + index,
    quantity,
    quantity_fulfilled: 0,
  }));
  const quantity = shares.reduce((sum, share) => sum + share.quantity, 0);
  return pickLine(id, { quantity, item_id: null, order_number: null, batch: 7, shares, ...given });
}

/** Two places: A-1 with 2 pieces for A1 and 3 for A2, and A-2 with 1 piece for A1. */
export const LINES = [cartLine(1, { A1: 2, A2: 3 }), cartLine(2, { A1: 1 })];
export const SHARES = [
  cartShare('A1', 10, { quantity: 2 }),
  cartShare('A2', 11, { quantity: 3 }),
  cartShare('A1', 20, { quantity: 1 }),
];

/** Returns the station's answer to one act, by default a booked pick. */
export function actAnswer(given: Partial<ActOutcome> = {}): BatchActsResult {
  const none = { acts: [], lines: [], slots: [], hands: [], people: [] };
  return {
    outcomes: [{ key: 'p', status: 200, result: 'booked', says: 'Picked.', ...given }],
    change: { job: { batch: 7 }, before: 1, revision: 2, ...none, state: 'picking' },
  };
}

/** Barcodes of a line's article, which comes in packs of two. */
export const PACK = {
  barcodes: [
    { code: '4006381333931', quantity: 1 },
    { code: '14006381333938', quantity: 2 },
  ],
};
export const PACK_CODE = '14006381333938';

/** Starts a session with a clock that only the test advances. */
export function startRig(read: Partial<BatchRead> = {}, me = 'Anna', kind: CarrierKind = 'cart') {
  const kept = { packs: new Map(), undos: [] };
  let state: BatchSession = startBatch({
    kind,
    me,
    keyBase: 'k',
    isLost: false,
    unsent: [],
    kept,
    keys: { enterRule: 'unless_scanning', scannedAt: -Infinity },
  });
  let at = 10_000;
  const effects: BatchEffect[] = [];
  let ran = 0;
  /** Applies an event. People type only what they see. */
  function handle(event: BatchInput): void {
    if (event.kind === 'counted' || event.kind === 'letter' || event.kind === 'sign') handle({ kind: 'drawn' });
    const step = next(state, event, at);
    state = step.state;
    effects.push(...step.effects);
  }
  const rig = {
    handle,
    /** Handles an event at this time. */
    handleAt(event: BatchInput, time: number): void {
      at = time;
      handle(event);
    },
    /** Waits until touches are accepted again. */
    wait(ms = 1_000) {
      handle({ kind: 'drawn' });
      at += ms;
    },
    touch(touch: BatchTouch) {
      at += 1_000;
      handle({ kind: 'drawn' });
      at += 1_000;
      handle({ kind: 'touch', ...touch });
    },
    touchNow: (touch: BatchTouch) => handle({ kind: 'touch', ...touch }),
    scan(code: string, count?: number) {
      handle({ kind: 'drawn' });
      at += 2_000;
      handle({ kind: 'scan', scan: { code, source: 'keyboard', ...(count === undefined ? {} : { count }) } });
    },
    read: (given: Partial<BatchRead>) =>
      handle({ kind: 'read', read: { batch: undefined, lines: [], settled: new Set(), ...given } }),
    state: () => state,
    /** The number that was set last and is not booked yet. */
    count: () => [...state.counted.values()].at(-1),
    keeps: (): OutboxAction[] => effects.flatMap((effect) => (effect.do === 'keep' ? [effect.action] : [])),
    actions: (): BatchAction[] => rig.keeps().filter((action) => action.kind === 'cart'),
    /** Keys of the notices about presses that were answered. */
    answered: () => effects.flatMap((effect) => (effect.do === 'answered' ? [effect.press] : [])),
    /** How often the entry was cleared. */
    clears: () => effects.filter(({ do: does }) => does === 'clearTyped').length,
    /** Keys of the refused actions that no notice has to list. */
    forgotten: () => effects.flatMap((effect) => (effect.do === 'forget' ? [effect.key] : [])),
    acts: () => rig.actions().map(({ act }) => act),
    calls: (): BatchCall[] => effects.flatMap((effect) => (effect.do === 'call' ? [effect.call] : [])),
    scans: () => effects.flatMap((effect) => (effect.do === 'scan' ? [effect.scan.code] : [])),
    verifies: () =>
      effects.flatMap((effect) => (effect.do === 'verify' ? [{ code: effect.scan.code, itemId: effect.itemId }] : [])),
    sorts: () =>
      effects.flatMap((effect) =>
        effect.do === 'sort' ? [{ code: effect.scan.code, count: effect.scan.count, itemId: effect.itemId }] : [],
      ),
    /** Inputs that wait for the station's answers. */
    later: () =>
      effects.flatMap((effect) => {
        if (effect.do !== 'later') return [];
        const { input } = effect;
        return [input.kind === 'scan' ? input.scan.code : input.kind === 'letter' ? input.letter : String(input.count)];
      }),
    /** Repeats the inputs that waited, as the page does once the station has answered. */
    runLater() {
      const inputs = effects.flatMap((effect) => (effect.do === 'later' ? [effect.input] : []));
      const left = inputs.slice(ran);
      ran = inputs.length;
      for (const input of left) handle(input);
    },
    /** Whether the last event lets Enter press the button that has the focus. */
    presses: () => effects.at(-1)?.do === 'press',
    plays: () => effects.flatMap((effect) => (effect.do === 'play' ? [effect.answer] : [])),
    /** Describes what the page shows in one line. */
    shows(): string {
      const part = partOf(state);
      if (part.kind === 'walk') return `walk ${part.line.location} ${part.line.quantity}`;
      if (part.kind !== 'put' && part.kind !== 'verify') return part.kind;
      return `${part.kind} ${bySlot(part.pieces)
        .map(({ slot, quantity }) => `${slot} ${quantity}`)
        .join(' · ')}`;
    },
    says: () => state.last?.text,
    scanned: () => state.scanned?.text,
    putInto: (slot: string) =>
      viewOf(state)
        ?.batch.slots.find((each) => each.slot === slot)
        ?.shares.reduce((sum, { put }) => sum + put, 0),
  };
  handle({ kind: 'carrier', carrier: kind === 'cart' ? CART : WALL });
  rig.read({ batch: cartBatch(SHARES), lines: LINES, ...read });
  return rig;
}
