import { useState } from 'react';
import type { StationMap } from '#shared/api/map.ts';
import { texts } from '../ui/texts.ts';
import { useToasts } from '../ui/toasts.ts';
import { sentenceOf } from './apiError.ts';
import { useStationContext } from './context.ts';

/** Creates the demo shop. `created` gets the device that one reads first. */
export function useDemoShop(created: (deviceid: string | undefined) => void) {
  const { api } = useStationContext();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  async function create(): Promise<void> {
    if (busy) return;
    setBusy(true);
    setFailure('');
    try {
      created(firstOf(await api.setUpDemo()));
    } catch (error) {
      setFailure(sentenceOf(error));
      setBusy(false);
    }
  }

  return { busy, failure, create };
}

/** The leftmost device of the uppermost shelf. */
function firstOf({ racks, places }: StationMap): string | undefined {
  const shelves = racks.flatMap((rack) => rack.shelves.map(({ id }) => id));
  return places.toSorted((a, b) => shelves.indexOf(a.shelf) - shelves.indexOf(b.shelf) || a.column - b.column)[0]
    ?.deviceid;
}

/** Flashes somebody's first device and says what to look for. Undefined: there is none. */
export function useFlash(): (deviceid: string | undefined) => void {
  const { api } = useStationContext();
  const toasts = useToasts();
  return (deviceid) => {
    if (deviceid === undefined) return;
    api.identify(deviceid).then(
      () => toasts.say(texts.welcome.flashes),
      (error: unknown) => toasts.fail(texts.welcome.notFlashing, error),
    );
  };
}
