import type { RefusedDevice, WaitingDevice } from '#shared/api/device.ts';
import { useRight, useStationContext } from './context.ts';
import { useStationQuery } from './useStationQuery.ts';

type Waiting = { waiting: readonly WaitingDevice[]; refused: readonly RefusedDevice[] };

const NOBODY: Waiting = { waiting: [], refused: [] };

/**
 * Returns new devices that wait to be accepted, and refused ones. Both lists are empty for users who are not admins.
 */
export function useWaiting(): Waiting {
  const { api } = useStationContext();
  const isAdmin = useRight('manage_devices');
  const { value = NOBODY } = useStationQuery(
    ['waiting'],
    async () => {
      const [waiting, refused] = await Promise.all([api.listWaitingDevices(), api.listRefusedDevices()]);
      return { waiting, refused };
    },
    { isOn: isAdmin },
  );
  return value;
}
