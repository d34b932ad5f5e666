import type { Batch, BatchProgress } from '#shared/api/batch.ts';
import type { CarrierKind } from '#shared/lib/picking/carriers.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import type { Api } from './calls/api.ts';

const LIVE = ['loading', 'picking', 'sorting', 'paused'] as const;

/** Lists the unfinished batches, without their slots. */
export async function listLiveBatches(api: Pick<Api, 'listBatches'>): Promise<BatchProgress[]> {
  return (await Promise.all(LIVE.map((state) => api.listBatches({ query: { state } })))).flat();
}

/** Loads the unfinished batches, with their slots. */
export async function loadLiveBatches(api: Pick<Api, 'getBatch' | 'listBatches'>): Promise<Batch[]> {
  const live = await listLiveBatches(api);
  return Promise.all(live.map(({ id }) => api.getBatch({ path: { id } })));
}

/** Returns the cart or wall at which a batch is currently picked or sorted, or undefined if it has none. */
export function carrierOf({
  mode,
  cart,
  wall,
}: Pick<BatchProgress, 'mode' | 'cart' | 'wall'>): { kind: CarrierKind; id: number } | undefined {
  const id = mode === 'wall' ? wall : cart;
  return id === null ? undefined : { kind: mode, id };
}

const isSame = (one: string, other: string): boolean => nameKey(one) === nameKey(other);

/** The pieces that a person holds for the slots of a batch. `where` is the name of its cart or wall. */
export type HeldIn = { where: string; slots: readonly { slot: string; quantity: number }[] };

/** Loads the pieces that a person has picked, but not yet put into slots. */
export async function loadHeld(api: Pick<Api, 'getBatch' | 'listBatches'>, person: string): Promise<HeldIn[]> {
  const held = await api.listBatches({ query: { holder: person } });
  const batches = await Promise.all(held.map(({ id }) => api.getBatch({ path: { id } })));
  return batches.flatMap(({ hands, cart_name: cart, wall_name: wall }) => {
    const shares = hands.flatMap((hand) => (isSame(hand.by, person) ? hand.shares : []));
    const slots = new Map<string, number>();
    for (const { slot, quantity } of shares) slots.set(slot ?? '', (slots.get(slot ?? '') ?? 0) + quantity);
    if (slots.size === 0) return [];
    return [{ where: cart || wall, slots: [...slots].map(([slot, quantity]) => ({ slot, quantity })) }];
  });
}

/**
 * Asks the station whether a person holds pieces of a batch that they pick, so that they cannot take other work. Resolves to false if the station
 * does not answer, because it then does not take the order either.
 */
export async function holdsPieces(api: Pick<Api, 'listBatches'>, person: string): Promise<boolean> {
  try {
    const held = await api.listBatches({ query: { state: 'picking', holder: person } });
    return held.some(({ pickers }) => pickers.some(({ name }) => isSame(name, person)));
  } catch {
    return false;
  }
}

/** Returns the batch of each order in a batch, by order number. These orders cannot be picked separately. */
export function ordersInBatches(batches: readonly Batch[]): ReadonlyMap<string, Batch> {
  return new Map(batches.flatMap((batch) => ordersOf(batch).map((number) => [number, batch] as const)));
}

/** Returns the numbers of a batch's orders. Omits the orders of stopped slots, which have left the batch. */
function ordersOf({ slots, waiting }: Batch): string[] {
  const loaded = slots.flatMap(({ state, order_number: number }) => (state === 'stopped' ? [] : (number ?? [])));
  return [...loaded, ...waiting.map(({ order_number: number }) => number)];
}
