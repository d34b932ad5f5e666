import type { LabelCode, Size } from '../../kit/print/labelCode.ts';

/** Papers to print on: sheets that are cut afterwards, and label rolls with one label per page. */
export const PAPERS = ['a4', 'letter', 'roll102', 'roll89', 'roll62'] as const;
export type PaperSize = (typeof PAPERS)[number];
export const COLUMNS = [2, 3] as const;
export type Columns = (typeof COLUMNS)[number];

/** Common paper sizes of office and label printers, in millimeters. */
const PAGES: Record<PaperSize, Size> = {
  a4: { width: 210, height: 297 },
  letter: { width: 215.9, height: 279.4 },
  roll102: { width: 102, height: 51 },
  roll89: { width: 89, height: 36 },
  roll62: { width: 62, height: 29 },
};
/** Margin of a sheet in millimeters, because printers cannot print to the edge. */
const MARGIN_MM = 10;
/** Number of rows of labels on a sheet, by paper and number of columns. */
const ROWS: Record<'a4' | 'letter', Record<Columns, number>> = { a4: { 2: 6, 3: 8 }, letter: { 2: 6, 3: 7 } };
/** Padding inside a label in millimeters. */
export const PADDING: Size = { width: 3.5, height: 2.5 };
/** Height in millimeters of the DeviceID at the foot. The text has 8 points, which browsers may round up. */
const FOOT_MM = 4.8;
/** Width of the cutting line in millimeters. A roll has no such line, but its width is reserved there as well. */
const LINE_MM = 0.2;
const GAP_MM = 1;

export type Format = {
  page: Size;
  isRoll: boolean;
  columns: number;
  rows: number;
  margin: number;
  label: Size;
  /** Size of a barcode, and side length of a QR code, in millimeters. */
  barcode: Size;
  qrcode: number;
};

/** Returns the layout of a sheet. A roll has one label per row. */
export function formatOf(paper: PaperSize, wanted: Columns): Format {
  const page = PAGES[paper];
  const isRoll = paper !== 'a4' && paper !== 'letter';
  const columns = isRoll ? 1 : wanted;
  const rows = isRoll ? 1 : ROWS[paper][wanted];
  const margin = isRoll ? 0 : MARGIN_MM;
  const label = { width: (page.width - 2 * margin) / columns, height: (page.height - 2 * margin) / rows };
  const width = label.width - 2 * PADDING.width;
  return {
    page,
    isRoll,
    columns,
    rows,
    margin,
    label,
    barcode: { width, height: Math.min(11, label.height * 0.27) },
    qrcode: Math.min(20, label.height - 2 * PADDING.height - FOOT_MM - GAP_MM, width * 0.4),
  };
}

/** Divides labels into sheets. */
export function intoSheets<T>(labels: readonly T[], { rows, columns }: Format): T[][] {
  const each = rows * columns;
  return Array.from({ length: Math.ceil(labels.length / each) }, (_, index) =>
    labels.slice(index * each, (index + 1) * each),
  );
}

/** Fraction of the text height that the title gets if a detail follows. */
export const TITLE_SHARE = 0.58;
const MAX_PICTURE_MM = 20;

/** Returns the size of the text area, with room for a picture next to it. */
export function textBox(
  { label, barcode, qrcode }: Format,
  kind: LabelCode['kind'] | 'none',
  hasPicture: boolean,
): Size & { picture: number } {
  const aside = kind === 'qrcode' ? qrcode + 2 * GAP_MM : 0;
  const below = FOOT_MM + (kind === 'barcode' ? barcode.height + GAP_MM : 0);
  const height = label.height - 2 * (PADDING.height + LINE_MM) - below;
  const all = label.width - 2 * (PADDING.width + LINE_MM) - aside;
  const picture = hasPicture ? Math.min(MAX_PICTURE_MM, height, all * 0.4) : 0;
  return { width: all - (hasPicture ? picture + 2 * GAP_MM : 0), height, picture };
}
