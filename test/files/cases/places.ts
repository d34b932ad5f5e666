/** A place as a person reads it in a location file. Fields that the file does not contain are absent. */
export type ExpectedPlace = { name?: string; deviceid: string; deviceIs?: string; label?: string };

/**
 * A small location file with the expected places by line. The station has the devices 51D000:000001 to 51D000:000004. The first two have
 * the labels Bench and Shelf 7, and the first also has the alias Oct-12.
 */
export type PlaceCase = {
  title: string;
  file: string | Uint8Array;
  given?: { columns?: Record<string, string | null>; encoding?: string };
  places?: Readonly<Record<number, ExpectedPlace>>;
  /** Refused lines with the reasons, which are not compared. */
  refused?: Readonly<Record<number, string>>;
  leftOut?: readonly number[];
  /** Reason why the whole file is refused, or what is unclear. It is not compared. */
  refusedFile?: string;
  /** Matches a part of a message. */
  says?: RegExp;
};

const ONE = '51D000:000001';
const TWO = '51D000:000002';
const HEAD = 'name,deviceid,deviceIs';
const A1: ExpectedPlace = { name: 'A-1', deviceid: ONE, deviceIs: 'Above' };
const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** Creates a case for a file with one alias. `read` is the name that the station reads, or null if it refuses the row. */
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
    title: 'one byte per letter and no encoding, so that two names could look equal',
    file: bytes(`${HEAD}\nB\xe4r,${ONE},Above\nB\xfcr,${TWO},Above\n`),
    refusedFile: 'The encoding is unknown.',
    says: /encoding/,
  },
  {
    title: 'windows-1252',
    file: bytes(`${HEAD}\nB\xe4r,${ONE},Above\nB\xfcr,${TWO},Above\n`),
    given: { encoding: 'windows-1252' },
    places: { 2: { ...A1, name: 'Bär' }, 3: { name: 'Bür', deviceid: TWO, deviceIs: 'Above' } },
  },
  { title: 'German column names', file: `Lagerplatz;Gerät;Wo\nA-1;${ONE};Above\n`, places: { 2: A1 } },
  { title: 'French column names', file: `Emplacement;Appareil;Où\nA-1;${ONE};Above\n`, places: { 2: A1 } },
  { title: 'Spanish column names', file: `Ubicación;Dispositivo;Dónde\nA-1;${ONE};Above\n`, places: { 2: A1 } },
  {
    title: 'a title, an unrelated column and another order',
    file: `Places of hall 1,,,\n\nWhere,Remark,Device,Location\nabove,top,${ONE.toLowerCase()},A-1\n`,
    places: { 4: A1 },
  },
  {
    title: 'a column named tag with DeviceIDs',
    file: `name;tag;direction\nA-1;${ONE};above\n`,
    places: { 2: A1 },
  },
  {
    title: 'a column named tag with words',
    file: 'name;tag;deviceIs\nA-1;red;above\n',
    refusedFile: 'The tag may or may not be a device.',
    says: /"tag" can be deviceid/,
  },
  {
    title: 'columns that the caller maps',
    file: `Fach;Kiste;Seite\nA-1;${ONE};above\n`,
    given: { columns: { Kiste: 'deviceid', Seite: 'deviceIs' } },
    places: { 2: A1 },
  },
  {
    title: 'a mapped column that is missing',
    file: `${HEAD}\nA-1,${ONE},Above\n`,
    given: { columns: { Box: 'deviceid' } },
    refusedFile: 'The column is missing.',
    says: /no column "Box"/,
  },
  { title: 'no column names', file: `${ONE};Above;A-1\n`, places: { 1: A1 } },
  {
    title: 'labels without column names',
    file: `${ONE}\tRow 1\n`,
    places: { 1: { deviceid: ONE, label: 'Row 1' } },
  },
  {
    title: 'no column for the direction',
    file: `name,deviceid\nA-1,${ONE}\n`,
    refusedFile: 'The direction is unknown.',
    says: /no column deviceIs/,
  },
  { title: 'an empty file', file: '', refusedFile: 'The file is empty.', says: /empty/ },
  { title: 'only column names', file: `${HEAD}\n`, refusedFile: 'The file has no locations.', says: /no locations/ },
  {
    title: 'an open quote',
    file: `${HEAD}\nA-1,"${ONE},Above\n`,
    refusedFile: 'The end of the cell is unknown.',
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
  name('a date from a spreadsheet', '01. Mrz', null, { says: /is a date/ }),
  name('a date that is the name of a place', 'Oct-12', 'Oct-12'),
  name('a code that looks like a date in capitals', 'OCT-11', 'OCT-11'),
  name('a formula', '=A1+B1', null, { says: /formula/ }),
  name('slashes in a name', 'Hall/Rack/A-1', 'Hall/Rack/A-1'),
  name('blanks around a name', '  A-1  ', 'A-1'),
  {
    title: 'labels of devices in another case and spacing',
    file: `${HEAD}\nA-1,BENCH,Above\nA-2,shelf  7,below\n`,
    places: { 2: A1, 3: { name: 'A-2', deviceid: TWO, deviceIs: 'Below' } },
  },
  {
    title: 'an unknown label, an unknown DeviceID and an unknown direction',
    file: `${HEAD}\nA-1,nowhere,Above\nA-2,51D0FF:000009,Above\nA-3,${ONE},beside\nA-4,${ONE},Below\n`,
    places: { 5: { name: 'A-4', deviceid: ONE, deviceIs: 'Below' } },
    refused: { 2: 'No device has this label.', 3: 'The device does not exist.', 4: 'It is not a direction.' },
  },
  {
    title: 'a missing device and a missing name',
    file: `${HEAD}\nA-1,,Above\n,${ONE},Above\n`,
    refused: { 2: 'The device is missing.', 3: 'The name is missing.' },
  },
  {
    title: 'two rows with the same name, and one that is read',
    file: `${HEAD}\nA-9,${ONE},Above\nA-9,${TWO},Below\nA-1,${ONE},Above\n`,
    places: { 4: A1 },
    refused: { 2: 'Line 3 has it too.', 3: 'Line 2 has it too.' },
    says: /Line 3 names the place "A-9" too/,
  },
  {
    title: 'names that differ only in case and blanks',
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
    title: 'two rows of one device with the same label',
    file: `name,deviceid,deviceIs,label\nA-1,${ONE},Above,Row 1\nA-2,${ONE},Below,Row 1\n`,
    places: { 2: { ...A1, label: 'Row 1' }, 3: { name: 'A-2', deviceid: ONE, deviceIs: 'Below', label: 'Row 1' } },
  },
  {
    title: 'an alias with the same name as the label of another device',
    file: `name,deviceid,deviceIs,label\nA-1,${ONE},Above,\n,${TWO},,A-1\n`,
    refused: { 2: 'Line 3 has it too.', 3: 'Line 2 has it too.' },
  },
  {
    title: 'two devices exchange their labels',
    file: 'deviceid,label\nBench,Shelf 7\nShelf 7,Bench\n',
    places: { 2: { deviceid: ONE, label: 'Shelf 7' }, 3: { deviceid: TWO, label: 'Bench' } },
  },
  {
    title: 'an empty label, which clears the label unless the row has a name',
    file: `name,deviceid,deviceIs,label\n,${ONE},,\nA-1,${ONE},Above,\n`,
    places: { 2: { deviceid: ONE, label: '' }, 3: A1 },
  },
  {
    title: 'repeated column names and a total',
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
    title: 'more cells than column names',
    file: `${HEAD}\nA-1,${ONE},Above,and more\nA-2,${TWO},Above,\n`,
    places: { 3: { name: 'A-2', deviceid: TWO, deviceIs: 'Above' } },
    refused: { 2: 'A cell has a separator.' },
    says: /4 cells/,
  },
];
