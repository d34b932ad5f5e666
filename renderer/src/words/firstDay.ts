import { plural } from './plural.ts';

/** Texts for an owner's first steps and for removing the demo shop. They are not in `texts.ts`, because they are loaded on demand. */
export const firstDay = {
  title: 'First steps',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  steps: {
    name: { todo: 'Name your shop', hint: 'For titles and packing slips' },
    shelves: { todo: 'Draw your shelves', hint: 'A name, shelves and places' },
    hardware: { todo: 'Connect hardware', hint: 'Or simulate it' },
    places: { todo: 'Assign devices to places', hint: 'Press each device once' },
    articles: { todo: 'Import articles', hint: 'If you want to see your stock' },
    orders: { todo: 'Import orders', hint: 'From a file or a sheet' },
    pick: { todo: 'Pick an order', hint: 'Follow the lights' },
    system: { todo: 'Connect your system', hint: 'By key, folder or callbacks' },
  },
  done: 'done',
  inDemo: 'Done in the demo shop only',
  all: 'All steps',
  fewer: 'Next step only',
  dismiss: 'Dismiss',
  dismissFailed: 'The list was not closed.',
} as const;

export const demoShop = {
  remove: 'Remove the demo shop',
  title: 'Remove the demo shop?',
  confirm: 'Remove',
  close: 'Close',
  loading: 'Checking what is there…',
  failed: 'The contents of the demo shop could not be loaded.',
  removes: 'This removes:',
  keeps: 'This stays:',
  yours: 'Everything that you added, and the history',
  kept: (name: string, reason: string) => `${name}: ${reason}`,
  undo: 'You cannot undo this.',
  lit: (names: readonly string[]) => `Some of it is lit: ${names.join(', ')}. Turn it off first.`,
  nothing: 'Nothing is left of the demo shop.',
  parts: {
    devices: (count: number) => plural(count, 'simulated device', 'simulated devices'),
    racks: (names: readonly string[]) => names.join(', '),
    orders: (numbers: readonly string[]) => `${numbers.length === 1 ? 'Order' : 'Orders'} ${numbers.join(', ')}`,
    sequences: (names: readonly string[]) => `${names.length === 1 ? 'Sequence' : 'Sequences'} ${names.join(', ')}`,
  },
  done: 'The demo shop was removed.',
} as const;
