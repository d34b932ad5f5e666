import { plural } from './plural.ts';

const count = (many: number) => many.toLocaleString('en');
const devicesOf = (many: number) => `${count(many)} ${many === 1 ? 'device' : 'devices'}`;

export const devices = {
  title: 'Devices',
  also: 'battery signal silent firmware replace accept',
  summary: (all: number, care: number) =>
    care === 0
      ? `${devicesOf(all)}, all well`
      : `${devicesOf(all)} · ${count(care)} ${care === 1 ? 'needs' : 'need'} care`,
  some: (shown: number, all: number) => `${count(shown)} of ${devicesOf(all)}`,
  search: 'Find a device, place or turbo',
  clearSearch: 'Clear the search',
  table: 'Devices and how they are',
  filters: {
    title: 'Which devices',
    all: 'All',
    silent: 'Silent',
    lowBattery: 'Low battery',
    weakSignal: 'Weak signal',
    noPlace: 'Without a place',
  },
  columns: {
    care: 'Care',
    place: 'Place',
    battery: 'Battery',
    signal: 'Signal',
    seen: 'Last seen',
    firmware: 'Firmware',
    turbo: 'Turbo',
    uptime: 'Uptime',
  },
  cares: { silent: 'Silent', lowBattery: 'Low battery', weakSignal: 'Weak signal' },
  well: 'Well',
  aliases: (names: readonly string[], more: number) =>
    `also ${names.join(', ')}${more === 0 ? '' : ` and ${count(more)} more`}`,
  unknown: '–',
  notKnown: 'not known',
  now: 'now',
  never: 'never',
  ago: (ago: string) => `${ago} ago`,
  firmware: (version: number) => `firmware ${version}`,
  select: (name: string) => `Choose ${name}`,
  selectAll: 'Choose every device shown',
  chooseNone: 'Choose none',
  more: (name: string) => `More for ${name}`,
  noMatch: 'No device matches',
  noMatchHint: 'Look for a part of a label, alias, shelf, DeviceID, turbo or firmware.',
  /** A filter that leaves nothing is good news, of all but one kind. */
  noneOf: {
    all: 'No device',
    silent: 'No device is silent',
    lowBattery: 'No battery is low',
    weakSignal: 'Every device is heard well',
    noPlace: 'Every device has a place',
  },
  noneOfHint: 'Nothing to do here.',
  showAll: 'Show all devices',
  csv: 'CSV of what is shown',
  menu: {
    open: 'Open the device',
    identify: 'Identify: let it flash',
  },
  identified: (name: string) => `${name} flashes for a moment.`,
  identifyFailed: (name: string) => `${name} does not flash.`,
  empty: {
    title: 'No device yet',
    body: 'Here stands how each device is: its battery, its signal, and when it was heard. Begin with a device: add simulated ones or connect a turbo on the Station page.',
    go: 'Go to the Station page',
  },
  shopping: {
    open: 'Batteries to change',
    title: 'Batteries to change',
    back: 'Back to the devices',
    note: (devices: number) => devicesOf(devices),
    upTo: 'Battery up to',
    percent: (percent: number) => `${percent} %`,
    silentToo: (many: number) => `Silent ones too (${count(many)})`,
    print: 'Print',
    csv: 'CSV',
    heading: (devices: number, cells: number) =>
      `${devicesOf(devices)}: take ${plural(cells, 'AA cell', 'AA cells')} along`,
    made: (when: string) => `As of ${when}`,
    offMap: 'Not on the map',
    columns: { done: 'Done', place: 'Place', where: 'Where', device: 'Device', battery: 'Battery', seen: 'Last seen' },
    where: (shelf: string, column: number) => `shelf ${shelf}, column ${column}`,
    none: 'Nothing to change',
    noneBody: (percent: number) =>
      `No battery is at ${percent} % or less. Choose a higher limit to change along the way what will be low soon.`,
  },
} as const;
