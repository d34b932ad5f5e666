import type { ItemState, OrderState } from '#shared/api/order.ts';

const count = (many: number) => many.toLocaleString('en');
const ordersOf = (many: number) => `${count(many)} ${many === 1 ? 'order' : 'orders'}`;
const itemsOf = (many: number) => `${count(many)} ${many === 1 ? 'item' : 'items'}`;

/** How long a light stays on: `45 s`, `15 min`, `1:30 min`, `2 h`. */
function timeOf(seconds: number): string {
  if (seconds === 0) return 'no time limit';
  if (seconds < 60) return `${seconds} s`;
  if (seconds % 3_600 === 0) return `${count(seconds / 3_600)} h`;
  const rest = seconds % 60;
  return `${count(Math.floor(seconds / 60))}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`} min`;
}

export const orders = {
  title: 'Orders',
  also: 'shipments items pick fulfil work',
  kind: 'Order',
  summary: (all: number, underWay: number) =>
    underWay === 0 ? ordersOf(all) : `${ordersOf(all)}, ${count(underWay)} under way`,
  some: (shown: number, all: number) => `${count(shown)} of ${ordersOf(all)}`,
  search: 'Find an order by its number',
  clearSearch: 'Clear the search',
  table: 'Orders and how far they are',
  add: 'New order',
  importCsv: 'Import',
  filters: {
    title: 'Which orders',
    all: 'All',
    open: 'Open',
    in_progress: 'Under way',
    short: 'With shorts',
    fulfilled: 'Fulfilled',
    aborted: 'Aborted',
  },
  columns: { order: 'Order', state: 'State', progress: 'Items', quantity: 'Quantity', created: 'Created' },
  states: {
    open: 'Open',
    in_progress: 'Under way',
    fulfilled: 'Fulfilled',
    aborted: 'Aborted',
  } satisfies Record<OrderState, string>,
  itemStates: {
    open: 'Open',
    active: 'Lit',
    done: 'Done',
    short: 'Short',
    cancelled: 'Turned off',
  } satisfies Record<ItemState, string>,
  select: (number: string) => `Choose order ${number}`,
  selectAll: 'Choose every order shown',
  progressOf: (done: number, all: number) => `${count(done)} of ${itemsOf(all)} done`,
  counts: (given: { lit: number; short: number; unassigned: number }) =>
    [
      given.lit === 0 ? '' : `${count(given.lit)} lit`,
      given.short === 0 ? '' : `${count(given.short)} short`,
      given.unassigned === 0 ? '' : `${count(given.unassigned)} without a device`,
    ]
      .filter((part) => part !== '')
      .join(', '),
  quantityOf: (fulfilled: number, ordered: number) => `${count(fulfilled)} of ${count(ordered)}`,
  noMatch: 'No order matches',
  noMatchHint: 'Look for a part of its number, or among all states.',
  noneOf: {
    all: 'No order',
    open: 'No order waits to be launched',
    in_progress: 'No order is under way',
    short: 'No order has shorts',
    fulfilled: 'No order is fulfilled',
    aborted: 'No order was aborted',
  },
  showAll: 'Show all orders',
  empty: {
    title: 'No order yet',
    body: 'Track every order here. Launching one lights a device for each of its items; a press there counts what was picked. Orders come from your system over the API, from a list, or by hand.',
    example: 'Create an example',
    exampleHint: (place: string) =>
      `The example is a small order for ${place} and what is near it. It is not launched yet.`,
    exampleNumber: (n: number) => (n === 1 ? 'Example' : `Example ${n}`),
    exampleItem: (n: number) => `Example item ${n}`,
  },
  menu: { launch: 'Launch', abort: 'Abort', remove: 'Delete…', open: 'Open the order', onMap: 'Show on the map' },
  launch: 'Launch',
  relaunch: 'Launch the rest',
  launching: 'Launching…',
  abort: 'Abort',
  aborting: 'Turning off…',
  remove: 'Delete',
  launched: (number: string, lit: number, unassigned: number) =>
    [
      lit === 0 ? `Order ${number}: nothing more to light.` : `Order ${number}: ${itemsOf(lit)} lit or waiting.`,
      unassigned === 0 ? '' : `${itemsOf(unassigned)} found no device.`,
    ]
      .filter((part) => part !== '')
      .join(' '),
  launchFailed: (number: string) => `Order ${number} was not launched.`,
  aborted: (number: string) => `Order ${number} is aborted: nothing of it is lit.`,
  abortFailed: (number: string) => `Order ${number} was not aborted.`,
  removed: (number: string) => `Order ${number} deleted.`,
  removeFailed: (number: string) => `Order ${number} was not deleted.`,
  ask: {
    title: (number: string) => `Delete order ${number}?`,
    body: (lit: number) =>
      `${lit === 0 ? '' : `${itemsOf(lit)} of it ${lit === 1 ? 'is' : 'are'} lit or waiting, and turned off. `}What was counted for it goes with it; history stays. It cannot be undone.`,
    confirm: 'Delete',
  },
  bulk: {
    bar: 'Chosen orders',
    count: (many: number) => `${ordersOf(many)} chosen`,
    running: {
      launch: (many: number) => `Launching ${ordersOf(many)}`,
      remove: (many: number) => `Deleting ${ordersOf(many)}`,
    },
    done: {
      launch: (many: number) => `${ordersOf(many)} launched.`,
      remove: (many: number) => `${ordersOf(many)} deleted.`,
    },
    askTitle: (many: number) => `Delete ${ordersOf(many)}?`,
    askBody: (underWay: number) =>
      `${underWay === 0 ? '' : `${ordersOf(underWay)} of them ${underWay === 1 ? 'is' : 'are'} under way: what is lit is turned off. `}What was counted for them goes with them; history stays. It cannot be undone.`,
  },
  one: {
    back: 'Orders',
    none: (number: string) => `There is no order ${number}`,
    noneBody: 'It may have been deleted, or its number mistyped.',
    all: 'Show all orders',
    items: (number: string) => `Items of order ${number}`,
    views: 'What is shown of this order',
    show: { items: 'Items', timeline: 'Timeline' },
    timeline: (number: string) => `Timeline of order ${number}`,
    happened: 'What happened',
    cut: 'Older steps are left out.',
    allHistory: 'Show all of its history',
    created: 'Created',
    launched: 'Launched',
    fulfilled: 'Fulfilled',
    light: 'Light',
    seconds: timeOf,
    shipment: (number: string) => `Shipment ${number}`,
    shipmentDone: (done: number, all: number) => `${count(done)} of ${itemsOf(all)}`,
    unassigned: (many: number) => `${itemsOf(many)} found no device`,
    unassignedHint:
      'Without one nothing is lit, and nothing is held back. Name the place on the Locations page, then launch again; or count by hand.',
    locations: 'Go to the locations',
    noItems: 'This order has no items',
    noItemsHint: 'It cannot be launched. Delete it, and create it again with the items to pick.',
    columns: { item: 'Item', place: 'Place', state: 'State', quantity: 'Quantity' },
    correct: (name: string, fulfilled: number, ordered: number) =>
      `Correct the quantity of ${name}: ${count(fulfilled)} of ${count(ordered)}`,
    menuCorrect: 'Correct the quantity…',
    atPlace: (place: string) => `at ${place}`,
    notYet: 'Looked up at launch',
  },
  correction: {
    title: (name: string) => `Correct ${name}`,
    quantity: 'Picked so far',
    of: (ordered: number) => `of ${count(ordered)}`,
    reason: 'Why',
    reasonHint: 'Goes to history only',
    reasons: ['Miscounted', 'Damaged', 'Not on the shelf', 'Returned'],
    save: 'Correct',
    saving: 'Correcting…',
    wrong: 'Give a whole number from 0 up.',
    clears: 'Full: its light goes out.',
    done: (name: string, quantity: number) => `${name}: ${count(quantity)} picked.`,
  },
  form: {
    title: 'New order',
    number: 'Order number',
    noNumber: 'Give the order a number.',
    color: 'Colour',
    asInSettings: 'As in the settings',
    seconds: 'Seconds lit',
    item: (n: number) => `Item ${n}`,
    name: 'Item or SKU',
    quantity: 'Quantity',
    place: 'Place or DeviceID',
    shipment: 'Shipment',
    addItem: 'Add an item',
    removeItem: (n: number) => `Take item ${n} out`,
    noName: 'Say what to pick.',
    noQuantity: 'A whole number from 1 up.',
    badSeconds: 'A whole number from 0 up.',
    someShipment: 'Name the shipment, or clear the others.',
    save: 'Create order',
    saving: 'Creating…',
    added: (number: string) => `Order ${number} created. Launch it when somebody is ready to pick.`,
  },
} as const;
