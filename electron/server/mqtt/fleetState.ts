import { DEVICE_ID_PATTERN } from '#shared/api/device.ts';
import {
  type FleetStation,
  type PublishedInfo,
  publishedDeviceSchema,
  publishedOrderSchema,
} from '#shared/api/fleet.ts';
import type { OrderState } from '#shared/api/order.ts';
import type { Clock } from '../ports.ts';
import { isObject } from './isObject.ts';

/** Maximum number of searchable lit lines per device. */
const MAX_LINES = 10;

/** Searchable texts, each with the name of the field that contains it. */
type Texts = readonly (readonly [matched: 'order_number' | 'deviceid' | 'label' | 'static' | 'lit', text: string])[];
export type DeviceState = { label: string; isLit: boolean; isOnline: boolean; battery: number | null; texts: Texts };
export type OrderEntry = { state: OrderState; needsAttention: boolean; texts: Texts };

export type Counts = Pick<FleetStation, 'devices' | 'orders'>;

/** What is known about a station. Times are in epoch milliseconds, except for `askedMs`. */
export type Watched = {
  id: string;
  availability: FleetStation['availability'];
  since: number | null;
  heardAt: number | null;
  info: PublishedInfo | undefined;
  protocol: number | null;
  /** `instance` of `info`, then the previous one if it was different. An empty text means unknown. */
  instances: readonly string[];
  /** The `info` of another instance that arrived while the station was online, and the monotonic time when this instance was first seen. */
  claim: { instance: string; text: string; sinceMs: number } | undefined;
  /** Why `info` cannot be used. Null if `info` is usable or missing. */
  problem: string | null;
  /** Why the broker refused the subscription to the station's devices and orders, or null. */
  refusal: string | null;
  /** Monotonic time of the subscription to the station's devices and orders, in milliseconds. */
  askedMs: number | undefined;
  /** Whether the broker has sent a message from the station since the connection began. */
  isHeardAgain: boolean;
  /** Topics with unreadable messages. */
  unreadable: Set<string>;
  devices: Map<string, DeviceState>;
  orders: Map<string, OrderEntry>;
  /** Cached counts, or undefined if they were not computed since the last change. */
  counts: Counts | undefined;
};

/** Limits for memory. `states` limits the number of devices and orders of all stations together. */
export type FleetLimits = { stations: number; states: number };

/** What is known about all stations below the prefix. */
export type KnownFleet = {
  clock: Pick<Clock, 'now' | 'monotonic'>;
  prefix: string;
  /** Id of this station. Empty if this station publishes nothing. */
  own: string;
  limits: FleetLimits;
  stations: Map<string, Watched>;
  /** Number of devices and orders of all stations. */
  states: number;
  /** Whether something was left out because of a limit since the connection began. */
  isFull: boolean;
};

/** Reads the state of a device. Returns undefined if the text is unreadable. */
export function readDevice(id: string, text: string): DeviceState | undefined {
  const device = DEVICE_ID_PATTERN.test(id) ? publishedDeviceSchema.safeParse(parse(text)).data : undefined;
  if (device === undefined) return undefined;
  const { locationoverride: label, statica, staticb, staticc, staticd, statice, commands, online, battery } = device;
  const shown = commands.filter(({ state }) => state === 'shown');
  const lit = shown.flatMap(({ line1, line2, line3, line4, line5 }) => [line1, line2, line3, line4, line5]);
  const texts = [
    ['label', label] as const,
    ['deviceid', id] as const,
    ...[statica, staticb, staticc, staticd, statice].map((line) => ['static', line] as const),
    ...lit.slice(0, MAX_LINES).map((line) => ['lit', line] as const),
  ].filter(([, line]) => line !== '');
  return { label, isLit: shown.length > 0, isOnline: online, battery, texts };
}

/** Reads the progress of an order. Returns undefined if the text is unreadable. */
export function readOrder(text: string): OrderEntry | undefined {
  const order = publishedOrderSchema.safeParse(parse(text)).data;
  if (order === undefined) return undefined;
  const { order_number: number, state, attention } = order;
  return { state, needsAttention: attention.length > 0, texts: [['order_number', number]] };
}

/** Returns the `instance` of an `info`, which is new at each start of a station, or an empty text. */
export function instanceOf(info: unknown): string {
  const instance = isObject(info) ? info['instance'] : undefined;
  return typeof instance === 'string' ? instance : '';
}

/** Parses JSON. Returns undefined if the text is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
