import type { LocationAlias, NewLocationAlias } from '#shared/api/alias.ts';
import type { BulkResult, DeviceRequest, DeviceResult } from '#shared/api/device.ts';
import type { HistoryEntry, Timeline } from '#shared/api/history.ts';
import type { ImportUndo, ImportUndoRequest, LocationImport } from '#shared/api/locationImport.ts';
import type { Cell, MapReplacement, NewRack, PlacedResult, Rack, RackChange, StationMap } from '#shared/api/map.ts';
import type { Problem } from '#shared/api/problem.ts';
import type { SettingsAnswer, SettingsChange } from '#shared/api/settings.ts';
import type { SimulatedDeviceEntry } from '#shared/api/simulator.ts';
import type { Station } from '#shared/api/station.ts';
import { texts } from '../ui/texts.ts';
import { accessApi, type AccessApi } from './accessApi.ts';
import { ApiError } from './apiError.ts';

export type Button = 'front' | 'plus' | 'minus';
export type Hold = 'short' | 'long';
export type AddressedRequest = DeviceRequest & { deviceid: string };
export type SimulatedChange = Partial<
  Pick<SimulatedDeviceEntry, 'reachable' | 'battery_mv' | 'refresh_ms' | 'press_after_ms'>
>;

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
  loadHistory(query: { deviceid: string; limit: number; after?: string }): Promise<readonly HistoryEntry[]>;
  loadTimeline(commandId: string): Promise<Timeline>;
  /** Answers how the simulated device is after it; an empty change only asks. */
  changeSimulatedDevice(deviceid: string, change: SimulatedChange): Promise<SimulatedDeviceEntry>;
  addSimulatedDevices(count: number): Promise<void>;
  /** The whole map at once: what undo uses. */
  replaceMap(map: MapReplacement): Promise<StationMap>;
  addRack(rack: Partial<NewRack> & { name: string }): Promise<Rack>;
  changeRack(id: string, change: RackChange): Promise<Rack>;
  removeRack(id: string): Promise<void>;
  /** Answers what changed: the device, and the one that it changed places with. */
  placeDevice(deviceid: string, cell: Cell): Promise<PlacedResult>;
  /** Takes it off its shelf, into the tray. */
  unplaceDevice(deviceid: string): Promise<void>;
  /** Puts every unplaced device where its label says. */
  arrangeMap(): Promise<StationMap>;
  /** Makes a device known by its id, before it was heard. */
  registerDevice(device: { deviceid: string; buttons?: 1 | 3; label?: string }): Promise<void>;
  addAlias(alias: NewLocationAlias): Promise<LocationAlias>;
  changeAlias(id: number, alias: NewLocationAlias): Promise<LocationAlias>;
  removeAlias(id: number): Promise<void>;
  /** Makes and changes aliases by a file; dry, it only says what would become of each row. */
  importAliases(csv: string, dry: boolean): Promise<LocationImport>;
  undoImport(rows: ImportUndoRequest['rows']): Promise<ImportUndo>;
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
} & AccessApi;

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
const LONG_TIMEOUT_MS = 120_000;

const ALIASES = '/api/location-aliases/';

/** The station tells its time in whole seconds: less than this is no difference. */
const SMALLEST_SKEW_MS = 2_000;

type Call = { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string; body?: object; timeoutMs?: number };

/** The station's REST API, as the window uses it. */
export function createApi(ports: ApiPorts): Api {
  async function ask({ method, path, body, timeoutMs = TIMEOUT_MS }: Call): Promise<Response> {
    const headers = new Headers({ accept: 'application/json' });
    if (method !== 'GET') headers.set('x-csrf-token', cookie(ports.cookies(), 'csrftoken'));
    if (body !== undefined) headers.set('content-type', 'application/json');
    try {
      return await ports.fetch(path, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        credentials: 'same-origin',
        cache: 'no-store',
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch {
      throw new ApiError('unreachable', texts.failure.unreachable);
    }
  }

  async function call(request: Call): Promise<Response> {
    const response = await ask(request);
    if (response.ok) return response;
    if (response.status === 401) ports.onSignedOut();
    throw await problemOf(response);
  }

  return {
    ...accessApi({ call, bodyOf }),
    async signIn(username, password) {
      const response = await ask({ method: 'POST', path: '/api/user/login/', body: { username, password } });
      if (!response.ok) throw await problemOf(response);
    },
    async signOut() {
      await call({ method: 'POST', path: '/api/user/logout/' });
    },
    async loadStation() {
      const askedAt = ports.now();
      const response = await call({ method: 'GET', path: '/api/station/' });
      const answeredAt = ports.now();
      const station = await bodyOf<Station>(response);
      return { station, clockSkewMs: skewOf(response.headers.get('date'), askedAt, answeredAt) };
    },
    async loadVersion() {
      const { version } = await bodyOf<{ version: string }>(await call({ method: 'GET', path: '/healthz' }));
      return version;
    },
    async send(deviceid, request) {
      return bodyOf<DeviceResult>(await call({ method: 'POST', path: devicePath(deviceid), body: request }));
    },
    async sendMany(requests) {
      return bodyOf<BulkResult[]>(await call({ method: 'POST', path: '/api/devices/', body: requests }));
    },
    async press(deviceid, button, hold) {
      const path = `/api/simulator/devices/${encodeURI(deviceid)}/press/`;
      await call({ method: 'POST', path, body: { button, hold } });
    },
    async acknowledge(deviceid, commandId, qty) {
      const body = { command_id: commandId, ...(qty === undefined ? {} : { qty }) };
      await call({ method: 'POST', path: `${devicePath(deviceid)}acknowledge/`, body });
    },
    async adjust(deviceid, commandId, quantity) {
      const body = { command_id: commandId, quantity };
      await call({ method: 'POST', path: `${devicePath(deviceid)}adjust/`, body });
    },
    async identify(deviceid) {
      await call({ method: 'POST', path: `${devicePath(deviceid)}identify/` });
    },
    async takeAway(deviceid, commandId) {
      await call({ method: 'DELETE', path: `${devicePath(deviceid)}commands/${commandId}/` });
    },
    async removeDevice(deviceid) {
      await call({ method: 'DELETE', path: devicePath(deviceid) });
    },
    async loadHistory({ deviceid, limit, after }) {
      const query = new URLSearchParams({ deviceid, limit: String(limit), ...(after === undefined ? {} : { after }) });
      return bodyOf<HistoryEntry[]>(await call({ method: 'GET', path: `/api/history/?${query}` }));
    },
    async loadTimeline(commandId) {
      return bodyOf<Timeline>(await call({ method: 'GET', path: `/api/history/commands/${commandId}/` }));
    },
    async changeSimulatedDevice(deviceid, change) {
      const path = `/api/simulator/devices/${encodeURI(deviceid)}/`;
      return bodyOf<SimulatedDeviceEntry>(await call({ method: 'PATCH', path, body: change }));
    },
    async addSimulatedDevices(count) {
      await call({ method: 'POST', path: '/api/simulator/devices/', body: { count } });
    },
    async replaceMap(map) {
      return bodyOf<StationMap>(await call({ method: 'PUT', path: '/api/map/', body: map }));
    },
    async addRack(rack) {
      return bodyOf<Rack>(await call({ method: 'POST', path: '/api/map/racks/', body: rack }));
    },
    async changeRack(id, change) {
      return bodyOf<Rack>(await call({ method: 'PATCH', path: rackPath(id), body: change }));
    },
    async removeRack(id) {
      await call({ method: 'DELETE', path: rackPath(id) });
    },
    async placeDevice(deviceid, cell) {
      return bodyOf<PlacedResult>(await call({ method: 'PUT', path: placePath(deviceid), body: cell }));
    },
    async unplaceDevice(deviceid) {
      await call({ method: 'DELETE', path: placePath(deviceid) });
    },
    async arrangeMap() {
      return bodyOf<StationMap>(await call({ method: 'POST', path: '/api/map/arrange/', body: {} }));
    },
    async registerDevice(device) {
      await call({ method: 'POST', path: '/api/device/', body: device });
    },
    async addAlias(alias) {
      return bodyOf<LocationAlias>(await call({ method: 'POST', path: ALIASES, body: alias }));
    },
    async changeAlias(id, alias) {
      return bodyOf<LocationAlias>(await call({ method: 'PUT', path: `${ALIASES}${id}/`, body: alias }));
    },
    async removeAlias(id) {
      await call({ method: 'DELETE', path: `${ALIASES}${id}/` });
    },
    async importAliases(csv, dry) {
      const body = { csv, dry_run: dry };
      const path = `${ALIASES}import/`;
      return bodyOf<LocationImport>(await call({ method: 'POST', path, body, timeoutMs: LONG_TIMEOUT_MS }));
    },
    async undoImport(rows) {
      const path = `${ALIASES}import/undo/`;
      return bodyOf<ImportUndo>(await call({ method: 'POST', path, body: { rows }, timeoutMs: LONG_TIMEOUT_MS }));
    },
    async replaceDevice(deviceid, by) {
      await call({ method: 'POST', path: `${devicePath(deviceid)}replace/`, body: { deviceid: by } });
    },
    async loadSettings() {
      return bodyOf<SettingsAnswer>(await call({ method: 'GET', path: '/api/settings/' }));
    },
    async changeSettings(change) {
      return bodyOf<SettingsAnswer>(await call({ method: 'PATCH', path: '/api/settings/', body: change }));
    },
    async changePassword(oldPassword, newPassword) {
      const body = { old_password: oldPassword, new_password: newPassword };
      await call({ method: 'POST', path: '/api/user/password/', body });
    },
    async setUp(password) {
      await call({ method: 'POST', path: '/api/setup/', body: { password } });
    },
    async setUpDemo() {
      return bodyOf<StationMap>(await call({ method: 'POST', path: '/api/setup/demo/' }));
    },
  };
}

/** Where a device's commands and statics are sent. */
export function devicePath(deviceid: string): string {
  return `/api/device/${encodeURI(deviceid)}/`;
}

function rackPath(id: string): string {
  return `/api/map/racks/${encodeURIComponent(id)}/`;
}

function placePath(deviceid: string): string {
  return `/api/map/places/${encodeURI(deviceid)}/`;
}

/** The station that served this page validates what it answers by the same types. */
async function bodyOf<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch {
    throw new ApiError('unreachable', texts.failure.unreadable);
  }
}

async function problemOf(response: Response): Promise<ApiError> {
  try {
    const problem = (await response.json()) as Partial<Problem>;
    const detail = problem.detail ?? problem.title ?? texts.failure.status(response.status);
    return new ApiError(problem.code ?? 'internal', detail, problem.errors ?? []);
  } catch {
    return new ApiError('internal', texts.failure.status(response.status));
  }
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
