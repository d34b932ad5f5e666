import { useMemo } from 'react';
import type { Carrier } from '#shared/api/carrier.ts';
import { useStationState } from '../../station/context.ts';
import type { StationState } from '../../station/live/store.ts';
import { slotTroubles as words } from '../../words/slotTroubles.ts';

type Slots = readonly Pick<Carrier['slots'][number], 'slot' | 'deviceid' | 'back_deviceid'>[];
type Trouble = keyof typeof words;

/** Returns, by slot, the reason why the slot's light may fail. Slots without a problem are omitted. */
export function useSlotTroubles(slots: Slots): ReadonlyMap<string, string> {
  // Select a string, so that the component rerenders only when the result differs.
  const found = useStationState((state) => JSON.stringify(troublesIn(state, slots)));
  return useMemo(() => {
    const troubles = JSON.parse(found) as [string, Trouble][];
    return new Map(troubles.map(([slot, trouble]) => [slot, words[trouble]]));
  }, [found]);
}

function troublesIn({ station, lowBatteries }: StationState, slots: Slots): [string, Trouble][] {
  const offline = new Set(station?.devices.flatMap(({ deviceid, online }) => (online ? [] : [deviceid])));
  return slots.flatMap(({ slot, deviceid, back_deviceid: back }): [string, Trouble][] => {
    const devices = [deviceid, back].filter((device) => device !== null);
    if (devices.some((device) => offline.has(device))) return [[slot, 'offline']];
    return devices.some((device) => lowBatteries.has(device)) ? [[slot, 'lowBattery']] : [];
  });
}
