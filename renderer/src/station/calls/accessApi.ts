import type { ApiUser, AuditEntry, NewApiUser, NewUser, User, UserChange } from '#shared/api/access.ts';
import type { Kiosk } from '#shared/api/kiosk.ts';
import type { WallScreen } from '#shared/api/wallBoard.ts';
import type { RefusedDevice, WaitingDevice } from '#shared/api/device.ts';
import type { LoggedRequest, RequestLogQuery } from '#shared/api/requestLog.ts';
import type { Delivery, DeliveryQuery, ReceivedCallback } from '#shared/api/callback.ts';
import type { CallbackReceiverEntry, NewCallbackReceiver } from '#shared/api/callbackReceiver.ts';
import type { Board, BoardJob, BoardUpdate, NewBoard, NewBoardUpdates } from '#shared/api/board.ts';
import type {
  FoundControllerEntry,
  NewTurboLink,
  SerialPortEntry,
  Turbo,
  TurboFrame,
  SavedTurboLink,
  TurboLinkChange,
  TurboTrafficEntry,
} from '#shared/api/turbo.ts';
import { BACKUP_TYPE } from '#shared/api/routes/station.ts';
import type { Backup } from '#shared/api/backup.ts';
import type { InputOf } from '#shared/api/routes.ts';
import { type ApiCall, done, pathOf } from './call.ts';

/** For admins: people, API users, the activity and the request log. */
export function accessApi(call: ApiCall) {
  return {
    listUsers: (): Promise<readonly User[]> => call('listUsers'),
    addUser: (user: NewUser) => call('addUser', { body: user }),
    /** Rejects with `conflict` if no admin would be left. */
    changeUser: (username: string, change: UserChange) => call('changeUser', { path: { username }, body: change }),
    /** Rejects with `conflict` if no admin would be left. */
    removeUser: (username: string) => call('removeUser', { path: { username } }),
    listKiosks: (): Promise<readonly Kiosk[]> => call('listKiosks'),
    /** Makes this browser a kiosk. Rejects with `conflict` if the name is taken. */
    addKiosk: (name: string) => call('addKiosk', { body: { name } }),
    removeKiosk: (id: string) => call('removeKiosk', { path: { id } }),
    /** Needs no sign-in. */
    getKioskScreen: () => call('getKioskScreen'),
    listScreens: (): Promise<readonly WallScreen[]> => call('listScreens'),
    /** Returns the link, whose secret is shown only once. Rejects with `conflict` if the name is taken. */
    addScreen: (name: string) => call('addScreen', { body: { name } }),
    removeScreen: (id: string) => call('removeScreen', { path: { id } }),
    listApiUsers: (): Promise<readonly ApiUser[]> => call('listApiUsers'),
    /** Returns the secrets, which are shown only once. */
    addApiUser: (user: NewApiUser) => call('addApiUser', { body: user }),
    /** Returns new secrets; the old ones stay valid for `graceSeconds`. */
    rotateApiUser: (id: string, graceSeconds: number) =>
      call('rotateApiUser', { path: { id }, body: { grace_seconds: graceSeconds } }),
    removeApiUser: (id: string) => call('removeApiUser', { path: { id } }),
    /** Newest first; `after` is the last id of the page before. */
    listAudit: (query: { limit: number; after?: string }): Promise<readonly AuditEntry[]> =>
      call('listAudit', { query }),
    /** The latest requests, newest first. */
    listRequests: (query: RequestLogQuery): Promise<readonly LoggedRequest[]> => call('listRequests', { query }),
    /** Rejects with `not_found` once the log has dropped it. */
    getRequest: (id: string) => call('getRequest', { path: { id } }),
  };
}

/** For admins: new devices that wait, and refused ones. */
export function careApi(call: ApiCall) {
  return {
    listWaitingDevices: (): Promise<readonly WaitingDevice[]> => call('listWaitingDevices'),
    listRefusedDevices: (): Promise<readonly RefusedDevice[]> => call('listRefusedDevices'),
    /** Rejects with `conflict` for a registered device. */
    refuseDevice: (deviceid: string) => done(call('refuseDevice', { body: { deviceid } })),
    readmitDevice: (DeviceID: string) => call('readmitDevice', { path: { DeviceID } }),
  };
}

/** For admins: callbacks. */
export function callbackApi(call: ApiCall) {
  return {
    /** Newest first; `after` is the last id of the page before. */
    listCallbacks: (query: DeliveryQuery): Promise<readonly Delivery[]> => call('listCallbacks', { query }),
    getCallback: (id: string) => call('getCallback', { path: { id } }),
    countCallbacks: () => call('countCallbacks'),
    replayCallback: (id: string) => done(call('replayCallback', { path: { id } })),
    /** Replays the dead deliveries of one receiver, or of all. Returns their number. */
    async replayDead(receiver?: string): Promise<number> {
      const of = receiver === undefined ? {} : { receiver };
      const { replayed } = await call('replayDeadCallbacks', { body: { state: 'dead', ...of } });
      return replayed;
    },
    /** Sends all waiting callbacks now. Returns their number. */
    async sendWaiting(): Promise<number> {
      const { waiting } = await call('sendWaitingCallbacks');
      return waiting;
    },
    /** Sends a sample callback and returns its result. Rejects with `conflict` without a URL. */
    testCallback: (receiver: string) => call('testCallback', { body: { receiver } }),
    listCallbackReceivers: (): Promise<readonly CallbackReceiverEntry[]> => call('listCallbackReceivers'),
    addCallbackReceiver: (receiver: NewCallbackReceiver) => call('addCallbackReceiver', { body: receiver }),
    /** Callbacks to the built-in receiver, newest first. */
    listReceivedCallbacks: (): Promise<readonly ReceivedCallback[]> => call('listReceivedCallbacks'),
    forgetReceivedCallbacks: () => call('forgetReceivedCallbacks'),
  };
}

/** For admins: e-mails about alerts. */
export function mailApi(call: ApiCall) {
  return {
    getMail: () => call('getMail'),
    /** Sends a test e-mail and returns its result. Rejects with `conflict` while e-mail is off. */
    testMail: () => call('testMail'),
  };
}

/** For admins: folders for order files, and the published sheet. */
export function folderApi(call: ApiCall) {
  return { getFolders: () => call('getFolders') };
}

/** For admins: the connection to the MQTT broker. */
export function mqttApi(call: ApiCall) {
  return {
    getMqtt: () => call('getMqtt'),
    /** Sends a message to the broker and waits for it to come back. Rejects with `conflict` without a broker. */
    testMqtt: () => call('testMqtt'),
  };
}

/** Turbos, their links, and their traffic. */
export function turboApi(call: ApiCall) {
  return {
    listTurbos: (): Promise<readonly Turbo[]> => call('listTurbos'),
    listTurboTraffic: (): Promise<readonly TurboTrafficEntry[]> => call('listTurboTraffic'),
    /** Oldest first. `after`: number of the last frame received. */
    listTurboFrames: (SerialNo: string, after: number | undefined): Promise<readonly TurboFrame[]> =>
      call('listTurboFrames', { path: { SerialNo }, query: { after } }),
    /** An empty name restores its own name. */
    renameTurbo: ({ SerialNo, name }: { SerialNo: string; name: string }) =>
      done(call('renameTurbo', { path: { SerialNo }, body: { name } })),
    /** Rejects with `conflict` while it is connected. */
    forgetTurbo: (SerialNo: string) => call('forgetTurbo', { path: { SerialNo } }),
    /** Connects or disconnects a simulated turbo. */
    changeSimulatedTurbo: (SerialNo: string, connected: boolean) =>
      done(call('changeSimulatedTurbo', { path: { SerialNo }, body: { connected } })),
    /** Serial ports of the station's machine. */
    listSerialPorts: (): Promise<readonly SerialPortEntry[]> => call('listSerialPorts'),
    /** Takes about three seconds. Rejects with `conflict` if the network cannot be searched. */
    findControllers: (): Promise<readonly FoundControllerEntry[]> => call('findControllers'),
    /** Rejects with `conflict` if the port already has a link. */
    addTurboLink: (link: Partial<NewTurboLink>): Promise<SavedTurboLink> => call('addTurboLink', { body: link }),
    /** Boards connected to the station's machine. */
    listBoards: (): Promise<readonly Board[]> => call('listBoards'),
    installBoard: (asked: NewBoard) => call('installBoard', { body: asked }),
    listBoardUpdates: (): Promise<readonly BoardUpdate[]> => call('listBoardUpdates'),
    updateBoards: (asked: NewBoardUpdates): Promise<readonly BoardJob[]> => call('updateBoards', { body: asked }),
    /** Running jobs, and the last ended ones. */
    listBoardJobs: (): Promise<readonly BoardJob[]> => call('listBoardJobs'),
    getBoardJob: (id: string) => call('getBoardJob', { path: { id } }),
    cancelBoardJob: (id: string) => call('cancelBoardJob', { path: { id } }),
    changeTurboLink: (id: string, change: TurboLinkChange): Promise<SavedTurboLink> =>
      call('changeTurboLink', { path: { id }, body: change }),
    removeTurboLink: (id: string) => call('removeTurboLink', { path: { id } }),
    retryTurboLink: (id: string) => done(call('retryTurboLink', { path: { id } })),
    /** The address for turbos on the network. */
    getTurboNetwork: () => call('getTurboNetwork'),
  };
}

/** Backups and diagnostics. */
export function backupApi(call: ApiCall) {
  return {
    listBackups: (): Promise<readonly Backup[]> => call('listBackups'),
    getBackupStatus: () => call('getBackupStatus'),
    /** Resolves when the backup is complete. Rejects with `conflict` if another one is running or this one was canceled. */
    makeBackup: () => call('makeBackup'),
    cancelBackup: () => call('cancelBackup'),
    /** Rejects with `invalid`, without keeping the file, if it cannot be restored. */
    uploadBackup: (file: Blob) => call('uploadBackup', { body: file.slice(0, file.size, BACKUP_TYPE) }),
    /** Reads the whole backup, so it may take long. Rejects with `invalid` if it cannot be restored. */
    getBackupContents: (name: string) => call('getBackupContents', { path: { name } }),
    /** Restarts the station with this backup. */
    restoreBackup: (name: string) => done(call('restoreBackup', { path: { name } })),
    /** Null removes the passphrase. */
    setBackupPassphrase: (passphrase: string | null) => call('setBackupPassphrase', { body: { passphrase } }),
    getUpdates: () => call('getUpdates'),
    checkForUpdate: () => call('checkForUpdate'),
    /** `insist`: also while something is lit or undelivered, which otherwise rejects with `conflict`. */
    installUpdate: (insist: boolean) => call('installUpdate', { body: { insist } }),
    /** Rejects with `invalid` for a wrong passphrase. */
    openSecrets: (passphrase: string) => call('openSecrets', { body: { passphrase } }),
    removeBackup: (name: string) => call('removeBackup', { path: { name } }),
    /** For all signed-in people. */
    reportPageError: (error: InputOf<'reportPageError'>['body']) => done(call('reportPageError', { body: error })),
    getDiagnostics: () => call('getDiagnostics', { query: {} }),
  };
}

/** The address that downloads a backup. */
export function backupPath(name: string): string {
  return pathOf('downloadBackup', { path: { name } });
}

/** The address that downloads the diagnostics with the log files. */
export function diagnosticsPath(): string {
  return pathOf('getDiagnostics', { query: { logs: '1' } });
}
