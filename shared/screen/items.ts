import type { Arrow, ElementName } from './content.ts';
import type { IconSize } from './iconSheets.ts';
import type { ScreenSize } from './panel.ts';
import type { FigureSize, TextSize } from './sheets.ts';
import { measureInk, measureText, type Codes } from './text.ts';

/** A rectangle on the screen in pixels. `x` and `y` are its upper left corner. */
export type Rect = { x: number; y: number; width: number; height: number };

/** The part of a screen to which an item belongs: an element of the content, or a part of the header. */
export type ItemOwner = ElementName | 'label' | 'battery';

export type TextItem = Rect & {
  kind: 'text';
  owner: ItemOwner;
  /** Code points, or -1 for a character that is drawn as a box. The baseline is at `y + height`. */
  codes: Codes;
  size: TextSize | FigureSize;
};
export type FrameItem = Rect & { kind: 'frame'; owner: ItemOwner; border: number };
type ArrowItem = Rect & { kind: 'arrow'; owner: ItemOwner; arrow: Arrow };
/** The bars of a barcode without their quiet zone, each module `module` pixels wide. */
export type BarcodeItem = Rect & { kind: 'barcode'; owner: ItemOwner; text: string; module: number };
/** The modules of a QR code without their quiet zone, each `module` pixels wide and high. */
export type QrcodeItem = Rect & { kind: 'qrcode'; owner: ItemOwner; text: string; module: number };
/** An icon in one of the sizes of `ICON_SIZES`. */
export type IconItem = Rect & { kind: 'icon'; owner: ItemOwner; char: string; size: IconSize };

/** An item of a layout, as plain data that can be stored and compared. */
export type DrawnItem = TextItem | FrameItem | ArrowItem | BarcodeItem | QrcodeItem | IconItem;
/** Items in drawing order. `size` is undefined for a screen of 296 x 128 pixels. */
export type Layout = { size?: ScreenSize; items: readonly DrawnItem[] };

/** Places a text with its first pen position at `x` and its capitals on `baseline`. */
export function placeText(
  owner: ItemOwner,
  codes: Codes,
  size: TextSize | FigureSize,
  { x, baseline, capHeight }: { x: number; baseline: number; capHeight: number },
): TextItem {
  const width = measureText(codes, size);
  return { kind: 'text', owner, codes, size, x, y: baseline - capHeight, width, height: capHeight };
}

/** Centers the capitals of a text in a place. Moves the text if an accent or descender would leave the place. */
export function placeCentred(
  owner: ItemOwner,
  codes: Codes,
  size: TextSize | FigureSize,
  place: Rect,
  capHeight: number,
): TextItem {
  const ink = measureInk(codes, size);
  const x = place.x + Math.round((place.width - (ink.right - ink.left)) / 2) - ink.left;
  const centered = place.y + Math.round((place.height - capHeight) / 2) + capHeight;
  const baseline = Math.max(place.y - ink.top, Math.min(centered, place.y + place.height - ink.bottom));
  return placeText(owner, codes, size, { x, baseline, capHeight });
}

/** Returns a rectangle that is smaller by these numbers of pixels on each side. Negative numbers make it larger. */
export function inset({ x, y, width, height }: Rect, across: number, down: number): Rect {
  return { x: x + across, y: y + down, width: width - 2 * across, height: height - 2 * down };
}
