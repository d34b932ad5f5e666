import type { Device } from '#shared/api/device.ts';
import { parseColor } from '#shared/led/color.ts';
import { seenLed, type SeenLed } from '#shared/led/seen.ts';

/** Returns the light of a device as seen on the shelf, including brightness. Returns undefined before the device's first report. */
export function seenLight({ displayed, commands, brightness }: Device): SeenLed | undefined {
  if (displayed === null) return undefined;
  const { command_id: shownId, led } = displayed;
  const shown = led.mode === 'off' ? undefined : commands.find((command) => command.command_id === shownId);
  // Whether a color has a fixed brightness is known only from the command.
  const fixedBrightness = shown !== undefined && parseColor(shown.color)?.fixedBrightness === true;
  return seenLed({ ...led, fixedBrightness }, brightness);
}
