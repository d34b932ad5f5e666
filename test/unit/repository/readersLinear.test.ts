import { expect, test } from 'vitest';
import { parseQueryString } from '#shared/api/queryString.ts';
import { parseDeviceRequest } from '#shared/lib/requests/deviceRequest.ts';
import { parseDeviceIs } from '#shared/lib/devices/deviceIs.ts';
import { whole } from '#shared/lib/station/inParts.ts';
import { csvTable } from '#shared/lib/tables/cells/csvTable.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { parseSound } from '#shared/sound/sound.ts';
import { declaredCharset } from '../../../electron/server/http/bodies/bodyText.ts';
import { bodyFormat, prefersXml } from '../../../electron/server/http/bodies/formats.ts';
import { readXml } from '../../../electron/server/http/compat/xmlReader.ts';
import { ownTimeMs } from '../../helpers/ownTime.ts';

const SHORT = 4_000;
/** Ratio of the long text's length to the short one's: a linear reader takes 32 times as long, a quadratic one 1,024 times. */
const LONGER = 32;
const MAX = 300;

const xml = (inner: string) => `<x><a>${inner}</a></x>`;
const csv = (text: string) => `name;device;deviceIs\n${text}`;
const DEFAULTS = { seconds: 60, color: 'red' };

/** Texts to repeat, with the functions that read them. */
const CASES: readonly [
  piece: string,
  name: string,
  read: (text: string) => unknown,
  around?: (text: string) => string,
][] = [
  ['<b/>', 'XML', readXml, (text) => `<x>${text}</x>`],
  ['<b>', 'XML', readXml],
  ['&amp;', 'XML', readXml, xml],
  ['&', 'XML', readXml, xml],
  ['&#x41;', 'XML', readXml, xml],
  ['&#1', 'XML', readXml, xml],
  ['<![CDATA[]]>', 'XML', readXml, xml],
  ['<![CDATA[', 'XML', readXml, xml],
  ['<!---->', 'XML', readXml, xml],
  ['<!--', 'XML', readXml, xml],
  ['- ', 'XML', readXml, (text) => `<x><!--${text}`],
  ['<?a?>', 'XML', readXml, (text) => `<x>${text}</x>`],
  ['<?', 'XML', readXml, (text) => `<x>${text}</x>`],
  [']', 'XML', readXml, xml],
  [' ', 'XML', readXml, (text) => `<x${text}y`],
  [' a="1"', 'XML', readXml, (text) => `<x${text}/>`],
  ['a', 'XML', readXml, (text) => `<${text}`],
  ['\r\n', 'XML', readXml, xml],
  [' ', 'XML', readXml, (text) => `<?xml version="1.0"${text}x?><a/>`],
  ['<a b="', 'XML', readXml],
  ['"', 'CSV', (text) => whole(csvTable(text)), csv],
  ['""', 'CSV', (text) => whole(csvTable(text)), csv],
  ['"\n', 'CSV', (text) => whole(csvTable(text)), csv],
  ['";', 'CSV', (text) => whole(csvTable(text)), csv],
  [';', 'CSV', (text) => whole(csvTable(text)), csv],
  ['\n', 'CSV', (text) => whole(csvTable(text)), csv],
  ['\r', 'CSV', (text) => whole(csvTable(text)), csv],
  ['x;y;z\n', 'CSV', (text) => whole(csvTable(text)), csv],
  [' ', 'CSV', (text) => whole(csvTable(text)), csv],
  [',', 'CSV', (text) => whole(csvTable(text))],
  ['name;', 'CSV', (text) => whole(csvTable(text))],
  ['\\ic', 'a line', (line1) => request({ line1 })],
  ['\\bc', 'a line', (line1) => request({ line1 })],
  ['\u0301', 'a line', (line1) => request({ line1 })],
  ['👩‍🏭', 'a line', (line1) => request({ line1 })],
  ['\ud800', 'a line', (line1) => request({ line1 })],
  [' ', 'a barcode', (barcode) => request({ barcode })],
  ['1', 'a QR code', (qrcode) => request({ qrcode })],
  ['r', 'a color', (color) => request({ line1: 'x', color })],
  ['hazard', 'an icon', (icon) => request({ icon })],
  ['left', 'an arrow', (arrow) => request({ line1: 'x', arrow })],
  ['c5,2,', 'a sound', parseSound, (text) => `140,${text}`],
  ['1', 'a sound', parseSound],
  [' - ', 'a sound', parseSound],
  ['~', 'an address', (text) => parseQueryString(['flash', text, text, text, text, text])],
  ['1', 'an address', (text) => parseQueryString(['flash', 'x', 'x', 'none', text])],
  [' ', 'where a device is', parseDeviceIs, (text) => `to${text}the Left of`],
  ['ẞ', 'a name', nameKey],
  [';', 'a content type', bodyFormat, (text) => `text/xml${text}`],
  ['; charset', 'a content type', declaredCharset, (text) => `text/xml${text}`],
  ['+', 'a content type', bodyFormat, (text) => `application/${text}`],
  ['text/xml;q=,', 'an Accept', prefersXml],
  [';q = ', 'an Accept', prefersXml, (text) => `text/xml${text}`],
];

function request(fields: object): unknown {
  return parseDeviceRequest(fields, DEFAULTS);
}

function timeOf(read: (text: string) => unknown, text: string, turns: number): number {
  return ownTimeMs(() => {
    try {
      read(text);
    } catch {
      // A refusal also counts as a result.
    }
  }, turns);
}

/** Returns the time ratio between the long and the short text. Repeats the measurement if the first result is too high. */
function growth(read: (text: string) => unknown, textOf: (length: number) => string, from = SHORT): number {
  const [short, long] = [textOf(from), textOf(from * LONGER)];
  // Below 0.1 ms the clock's resolution dominates. An interruption of the short text's run changes the ratio most.
  const grown = () => timeOf(read, long, 5) / Math.max(timeOf(read, short, 20), 0.1);
  const first = grown();
  return first < MAX ? first : Math.min(first, grown(), grown());
}

test.each(CASES)('reads many repetitions of %j in linear time, as %s', (piece, _name, read, around) => {
  const textOf = (length: number) => {
    const text = piece.repeat(Math.ceil(length / piece.length));
    return around === undefined ? text : around(text);
  };
  expect(growth(read, textOf)).toBeLessThan(MAX);
});

test('detects a quadratic reader', () => {
  const slow = (text: string) => /\s+$/.exec(text);
  expect(growth(slow, (length) => `${' '.repeat(length)}x`, 500)).toBeGreaterThan(MAX);
});
