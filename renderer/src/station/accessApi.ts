import { type ApiCall, done } from './call.ts';
import type { ApiUser, AuditEntry, NewApiUser, NewUser, User, UserChange } from '#shared/api/access.ts';
import type { RefusedDevice, WaitingDevice } from '#shared/api/device.ts';
import type { LoggedRequest, RequestLogQuery } from '#shared/api/requestLog.ts';

/** For admins: people, API users, the activity and the request log. */
export function accessApi(call: ApiCall) {
  return {
    loadUsers: (): Promise<readonly User[]> => call('listUsers'),
    addUser: (user: NewUser) => call('addUser', { body: user }),
    /** Rejects with `conflict` if no admin would be left. */
    changeUser: (username: string, change: UserChange) => call('changeUser', { path: { username }, body: change }),
    /** Rejects with `conflict` if no admin would be left. */
    removeUser: (username: string) => call('removeUser', { path: { username } }),
    loadApiUsers: (): Promise<readonly ApiUser[]> => call('listApiUsers'),
    /** Returns the secrets, which are shown only once. */
    addApiUser: (user: NewApiUser) => call('addApiUser', { body: user }),
    /** Returns new secrets; the old ones stay valid for `graceSeconds`. */
    rotateApiUser: (id: string, graceSeconds: number) =>
      call('rotateApiUser', { path: { id }, body: { grace_seconds: graceSeconds } }),
    removeApiUser: (id: string) => call('removeApiUser', { path: { id } }),
    /** Newest first; `after` is the last id of the page before. */
    loadAudit: (query: { limit: number; after?: string }): Promise<readonly AuditEntry[]> =>
      call('listAudit', { query }),
    /** The latest requests, newest first. */
    loadRequests: (query: RequestLogQuery): Promise<readonly LoggedRequest[]> => call('listRequests', { query }),
    /** Rejects with `not_found` once the log has dropped it. */
    loadRequest: (id: string) => call('getRequest', { path: { id } }),
  };
}

/** For admins: new devices that wait, and refused ones. */
export function careApi(call: ApiCall) {
  return {
    loadWaiting: (): Promise<readonly WaitingDevice[]> => call('listWaitingDevices'),
    loadRefused: (): Promise<readonly RefusedDevice[]> => call('listRefusedDevices'),
    /** Rejects with `conflict` for a registered device. */
    refuseDevice: (deviceid: string) => done(call('refuseDevice', { body: { deviceid } })),
    readmitDevice: (DeviceID: string) => call('readmitDevice', { path: { DeviceID } }),
  };
}
