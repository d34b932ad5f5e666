/** A place as a person reads it in a file of locations. Absent: not given. */
export type ExpectedPlace = { name?: string; deviceid: string; deviceIs?: string; label?: string };

/**
 * A small file of locations, and what a person reads in it, by line. The station has the devices 51D000:000001 to 51D000:000004, the
 * labels Bench and Shelf 7 at the first two, and the alias Oct-12 at the first.
 */
export type PlaceCase = {
  title: string;
  file: string | Uint8Array;
  given?: { columns?: Record<string, string | null>; encoding?: string };
  places?: Readonly<Record<number, ExpectedPlace>>;
  /** Lines that are refused, with the reason in words. */
  refused?: Readonly<Record<number, string>>;
  leftOut?: readonly number[];
  /** Why the whole file is refused, or what the page asks. */
  refusedFile?: string;
  /** Part of a message. */
  says?: RegExp;
};

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const HEAD = 'name,deviceid,deviceIs';
const A1: ExpectedPlace = { name: 'A-1', deviceid: ONE, deviceIs: 'Above' };
const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** The name of one alias, and how it is read; null: not at all. */
const name = (title: string, text: string, read: string | null, more: Partial<PlaceCase> = {}): PlaceCase => ({
  title: `${title}: ${text}`,
  file: `name;deviceid;deviceIs\n${text};${ONE};Above\n`,
  ...(read === null
    ? { refused: { 2: 'A spreadsheet has changed the name.' } }
    : { places: { 2: { ...A1, name: read } } }),
  ...more,
});

export const PLACE_CASES: readonly PlaceCase[] = [
  { title: 'commas', file: `${HEAD}\nA-1,${ONE},Above\n`, places: { 2: A1 } },
  { title: 'tabs and old line ends', file: `name\tdeviceid\tdeviceIs\rA-1\t${ONE}\tAbove\r`, places: { 2: A1 } },
  { title: 'vertical bars', file: `name|deviceid|deviceIs\nA-1|${ONE}|Above\n`, places: { 2: A1 } },
  { title: 'a first line sep=;', file: `sep=;\nname;deviceid;deviceIs\nA-1;${ONE};Above\n`, places: { 3: A1 } },
  {
    title: 'UTF-16 with a byte order mark',
    file: Buffer.from(`\ufeff${HEAD}\nBär,${ONE},Above\n`, 'utf16le'),
    places: { 2: { ...A1, name: 'Bär' } },
  },
  {
    title: 'one byte per letter without an encoding: two names could become one',
    file: bytes(`${HEAD}\nB\xe4r,${ONE},Above\nB\xfcr,${TWO},Above\n`),
    refusedFile: 'The file does not say its encoding.',
    says: /encoding/,
  },
  {
    title: 'windows-1252',
    file: bytes(`${HEAD}\nB\xe4r,${ONE},Above\nB\xfcr,${TWO},Above\n`),
    given: { encoding: 'windows-1252' },
    places: { 2: { ...A1, name: 'Bär' }, 3: { name: 'Bür', deviceid: TWO, deviceIs: 'Above' } },
  },
  { title: 'German names of columns', file: `Lagerplatz;Gerät;Wo\nA-1;${ONE};Above\n`, places: { 2: A1 } },
  { title: 'French names of columns', file: `Emplacement;Appareil;Où\nA-1;${ONE};Above\n`, places: { 2: A1 } },
  { title: 'Spanish names of columns', file: `Ubicación;Dispositivo;Dónde\nA-1;${ONE};Above\n`, places: { 2: A1 } },
  {
    title: 'other columns, in another order, below a title',
    file: `Places of hall 1,,,\n\nWhere,Remark,Device,Location\nabove,top,${ONE.toLowerCase()},A-1\n`,
    places: { 4: A1 },
  },
  {
    title: 'a column Tag whose values are DeviceIDs',
    file: `name;tag;direction\nA-1;${ONE};above\n`,
    places: { 2: A1 },
  },
  {
    title: 'a column Tag whose values are words',
    file: 'name;tag;deviceIs\nA-1;red;above\n',
    refusedFile: 'Nobody can tell whether the tag is a device.',
    says: /"tag" can be deviceid/,
  },
  {
    title: 'the caller says what a column is',
    file: `Fach;Kiste;Seite\nA-1;${ONE};above\n`,
    given: { columns: { Kiste: 'deviceid', Seite: 'deviceIs' } },
    places: { 2: A1 },
  },
  {
    title: 'the caller names a column that the file lacks',
    file: `${HEAD}\nA-1,${ONE},Above\n`,
    given: { columns: { Box: 'deviceid' } },
    refusedFile: 'The file has no such column.',
    says: /no column "Box"/,
  },
  { title: 'no names of columns', file: `${ONE};Above;A-1\n`, places: { 1: A1 } },
  {
    title: 'labels without names of columns',
    file: `${ONE}\tRow 1\n`,
    places: { 1: { deviceid: ONE, label: 'Row 1' } },
  },
  {
    title: 'no column for the direction',
    file: `name,deviceid\nA-1,${ONE}\n`,
    refusedFile: 'Nobody can tell where the device is.',
    says: /no column deviceIs/,
  },
  { title: 'an empty file', file: '', refusedFile: 'There is nothing to read.', says: /empty/ },
  { title: 'only names of columns', file: `${HEAD}\n`, refusedFile: 'There is no location.', says: /no locations/ },
  {
    title: 'an open quote',
    file: `${HEAD}\nA-1,"${ONE},Above\n`,
    refusedFile: 'Nobody can tell where the cell ends.',
    says: /line 2.*not closed/,
  },
  {
    title: 'a web page instead of a file',
    file: '<!doctype html><html><body>Sign in</body></html>',
    refusedFile: 'It is a web page.',
  },
  name('leading zeros', '007', '007'),
  name('a formula around digits', '="0123"', '0123'),
  name('an apostrophe before digits', "'0123", '0123'),
  name('digits shortened by a spreadsheet', '4,00638E+12', null, { says: /shortened/ }),
  name('a code with an E', '12E3', '12E3'),
  name('a date of a spreadsheet', '01. Mrz', null, { says: /is a date/ }),
  name('a date that is the name of a place', 'Oct-12', 'Oct-12'),
  name('a date in capitals is a code', 'OCT-11', 'OCT-11'),
  name('a formula', '=A1+B1', null, { says: /formula/ }),
  name('slashes belong to the name', 'Hall/Rack/A-1', 'Hall/Rack/A-1'),
  name('blanks around it', '  A-1  ', 'A-1'),
  {
    title: 'a device by its label, in any case and with other blanks',
    file: `${HEAD}\nA-1,BENCH,Above\nA-2,shelf  7,below\n`,
    places: { 2: A1, 3: { name: 'A-2', deviceid: TWO, deviceIs: 'Below' } },
  },
  {
    title: 'an unknown device, an unknown DeviceID, a word for a direction',
    file: `${HEAD}\nA-1,nowhere,Above\nA-2,51D0FF:000009,Above\nA-3,${ONE},beside\nA-4,${ONE},Below\n`,
    places: { 5: { name: 'A-4', deviceid: ONE, deviceIs: 'Below' } },
    refused: { 2: 'Nothing has this label.', 3: 'There is no such device.', 4: 'It is no direction.' },
  },
  {
    title: 'no device, no name',
    file: `${HEAD}\nA-1,,Above\n,${ONE},Above\n`,
    refused: { 2: 'The device is missing.', 3: 'The name is missing.' },
  },
  {
    title: 'one name twice: both are refused, and the third row is read',
    file: `${HEAD}\nA-9,${ONE},Above\nA-9,${TWO},Below\nA-1,${ONE},Above\n`,
    places: { 4: A1 },
    refused: { 2: 'Line 3 has it too.', 3: 'Line 2 has it too.' },
    says: /Line 3 names the place "A-9" too/,
  },
  {
    title: 'names that differ only in case and blanks are one',
    file: `${HEAD}\nHall 1 A,${ONE},Above\nhall  1 a,${TWO},Above\nHALL1A,${ONE},Below\n`,
    refused: { 2: 'Line 3 has it too.', 3: 'Line 2 has it too.', 4: 'Line 2 has it too.' },
  },
  {
    title: 'one label for two devices',
    file: `deviceid,label\n${ONE},A-1\n${TWO},a-1\n51D000:000003,A-3\n`,
    places: { 4: { deviceid: '51D000:000003', label: 'A-3' } },
    refused: { 2: 'Line 3 has it too.', 3: 'Line 2 has it too.' },
  },
  {
    title: 'two labels for one device',
    file: `deviceid,label\n${ONE},A-1\n${ONE},A-2\n`,
    refused: { 2: 'Line 3 says A-2.', 3: 'Line 2 says A-1.' },
    says: /Line 3 gives 51D000:000001 the label "A-2"/,
  },
  {
    title: 'the same label of a device in each of its rows',
    file: `name,deviceid,deviceIs,label\nA-1,${ONE},Above,Row 1\nA-2,${ONE},Below,Row 1\n`,
    places: { 2: { ...A1, label: 'Row 1' }, 3: { name: 'A-2', deviceid: ONE, deviceIs: 'Below', label: 'Row 1' } },
  },
  {
    title: 'an alias and the label of another device with the same name',
    file: `name,deviceid,deviceIs,label\nA-1,${ONE},Above,\n,${TWO},,A-1\n`,
    refused: { 2: 'Line 3 has it too.', 3: 'Line 2 has it too.' },
  },
  {
    title: 'two devices exchange their labels',
    file: 'deviceid,label\nBench,Shelf 7\nShelf 7,Bench\n',
    places: { 2: { deviceid: ONE, label: 'Shelf 7' }, 3: { deviceid: TWO, label: 'Bench' } },
  },
  {
    title: 'an empty label clears; beside a name it says nothing',
    file: `name,deviceid,deviceIs,label\n,${ONE},,\nA-1,${ONE},Above,\n`,
    places: { 2: { deviceid: ONE, label: '' }, 3: A1 },
  },
  {
    title: 'repeated names of columns and a total',
    file: `${HEAD}\nA-1,${ONE},Above\n${HEAD}\nTotal,,\n`,
    places: { 2: A1 },
    leftOut: [3, 4],
  },
  {
    title: 'a place called Total',
    file: `${HEAD}\nTotal,${ONE},Above\n`,
    places: { 2: { ...A1, name: 'Total' } },
  },
  {
    title: 'more cells than names',
    file: `${HEAD}\nA-1,${ONE},Above,and more\nA-2,${TWO},Above,\n`,
    places: { 3: { name: 'A-2', deviceid: TWO, deviceIs: 'Above' } },
    refused: { 2: 'A cell has a separator.' },
    says: /4 cells/,
  },
];
