import type { RefusedDevice, WaitingDevice } from '#shared/api/device.ts';
import type { Client } from '#shared/api/operations.ts';

/** What only admins may ask: which new devices there are, and which shall not become known. */
export type CareApi = {
  loadWaiting(): Promise<readonly WaitingDevice[]>;
  loadRefused(): Promise<readonly RefusedDevice[]>;
  /** `conflict` where it is known. */
  refuseDevice(deviceid: string): Promise<void>;
  readmitDevice(deviceid: string): Promise<void>;
};

/** This part of the station's REST API, as the window uses it. */
export function careApi(client: Client): CareApi {
  return {
    loadWaiting: () => client.listWaitingDevices(),
    loadRefused: () => client.listRefusedDevices(),
    async refuseDevice(deviceid) {
      await client.refuseDevice({ deviceid });
    },
    readmitDevice: (DeviceID) => client.readmitDevice({ DeviceID }),
  };
}
