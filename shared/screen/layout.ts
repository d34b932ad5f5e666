import { placeAlone } from './alone.ts';
import { placeBarcodeStrip } from './codes.ts';
import { compose, type Composition } from './composition.ts';
import { countElements, type ScreenContent } from './content.ts';
import { placeGraphic } from './graphicArea.ts';
import { headerPitch, isEmpty, isTooLong, placeHeader, readHeader, type Header } from './header.ts';
import type { DrawnItem, Layout, Rect, TextItem } from './items.ts';
import { MIN_LINE_PITCH, placeLines, readLines } from './lines.ts';
import { findPanel, USUAL_PANEL, type ScreenSize } from './panel.ts';
import { isSquare, placeOnSquare } from './square.ts';
import { measureInk } from './text.ts';

export type { Layout } from './items.ts';

export type LayoutOptions = {
  /** Firmware version. From 67 on, single elements are extra large, and arrows are at the edge or corner to which they point. */
  firmware: number;
  /** Voltage of the battery in millivolts, or null for no battery read-out. */
  batteryMv: number | null;
  /** Size of the screen, 296 x 128 pixels by default. */
  size?: ScreenSize;
};

const FIRMWARE_WITH_LARGE_ELEMENTS = 67;

/**
 * Decides the position and size of everything on a screen. Every layout stays inside the screen, but only content within the limits (five
 * elements, two of them graphics) is shown completely, so callers must omit the rest. A size without its own layout gets the layout for 296
 * x 128 pixels.
 */
export function layout(content: ScreenContent, options: LayoutOptions): Layout {
  const { size = USUAL_PANEL } = options;
  if (isSquare(size)) return { size, items: placeOnSquare(content, options.batteryMv) };
  const panel = findPanel(size) ?? USUAL_PANEL;
  const header = readHeader(content.label, options.batteryMv, panel);
  const toCorner = options.firmware >= FIRMWARE_WITH_LARGE_ELEMENTS;
  const alone = toCorner && countElements(content) === 1 ? placeAlone(content, header) : undefined;
  const items = alone ?? placeTogether(content, header, toCorner);
  return panel === USUAL_PANEL ? { items } : { size: { width: panel.width, height: panel.height }, items };
}

function placeTogether(content: ScreenContent, header: Header, toCorner: boolean): DrawnItem[] {
  const { panel } = header;
  const lines = readLines(content.lines);
  const planned = compose(content, { hasHeader: !isEmpty(header), toCorner, panel });
  const composition = growHeader(planned, header, lines.length);
  const ofHeader = placeHeader(header, composition.header, composition.headerRows);
  return [
    ...ofHeader,
    ...composition.graphics.flatMap(([name, place]) => placeGraphic(name, content, place, { toCorner, panel })),
    ...placeLines(lines, below(ofHeader, composition.text), panel),
    ...(content.barcode === '' ? [] : placeBarcodeStrip(content.barcode, panel)),
  ];
}

/** Returns the text column below the ink of the header, which can reach down, for example with two accents on a capital. */
function below(header: readonly TextItem[], text: Rect): Rect {
  const end = Math.max(...header.map(({ codes, size, y, height }) => y + height + measureInk(codes, size).bottom));
  return end <= text.y ? text : { ...text, y: end, height: text.y + text.height - end };
}

/** Gives a second row to a label that is too long, if the text below can spare the height. */
function growHeader(composition: Composition, header: Header, lineCount: number): Composition {
  const { header: place, headerRows, text, graphics } = composition;
  const hasColumn = graphics.length === 0 || place.width <= text.width;
  const pitch = headerPitch(header.panel);
  const height = text.height - pitch;
  if (headerRows > 1 || !hasColumn || !isTooLong(header, place) || height < lineCount * MIN_LINE_PITCH)
    return composition;
  return { ...composition, headerRows: 2, text: { ...text, y: text.y + pitch, height } };
}
