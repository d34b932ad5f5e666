import { readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { TABLE_KINDS } from '#shared/lib/tables/fields.ts';
import { createDice, type Dice } from '../../property/requests/values.ts';
import { sheetOf, zipOf } from '../../helpers/files/workbook.ts';
import { seededFraction } from '../../helpers/seeded.ts';

/** A file with its query, as a caller sends it. */
export type RandomFile = { query: string; type: string; content: Uint8Array };

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SAMPLES = ['orders.xlsx', 'openpyxl.xlsx', 'openpyxl1904.xlsx', 'xlsxwriter.xlsx'].map((name) =>
  Object.entries(unzipSync(readFileSync(new URL(`../../files/tables/${name}`, import.meta.url)))),
);
/** Maximum number of cells. Most files have far fewer. */
const MOST_CELLS = 400_000;
const MOST_COLUMNS = 2_100;
const MOST_ROWS = 60_000;
const REQUIRED = ['order_number', 'SKU', 'ordered_quantity', 'name', 'location', 'deviceid', 'deviceIs', 'label'];
const NAMES = [
  ...'Order;Item;Qty;Quantity;Name;Title;Reference;Location;Status;Order status;Shipped at;Payment;Paid;Canceled;On hold;Note;Due date'.split(
    ';',
  ),
  ...'Bestellnummer;Artikel;Menge;Lagerplatz;Versanddatum;Numéro de commande;Quantité;Pedido;Cantidad;Unit;UPC;Line;Parent SKU;Shop;Color'.split(
    ';',
  ),
  ...'__proto__;constructor;toString;hasOwnProperty;valueOf'.split(';'),
];
const VALUES = [
  ...'SO-1;M8;1;2;1,5;1.000;1,234.5;4,00638E+12;0012;12E3;=1+2;="01";-1;999999999999999999;open;shipped;canceled;yes;no;paid;#N/A;Total'.split(
    ';',
  ),
  ...'2026-11-30;01/02/26;Mi, 02.12.2026;14:30;51D0FF:000001;A-1-1;WH/Stock/A-1;[K-1] Mug;2 Stk;box;__proto__;constructor;left;👩‍🏭'.split(
    ';',
  ),
  '',
  ' ',
  '"',
  '""',
  '\u0000',
  '\uFEFF',
  '\u200b',
];
/** Texts to put into XML: words that every object has, large numbers, references outside of a sheet, and markup. */
const PIECES = [
  ...'__proto__ constructor 999999999999 -1 1e9 XFD1048576 ZZZ9 A1:XFD1048576 &amp; &#0; ]]> <!-- </sheetData> <row r="1048577"/>'.split(
    ' ',
  ),
  '<c t="s"><v>99999</v></c>',
  '<c t="constructor"><v>1</v></c>',
  '<mergeCell ref="A1:ZZZ99999999"/>',
  '<col min="-5" max="1e9" hidden="1"/>',
  '<xf numFmtId="toString"/>',
];

/** Returns a function that makes the next file. All files are determined by the seed. */
export function createFiles(seed: number): () => RandomFile {
  const dice = createDice(seededFraction(seed));
  const makers = [csv, csv, mutatedWorkbook, damagedWorkbook, workbookOfMany] as const;
  return () => {
    const { type, content } = dice.pick(makers)(dice);
    const kind = dice.pick(TABLE_KINDS);
    const encoding = dice.chance(0.3) ? `&encoding=${dice.pick(['windows-1252', 'utf-8', 'utf-16le', 'x'])}` : '';
    return {
      query: `dry_run=true&kind=${kind}&name=a.${type === WORKBOOK ? 'xlsx' : 'csv'}${encoding}`,
      type,
      content,
    };
  };
}

type Made = Omit<RandomFile, 'query'>;

function csv(dice: Dice): Made {
  const width = upTo(dice, MOST_COLUMNS);
  const height = Math.min(upTo(dice, MOST_ROWS), Math.ceil(MOST_CELLS / width));
  const separator = dice.pick([',', ';', '\t', '|']);
  const required = dice.chance(0.7) ? REQUIRED : [];
  const head = Array.from({ length: width }, (_, at) => required[at] ?? nameOf(dice, at));
  const styles = head.map(() => dice.pick(['same', 'counted', 'random', 'blank'] as const));
  const fixed = head.map(() => dice.pick(VALUES));
  const rows = Array.from({ length: height }, (_, at) =>
    styles.map((style, column) => {
      if (style === 'same') return fixed[column] ?? '';
      if (style === 'counted') return `${column}-${at}`;
      return style === 'random' ? dice.pick(VALUES) : '';
    }),
  );
  if (dice.chance(0.1)) rows[0] = [dice.pick(VALUES).repeat(upTo(dice, 150_000))];
  const quotes = dice.chance(0.3);
  const cell = (text: string): string => (quotes ? `"${text.replaceAll('"', '""')}"` : text);
  const text = [head, ...rows].map((row) => row.map(cell).join(separator)).join(dice.pick(['\n', '\r\n', '\r']));
  const bytes = Buffer.from(text, dice.pick(['utf8', 'utf8', 'utf16le', 'latin1'] as const));
  return { type: 'text/csv', content: dice.chance(0.2) ? damaged(dice, bytes) : bytes };
}

function nameOf(dice: Dice, at: number): string {
  const name = dice.pick(NAMES);
  if (dice.chance(0.2)) return name;
  return dice.chance(0.03) ? `${at} ${`${name} ä `.repeat(upTo(dice, 3_000))}` : `${name} ${at}`;
}

/** A workbook with changed XML in one of its parts. */
function mutatedWorkbook(dice: Dice): Made {
  const parts = dice.pick(SAMPLES);
  const [changed] = dice.pick(parts);
  const content = zipOf(
    Object.fromEntries(
      parts.map(([name, bytes]) => [
        name,
        name === changed ? mutated(dice, Buffer.from(bytes).toString('latin1')) : bytes,
      ]),
    ),
  );
  return { type: WORKBOOK, content };
}

function mutated(dice: Dice, text: string): Buffer {
  let changed = text;
  for (let times = upTo(dice, 10); times > 0; times -= 1) {
    const at = Math.floor(dice.fraction() * changed.length);
    const piece = dice.pick(PIECES).repeat(dice.chance(0.1) ? upTo(dice, 10_000) : 1);
    changed = changed.slice(0, at) + piece + changed.slice(at + upTo(dice, 12));
  }
  return Buffer.from(changed, 'latin1');
}

/** A workbook with changed bytes in its archive. */
function damagedWorkbook(dice: Dice): Made {
  return { type: WORKBOOK, content: damaged(dice, zipOf(Object.fromEntries(dice.pick(SAMPLES)))) };
}

function damaged(dice: Dice, bytes: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(bytes);
  for (let times = upTo(dice, 20); times > 0; times -= 1)
    changed[Math.floor(dice.fraction() * changed.length)] = Math.floor(dice.fraction() * 256);
  return dice.chance(0.3) ? changed.subarray(0, Math.floor(dice.fraction() * changed.length)) : changed;
}

/** A workbook with many equal elements. */
function workbookOfMany(dice: Dice): Made {
  const count = upTo(dice, 500_000);
  const texts = dice.chance(0.3) ? '<si><t>a</t></si>'.repeat(count) : '';
  const rows = dice.pick([
    '<row/>',
    '<row><c t="s"><v>0</v></c></row>',
    '<row><c><v>1</v></c><c><f>A1</f></c></row>',
    '<c/>',
  ]);
  const columns = dice.pick(['', '<cols><col min="1" max="16384" hidden="1"/></cols>']);
  const merges = dice.pick(['', '<mergeCell ref="A1:XFD1048576"/>', '<mergeCell ref="A1:B2"/>']);
  const merged = merges === '' ? '' : `<mergeCells>${merges.repeat(upTo(dice, 200_000))}</mergeCells>`;
  const xml = `${columns}<sheetData>${rows.repeat(count)}</sheetData>${merged}`;
  return { type: WORKBOOK, content: sheetOf(xml, { texts }) };
}

/** Returns a whole number from 1 to `most`, mostly a small one. */
function upTo(dice: Dice, most: number): number {
  return Math.ceil(most ** (dice.fraction() ** 1.5));
}
