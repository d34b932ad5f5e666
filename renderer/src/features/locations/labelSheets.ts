import { BARCODE_QUIET_MODULES, encodeBarcode } from '#shared/screen/barcode.ts';

export const PAPERS = ['a4', 'letter'] as const;
export type Paper = (typeof PAPERS)[number];
export const COLUMNS = [2, 3] as const;
export type Columns = (typeof COLUMNS)[number];

/** Labels one below the other: so many that none is cut by a printer's margin. */
const ROWS: Record<Paper, Record<Columns, number>> = { a4: { 2: 6, 3: 8 }, letter: { 2: 6, 3: 7 } };
/** What a barcode has for its width on a label, in millimetres: the sheet without margins, divided, without padding. */
const BARCODE_MM: Record<Columns, number> = { 2: 86, 3: 55 };
/** The narrowest bar that printers and cheap scanners agree about. */
const LEAST_MODULE_MM = 0.25;

/** Labels in sheets. */
export function intoSheets<T>(labels: readonly T[], paper: Paper, columns: Columns): T[][] {
  const each = ROWS[paper][columns] * columns;
  return Array.from({ length: Math.ceil(labels.length / each) }, (_, index) =>
    labels.slice(index * each, (index + 1) * each),
  );
}

export type LabelCode = { modules: string } | { problem: 'unencodable' | 'tooWide' };

/** The bars of a text on a label, or why it gets none. */
export function labelCode(text: string, columns: Columns): LabelCode {
  const modules = encodeBarcode(text);
  if (modules === undefined) return { problem: 'unencodable' };
  const width = modules.length + 2 * BARCODE_QUIET_MODULES;
  return width * LEAST_MODULE_MM > BARCODE_MM[columns] ? { problem: 'tooWide' } : { modules };
}

/** The bars as a path, a module wide each, one high, the quiet zone before them. */
export function barPath(modules: string): string {
  return [...modules.matchAll(/1+/g)]
    .map(({ index, 0: bar }) => `M${index + BARCODE_QUIET_MODULES} 0h${bar.length}v1h-${bar.length}z`)
    .join('');
}
