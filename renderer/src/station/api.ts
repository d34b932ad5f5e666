import type { Alert } from '#shared/api/alert.ts';
import type { LocationAlias, NewLocationAlias } from '#shared/api/alias.ts';
import { createClient, pathOf } from '#shared/api/client.ts';
import type { BulkResult, DeviceRequest, DeviceResult } from '#shared/api/device.ts';
import type { DeliveryTimeline, HistoryEntry, OrderTimeline, Timeline } from '#shared/api/history.ts';
import type { HistorySummary } from '#shared/api/historySummary.ts';
import type { ImportUndo, LastImport, LocationImport } from '#shared/api/locationImport.ts';
import type {
  Cell,
  MapReplacement,
  NewZone,
  PlacedResult,
  Rack,
  RackChange,
  StationMap,
  Zone,
  ZoneChange,
} from '#shared/api/map.ts';
import type { NewDevice, NewRack, SimulatedDeviceChange, SimulatedPress } from '#shared/api/operations.ts';
import type { SettingsAnswer, SettingsChange } from '#shared/api/settings.ts';
import type { SimulatedDeviceEntry } from '#shared/api/simulator.ts';
import type { Station } from '#shared/api/station.ts';
import { texts } from '../ui/texts.ts';
import { accessApi, type AccessApi, careApi, type CareApi } from './accessApi.ts';
import { ApiError, apiErrorOf } from './apiError.ts';
import { backupApi, type BackupApi } from './backupApi.ts';
import { callbackApi, type CallbackApi } from './callbackApi.ts';
import { turboApi, type TurboApi } from './turboApi.ts';
import { workApi, type WorkApi } from './workApi.ts';

export type Button = NonNullable<SimulatedPress['button']>;
export type Hold = NonNullable<SimulatedPress['hold']>;
export type AddressedRequest = DeviceRequest & { deviceid: string };
export type SimulatedChange = SimulatedDeviceChange;

/** Which part of history is wanted. `kind`: one or several, with commas between them; times in ISO 8601. */
export type HistoryQuestion = {
  deviceid?: string;
  kind?: string;
  order_number?: string;
  sequenceid?: string;
  from?: string;
  to?: string;
};

/** A snapshot, and how far this machine's clock is ahead of the station's in milliseconds. */
export type Snapshot = { station: Station; clockSkewMs: number };

/** What the window asks of the station. Every call rejects with an `ApiError`. */
export type Api = {
  signIn(username: string, password: string): Promise<void>;
  signOut(): Promise<void>;
  loadStation(): Promise<Snapshot>;
  /** The version of the station that answers now. Asked by anybody. */
  loadVersion(): Promise<string>;
  send(deviceid: string, request: DeviceRequest): Promise<DeviceResult>;
  /** To many devices in one call; the answers are in the same order, each with a status of its own. */
  sendMany(requests: readonly AddressedRequest[]): Promise<readonly BulkResult[]>;
  press(deviceid: string, button: Button, hold: Hold): Promise<void>;
  /** Done at the station. Without `qty` the quantity as adjusted counts. `conflict` where it is over already. */
  acknowledge(deviceid: string, commandId: string, qty?: number): Promise<void>;
  /** Takes one command out of the queue. */
  takeAway(deviceid: string, commandId: string): Promise<void>;
  adjust(deviceid: string, commandId: string, quantity: number): Promise<void>;
  /** Flashes the device for a moment. */
  identify(deviceid: string): Promise<void>;
  removeDevice(deviceid: string): Promise<void>;
  /** Newest first; `after` is the last id of the page before. */
  loadHistory(query: HistoryQuestion & { limit: number; after?: string }): Promise<readonly HistoryEntry[]>;
  /** Counts a long time for as long as it takes, unless `signal` gives it up. */
  loadHistorySummary(query: HistoryQuestion, signal: AbortSignal): Promise<HistorySummary>;
  loadTimeline(commandId: string): Promise<Timeline>;
  loadOrderTimeline(orderNumber: string): Promise<OrderTimeline>;
  loadDeliveryTimeline(id: string): Promise<DeliveryTimeline>;
  /** Newest first; `after` is the last id of the page before. */
  loadEndedAlerts(query: { limit: number; after?: string }): Promise<readonly Alert[]>;
  /** I have seen it. `conflict` where it is over. */
  acknowledgeAlert(id: string): Promise<void>;
  /** I have seen all of them. */
  acknowledgeAlerts(): Promise<void>;
  /** The turbo will not come back. */
  endAlert(id: string): Promise<void>;
  /** Of an alert about a refused origin or address: adds it to the settings. */
  allowRefusedCaller(id: string): Promise<void>;
  neverAllowRefusedCaller(id: string): Promise<void>;
  /** Answers how the simulated device is after it; an empty change only asks. */
  changeSimulatedDevice(deviceid: string, change: SimulatedChange): Promise<SimulatedDeviceEntry>;
  addSimulatedDevices(count: number): Promise<void>;
  /** The whole map at once: what undo uses. */
  replaceMap(map: MapReplacement): Promise<StationMap>;
  addRack(rack: NewRack): Promise<Rack>;
  changeRack(id: string, change: RackChange): Promise<Rack>;
  removeRack(id: string): Promise<void>;
  addZone(zone: NewZone): Promise<Zone>;
  changeZone(id: string, change: ZoneChange): Promise<Zone>;
  removeZone(id: string): Promise<void>;
  /** Answers what changed: the device, and the one that it changed places with. */
  placeDevice(deviceid: string, cell: Cell): Promise<PlacedResult>;
  /** Takes it off its shelf, into the tray. */
  unplaceDevice(deviceid: string): Promise<void>;
  /** Puts every unplaced device where its label says. */
  arrangeMap(): Promise<StationMap>;
  /** Makes a device known by its id, before it was heard. */
  registerDevice(device: NewDevice): Promise<void>;
  addAlias(alias: NewLocationAlias): Promise<LocationAlias>;
  changeAlias(id: number, alias: NewLocationAlias): Promise<LocationAlias>;
  removeAlias(id: number): Promise<void>;
  /**
   * Makes and changes aliases and labels by a file; dry, it only says what would become of each row. `signal` gives it up:
   * what has reached the station by then is done there, all of it.
   */
  importAliases(csv: string, how: { dry: boolean; signal: AbortSignal }): Promise<LocationImport>;
  /** The import that can be taken back, if there is one. */
  loadLastImport(): Promise<LastImport | null>;
  undoImport(id: number): Promise<ImportUndo>;
  /** Another device takes the place of this one. `conflict` where it has work of its own. */
  replaceDevice(deviceid: string, by: string): Promise<void>;
  loadSettings(): Promise<SettingsAnswer>;
  /** Answers all of them as they are after it. */
  changeSettings(change: SettingsChange): Promise<SettingsAnswer>;
  /** Ends this person's other sessions. */
  changePassword(oldPassword: string, newPassword: string): Promise<void>;
  /** The first start: chooses the password of `admin`. */
  setUp(password: string): Promise<void>;
  /** Makes the demo shop of simulated devices and answers where they are. */
  setUpDemo(): Promise<StationMap>;
} & AccessApi &
  BackupApi &
  CallbackApi &
  CareApi &
  TurboApi &
  WorkApi;

export type ApiPorts = {
  fetch: typeof fetch;
  /** The cookies that scripts may read, as `document.cookie` has them. */
  cookies(): string;
  now(): number;
  /** Called when the station answers that nobody is signed in, except to `signIn` itself. */
  onSignedOut(): void;
};

/** Longest that a person waits for an answer. */
const TIMEOUT_MS = 10_000;
/** The same for what takes the station a while, and says that it is at it. */
const LONG = { timeoutMs: 120_000 };

/** The station tells its time in whole seconds: less than this is no difference. */
const SMALLEST_SKEW_MS = 2_000;

/** The station's REST API, as the window uses it. */
export function createApi(ports: ApiPorts): Api {
  const client = createClient({
    baseUrl: '',
    fetch: ports.fetch,
    headers: ({ method }): Record<string, string> =>
      method === 'GET' ? {} : { 'x-csrf-token': cookie(ports.cookies(), 'csrftoken') },
    timeoutMs: TIMEOUT_MS,
    onFailure(failure, operation) {
      if (failure.status === 401 && operation !== 'signIn') ports.onSignedOut();
      return apiErrorOf(failure);
    },
  });

  return {
    ...accessApi(client),
    ...backupApi(client),
    ...callbackApi(client),
    ...careApi(client),
    ...turboApi(client),
    ...workApi(client),
    async signIn(username, password) {
      await client.signIn({ username, password });
    },
    signOut: () => client.signOut(),
    async loadStation() {
      const askedAt = ports.now();
      let clockSkewMs = 0;
      const station = await client.getStation({
        onAnswer({ headers }) {
          clockSkewMs = skewOf(headers.get('date'), askedAt, ports.now());
        },
      });
      return { station, clockSkewMs };
    },
    async loadVersion() {
      const { version } = await client.getHealth();
      return version;
    },
    send: (DeviceID, request) => client.sendToDevice({ DeviceID }, request),
    async sendMany(requests) {
      const results = await client.sendToDevices({}, [...requests]);
      // Many are answered by as many.
      if (!Array.isArray(results)) throw new ApiError('unreachable', texts.failure.unreadable);
      return results;
    },
    async press(DeviceID, button, hold) {
      await client.pressSimulatedDevice({ DeviceID }, { button, hold });
    },
    async acknowledge(DeviceID, command_id, qty) {
      await client.acknowledgeCommand({ DeviceID }, { command_id, qty });
    },
    takeAway: (DeviceID, command_id) => client.removeCommand({ DeviceID, command_id }),
    async adjust(DeviceID, command_id, quantity) {
      await client.adjustCommand({ DeviceID }, { command_id, quantity });
    },
    async identify(DeviceID) {
      await client.identifyDevice({ DeviceID });
    },
    removeDevice: (DeviceID) => client.removeDevice({ DeviceID }),
    loadHistory: (query) => client.listHistory(query),
    loadHistorySummary: (query, signal) => client.summariseHistory(query, { ...LONG, signal }),
    loadEndedAlerts: (query) => client.listAlerts({ ...query, state: 'ended' }),
    async acknowledgeAlert(id) {
      await client.acknowledgeAlert({ id });
    },
    async acknowledgeAlerts() {
      await client.acknowledgeAlerts();
    },
    async endAlert(id) {
      await client.endAlert({ id });
    },
    async allowRefusedCaller(id) {
      await client.allowRefusedCaller({ id });
    },
    async neverAllowRefusedCaller(id) {
      await client.neverAllowRefusedCaller({ id });
    },
    loadTimeline: (command_id) => client.getTimeline({ command_id }),
    loadOrderTimeline: (order_number) => client.getOrderTimeline({ order_number }),
    loadDeliveryTimeline: (id) => client.getDeliveryTimeline({ id }),
    changeSimulatedDevice: (DeviceID, change) => client.changeSimulatedDevice({ DeviceID }, change),
    async addSimulatedDevices(count) {
      await client.addSimulatedDevices({ count });
    },
    replaceMap: (map) => client.replaceMap(map),
    addRack: (rack) => client.addRack(rack),
    changeRack: (id, change) => client.changeRack({ id }, change),
    removeRack: (id) => client.removeRack({ id }),
    addZone: (zone) => client.addZone(zone),
    changeZone: (id, change) => client.changeZone({ id }, change),
    removeZone: (id) => client.removeZone({ id }),
    placeDevice: (DeviceID, cell) => client.placeDevice({ DeviceID }, cell),
    unplaceDevice: (DeviceID) => client.unplaceDevice({ DeviceID }),
    arrangeMap: () => client.arrangeDevices(),
    async registerDevice(device) {
      await client.registerDevice(device);
    },
    addAlias: (alias) => client.addLocationAlias(alias),
    changeAlias: (id, alias) => client.changeLocationAlias({ id: String(id) }, alias),
    removeAlias: (id) => client.removeLocationAlias({ id: String(id) }),
    importAliases: (csv, { dry, signal }) => client.importLocationAliases({ csv, dry_run: dry }, { ...LONG, signal }),
    async loadLastImport() {
      try {
        return await client.getLastLocationAliasImport();
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found') return null;
        throw error;
      }
    },
    undoImport: (id) => client.undoLocationAliasImport({ id }, LONG),
    async replaceDevice(DeviceID, by) {
      await client.replaceDevice({ DeviceID }, { deviceid: by });
    },
    loadSettings: () => client.getSettings(),
    changeSettings: (change) => client.changeSettings(change),
    changePassword: (old_password, new_password) => client.changePassword({ old_password, new_password }),
    setUp: (password) => client.finishSetup({ password }),
    setUpDemo: () => client.makeDemoShop(),
  };
}

/** Where a device's commands and statics are sent. */
export function devicePath(deviceid: string): string {
  return pathOf('sendToDevice', { DeviceID: deviceid });
}

function cookie(cookies: string, name: string): string {
  for (const pair of cookies.split(';')) {
    const [key, ...value] = pair.trim().split('=');
    if (key === name) return decodeURIComponent(value.join('='));
  }
  return '';
}

/** The header was written in some moment of the call, cut to its second. */
function skewOf(date: string | null, askedAt: number, answeredAt: number): number {
  const stationTime = Date.parse(date ?? '') + 500;
  const skew = (askedAt + answeredAt) / 2 - stationTime;
  return Math.abs(skew) < SMALLEST_SKEW_MS || Number.isNaN(skew) ? 0 : Math.round(skew);
}
