import type { ApiCall } from './call.ts';
import type { ApiUser, AuditEntry, NewApiUser, NewUser, User, UserChange } from '#shared/api/access.ts';
import type { RefusedDevice, WaitingDevice } from '#shared/api/device.ts';
import type { LoggedRequest, RequestLogQuery } from '#shared/api/requestLog.ts';

/** What only admins may ask: people, the keys of programs, who did what, and what was asked of the API. */
export function accessApi(call: ApiCall) {
  return {
    loadUsers: (): Promise<readonly User[]> => call('listUsers'),
    addUser: (user: NewUser) => call('addUser', { body: user }),
    /** `conflict` where no admin would be left. */
    changeUser: (username: string, change: UserChange) => call('changeUser', { path: { username }, body: change }),
    /** `conflict` where no admin would be left. */
    removeUser: (username: string) => call('removeUser', { path: { username } }),
    loadApiUsers: (): Promise<readonly ApiUser[]> => call('listApiUsers'),
    /** The secrets are answered this once. */
    addApiUser: (user: NewApiUser) => call('addApiUser', { body: user }),
    /** New secrets; the old ones count for so long. */
    rotateApiUser: (id: string, graceSeconds: number) =>
      call('rotateApiUser', { path: { id }, body: { grace_seconds: graceSeconds } }),
    removeApiUser: (id: string) => call('removeApiUser', { path: { id } }),
    /** Newest first; `after` is the last id of the page before. */
    loadAudit: (query: { limit: number; after?: string }): Promise<readonly AuditEntry[]> =>
      call('listAudit', { query }),
    /** The last requests to the API, newest first. */
    loadRequests: (query: RequestLogQuery): Promise<readonly LoggedRequest[]> => call('listRequests', { query }),
    /** `not_found` once it is no longer kept. */
    loadRequest: (id: string) => call('getRequest', { path: { id } }),
  };
}

/** What only admins may ask: which new devices there are, and which shall not become known. */
export function careApi(call: ApiCall) {
  return {
    loadWaiting: (): Promise<readonly WaitingDevice[]> => call('listWaitingDevices'),
    loadRefused: (): Promise<readonly RefusedDevice[]> => call('listRefusedDevices'),
    /** `conflict` where it is known. */
    async refuseDevice(deviceid: string): Promise<void> {
      await call('refuseDevice', { body: { deviceid } });
    },
    readmitDevice: (DeviceID: string) => call('readmitDevice', { path: { DeviceID } }),
  };
}
