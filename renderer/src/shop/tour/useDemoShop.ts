import { useState } from 'react';
import { useLocation } from 'wouter';
import type { StationMap } from '#shared/api/map.ts';
import { sentenceOf } from '../../words/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';
import { useToasts } from '../toasts.ts';
import { useTour } from './useTour.ts';

/** Creates the demo shop and starts the tour. If the person already ended a tour in this browser, flashes the first device instead. */
export function useDemoShop() {
  const { api } = useStationContext();
  const [, navigate] = useLocation();
  const toasts = useToasts();
  const flash = useFlash();
  const tour = useTour();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  async function create(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setFailure('');
    let map: StationMap;
    try {
      map = await api.setUpDemo();
    } catch (error) {
      setFailure(sentenceOf(error));
      setBusy(false);
      return;
    }
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

  return { busy, failure, create: () => void create() };
}

/** The leftmost device on the top shelf. */
function firstOf({ racks, places }: StationMap): string | undefined {
  const shelves = racks.flatMap((rack) => rack.shelves.map(({ id }) => id));
  return places.toSorted((a, b) => shelves.indexOf(a.shelf) - shelves.indexOf(b.shelf) || a.column - b.column)[0]
    ?.deviceid;
}

/** Returns a function that flashes an owner's first device and says what to look for. Undefined: no device. */
export function useFlash(): (deviceid: string | undefined) => void {
  const { api } = useStationContext();
  const toasts = useToasts();
  return (deviceid) => {
    if (deviceid === undefined) return;
    api.identify(deviceid).then(
      () => toasts.show(texts.welcome.flashes),
      (error: unknown) => toasts.fail(texts.welcome.notFlashing, error),
    );
  };
}
