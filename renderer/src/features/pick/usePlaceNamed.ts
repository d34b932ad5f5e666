import { nameKey } from '#shared/lib/text/nameKey.ts';
import { useStationContext } from '../../station/context.ts';
import type { NamedDevice } from '../../station/places.ts';

/** Returns a function that finds the device with this name, DeviceID or alias among those that the page knows. */
export function usePlaceNamed(): (code: string) => NamedDevice | undefined {
  const { store } = useStationContext();
  return (code) => {
    const { places, station } = store.getState();
    const key = nameKey(code);
    const alias = station?.aliases.find(({ name }) => nameKey(name) === key)?.deviceid;
    return places.find(
      ({ name, deviceid }) => deviceid === alias || [name, deviceid].some((text) => nameKey(text) === key),
    );
  };
}
