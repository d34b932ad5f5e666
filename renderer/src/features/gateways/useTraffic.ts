import type { TurboTrafficEntry } from '#shared/api/turbo.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';

const EVERY_MS = 2_500;
const NOTHING: ReadonlyMap<string, Seen> = new Map();

/** Values of a turbo that are polled instead of streamed, because they change with every frame. */
export type Seen = { traffic: TurboTrafficEntry | undefined; uptimeS: number | undefined };

/** Returns the traffic by serial number. It is polled while there are turbos and the page is visible. */
export function useTraffic(): ReadonlyMap<string, Seen> {
  const { api } = useStationContext();
  // When the stream reports that a link ended, reload immediately to show its error.
  const known = useStationState(({ station }) => station?.turbos);
  const { value = NOTHING } = useStationQuery(
    ['traffic'],
    async () => {
      const [turbos, traffic] = await Promise.all([api.listTurbos(), api.listTurboTraffic()]);
      const bySerial = new Map(traffic.map((entry) => [entry.serial_number, entry]));
      return new Map(
        turbos.map(({ serial_number: id, uptime }) => [id, { traffic: bySerial.get(id), uptimeS: uptime }]),
      );
    },
    { version: known, everyMs: EVERY_MS, isOn: (known?.length ?? 0) > 0 },
  );
  return value;
}
