import { useLocation } from 'wouter';
import type { StationMap } from '#shared/api/map.ts';
import { useStationContext } from '../../station/context.ts';
import { useAct } from '../../useAct.ts';
import * as texts from '../../words/texts.ts';
import { useToasts } from '../toasts.ts';
import { useTour } from './useTour.ts';

/**
 * Returns an action that creates the demo shop and starts the tour. If the person has already ended a tour in this
 * browser, the action flashes the first device instead.
 */
export function useDemoShop() {
  const { api } = useStationContext();
  const [, navigate] = useLocation();
  const toasts = useToasts();
  const flash = useFlash();
  const tour = useTour();

  async function create(): Promise<void> {
    const map = await api.makeDemoShop();
    if (tour.memory.isEnded()) {
      navigate('/today');
      return flash(firstOf(map));
    }
    try {
      await tour.begin();
    } catch (error) {
      navigate('/today');
      toasts.fail(texts.welcome.noTour, error);
    }
  }

  const act = useAct(create);
  // Stay busy after success, until the page changes.
  const busy = act.busy || act.status === 'done';
  return {
    ...act,
    busy,
    run() {
      if (!busy) act.run();
    },
  };
}

/** Returns the leftmost device on the top shelf. */
function firstOf({ racks, places }: StationMap): string | undefined {
  const shelves = racks.flatMap((rack) => rack.shelves.map(({ id }) => id));
  return places.toSorted((a, b) => shelves.indexOf(a.shelf) - shelves.indexOf(b.shelf) || a.column - b.column)[0]
    ?.deviceid;
}

/**
 * Returns a function that flashes an owner's first device and tells the owner what to look for. The function does
 * nothing without a device.
 */
export function useFlash(): (deviceid: string | undefined) => void {
  const { api } = useStationContext();
  const toasts = useToasts();
  return (deviceid) => {
    if (deviceid === undefined) return;
    api.identifyDevice({ path: { DeviceID: deviceid } }).then(
      () => toasts.show(texts.welcome.flashes),
      (error: unknown) => toasts.fail(texts.welcome.notFlashing, error),
    );
  };
}
