import type { Capabilities } from '#shared/api/device.ts';
import type { ScreenContent } from '#shared/screen/content.ts';
import type { ScreenSize } from '#shared/screen/panel.ts';

/**
 * The LED while a screen is shown. `fixedBrightness` is true if the color includes its brightness, so that the device's setting is ignored.
 */
export type Led = { mode: 'off' | 'steady' | 'blink'; hex: string; fixedBrightness: boolean };

/** What a device should show. Created by the engine, and transported by a turbo. */
export type Show = {
  /** Identifies what is shown, so that presses can refer to it: 1 to 2^32-1 for a command, 0 for the device's static texts. */
  token: number;
  screen: ScreenContent;
  /** CRC-32 of the screen content without the battery readout. If it is equal, no refresh is needed. */
  checksum: number;
  led: Led;
  /** Brightness in percent, from the device's setting. */
  brightness: number;
  /** Canonical encoding (`tempo,note,beats,...`); empty for silence. */
  sound: string;
  /** Seconds until the device ends the show; 0 if it never ends. */
  seconds: number;
  /** Initial value for plus and minus; null if there is no quantity. */
  quantity: number | null;
};

/** Hardware of a device, as reported. */
export type DeviceHardware = Capabilities & { firmware: number };

/** A turbo's last report about a device. Kept in memory, and saved once a minute. */
export type DeviceStatus = DeviceHardware & {
  batteryMv: number;
  rssiDbm: number;
  uptimeS: number;
  /**
   * Token on the screen now, or 0 for static texts, and checksum of the content; undefined if the screen shows nothing from this station.
   */
  shownToken: number;
  shownChecksum: number | undefined;
  /** Milliseconds until the device ends what it shows; undefined if it never ends. */
  remainingMs: number | undefined;
  reachable: boolean;
  /** Size in pixels; 296 x 128 if undefined. */
  screenSize?: ScreenSize;
};
