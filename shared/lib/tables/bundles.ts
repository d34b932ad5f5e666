import { countText, listText } from '../text/locale.ts';
import { createPace, type InParts } from '../station/inParts.ts';
import { columnKey, columnKeySet } from './columnKey.ts';
import type { ReadLine } from './orderLine.ts';
import { textOf } from './table.ts';
import type { MappedColumns, SortedRow } from './types.ts';

/** Maximum number of lines to name in a note. */
const MOST_NAMED = 5;
/** Maximum number of characters in a word for the kind of a row. */
const MAX_WORD = 40;

/** Maximum number of different texts in a column with types of rows. */
const MOST_KINDS = 100;

/** Words for the kind of a row, in columns of any name. */
const BUNDLES = columnKeySet(
  'bundle; product bundle; bundle product; bundle parent; bundled product; kit; parent kit; kit parent; composite; composite product; assembly; set; gift set; product set; grouped; bom; Stückliste; Produktset; Paketartikel; Setartikel; lot; coffret; ensemble; paquete; conjunto; juego; zestaw; pakket; pacchetto',
);
const PARTS = columnKeySet(
  'bundle component; bundle item; bundled item; bundle child; bundle part; component; kit component; kit item; kit child; composite component; child item; part of bundle; part of kit; Bestandteil; Komponente; Setkomponente; Stücklistenposition; composant; élément du lot; componente; składnik; onderdeel',
);
/** Columns that name the bundle to which a row belongs. */
const PARENTS = columnKeySet(
  'parent sku; Stücklistenkopf; parent item; parent item id; parent product; parent line; parent line id; parent line item; bundle sku; bundle id; bundle name; bundle parent; bundled by; bundle parent sku; kit sku; kit name; parent kit; part of; part of bundle; component of; belongs to bundle; composite parent; Stückliste von; Teil von; Gehört zu Set; Hauptartikel; fait partie de; parte de',
);
const PRICES = columnKeySet(
  'price; item price; lineitem price; line item price; unit price; item cost; unit cost; line total; item total; item subtotal; Preis; Einzelpreis; Stückpreis; prix; prix unitaire; precio; precio unitario; prezzo; prijs; cena',
);
/** Names of articles that consist of others, such as `Starter Kit`. */
const NAMED_BUNDLE = /(?<!\p{L})(?:bundle|kit|set|pack|coffret|paquete|zestaw)(?!\p{L})/iu;
/** What some exports write before the name of a part. */
const PART_MARK = /^\s*(?:[↳└├⮡→•]|(?:[-–—>»]+\s))/u;
const ZERO = /^\D*0+(?:[.,]0+)?\D*$/;

/** Columns that tell which rows are bundles and which are their parts. */
export type BundleColumns = { kinds: readonly number[]; parents: readonly number[]; prices: readonly number[] };

/** Finds the columns that tell which rows are bundles and which are their parts. Texts of articles and of units do not count. */
export function* findBundleColumns({ head, body, fields }: MappedColumns): InParts<BundleColumns> {
  const pace = createPace();
  const others = new Set(
    (['SKU', 'UPC', 'name', 'sku_and_name', 'unit', 'order_number'] as const).map((field) => fields.get(field)),
  );
  const titled = (keys: ReadonlySet<string>): number[] =>
    head.flatMap((name, index) => (!others.has(index) && keys.has(columnKey(textOf(name))) ? [index] : []));
  const kinds = new Set<number>();
  const seen = new Map<number, Set<string>>();
  for (const { cells } of body) {
    for (const [index, cell] of cells.entries()) {
      if (kinds.has(index) || others.has(index)) continue;
      const text = textOf(cell);
      const texts = seen.get(index) ?? new Set();
      seen.set(index, texts);
      if (texts.size > MOST_KINDS || texts.has(text)) continue;
      texts.add(text);
      if (kindOf(text) !== undefined) kinds.add(index);
    }
    if (pace.isDue()) yield* pace.rest();
  }
  return { kinds: [...kinds], parents: titled(PARENTS), prices: titled(PRICES) };
}

/** Adds a note to each bundle whose parts are lines of the same order, because both are picked. */
export function* noteBundles(
  rows: readonly SortedRow[],
  lines: readonly ReadLine[],
  columns: BundleColumns,
): InParts<void> {
  const pace = createPace();
  const named = columns.parents.length === 0 ? NONE_NAMED : yield* rowsByText(rows, columns);
  const partsOf = new Map<number, number[]>();
  const bundles = new Set<number>();
  let head = -1;
  for (const [index, row] of rows.entries()) {
    if (pace.isDue()) yield* pace.rest();
    if (row.kind === 'part') continue;
    const kind = columns.kinds.map((column) => kindOf(cellText(row, column))).find((each) => each !== undefined);
    const parent = columns.parents
      .map((column) => named.get(columnKey(cellText(row, column))))
      .find((each) => each !== undefined && each !== index);
    if (kind === 'part' || parent !== undefined || isMarkedPart(rows[head], row, columns)) {
      const of = parent ?? head;
      if (parent !== undefined && leaveOutSame(lines[parent], lines[index])) continue;
      const parts = partsOf.get(of) ?? [];
      partsOf.set(of, parts);
      if (lines[index]?.row.item !== undefined) parts.push(row.row.line);
      continue;
    }
    head = index;
    if (kind === 'bundle') bundles.add(index);
  }
  const count = lines.filter(({ row }) => row.item !== undefined).length;
  for (const index of new Set([...partsOf.keys(), ...bundles])) {
    if (pace.isDue()) yield* pace.rest();
    const line = lines[index];
    const parts = partsOf.get(index) ?? [];
    if (line?.row.item === undefined || (parts.length === 0 && count <= bundles.size)) continue;
    const note =
      parts.length === 0
        ? 'It is a bundle. If other lines of the order are its parts, they are picked too: remove the bundle or its parts.'
        : `It is a bundle, and its parts are in ${linesText(parts)}. All of them are picked: remove the bundle or its parts if that is too much.`;
    line.row.message = `${line.row.message} ${note}`.trim();
  }
}

/**
 * Leaves out a part with the SKU and quantity of its parent, as in exports that list a product with options and then its chosen variant.
 * Returns whether it did.
 */
function leaveOutSame(parent: ReadLine | undefined, part: ReadLine | undefined): boolean {
  const [first, second] = [parent?.row.item, part?.row.item];
  if (parent === undefined || part === undefined || first?.SKU === undefined || first.SKU !== second?.SKU) return false;
  if (first.ordered_quantity !== second.ordered_quantity) return false;
  part.row = {
    ...part.row,
    kind: 'left_out',
    item: undefined,
    message: `It is the same article as line ${parent.row.line}, to which it belongs.`,
  };
  return true;
}

const NONE_NAMED: ReadonlyMap<string, number> = new Map();

/** Returns the first row with each text, apart from the columns that name bundles. */
function* rowsByText(rows: readonly SortedRow[], { parents }: BundleColumns): InParts<ReadonlyMap<string, number>> {
  const pace = createPace();
  const found = new Map<string, number>();
  for (const [at, { row, kind }] of rows.entries()) {
    if (pace.isDue()) yield* pace.rest();
    for (const [index, cell] of kind === 'part' ? [] : row.cells.entries()) {
      const key = parents.includes(index) ? '' : columnKey(textOf(cell));
      if (key !== '' && !found.has(key)) found.set(key, at);
    }
  }
  return found;
}

function kindOf(text: string): 'bundle' | 'part' | undefined {
  if (text === '' || text.length > MAX_WORD) return undefined;
  const key = columnKey(text);
  return BUNDLES.has(key) ? 'bundle' : PARTS.has(key) ? 'part' : undefined;
}

/** Whether a row has a mark before its name, or no price although the article above it has one and is named like a bundle. */
function isMarkedPart(above: SortedRow | undefined, row: SortedRow, { prices }: BundleColumns): boolean {
  if (above === undefined) return false;
  if (PART_MARK.test(textOf(row.cellOf('name')))) return true;
  if (!NAMED_BUNDLE.test(textOf(above.cellOf('name')))) return false;
  return prices.some((column) => {
    const price = cellText(above, column);
    return price !== '' && !ZERO.test(price) && ZERO.test(cellText(row, column));
  });
}

const cellText = ({ row: { cells } }: SortedRow, column: number): string => textOf(cells[column]);

function linesText(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0] ?? ''}`;
  const more = lines.length - MOST_NAMED;
  const named = more > 1 ? lines.slice(0, MOST_NAMED) : lines;
  return `lines ${listText([...named.map(String), ...(named === lines ? [] : [`${countText(more)} more`])])}`;
}
