import { A1, line, order, type FileCase } from './fileCase.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
/** Encodes each character as one byte, as in ISO 8859-1 and nearly as in windows-1252. */
const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const utf16 = (text: string, isBig: boolean) =>
  Uint8Array.from(
    Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).flatMap((code) =>
      isBig ? [code >> 8, code & 255] : [code & 255, code >> 8],
    ),
  );

const KEY = 'Auftrag;Artikelname;Menge\nA1;Schlüssel;2\n';
const NAMED = { number: 'A1', lines: [{ name: 'Schlüssel', quantity: 2 }] };

/** Cases of encodings, separators, quotes and line ends. */
export const FORM_CASES: readonly FileCase[] = [
  { title: 'UTF-8', file: utf8(KEY), orders: [NAMED] },
  { title: 'UTF-8 with a byte order mark', file: utf8(`\ufeff${KEY}`), orders: [NAMED] },
  { title: 'UTF-16 with a byte order mark', file: utf16(`\ufeff${KEY}`, false), orders: [NAMED] },
  { title: 'UTF-16 of the other byte order', file: utf16(`\ufeff${KEY}`, true), orders: [NAMED] },
  { title: 'UTF-16 without a byte order mark', file: utf16(KEY, false), orders: [NAMED] },
  { title: 'UTF-16 of the other byte order without a mark', file: utf16(KEY, true), orders: [NAMED] },
  {
    title: 'one byte per letter without an encoding: statistics do not decide',
    file: bytes(KEY),
    asks: 'encoding',
    refusedFile: 'The byte FC is not UTF-8; the file does not say what it is.',
  },
  { title: 'windows-1252', file: bytes(KEY), given: { encoding: 'windows-1252' }, orders: [NAMED] },
  {
    title: 'windows-1250: Polish letters',
    file: bytes('Auftrag;Artikelname;Menge\nA1;\xa3\xf3d\x9f;2\n'),
    given: { encoding: 'windows-1250' },
    orders: [{ number: 'A1', lines: [{ name: 'Łódź', quantity: 2 }] }],
  },
  {
    title: 'UTF-8 wins over a given encoding',
    file: utf8(KEY),
    given: { encoding: 'windows-1252' },
    orders: [NAMED],
  },
  {
    title: 'a first line sep=; decides',
    file: 'sep=;\nOrder;SKU;Qty\nA1;M8;2\n',
    orders: [A1],
  },
  {
    title: 'a first line sep=, decides, although there are more semicolons',
    file: 'sep=,\nOrder,SKU,Qty,Description\nA1,M8,2,a;b;c;d\n',
    orders: [order('A1', line(2, 'M8', { description: 'a;b;c;d' }))],
  },
  {
    title: 'semicolons, with commas in texts',
    file: 'Order;SKU;Description;Qty\nA1;M8;long, blue, new;2\nA2;M9;short, red, old;1\n',
    orders: [
      order('A1', line(2, 'M8', { description: 'long, blue, new' })),
      order('A2', line(1, 'M9', { description: 'short, red, old' })),
    ],
  },
  {
    title: 'tabs, with commas and semicolons in texts',
    file: 'Order\tSKU\tDescription\tQty\nA1\tM8\ta, b; c\t2\n',
    orders: [order('A1', line(2, 'M8', { description: 'a, b; c' }))],
  },
  { title: 'vertical bars', file: 'Order|SKU|Qty\nA1|M8|2\n', orders: [A1] },
  {
    title: 'commas with decimal commas in quotes',
    file: 'Order,SKU,Price,Qty\nA1,M8,"2,50",2\n',
    orders: [A1],
  },
  {
    title: 'semicolons with decimal commas',
    file: 'Order;SKU;Price;Qty\nA1;M8;2,50;2\nA2;M9;3,75;1\n',
    orders: [A1, order('A2', line(1, 'M9'))],
  },
  {
    title: 'a line break and doubled quotes within quotes',
    file: 'Order,SKU,Description,Qty\r\nA1,M8,"first\nsecond ""line""",2\r\nA2,M9,x,1\r\n',
    orders: [
      order('A1', line(2, 'M8', { description: 'first\nsecond "line"' })),
      order('A2', line(1, 'M9', { description: 'x' })),
    ],
  },
  { title: 'old line ends', file: 'Order,SKU,Qty\rA1,M8,2\r', orders: [A1] },
  { title: 'no line end after the last row', file: 'Order,SKU,Qty\r\nA1,M8,2', orders: [A1] },
  {
    title: 'in a file with tabs, a quote within a cell is text',
    file: 'Order\tSKU\tItem name\tQty\nA1\tM8\tPipe 1/2" steel\t2\nA2\tM9\t3/4" bolt\t1\n',
    orders: [
      order('A1', line(2, 'M8', { name: 'Pipe 1/2" steel' })),
      order('A2', line(1, 'M9', { name: '3/4" bolt' })),
    ],
  },
  {
    title: 'in a file with tabs, a quote that opens a cell and does not close it there is text',
    file: 'Order\tSKU\tItem name\tQty\nA1\tM8\t"Pipe\t2\nA2\tM9\tbolt"\t1\n',
    orders: [order('A1', line(2, 'M8', { name: '"Pipe' })), order('A2', line(1, 'M9', { name: 'bolt"' }))],
  },
  {
    title: 'in a file with tabs, quotes right at the tabs enclose the cell',
    file: 'Order\tSKU\tItem name\tQty\nA1\tM8\t"Nut, 8 ""mm"""\t2\n',
    orders: [order('A1', line(2, 'M8', { name: 'Nut, 8 "mm"' }))],
  },
  {
    title: 'a quote that is never closed',
    file: 'Order,SKU,Qty\nA1,"M8,2\nA2,M9,1\n',
    refusedFile: 'Nobody can tell where the cell ends.',
    says: /line 2.*not closed/i,
  },
  { title: 'an empty file', file: '', refusedFile: 'There is nothing to read.', says: /empty/i },
  { title: 'only blank lines', file: '\n\n;;\n', refusedFile: 'There is nothing to read.', says: /empty/i },
  {
    title: 'a web page instead of a file',
    file: '<!doctype html><html><body>Sign in</body></html>',
    refusedFile: 'It is a web page.',
  },
];
