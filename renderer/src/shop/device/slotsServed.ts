import { CARRIER_KINDS } from '#shared/lib/picking/carriers.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import * as texts from '../../words/texts.ts';

/** A description of a slot, as a sentence and as a short text for tables. */
type SlotServed = { words: string; short: string };

const NONE: ReadonlyMap<string, SlotServed> = new Map();

/** Returns the slots of carts and walls that devices serve, by DeviceID. Devices that serve no slot are omitted. */
export function useSlotsServed(): ReadonlyMap<string, SlotServed> {
  const { api } = useStationContext();
  const { value = NONE } = useStationQuery(['carriers', 'slotsServed'], async () => {
    const lists = await Promise.all(CARRIER_KINDS.map((kind) => api.loadCarriers(kind)));
    const served = new Map<string, SlotServed>();
    for (const { name, slots } of lists.flat()) {
      for (const { slot, deviceid: front, back_deviceid: back } of slots) {
        const { slotFront, slotBack, slotShort } = texts.panel;
        if (front !== null) served.set(front, { words: slotFront(slot, name), short: slotShort.front(slot, name) });
        if (back !== null) served.set(back, { words: slotBack(slot, name), short: slotShort.back(slot, name) });
      }
    }
    return served;
  });
  return value;
}
