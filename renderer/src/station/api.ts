import type { DeviceRequest, DeviceResult } from '#shared/api/device.ts';
import type { Problem } from '#shared/api/problem.ts';
import type { Station } from '#shared/api/station.ts';
import { texts } from '../ui/texts.ts';
import { ApiError } from './apiError.ts';

export type Button = 'front' | 'plus' | 'minus';
export type Hold = 'short' | 'long';

/** A snapshot, and how far this machine's clock is ahead of the station's in milliseconds. */
export type Snapshot = { station: Station; clockSkewMs: number };

/** What the window asks of the station. Every call rejects with an `ApiError`. */
export type Api = {
  signIn(username: string, password: string): Promise<void>;
  signOut(): Promise<void>;
  loadStation(): Promise<Snapshot>;
  send(deviceid: string, request: DeviceRequest): Promise<DeviceResult>;
  press(deviceid: string, button: Button, hold: Hold): Promise<void>;
  addSimulatedDevices(count: number): Promise<void>;
};

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
/** The station tells its time in whole seconds: less than this is no difference. */
const SMALLEST_SKEW_MS = 2_000;

type Call = { method: 'GET' | 'POST'; path: string; body?: object };

/** The station's REST API, as the window uses it. */
export function createApi(ports: ApiPorts): Api {
  async function ask({ method, path, body }: Call): Promise<Response> {
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
        signal: AbortSignal.timeout(TIMEOUT_MS),
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
    async send(deviceid, request) {
      return bodyOf<DeviceResult>(await call({ method: 'POST', path: devicePath(deviceid), body: request }));
    },
    async press(deviceid, button, hold) {
      const path = `/api/simulator/devices/${encodeURI(deviceid)}/press/`;
      await call({ method: 'POST', path, body: { button, hold } });
    },
    async addSimulatedDevices(count) {
      await call({ method: 'POST', path: '/api/simulator/devices/', body: { count } });
    },
  };
}

/** Where a device's commands and statics are sent. */
export function devicePath(deviceid: string): string {
  return `/api/device/${encodeURI(deviceid)}/`;
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
