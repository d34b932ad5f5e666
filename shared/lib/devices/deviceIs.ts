import type { Arrow } from '../../screen/content.ts';

/** Positions of a device relative to its place. See the contract, section 6. */
export const DEVICE_IS = [
  'Above',
  'Below',
  'to the Left of',
  'to the Right of',
  'Above and to the Left of',
  'Above and to the Right of',
  'Below and to the Left of',
  'Below and to the Right of',
] as const;
export type DeviceIs = (typeof DEVICE_IS)[number];

/** The arrow from the device to the place, which points in the opposite direction. */
const ARROW_TO_PLACE = {
  Above: 'bottom',
  Below: 'top',
  'to the Left of': 'right',
  'to the Right of': 'left',
  'Above and to the Left of': 'bottomright',
  'Above and to the Right of': 'bottomleft',
  'Below and to the Left of': 'topright',
  'Below and to the Right of': 'topleft',
} as const satisfies Record<DeviceIs, Arrow>;

const BY_KEY: ReadonlyMap<string, DeviceIs> = new Map(DEVICE_IS.map((phrase) => [keyOf(phrase), phrase]));

/** Returns the canonical phrase, ignoring case and extra spaces, or undefined if the text is not such a phrase. */
export function parseDeviceIs(text: string): DeviceIs | undefined {
  return BY_KEY.get(keyOf(text));
}

/** Returns the arrow on the device that points to the place. */
export function arrowToPlace(deviceIs: DeviceIs): Arrow {
  return ARROW_TO_PLACE[deviceIs];
}

function keyOf(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
