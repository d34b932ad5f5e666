import type { ScreenContent } from '#shared/screen/content.ts';
import { drawScreen } from '#shared/screen/raster.ts';
import type { Show } from '../../ports.ts';
import {
  CAN_DRAW_BITMAPS,
  CAN_DRAW_FIELDS,
  HAS_NO_SCREEN,
  type Body,
  type RequestMessage,
} from '../frames/protocol/messages.ts';
import { packBits } from '../frames/protocol/packBits.ts';

/** Maximum size of a sound. Leaves room in a frame for five full lines and everything else, or for a bitmap. */
const LONGEST_SOUND_BYTES = 3_000;

const SAME = { form: 'same' } as const;

/** A message with content that a device displays now or, in the case of a background, after a command. */
export type ShowMessage = Extract<RequestMessage, { name: 'show' | 'keep' }>;

export type DrawingDevice = { capabilities: number; firmware: number; batteryMv: number };

/**
 * Returns the message that makes a device display a show. With `same`, the message refers to content that the device already has; otherwise
 * it contains fields or a bitmap, depending on the device's capabilities. Returns undefined if the device can draw neither.
 */
export function showMessage(
  deviceId: string,
  show: Show,
  device: DrawingDevice,
  same: boolean,
): ShowMessage | undefined {
  const screen = same ? SAME : screenForm(show.screen, device);
  if (screen === undefined) return undefined;
  const body = {
    device: deviceId,
    token: show.token,
    checksum: show.checksum,
    seconds: show.seconds,
    quantity: show.quantity ?? undefined,
    led: show.led.mode,
    color: parseHex(show.led.hex),
    brightness: show.brightness,
    fixedBrightness: show.led.fixedBrightness,
    sound: show.sound.length > LONGEST_SOUND_BYTES ? '' : show.sound,
    screen,
  };
  return { name: 'show', body };
}

/**
 * Returns the message that sets the background of a device while it displays a command. Returns undefined if the device cannot draw the
 * background.
 */
export function keepMessage(
  deviceId: string,
  background: Show,
  device: DrawingDevice,
  same: boolean,
): ShowMessage | undefined {
  const screen = same ? SAME : screenForm(background.screen, device);
  return screen && { name: 'keep', body: { device: deviceId, checksum: background.checksum, screen } };
}

function screenForm(content: ScreenContent, device: DrawingDevice): Body<'show'>['screen'] | undefined {
  // A device without a screen needs only the token and the light.
  if ((device.capabilities & HAS_NO_SCREEN) !== 0) return SAME;
  if ((device.capabilities & CAN_DRAW_FIELDS) !== 0) {
    return {
      form: 'fields',
      label: content.label,
      lines: content.lines,
      quantity: content.quantity ?? undefined,
      arrow: content.arrow ?? undefined,
      barcode: content.barcode,
      qrcode: content.qrcode,
      icon: content.icon,
    };
  }
  if ((device.capabilities & CAN_DRAW_BITMAPS) === 0) return undefined;
  const { bytes } = drawScreen(content, { firmware: device.firmware, batteryMv: device.batteryMv });
  const packed = packBits(bytes);
  return packed.length < bytes.length
    ? { form: 'bitmap', packing: 'packBits', pixels: packed }
    : { form: 'bitmap', packing: 'raw', pixels: bytes };
}

/** Parses `#RRGGBB` or `RRGGBB` to a number. Anything else is black, which means off. */
function parseHex(hex: string): number {
  const color = Number.parseInt(hex.startsWith('#') ? hex.slice(1) : hex, 16);
  return Number.isNaN(color) ? 0 : color;
}
