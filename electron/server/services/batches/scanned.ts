import type { BatchState, Share, Slot } from '../../domain/batches/types.ts';
import { inHandOf, openOf } from '../../domain/batches/shares.ts';
import { titleOfItem } from '../orders/index.ts';
import { getBatch } from './apply.ts';
import type { BatchesContext, Open } from './types.ts';

type Tables = Pick<BatchesContext['reads'], 'batches' | 'carriers' | 'items'>;

/** The cart, wall or slot that a scanned code identifies. `says` is a description for the person who scans. */
type ScannedCarrier = {
  kind: 'cart' | 'wall' | 'slot';
  says: string;
  /** Id of the current batch, or undefined if the cart or wall is not in a batch. */
  batch: number | undefined;
  slot: string | undefined;
  orderNumber: string | undefined;
};

/** Says after the name of a cart or wall how far it is. */
export const STATES: Readonly<Record<BatchState, string>> = {
  loading: 'is being loaded',
  picking: 'is being picked',
  sorting: 'is being sorted',
  paused: 'is paused',
  done: 'is done',
};

/** Finds a cart, wall or slot by its code, or a slot by its tote. Finds slots only while their cart or wall is in a batch. */
export function findScannedCarrier(tables: Tables, code: string): ScannedCarrier | undefined {
  const { batches, carriers } = tables;
  const found = carriers.findByCode(code);
  if (found !== undefined && found.slot === null) return scannedCarrier(tables, found.carrierId);
  const id = found === undefined ? undefined : batches.findLiveSlots(found.carrierId);
  const there = id === undefined ? batches.findTote(code) : { batchId: id, slot: found?.slot ?? '' };
  return there === undefined ? undefined : scannedSlot(tables, there);
}

function scannedCarrier(tables: Tables, carrierId: number): ScannedCarrier | undefined {
  const carrier = tables.carriers.find(carrierId);
  if (carrier === undefined) return undefined;
  const { kind, name } = carrier;
  const id = tables.batches.findLive(carrierId);
  const known = { kind, batch: id, slot: undefined, orderNumber: undefined };
  if (id === undefined) return { ...known, says: `${name} is not in use.` };
  const open = getBatch(tables, id);
  const says = `${name} ${STATES[open.batch.state]}. ${handsIn(tables, open)}`;
  return { ...known, says };
}

/** Describes which pieces each person holds. */
function handsIn({ items }: Pick<Tables, 'items'>, { batch }: Open): string {
  if (batch.hands.length === 0) return 'Nothing is in hand.';
  const itemOf = new Map(batch.shares.map(({ id, itemId }) => [id, itemId]));
  const held = new Map<string, Map<string, number>>();
  for (const { by, shareId, quantity } of batch.hands) {
    const item = items.find(itemOf.get(shareId) ?? 0);
    const name = item === undefined ? '' : titleOfItem(item);
    const own = held.get(by) ?? new Map<string, number>();
    held.set(by, own.set(name, (own.get(name) ?? 0) + quantity));
  }
  return [...held]
    .map(([by, things]) => {
      const list = [...things].map(([name, pieces]) => `${pieces} ${name}`.trim()).join(', ');
      return by === '' ? `In hand: ${list}.` : `${by} holds ${list}.`;
    })
    .join(' ');
}

function scannedSlot(tables: Tables, { batchId, slot: name }: { batchId: number; slot: string }): ScannedCarrier {
  const open = getBatch(tables, batchId);
  const slot = open.batch.slots.find((each) => each.slot === name);
  const held = slot === undefined || slot.state === 'free' ? null : slot.held;
  const says = slot === undefined || held === null ? `${name} is free.` : `${name}: ${contentOf(tables, open, slot)}`;
  return { kind: 'slot', says, batch: batchId, slot: name, orderNumber: held?.orderNumber };
}

/** Maximum number of articles that a sentence names. */
const MAX_NAMED = 4;

/** Describes what a slot holds, and which articles are missing. */
function contentOf({ items }: Pick<Tables, 'items'>, { batch }: Open, { slot, state, held }: Slot): string {
  const own = batch.shares.filter((share) => share.slot === slot);
  const total = (count: (share: Share) => number): number => own.reduce((sum, share) => sum + count(share), 0);
  const missing = (count: (share: Share) => number, where: string): string => {
    const pieces = new Map<string, number>();
    for (const share of own) {
      const quantity = count(share);
      if (quantity <= 0) continue;
      const item = items.find(share.itemId);
      const name = item === undefined ? '' : titleOfItem(item);
      pieces.set(name, (pieces.get(name) ?? 0) + quantity);
    }
    const named = [...pieces].slice(0, MAX_NAMED).map(([name, quantity]) => `${quantity} ${name}`.trim());
    const more = pieces.size > MAX_NAMED ? ` and ${pieces.size - MAX_NAMED} more` : '';
    return pieces.size === 0 ? '' : `, ${total(count)} ${where} (${named.join(', ')}${more})`;
  };
  const rest = [
    missing(inHandOf, 'in hand'),
    missing(openOf, 'to pick'),
    missing((share) => share.quantity - share.put - inHandOf(share) - openOf(share), 'missing'),
  ].join('');
  return `${held?.orderNumber ?? ''} is ${state}: ${total(({ put }) => put)} of ${total(({ quantity }) => quantity)} put${rest}.`;
}
