import type { ApiUser, ApiUserSecrets, AuditEntry, NewApiUser, NewUser, User, UserChange } from '#shared/api/access.ts';
import type { RefusedDevice, WaitingDevice } from '#shared/api/device.ts';
import type { Client } from '#shared/api/operations.ts';
import type { LoggedExchange, LoggedRequest, RequestLogQuery } from '#shared/api/requestLog.ts';

/** What only admins may ask: people, the keys of programs, who did what, and what was asked of the API. */
export type AccessApi = {
  loadUsers(): Promise<readonly User[]>;
  addUser(user: NewUser): Promise<User>;
  /** `conflict` where no admin would be left. */
  changeUser(username: string, change: UserChange): Promise<User>;
  /** `conflict` where no admin would be left. */
  removeUser(username: string): Promise<void>;
  loadApiUsers(): Promise<readonly ApiUser[]>;
  /** The secrets are answered this once. */
  addApiUser(user: NewApiUser): Promise<ApiUserSecrets>;
  /** New secrets; the old ones count for so long. */
  rotateApiUser(id: string, graceSeconds: number): Promise<ApiUserSecrets>;
  removeApiUser(id: string): Promise<void>;
  /** Newest first; `after` is the last id of the page before. */
  loadAudit(query: { limit: number; after?: string }): Promise<readonly AuditEntry[]>;
  /** The last requests to the API, newest first. */
  loadRequests(query: RequestLogQuery): Promise<readonly LoggedRequest[]>;
  /** `not_found` once it is no longer kept. */
  loadRequest(id: string): Promise<LoggedExchange>;
};

/** This part of the station's REST API, as the window uses it. */
export function accessApi(client: Client): AccessApi {
  return {
    loadUsers: () => client.listUsers(),
    addUser: (user) => client.addUser(user),
    changeUser: (username, change) => client.changeUser({ username }, change),
    removeUser: (username) => client.removeUser({ username }),
    loadApiUsers: () => client.listApiUsers(),
    addApiUser: (user) => client.addApiUser(user),
    rotateApiUser: (id, graceSeconds) => client.rotateApiUser({ id }, { grace_seconds: graceSeconds }),
    removeApiUser: (id) => client.removeApiUser({ id }),
    loadAudit: (query) => client.listAudit(query),
    loadRequests: (query) => client.listRequests(query),
    loadRequest: (id) => client.getRequest({ id }),
  };
}

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
