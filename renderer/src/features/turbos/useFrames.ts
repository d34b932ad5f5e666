import { useRef, useState } from 'react';
import type { TurboFrame } from '#shared/api/turbo.ts';
import { useStationContext } from '../../station/context.ts';
import { usePolled } from '../../station/usePolled.ts';

const EVERY_MS = 1_000;
/** As many as the station keeps, twice. */
const MAX = 2_000;
const NO_FRAMES: readonly TurboFrame[] = [];

export type Frames = {
  /** Newest first. */
  frames: readonly TurboFrame[];
  /** Something was read, if only that there is nothing. */
  isLoaded: boolean;
  failure: string;
  clear(): void;
};

/** The frames of one turbo, from what the station keeps to the newest; `isOn`: new ones are still read. */
export function useFrames(serialNumber: string, isOn: boolean): Frames {
  const { api } = useStationContext();
  const [frames, setFrames] = useState(NO_FRAMES);
  const [isLoaded, setLoaded] = useState(false);
  const last = useRef<number>(undefined);
  const failure = usePolled(
    async () => {
      const newer = await api.loadTurboFrames(serialNumber, last.current);
      setLoaded(true);
      const [first] = newer;
      if (first === undefined) return;
      // Of another life of the station, whose numbers begin anew.
      const isAnew = last.current !== undefined && first.number <= last.current;
      last.current = newer.at(-1)?.number;
      setFrames((before) => [...newer.toReversed(), ...(isAnew ? NO_FRAMES : before)].slice(0, MAX));
    },
    EVERY_MS,
    isOn,
  );
  return { frames, isLoaded, failure, clear: () => setFrames(NO_FRAMES) };
}
