import { AccessPointError, type AccessPointAnswer } from './accessPointHttp.ts';

/** An access point's data about a tag; only the fields that the station uses. */
export type TagRecord = {
  /** MAC address as 16 upper-case hexadecimal digits. */
  mac: string;
  /** The last item that the tag received, as 32 hexadecimal digits: the hash of an image, or the beginning of an LED program. */
  hash: string;
  /** The tag's last check-in, in seconds of the access point's clock. */
  lastseen: number;
  /** Number of items queued for the tag. */
  pending: number;
  rssi: number;
  batteryMv: number;
  hwType: number;
  wakeupReason: number;
  /** Whether another access point serves the tag. */
  isExternal: boolean;
  /** Number of items that the tag has received. */
  updateCount: number;
};

/** A tag type: screen size in pixels, and other hardware. */
export type TagType = { name: string; width: number; height: number; hasButton: boolean; hasLed: boolean };

export type AccessPointInfo = { alias: string; version: number };

/** One page of the tag list. `next` is the position of the next page, or undefined on the last page. */
export type TagPage = { records: TagRecord[]; next: number | undefined };

type Json = { readonly [name: string]: unknown };

const MAC = /^(?:[0-9a-f]{12}|[0-9a-f]{16})$/i;
const HASH = /^[0-9a-f]{32}$/;
const MAX_SIDE = 2_000;
const MAX_TEXT = 100;

/** Parses a JSON object. Returns undefined for any other text. */
export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses the information about an access point. Throws an Error for the user if it is not an OpenEPaperLink access point. */
export function parseInfo(base: string, answer: AccessPointAnswer): AccessPointInfo {
  const text = answer.body.toString('utf8');
  if (/html/i.test(answer.type) || /^\s*</.test(text)) {
    throw new AccessPointError(
      `${base} answers with a web page, not as an OpenEPaperLink access point. Give the address of the access point itself, such as http://192.168.1.20/.`,
    );
  }
  const info = answer.status === 200 ? parseObject(text) : undefined;
  if (info === undefined || !('buildversion' in info || 'ap_version' in info)) {
    throw new AccessPointError(`${base} answers, but it is not an OpenEPaperLink access point.`);
  }
  return { alias: textOf(info['alias']), version: wholeOf(info['ap_version'], 0xffff) };
}

export function parsePage(text: string): TagPage | undefined {
  const page = parseObject(text);
  const tags = page?.['tags'];
  if (page === undefined || !Array.isArray(tags)) return undefined;
  const next = page['continu'];
  return { records: parseRecords(tags), next: typeof next === 'number' && next > 0 ? next : undefined };
}

/** Parses tag records. Skips elements that are not tag records. */
export function parseRecords(tags: readonly unknown[]): TagRecord[] {
  return tags.flatMap((tag) => {
    if (!isObject(tag)) return [];
    const mac = textOf(tag['mac']);
    if (!MAC.test(mac)) return [];
    const hash = textOf(tag['hash']);
    return {
      mac: mac.toUpperCase().padStart(16, '0'),
      hash: HASH.test(hash) ? hash : '',
      lastseen: wholeOf(tag['lastseen'], 0xffff_ffff),
      pending: wholeOf(tag['pending'], 0xffff),
      rssi: Math.max(-128, Math.min(0, Math.trunc(Number(tag['RSSI']) || 0))),
      batteryMv: wholeOf(tag['batteryMv'], 0xffff),
      hwType: wholeOf(tag['hwType'], 0xff),
      wakeupReason: wholeOf(tag['wakeupReason'], 0xff),
      isExternal: tag['isexternal'] === true,
      updateCount: wholeOf(tag['updatecount'], 0xffff_ffff),
    };
  });
}

/** Parses a tag type. Returns undefined if the text does not describe a screen. */
export function parseTagType(text: string): TagType | undefined {
  const type = parseObject(text);
  const [width, height] = [wholeOf(type?.['width'], MAX_SIDE), wholeOf(type?.['height'], MAX_SIDE)];
  if (type === undefined || width === 0 || height === 0) return undefined;
  const options = Array.isArray(type['options']) ? type['options'] : [];
  return {
    name: textOf(type['name']),
    width,
    height,
    hasButton: options.includes('button'),
    hasLed: options.includes('led'),
  };
}

/** Returns the DeviceID of a tag, such as `A0B1C2:D3E4F5`: the last 12 digits of its MAC. */
export function deviceIdOf(mac: string): string {
  const id = mac.slice(-12).toUpperCase();
  return `${id.slice(0, 6)}:${id.slice(6)}`;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  // Ignore text with a replacement character: its bytes were not UTF-8.
  if (typeof value !== 'string' || value.includes('\uFFFD')) return '';
  return value.slice(0, MAX_TEXT).replace(/\p{C}/gu, '');
}

function wholeOf(value: unknown, most: number): number {
  const whole = Math.trunc(Number(value));
  return whole >= 0 && whole <= most ? whole : 0;
}
