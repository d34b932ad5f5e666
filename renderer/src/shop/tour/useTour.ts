import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { useStationContext, useStationState } from '../../station/context.ts';
import { type TourMemory, tourMemory } from './tourMemory.ts';

/** Returns the tour of the signed-in person. */
export function useTour(): {
  memory: TourMemory;
  /** Launches a demo order and opens it on the Pick page. Rejects if no demo order can be launched. */
  begin(): Promise<void>;
} {
  const { api } = useStationContext();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const [, navigate] = useLocation();
  const memory = useMemo(() => tourMemory(me), [me]);
  return {
    memory,
    async begin() {
      const { lightDemoOrder } = await import('./startTour.ts');
      const number = await lightDemoOrder(api, me);
      memory.begin(number);
      navigate(`/pick/${encodeURIComponent(number)}`);
    },
  };
}
