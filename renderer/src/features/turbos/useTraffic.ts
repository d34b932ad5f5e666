import { useRef, useState } from 'react';
import type { TurboTrafficEntry } from '#shared/api/turbo.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { usePolled } from '../../station/usePolled.ts';

const EVERY_MS = 2_500;

/** What is asked for and not told: it changes with every frame. */
export type Seen = { traffic: TurboTrafficEntry | undefined; uptimeS: number | undefined };

/** By serial number, asked for again as long as there is a turbo and somebody looks. */
export function useTraffic(): ReadonlyMap<string, Seen> {
  const { api } = useStationContext();
  const isSome = useStationState(({ station }) => (station?.turbos.length ?? 0) > 0);
  // A link that ended is told by the stream, and stands among the errors at once.
  const told = useStationState(({ station }) => station?.turbos);
  const asked = useRef(0);
  const [seen, setSeen] = useState<ReadonlyMap<string, Seen>>(new Map());
  usePolled(
    async () => {
      const turn = ++asked.current;
      const [turbos, traffic] = await Promise.all([api.loadTurbos(), api.loadTurboTraffic()]);
      if (turn !== asked.current) return;
      const bySerial = new Map(traffic.map((entry) => [entry.serial_number, entry]));
      setSeen(
        new Map(
          turbos.map(({ serial_number, uptime }) => [
            serial_number,
            { traffic: bySerial.get(serial_number), uptimeS: uptime },
          ]),
        ),
      );
    },
    EVERY_MS,
    isSome,
    told,
  );
  return seen;
}
