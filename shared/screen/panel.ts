import { SCREEN_HEIGHT, SCREEN_WIDTH } from './content.ts';
import { QR_MODULES, QR_QUIET_MODULES } from './qrcode.ts';
import type { TextSize } from './sheets.ts';

/** Width and height in pixels. */
export type ScreenSize = { readonly width: number; readonly height: number };

/**
 * A screen for which to lay out content: the usual one, or one with more pixels on which everything has the same apparent size as on the
 * usual one.
 */
export type Panel = ScreenSize & {
  /** Converts a length on the usual screen to pixels of this screen. */
  of: (pixels: number) => number;
  /** Side of a QR code including its quiet zone: `qrSide` above a barcode, and `largeQrSide` as large as possible. */
  qrSide: number;
  largeQrSide: number;
  largeQrModule: number;
  labelSizes: readonly TextSize[];
  /** Largest text sizes: of a single line, of the first of several lines, and of the other lines. */
  largest: { alone: TextSize; first: TextSize; further: TextSize };
};

/** Height reserved for a barcode, on the usual screen. */
const STRIP = 32;
const MIN_MARGIN = 1;
const QR_TOP = 4;

const USUAL_TEXT = {
  labelSizes: [17, 16, 15],
  largest: { alone: 64, first: 44, further: 32 },
} as const;
const LARGER_TEXT = {
  labelSizes: [20, 17, 16, 15],
  largest: { alone: 104, first: 64, further: 44 },
} as const;

/** Returns the proportions of a screen. `factor` is its number of pixels per pixel of the usual screen. */
export function createPanel({ width, height }: ScreenSize, factor: number): Panel {
  const of = (pixels: number) => Math.round(pixels * factor);
  const modules = QR_MODULES + 2 * QR_QUIET_MODULES;
  const largeQrModule = Math.floor((height - 2 * MIN_MARGIN) / modules);
  return {
    width,
    height,
    of,
    qrSide: Math.floor((height - of(STRIP) - of(QR_TOP)) / modules) * modules,
    largeQrSide: largeQrModule * modules,
    largeQrModule,
    ...(factor > 1 ? LARGER_TEXT : USUAL_TEXT),
  };
}

/** The usual screen of 296 x 128 pixels. */
export const USUAL_PANEL = createPanel({ width: SCREEN_WIDTH, height: SCREEN_HEIGHT }, 1);

/** Screens that are laid out like the usual one. */
const panels = [
  USUAL_PANEL,
  createPanel({ width: 384, height: 168 }, 1.297),
  createPanel({ width: 522, height: 152 }, 1.1875),
];

/** Returns the panel of this size, or undefined if screens of this size have a different layout. */
export function findPanel({ width, height }: ScreenSize): Panel | undefined {
  return panels.find((panel) => panel.width === width && panel.height === height);
}
