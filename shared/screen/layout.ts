import { placeAlone } from './alone.ts';
import { placeBarcodeStrip } from './codes.ts';
import { compose, type Composition } from './composition.ts';
import { countElements, type ScreenContent } from './content.ts';
import { placeGraphic } from './graphicArea.ts';
import { HEADER_PITCH, isEmpty, isTooLong, placeHeader, readHeader, type Header } from './header.ts';
import type { DrawnItem, Layout, Rect, TextItem } from './items.ts';
import { MIN_LINE_PITCH, placeLines, readLines } from './lines.ts';
import { measureInk } from './text.ts';

export type { Layout } from './items.ts';

export type LayoutOptions = {
  /** From 67 on, a single element is drawn extra large, and arrows go where they point. */
  firmware: number;
  /** Null: no read-out. */
  batteryMv: number | null;
};

const FIRMWARE_WITH_LARGE_ELEMENTS = 67;

/**
 * Decides position and size of everything on a screen. Pure. Any content gives a layout inside the screen, but only
 * content within the limits (five elements, two boxed) is drawn completely: callers leave out the rest.
 */
export function layout(content: ScreenContent, options: LayoutOptions): Layout {
  const header = readHeader(content.label, options.batteryMv);
  const toCorner = options.firmware >= FIRMWARE_WITH_LARGE_ELEMENTS;
  const alone = toCorner && countElements(content) === 1 ? placeAlone(content, header) : undefined;
  return { items: alone ?? placeTogether(content, header, toCorner) };
}

function placeTogether(content: ScreenContent, header: Header, toCorner: boolean): DrawnItem[] {
  const lines = readLines(content.lines);
  const planned = compose(content, { hasHeader: !isEmpty(header), toCorner });
  const composition = growHeader(planned, header, lines.length);
  const ofHeader = placeHeader(header, composition.header, composition.headerRows);
  return [
    ...ofHeader,
    ...composition.graphics.flatMap(([name, place]) => placeGraphic(name, content, place, toCorner)),
    ...placeLines(lines, below(ofHeader, composition.text)),
    ...(content.barcode === '' ? [] : placeBarcodeStrip(content.barcode)),
  ];
}

/** A text column without the rows that the label reaches down to, such as with two accents on a capital. */
function below(header: readonly TextItem[], text: Rect): Rect {
  const end = Math.max(...header.map(({ codes, size, y, height }) => y + height + measureInk(codes, size).bottom));
  return end <= text.y ? text : { ...text, y: end, height: text.y + text.height - end };
}

/** A label that is too long for its row gets a second row if the text below can spare one. */
function growHeader(composition: Composition, header: Header, lineCount: number): Composition {
  const { header: place, headerRows, text, graphics } = composition;
  const hasColumn = graphics.length === 0 || place.width <= text.width;
  const height = text.height - HEADER_PITCH;
  if (headerRows > 1 || !hasColumn || !isTooLong(header, place) || height < lineCount * MIN_LINE_PITCH)
    return composition;
  return { ...composition, headerRows: 2, text: { ...text, y: text.y + HEADER_PITCH, height } };
}
