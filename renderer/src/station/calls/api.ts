import type { BulkResult, DeviceRequest } from '#shared/api/device.ts';
import type { CallbackReceiverChange, CallbackReceiverEntry } from '#shared/api/callbackReceiver.ts';
import type { MapReplacement, Rack, RackChange, StationMap, Zone, ZoneChange } from '#shared/api/map.ts';
import type { InputOf } from '#shared/api/routes.ts';
import type { SettingsAnswer, SettingsChange } from '#shared/api/settings.ts';
import type { Station } from '#shared/api/station.ts';
import { MAX_REQUESTS } from '#shared/lib/devices/deviceLimits.ts';
import * as texts from '../../words/texts.ts';
import { ApiError } from '../../words/apiError.ts';
import { type CallOptions, createCall, type Operations, operationsOf, type TagOf } from './call.ts';
import { articleApi } from './articleApi.ts';
import { cartApi } from './cartApi.ts';
import { importApi } from './importApi.ts';
import { workApi } from './workApi.ts';

type SimulatedPress = NonNullable<InputOf<'pressSimulatedDevice'>['body']>;
export type SimulatedButton = NonNullable<SimulatedPress['button']>;
export type SimulatedHold = NonNullable<SimulatedPress['hold']>;
export type AddressedRequest = DeviceRequest & { deviceid: string };
export type SimulatedChange = InputOf<'changeSimulatedDevice'>['body'];

/**
 * A change to an object of the station. `seen` is the object's state that the person saw, needed only if a change by
 * somebody else matters.
 */
type Change<Fields, State> = { id: string; change: Fields; seen?: State | undefined };

/** A snapshot of the station, and the number of milliseconds by which this machine's clock is ahead of the station's. */
export type Snapshot = { station: Station; clockSkewMs: number };

export type ApiPorts = {
  fetch: typeof fetch;
  /** Returns the cookies that scripts can read, in the form of `document.cookie`. */
  cookies(): string;
  now(): number;
  /** Called when the station answers that nobody is signed in, except if the request was a sign-in. */
  onSignedOut(): void;
  /** Called when a write is refused because another tab of this browser has started a new session. */
  onOtherSession(): void;
};

/**
 * Query that requests cookies with the station's id in their names, so that two stations at one host do not sign each
 * other out.
 */
const PAGE = { page: '1' } as const;

/**
 * Minimum clock difference in milliseconds. Smaller differences are ignored, because the station sends its time in
 * whole seconds.
 */
const SMALLEST_SKEW_MS = 2_000;

/**
 * The REST API as the page uses it: every operation, and the page's own calls. Every call rejects with an `ApiError`
 * if it fails.
 */
export type Api = Omit<Operations, keyof OwnCalls> & OwnCalls;

/** Calls that do more than send one request. They replace the operations of the same names. */
export type OwnCalls = ReturnType<typeof createCalls>['own'];

export function createApi(ports: ApiPorts): Api {
  const { call, own } = createCalls(ports);
  return { ...operationsOf(call), ...own };
}

function createCalls(ports: ApiPorts) {
  /** Id of the station, or undefined before the first snapshot. */
  let stationId: string | undefined;
  const tokenIn = (cookies: string) => cookie(cookies, `pickstation-csrf-${stationId}`) || cookie(cookies, 'csrftoken');
  /**
   * CSRF token of the session whose snapshot this page shows. If somebody else signs in on another tab, the station refuses writes
   * with this token instead of attributing them to that person.
   */
  let ownToken: string | undefined;
  const call = createCall({ ...ports, csrfToken: () => ownToken ?? tokenIn(ports.cookies()) });
  const { tags, tagged, tagOf } = createTags();
  const beginSession = async (answer: Promise<unknown>): Promise<void> => {
    await answer;
    ownToken = undefined;
  };

  const own = {
    /**
     * Changes a receiver. `seen` is the state that the person saw. Rejects with `changed` if somebody else has since
     * changed one of the fields.
     */
    async changeCallbackReceiver({ id, change, seen }: Change<CallbackReceiverChange, CallbackReceiverEntry>) {
      const path = { id };
      const ifMatch = seen && (await tagOf(change, seen, (options) => call('getCallbackReceiver', { path }, options)));
      return call('changeCallbackReceiver', { path, body: change }, { ifMatch });
    },
    /** Removes a receiver. `seen` is the receiver as the person saw it. */
    async removeCallbackReceiver(id: string, seen?: CallbackReceiverEntry) {
      const path = { id };
      const all = seen && { name: seen.name, url: seen.url, families: seen.families, paused: seen.paused };
      const ifMatch = all && (await tagOf(all, seen, (options) => call('getCallbackReceiver', { path }, options)));
      return call('removeCallbackReceiver', { path }, { ifMatch });
    },
    ...workApi(call, tagOf),
    ...articleApi(call, tagOf),
    ...cartApi(call, tagOf),
    ...importApi(call, tagOf),
    signIn: (body: InputOf<'signIn'>['body']) => beginSession(call('signIn', { query: PAGE, body })),
    signInWithPin: (body: InputOf<'signInWithPin'>['body']) =>
      beginSession(call('signInWithPin', { query: PAGE, body })),
    async loadStation(): Promise<Snapshot> {
      const askedAt = ports.now();
      const cookies = ports.cookies();
      let clockSkewMs = 0;
      const onHeaders = (headers: Headers): void => {
        clockSkewMs = skewOf(headers.get('date'), askedAt, ports.now());
      };
      const station = await call('getStation', undefined, { onHeaders });
      // If the token changed during the request, it is unclear whose snapshot this is: wait for a later one.
      stationId = station.id;
      const token = tokenIn(cookies);
      if (token === tokenIn(ports.cookies())) ownToken = token;
      return { station, clockSkewMs };
    },
    /**
     * Sends requests to many devices, in as few calls as possible. The results have the same order as the requests,
     * each with its own status.
     */
    async sendMany(requests: readonly AddressedRequest[]): Promise<readonly BulkResult[]> {
      const all: BulkResult[] = [];
      for (let start = 0; start < requests.length; start += MAX_REQUESTS) {
        // oxlint-disable-next-line no-await-in-loop -- commands of one device keep their order
        const results = await call('sendToDevices', { body: requests.slice(start, start + MAX_REQUESTS) });
        // A list of requests is answered with a list.
        if (!Array.isArray(results)) throw new ApiError('unreachable', texts.failure.unreadable);
        all.push(...results);
      }
      return all;
    },
    /**
     * Replaces the whole map, for example for undo. `isExpected` returns whether the change still fits the current
     * map. Rejects with `changed` if it does not.
     */
    async replaceMap(map: MapReplacement, isExpected?: (now: StationMap) => boolean) {
      if (isExpected === undefined) return call('replaceMap', { body: map });
      const now = await tagged((options) => call('getMap', undefined, options));
      if (!isExpected(now)) throw new ApiError('changed', texts.failure.changed);
      return call('replaceMap', { body: map }, { ifMatch: tags.get(now) });
    },
    /**
     * Changes a rack. `seen` is the state that the person saw. Rejects with `changed` if somebody else has since
     * changed one of the fields.
     */
    async changeRack({ id, change, seen }: Change<RackChange, Rack>) {
      const path = { id };
      const ifMatch = seen && (await tagOf(change, seen, (options) => call('getRack', { path }, options)));
      return call('changeRack', { path, body: change }, { ifMatch });
    },
    /** Changes a zone. `seen` has the same effect as for `changeRack`. */
    async changeZone({ id, change, seen }: Change<ZoneChange, Zone>) {
      const path = { id };
      const ifMatch = seen && (await tagOf(change, seen, (options) => call('getZone', { path }, options)));
      return call('changeZone', { path, body: change }, { ifMatch });
    },
    getSettings: () => tagged((options) => call('getSettings', undefined, options)),
    /**
     * Returns all settings after the change. `read` contains the settings that the person saw. Rejects with `changed`
     * if somebody else has since changed one of the changed settings.
     */
    changeSettings: (change: SettingsChange, read?: SettingsAnswer) =>
      tagged((options) =>
        call(
          'changeSettings',
          { body: change },
          { ...options, ifMatch: read === undefined ? undefined : tags.get(read) },
        ),
      ),
  };
  return { call, own };
}

/** Keeps the entity tag of each object that was read, so that a change applies only to the state that was read. */
function createTags() {
  /** Entity tags, by the object that was read from the station. */
  const tags = new WeakMap<object, string>();
  const tagged = async <T extends object>(ask: (options: CallOptions) => Promise<T>): Promise<T> => {
    let tag: string | null = null;
    const onHeaders = (headers: Headers): void => {
      tag = headers.get('etag');
    };
    const answer = await ask({ onHeaders });
    if (tag !== null) tags.set(answer, tag);
    return answer;
  };
  const tagOf: TagOf = async (change, seen, read) => {
    const now = await tagged(read);
    const isOther = (Object.keys(change) as (keyof typeof seen)[]).some(
      (field) => field in seen && JSON.stringify(seen[field]) !== JSON.stringify(now[field]),
    );
    if (isOther) throw new ApiError('changed', texts.failure.changed);
    return tags.get(now);
  };
  return { tags, tagged, tagOf };
}

function cookie(cookies: string, name: string): string {
  for (const pair of cookies.split(';')) {
    const [key, ...value] = pair.trim().split('=');
    if (key === name) return decodeURIComponent(value.join('='));
  }
  return '';
}

/**
 * Returns the number of milliseconds by which this clock is ahead of the station's. The station set the header during
 * the call, rounded down to a second.
 */
function skewOf(date: string | null, askedAt: number, answeredAt: number): number {
  const stationTime = Date.parse(date ?? '') + 500;
  const skew = (askedAt + answeredAt) / 2 - stationTime;
  return Math.abs(skew) < SMALLEST_SKEW_MS || Number.isNaN(skew) ? 0 : Math.round(skew);
}
