import type { Capabilities } from '#shared/api/device.ts';
import type { ScreenContent } from '#shared/screen/content.ts';
import type { ScreenSize } from '#shared/screen/panel.ts';

/** The LED of a screen. `fixedBrightness`: the color includes its brightness, and the device's setting is ignored. */
export type Led = { mode: 'off' | 'steady' | 'blink'; hex: string; fixedBrightness: boolean };

/** What a device should show: created by the engine, transported by a turbo. */
export type Show = {
  /** Identifies what is shown, so that a press refers to it: 1 to 2^32-1 for a command, 0 for statics. */
  token: number;
  screen: ScreenContent;
  /** CRC-32 of the screen content without the battery read-out: if equal, no refresh is needed. */
  checksum: number;
  led: Led;
  /** In percent, from the device's setting. */
  brightness: number;
  /** Canonical encoding (`tempo,note,beats,...`), empty for silence. */
  sound: string;
  /** Seconds until the device ends it; 0: never. */
  seconds: number;
  /** Initial value for plus and minus; null without a quantity. */
  quantity: number | null;
};

/** The capabilities of a device, as reported. */
export type DeviceHardware = Capabilities & { firmware: number };

/** Last report of a turbo about a device. In memory, saved once a minute. */
export type DeviceStatus = DeviceHardware & {
  batteryMv: number;
  rssiDbm: number;
  uptimeS: number;
  /** Token on its screen now (0: statics), and checksum of its content; undefined if it shows nothing of ours. */
  shownToken: number;
  shownChecksum: number | undefined;
  /** Milliseconds until the device ends what it shows; undefined: never. */
  remainingMs: number | undefined;
  reachable: boolean;
  /** Left out: 296 x 128. */
  screenSize?: ScreenSize;
};
