import type { CSSProperties } from 'react';
import { ledOf } from '../../../shop/device/commandWords.ts';
import { ledStyle } from '../../../shop/device/Led.tsx';
import { useStationContext } from '../../../station/context.ts';
import { useSlotTroubles } from '../../../shop/device/slotTroubles.ts';
import { useStationQuery } from '../../../station/useStationQuery.ts';
import { bySlot, otherHands } from './batchPart.ts';
import type { OpenBatch } from './useBatch.ts';

/** Returns the props for drawing a cart: its slots, the pieces that others hold for them, and lights that may fail. */
export function useGrid({ state, view }: OpenBatch) {
  const { api } = useStationContext();
  const pickers = useStationQuery(['pickers'], () => api.listPickers()).value ?? [];
  const { carrier } = state;
  const troubles = useSlotTroubles(carrier?.slots ?? []);
  const others = new Map<string, { by: string; quantity: number; style: CSSProperties | undefined }>();
  for (const { by, shares } of view === undefined ? [] : otherHands(state, view)) {
    const color = pickers.find(({ name }) => name === by)?.color ?? undefined;
    for (const { slot, quantity } of bySlot(shares)) {
      others.set(slot, { by, quantity, style: color === undefined ? undefined : ledStyle(ledOf('flash', color)) });
    }
  }
  const none = carrier?.slots.map(({ slot }) => ({
    slot,
    state: 'free' as const,
    order_number: null,
    shares: [] as [],
  }));
  return {
    rows: carrier?.rows ?? 1,
    columns: carrier?.columns ?? 1,
    slots: view?.batch.slots ?? none ?? [],
    others,
    troubles,
  };
}
