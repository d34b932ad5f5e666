import { CARRIER_KINDS } from '#shared/lib/carriers.ts';
import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import * as texts from '../../words/texts.ts';

const NONE: ReadonlyMap<string, string> = new Map();

/** Which slot of a cart or wall a device serves, in words, by DeviceID. Devices of places are not included. */
export function useSlotsServed(): ReadonlyMap<string, string> {
  const { api } = useStationContext();
  const { value = NONE } = useStationQuery(['carriers', 'slotsServed'], async () => {
    const lists = await Promise.all(CARRIER_KINDS.map((kind) => api.loadCarriers(kind)));
    return new Map(
      lists
        .flat()
        .flatMap(({ name, slots }) =>
          slots.flatMap(({ slot, deviceid: front, back_deviceid: back }) => [
            ...(front === null ? [] : [[front, texts.panel.slotFront(slot, name)] as const]),
            ...(back === null ? [] : [[back, texts.panel.slotBack(slot, name)] as const]),
          ]),
        ),
    );
  });
  return value;
}
