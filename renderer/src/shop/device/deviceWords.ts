import type { Alert } from '#shared/api/alert.ts';
import type { Device } from '#shared/api/device.ts';
import { countWaiting } from '../../station/conditions.ts';
import { formatAgo, formatTimeLeft } from '../../station/time.ts';
import * as texts from '../../words/texts.ts';
import { dotted } from '../../words/dotted.ts';
import { isDark, type LedLight } from './ledTone.ts';

/** Describes an LED in words, so that color is never the only sign. */
export function ledWords(led: LedLight | undefined): string {
  if (led?.darkBy === 'brightness') return texts.device.unlitByBrightness;
  if (led === undefined || (led.mode === 'off' && led.darkBy === undefined)) return texts.device.unlit;
  if (isDark(led)) return texts.device.unlitByColor;
  const color = texts.colors[led.letter] ?? texts.colorOther(led.hex);
  const words = led.mode === 'blink' ? texts.device.blinking(color) : texts.device.steady(color);
  const { intensity = 1 } = led;
  return intensity < 1 ? texts.device.dim(words, Math.round(intensity * 100)) : words;
}

/** Explains why an LED is off although its command lights it. Returns an empty text for any other LED. */
export function darkWords(led: LedLight | undefined): string {
  return led?.darkBy === undefined ? '' : ledWords(led);
}

/**
 * Describes the most important problem of a device in a few words; empty if there is none. An undelivered command
 * comes first. `isLow` tells whether the device has a low-battery alert.
 */
export function careWords(device: Device, stationNow: number, isLow: boolean): string {
  const since = device.commands[0]?.unreachable_since ?? null;
  if (since !== null) {
    const sinceMs = stationNow - Date.parse(since);
    return sinceMs < 60_000 ? texts.device.undeliveredNow : texts.device.undelivered(formatAgo(sinceMs));
  }
  if (!device.online) {
    if (device.last_seen === null) return texts.device.offline;
    const silentMs = stationNow - Date.parse(device.last_seen);
    // Below a minute, omit the time: seconds would add nothing to "now".
    return silentMs < 60_000 ? texts.device.silentNow : texts.device.silent(formatAgo(silentMs));
  }
  return isLow ? texts.device.battery(device.battery ?? 0) : '';
}

/**
 * Describes when the station last heard from a device. Healthy devices report every few seconds, so seconds that
 * change all the time are not shown.
 */
export function heardWords(agoMs: number): string {
  return agoMs < 10_000 ? texts.panel.heardNow : texts.panel.heard(formatAgo(agoMs));
}

/** Describes how long the shown command stays, and how many commands wait after it, such as `0:52 · +1 waiting`. */
export function progressWords(device: Device, stationNow: number): string {
  // For an unreachable device, the problem is shown instead.
  if (device.commands[0]?.delivery === 'unreachable') return '';
  const expiresAt = device.commands.find((command) => command.state === 'shown')?.expires_at ?? null;
  const waiting = countWaiting(device);
  return dotted(
    expiresAt === null ? '' : formatTimeLeft(Date.parse(expiresAt) - stationNow),
    waiting === 0 ? '' : texts.device.waiting(waiting),
  );
}

const words = texts.alerts;

/** Formats an alert's name with its value, such as `Battery low, 12 %`. */
export function alertWords({ kind, value }: Pick<Alert, 'kind' | 'value'>): string {
  const name = words.kinds[kind];
  if (value === null) return name;
  if (kind === 'battery_low') return `${name}, ${words.percent(value)}`;
  if (kind === 'signal_weak') return `${name}, ${words.dbm(value)}`;
  return name;
}
