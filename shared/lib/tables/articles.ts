import { barcodeKey } from '../articles/barcodeKey.ts';
import { createPace, type InParts } from '../station/inParts.ts';
import { nameKey } from '../text/nameKey.ts';
import { activeOf } from './cells/active.ts';
import { readBarcode, readCode, readPlace } from './cells/codes.ts';
import { ARTICLE_FILE_FIELDS, type ArticleFileField, OPTION_FIELDS, type TableField } from './fields.ts';
import { isRepeatedHead } from './mapping.ts';
import { decimalMarkIn, type DecimalMark, isUnclearNumber } from './cells/numbers.ts';
import { readPieces } from './cells/pieces.ts';
import { errorOf, isTotal, REPEATED_HEAD, SUMS_UP, surplusOf } from './orderRows.ts';
import { cellsIn } from './rowCells.ts';
import { type TableRow, textOf } from './table.ts';
import { findSharedPlaces, type SharedPlaces } from './placePaths.ts';
import { plainText, refused, shortened } from './cells/texts.ts';
import { isSameUnit } from './cells/units.ts';
import type { MappedColumns } from './types.ts';

/** An article's fields in a row. A field is undefined, and stays unchanged, if its cell is blank. */
export type ReadArticleTexts = Partial<Record<'name' | 'description' | 'unit' | 'note', string>> & { active?: boolean };

/** A place of an article. A field is undefined if its cell is blank. */
export type ReadArticlePlace = {
  location: string;
  priority?: number;
  minimum?: number;
  maximum?: number;
  onHand?: number;
};

/** A barcode of an article. `quantity` is undefined if the file does not contain it. */
export type ReadArticleCode = { code: string; quantity?: number };

/** A row of an article file. */
export type ReadArticleRow = {
  line: number;
  /** Texts of the row's cells, without empty ones. */
  said: Partial<Record<ArticleFileField, string>>;
  /** Why the row is wrong or left out, or notes about how it was read. Empty if there is nothing to report. */
  message: string;
  isWrong: boolean;
  isLeftOut: boolean;
  sku: string;
  /** The name in the file, or a name composed of other cells. Empty if the row has none. */
  name: string;
};

/** All rows with one SKU. `problem` explains why they are refused, or is null. Its `line` is the faulty row, or 0 for all rows. */
export type ReadArticle = {
  sku: string;
  rows: readonly ReadArticleRow[];
  problem: { line: number; message: string } | null;
  texts: ReadArticleTexts;
  codes: readonly ReadArticleCode[];
  places: readonly ReadArticlePlace[];
  /** Numbers from rows without a place. */
  anywhere: Omit<ReadArticlePlace, 'location'>;
};

/** The articles of a file. `leftOut` contains the rows that belong to no article. */
export type ArticlesOfFile =
  | { ok: true; articles: readonly ReadArticle[]; leftOut: readonly ReadArticleRow[]; sharedPlaces: SharedPlaces }
  | { ok: false; message: string };

export type ArticleReading = {
  decimal: DecimalMark | undefined;
  /** Paths before names of places, given by the caller. Equal names at these paths are one place. */
  placePaths: readonly string[];
  isPlace(text: string): boolean;
  isArticle(text: string): boolean;
};

/** A row with its parsed values. */
type Line = {
  row: ReadArticleRow;
  texts: ReadArticleTexts;
  code: ReadArticleCode | undefined;
  figures: Omit<ReadArticlePlace, 'location'>;
  location: string;
};

const FIGURES = ['priority', 'minimum', 'maximum', 'on_hand'] as const;
const NO_ARTICLE = 'It names no article.';
/** Product types that are not articles themselves, but may have variants that are articles. */
const NO_ARTICLE_TYPES: ReadonlySet<string> = new Set(['variable', 'grouped', 'external']);

/** Reads the rows below the column names and combines rows of the same SKU. */
export function* readArticleRows(mapped: MappedColumns, how: ArticleReading): InParts<ArticlesOfFile> {
  const pace = createPace();
  const decimals = new Map<TableField, DecimalMark | undefined>();
  for (const field of FIGURES) {
    yield;
    decimals.set(field, how.decimal ?? decimalOf(mapped, field));
  }
  const sharedPlaces = yield* findSharedPlaces(mapped, 'location', how);
  const titles = new Map<string, string>();
  const lines: Line[] = [];
  for (const row of mapped.body) {
    if (pace.isDue()) yield* pace.rest();
    if (!row.isHidden) lines.push(readLine(mapped, row, { ...how, decimals, titles, sharedPlaces }));
  }
  if (lines.length === 0)
    return { ok: false, message: 'The file has column names, but no articles. Add a line for each article.' };
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    if (pace.isDue()) yield* pace.rest();
    if (line.row.sku === '') continue;
    const key = nameKey(line.row.sku);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [line]);
    else group.push(line);
  }
  const articles: ReadArticle[] = [];
  for (const group of groups.values()) {
    if (pace.isDue()) yield* pace.rest();
    articles.push(yield* joined(group));
  }
  yield;
  return {
    ok: true,
    articles: yield* withoutSharedCodes(articles),
    leftOut: lines.flatMap(({ row }) => (row.sku === '' ? [row] : [])),
    sharedPlaces,
  };
}

/** Returns the decimal separator of the numbers in a column, if they all have the same one. */
function decimalOf({ body, fields }: MappedColumns, field: TableField): DecimalMark | undefined {
  const column = fields.get(field);
  if (column === undefined) return undefined;
  const marks = new Set(body.flatMap(({ cells }) => decimalMarkIn(cells[column]) ?? []));
  return marks.size === 1 ? [...marks][0] : undefined;
}

type How = ArticleReading & {
  decimals: ReadonlyMap<TableField, DecimalMark | undefined>;
  sharedPlaces: SharedPlaces;
  /** Titles of products, by the `handle` that their variants share. */
  titles: Map<string, string>;
};

function readLine(mapped: MappedColumns, row: TableRow, how: How): Line {
  const { fields } = mapped;
  const find = cellsIn(mapped);
  const cellOf: CellOf = (field) => find(row, field);
  const saidOf = (field: TableField): string => textOf(cellOf(field));
  const said = Object.fromEntries(
    ARTICLE_FILE_FIELDS.flatMap((field) => (saidOf(field) === '' ? [] : [[field, saidOf(field)]])),
  ) as ReadArticleRow['said'];
  const none: Line = {
    row: { line: row.line, said, message: '', isWrong: false, isLeftOut: false, sku: '', name: said.name ?? '' },
    texts: {},
    code: undefined,
    figures: {},
    location: '',
  };
  const leftOut = (message: string): Line => ({ ...none, row: { ...none.row, message, isLeftOut: true } });
  const wrong = (message: string, sku = ''): Line => ({ ...none, row: { ...none.row, message, isWrong: true, sku } });
  if (isRepeatedHead(row, mapped)) return leftOut(REPEATED_HEAD);
  if (isTotal(textOf(row.cells[0]))) return leftOut(SUMS_UP);
  const [title, options] = variantOf(saidOf, how.titles);
  const both = /^\[([^\]]+)\]\s*(.*)$/s.exec(saidOf('sku_and_name'));
  const composed = title === '' ? (both?.[2] ?? '') : [title, options].filter((text) => text !== '').join(' ');
  if (NO_ARTICLE_TYPES.has(saidOf('product_type').toLowerCase()))
    return leftOut('Only the variants of this product are articles.');
  const isPicture = fields.has('handle') && saidOf('title') === '' && saidOf('option_1') === '';
  if (!isPicture) none.row.name ||= composed;
  const isKnown = (text: string): boolean => how.isPlace(text) || how.isArticle(text);
  const code = readCode(cellOf('SKU'), isKnown);
  if (!code.ok) return wrong(code.message);
  const sku = code.value === '' ? (both?.[1] ?? '').trim() : code.value;
  if (sku === '') {
    return isPicture || row.cells.every((cell) => textOf(cell) === '') ? leftOut(NO_ARTICLE) : wrong('It has no SKU.');
  }
  const surplus = surplusOf(row, mapped);
  if (surplus !== '') return wrong(surplus, sku);
  const error = errorOf(row, mapped);
  if (error !== '') return wrong(error, sku);
  const notes: string[] = [];
  const place = readPlace(cellOf('location'), how.isPlace, how.sharedPlaces.keys);
  if (!place.ok) return wrong(place.message, sku);
  const barcode = readBarcode(cellOf('UPC'), isKnown);
  if (!barcode.ok) return wrong(barcode.message, sku);
  notes.push(...[place.note, barcode.note].filter((note) => note !== ''));
  const figures = figuresOf(cellOf, how.decimals, notes);
  if (!figures.ok) return wrong(figures.message, sku);
  const texts = textsOf(cellOf, notes);
  if (!texts.ok) return wrong(texts.message, sku);
  const pack = packOf(cellOf('barcode_quantity'), notes);
  return {
    row: { ...none.row, sku, message: notes.join(' ') },
    texts: { ...(composed === '' ? {} : { name: composed }), ...texts.value },
    code: barcode.value === '' ? undefined : { code: barcode.value, ...(pack === undefined ? {} : { quantity: pack }) },
    figures: figures.value,
    location: place.value,
  };
}

/** Returns the title of a variant's product and the variant's options. Only the product's first row contains the title. */
function variantOf(saidOf: (field: TableField) => string, titles: Map<string, string>): [string, string] {
  const handle = saidOf('handle');
  const title = saidOf('title');
  if (handle !== '' && title !== '') titles.set(handle, title);
  const options = OPTION_FIELDS.map(saidOf).filter((option) => option !== '' && option !== 'Default Title');
  return [title === '' ? (titles.get(handle) ?? '') : title, options.join(' / ')];
}

type CellOf = (field: TableField) => TableRow['cells'][number] | undefined;

/** Parses numbers. Drops invalid numbers with a note, and refuses ambiguous ones. */
function figuresOf(
  cellOf: CellOf,
  decimals: How['decimals'],
  notes: string[],
): { ok: true; value: Line['figures'] } | { ok: false; message: string } {
  const value: Record<string, number> = {};
  for (const field of FIGURES) {
    const cell = cellOf(field);
    if (cell === undefined || textOf(cell) === '') continue;
    const read = readPieces(cell, decimals.get(field));
    if (read.ok) value[field === 'on_hand' ? 'onHand' : field] = read.value;
    else if (decimals.get(field) === undefined && isUnclearNumber(textOf(cell))) return refused(read.message);
    else notes.push(`${field} is left out: ${read.message}`);
  }
  return { ok: true, value };
}

function packOf(cell: ReturnType<CellOf>, notes: string[]): number | undefined {
  if (cell === undefined || textOf(cell) === '') return undefined;
  const read = readPieces(cell, undefined);
  if (read.ok && read.value > 0) return read.value;
  notes.push(`barcode_quantity is left out: "${shortened(textOf(cell))}" is not a number from 1.`);
  return undefined;
}

function textsOf(
  cellOf: CellOf,
  notes: string[],
): { ok: true; value: ReadArticleTexts } | { ok: false; message: string } {
  const value: ReadArticleTexts = {};
  for (const field of ['name', 'description', 'unit', 'note'] as const) {
    const text = plainText(cellOf(field));
    if (!text.ok) return text;
    if (text.value !== '') value[field] = text.value;
  }
  const active = textOf(cellOf('active'));
  const isActive = activeOf(active);
  if (isActive !== undefined) value.active = isActive;
  else if (active !== '') notes.push(`active is left out: "${shortened(active)}" is neither yes nor no.`);
  return { ok: true, value };
}

/** Combines rows of one article, whose cells must agree or be blank. */
function* joined(lines: readonly Line[]): InParts<ReadArticle> {
  const pace = createPace();
  const rows = lines.map(({ row }) => row);
  const sku = rows[0]?.sku ?? '';
  const base = { sku, rows, texts: {}, codes: [], places: [], anywhere: {} };
  const wrong = rows.find(({ isWrong }) => isWrong);
  if (wrong !== undefined) return { ...base, problem: { line: wrong.line, message: wrong.message } };
  const merged = new Merged();
  for (const line of lines) {
    merged.add(line);
    if (pace.isDue()) yield* pace.rest();
  }
  if (merged.problem !== '') return { ...base, problem: { line: 0, message: merged.problem } };
  const { texts, codes, places, anywhere } = merged;
  return {
    ...base,
    problem: null,
    texts,
    codes: [...codes.values()],
    places: [...places.values()],
    anywhere,
  };
}

/** Merges rows, remembering the first contradiction. */
class Merged {
  problem = '';
  readonly texts: ReadArticleTexts = {};
  readonly codes = new Map<string, ReadArticleCode>();
  readonly places = new Map<string, ReadArticlePlace>();
  readonly anywhere: Line['figures'] = {};
  readonly #lineOf = new Map<string, number>();

  add({ row: { line }, texts, code, figures, location }: Line): void {
    this.#take(this.texts, texts, line, '');
    if (code !== undefined) {
      const key = barcodeKey(code.code);
      const known = this.codes.get(key) ?? { code: code.code };
      this.codes.set(key, known);
      this.#take(known, { quantity: code.quantity }, line, `barcode ${key} `);
    }
    const key = nameKey(location);
    const place = location === '' ? this.anywhere : (this.places.get(key) ?? { location });
    if (location !== '') this.places.set(key, place as ReadArticlePlace);
    this.#take(place, figures, line, location === '' ? '' : `place ${key} `);
  }

  #take(into: object, from: object, line: number, what: string): void {
    const values = into as Record<string, unknown>;
    for (const [field, value] of Object.entries(from)) {
      if (value === undefined) continue;
      const at = `${what}${field}`;
      const before = values[field];
      if (before !== undefined && before !== value) {
        if (field === 'unit' && typeof before === 'string' && isSameUnit(before, String(value))) continue;
        const name = field === 'onHand' ? 'on_hand' : field;
        this.problem ||= `Lines ${this.#lineOf.get(at) ?? 0} and ${line} of this article have different values in ${name}. Keep one of them.`;
        continue;
      }
      values[field] = value;
      if (!this.#lineOf.has(at)) this.#lineOf.set(at, line);
    }
  }
}

/** Refuses articles that share a barcode, because a barcode can belong to only one article. */
function* withoutSharedCodes(articles: readonly ReadArticle[]): InParts<ReadArticle[]> {
  const pace = createPace();
  const owners = new Map<string, string[]>();
  const keysOf = new Map<ReadArticle, string[]>();
  for (const article of articles) {
    if (pace.isDue()) yield* pace.rest();
    const keys: string[] = [];
    keysOf.set(article, keys);
    for (const { code } of article.codes) {
      if (pace.isDue()) yield* pace.rest();
      const key = barcodeKey(code);
      keys.push(key);
      const skus = owners.get(key);
      if (skus === undefined) owners.set(key, [article.sku]);
      else skus.push(article.sku);
    }
  }
  const checked: ReadArticle[] = [];
  for (const article of articles) {
    if (pace.isDue()) yield* pace.rest();
    checked.push(withoutSharedCode(article, keysOf.get(article) ?? [], owners));
  }
  return checked;
}

function withoutSharedCode(
  article: ReadArticle,
  keys: readonly string[],
  owners: ReadonlyMap<string, string[]>,
): ReadArticle {
  if (article.problem !== null) return article;
  for (const [index, key] of keys.entries()) {
    const other = owners.get(key)?.find((sku) => sku !== article.sku);
    if (other === undefined) continue;
    const code = article.codes[index]?.code ?? '';
    const message = `Article ${other} in this file has the barcode ${shortened(code)} too. Keep it at one of them.`;
    return { ...article, problem: { line: 0, message } };
  }
  return article;
}
