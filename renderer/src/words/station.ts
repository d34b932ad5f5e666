import { countText } from '#shared/lib/text/locale.ts';
import { pages } from './pages.ts';
import { plural } from './plural.ts';

export const station = {
  title: pages.today.title,
  devices: (count: number) => plural(count, 'device', 'devices'),
  turbos: (count: number) => `${plural(count, 'gateway', 'gateways')} online`,
  turboDown: (name: string, status: string) => `Gateway ${name} is ${status}`,
  noTurbo: 'no real gateway connected',
  simulatedOnly: 'simulated devices only',
  search: 'Find a place or device',
  clearSearch: 'Clear search',
  filters: 'Show only',
  map: 'Devices',
  some: (count: number, all: number) => `${count} of ${plural(all, 'device', 'devices')}`,
  noMatch: 'No device matches',
  noMatchHint: 'Search for part of a label or DeviceID, or for a lit order or sequence. Or show all devices.',
  showAll: 'Show all devices',
  keys: 'Arrow keys move between devices, Enter opens one.',
  concerns: { lit: 'Lit', waiting: 'Waiting in queues', offline: 'Offline', lowBattery: 'Low battery' },
} as const;

/** Texts for the state of the day, above the map. */
export const day = {
  title: 'Orders and people',
  figures: { open: 'Waiting', in_progress: 'Under way', short: 'With shorts', late: 'Late' },
  stock: { title: 'Stock', figures: { low: 'To reorder', negative: 'Below 0', tasks: 'Tasks' } },
  none: 'No orders are waiting.',
  import: 'Import orders',
  picking: 'Who picks what',
  nobody: 'Nobody is picking.',
  paused: (name: string) => `${name}, paused`,
  of: (done: number, all: number) => `${countText(done)} of ${countText(all)}`,
  care: 'Needs care',
  allWell: 'All devices, gateways and receivers are OK.',
  more: (count: number) => `${countText(count)} more`,
  failed: 'The orders could not be loaded.',
} as const;

export const choose = {
  begin: 'Select',
  palette: 'Select devices',
  end: 'Done',
  one: (name: string) => `Select ${name}`,
  bar: 'Selected devices',
  count: (count: number) => `${plural(count, 'device', 'devices')} selected`,
  none: 'Click devices to select them. Shift+click selects a range, Ctrl+A all devices shown.',
  all: 'Select all',
  clear: 'Clear',
  send: 'Send a command',
  sendTitle: (count: number) => `Send a command to ${plural(count, 'device', 'devices')}`,
  kill: 'Turn off',
  killTitle: (count: number) => `Turn off ${plural(count, 'device', 'devices')}?`,
  killBody: (commands: number) =>
    commands === 0
      ? 'No commands are lit or waiting. The devices keep their statics.'
      : `${plural(commands, 'command', 'commands')} will be removed without a callback. You cannot undo this.`,
  killed: (count: number) => `${plural(count, 'device was', 'devices were')} turned off.`,
  identify: 'Identify',
  identifying: (count: number) => `Flashing ${plural(count, 'device', 'devices')}`,
  identified: (count: number) => `${plural(count, 'device flashes', 'devices flash')} for a moment.`,
  someFailed: (failed: number, all: number) => `${failed} of ${all} failed:`,
  failure: (name: string, words: string) => `${name}: ${words}`,
  more: (count: number) => `and ${count} more`,
} as const;

export const empty = {
  title: 'No devices yet',
  body: 'Every device appears here when it is in range of a gateway.',
  bodyRacks: 'Your racks are ready. Every device appears here when it is in range of a gateway.',
  hint: 'No hardware yet? Try everything with simulated devices, which behave like real ones.',
  demoHint: 'No hardware yet? Start with the demo shop: two racks of simulated devices, an order and a sequence.',
  demo: 'Create the demo shop',
  creating: 'Creating…',
  add: (count: number) => `Add ${count} simulated devices`,
  adding: 'Adding…',
  failed: 'The devices were not added.',
} as const;
