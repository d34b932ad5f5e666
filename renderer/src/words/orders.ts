import { countText } from '#shared/lib/text/locale.ts';
import type { ItemState, OrderState } from '#shared/api/order.ts';
import type { EndReason } from '#shared/lib/tables/states.ts';
import type { Attention } from '#shared/lib/orders/attention.ts';

import { orderDialogs } from './orderDialogs.ts';
import { pages } from './pages.ts';
import { plural } from './plural.ts';

const minutesOf = (minutes: number) => (minutes === 1 ? 'a minute' : `${countText(minutes)} minutes`);
const ordersOf = (many: number) => `${countText(many)} ${many === 1 ? 'order' : 'orders'}`;
const itemsOf = (many: number) => `${countText(many)} ${many === 1 ? 'line' : 'lines'}`;

const withoutDevice = (many: number) => `${countText(many)} without a device`;

/** Formats how long a light stays on: `45 s`, `15 min`, `1:30 min`, `2 h`. */
function timeOf(seconds: number): string {
  if (seconds === 0) return 'no time limit';
  if (seconds < 60) return `${seconds} s`;
  if (seconds % 3_600 === 0) return `${countText(seconds / 3_600)} h`;
  const rest = seconds % 60;
  return `${countText(Math.floor(seconds / 60))}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`} min`;
}

export const orders = {
  title: pages.orders.title,
  itemsOf,
  summary: (all: number, underWay: number) =>
    underWay === 0 ? ordersOf(all) : `${ordersOf(all)}, ${countText(underWay)} under way`,
  some: (shown: number, all: number) => `${countText(shown)} of ${ordersOf(all)}`,
  search: 'Find an order by its number or an article',
  clearSearch: 'Clear the search',
  table: 'Orders and their progress',
  add: 'New order',
  importCsv: 'Import',
  filters: {
    title: 'Filter orders',
    all: 'All',
    attention: 'Needs attention',
    open: 'Open',
    in_progress: 'Under way',
    short: 'With shorts',
    late: 'Late',
    fulfilled: 'Fulfilled',
    aborted: 'Aborted',
  },
  columns: {
    order: 'Order',
    state: 'State',
    progress: 'Lines',
    urgency: 'Urgency',
    quantity: 'Quantity',
    created: 'Created',
  },
  attention: {
    timed_out: 'Timed out',
    unreachable: 'Device offline',
    guessed: 'Place guessed',
    no_stock: 'No stock',
    stalled: 'Stalled',
    paused: 'Paused',
    ended_elsewhere: 'Ended elsewhere',
  } satisfies Record<Exclude<Attention, 'unassigned'>, string>,
  withoutDevice,
  due: (when: string) => `Due ${when}`,
  overdue: (when: string) => `Overdue ${when}`,
  priorityOf: (priority: number) => `Priority ${countText(priority)}`,
  paused: (name: string) => `${name}, paused`,
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
  select: (number: string) => `Select order ${number}`,
  selectAll: 'Select all shown orders',
  progressOf: (done: number, all: number) => `${countText(done)} of ${itemsOf(all)} done`,
  counts: (given: { lit: number; short: number; unassigned: number }) =>
    [
      given.lit === 0 ? '' : `${countText(given.lit)} lit`,
      given.short === 0 ? '' : `${countText(given.short)} short`,
      given.unassigned === 0 ? '' : withoutDevice(given.unassigned),
    ]
      .filter((part) => part !== '')
      .join(', '),
  quantityOf: (fulfilled: number, ordered: number) => `${countText(fulfilled)} of ${countText(ordered)}`,
  noMatch: 'No order matches',
  noMatchHint: 'Search for part of the number or of an article, or show all states. Customer names are not searched.',
  noneOf: {
    all: 'No orders',
    attention: 'No orders need attention',
    open: 'No open orders',
    in_progress: 'No orders under way',
    short: 'No orders with shorts',
    late: 'No late orders',
    fulfilled: 'No fulfilled orders',
    aborted: 'No aborted orders',
  },
  showAll: 'Show all orders',
  empty: {
    title: 'No orders yet',
    body: 'Import your shop’s orders, create one here, or let your system send them. Launching an order lights a device for each of its lines, and a press confirms what was picked.',
    example: 'Create an example',
    exampleHint: (place: string) => `The example is a small order for ${place} and nearby places. It is not launched.`,
    exampleName: 'Example',
    exampleItem: (n: number) => `Example line ${n}`,
  },
  menu: {
    launch: 'Launch',
    launchFor: 'Launch for…',
    handOver: 'Hand over…',
    abort: 'Abort',
    edit: 'Edit…',
    print: 'Print…',
    duplicate: 'Duplicate…',
    remove: 'Delete…',
    open: 'Open the order',
    onMap: 'Show on the map',
  },
  launch: 'Launch',
  relaunch: 'Launch the rest',
  again: 'Launch again',
  launching: 'Launching…',
  abort: 'Abort',
  aborting: 'Turning off…',
  remove: 'Delete',
  launched: (number: string, lit: number, unassigned: number, slow: number) =>
    [
      lit === 0 ? `Order ${number}: nothing more to light.` : `Order ${number}: ${itemsOf(lit)} lit or waiting.`,
      unassigned === 0 ? '' : `${itemsOf(unassigned)} found no device.`,
      slow === 0 ? '' : `${itemsOf(slow)} at slow devices, which take up to 40 seconds to light.`,
    ]
      .filter((part) => part !== '')
      .join(' '),
  launchFailed: (number: string) => `Order ${number} was not launched.`,
  aborted: (number: string) => `Order ${number} aborted. Its lights are off.`,
  abortFailed: (number: string) => `Order ${number} was not aborted.`,
  continueFailed: (number: string) => `Order ${number} was not continued.`,
  continued: (number: string) => `Order ${number} continues.`,
  removed: (number: string) => `Order ${number} deleted.`,
  removeFailed: (number: string) => `Order ${number} was not deleted.`,
  ask: {
    abort: {
      title: (number: string) => `Abort order ${number}?`,
      body: (lit: number) =>
        `${itemsOf(lit)} will be turned off. What was picked stays, and you can launch the rest again.`,
      confirm: 'Abort',
    },
    remove: {
      title: (number: string) => `Delete order ${number}?`,
      body: (lit: number) =>
        `${lit === 0 ? '' : `${itemsOf(lit)} will be turned off. `}Its picked quantities are deleted; its history stays. You cannot undo this.`,
      confirm: 'Delete',
    },
  },
  old: {
    open: 'Delete old…',
    title: 'Delete old orders',
    which: 'Orders',
    states: { fulfilled: 'Fulfilled', aborted: 'Aborted' },
    age: 'Ended',
    daysAgo: (days: string) => `More than ${days} days ago`,
    hint: 'Their picked quantities are deleted; their history stays. You cannot undo this.',
    save: 'Delete',
    saving: 'Deleting…',
    done: (many: number) => (many === 0 ? 'No order ended that long ago.' : `${ordersOf(many)} deleted.`),
  },
  bulk: {
    bar: 'Selected orders',
    count: (many: number) => `${ordersOf(many)} selected`,
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
      `${underWay === 0 ? '' : `${countText(underWay)} of them ${underWay === 1 ? 'is' : 'are'} under way and will be turned off. `}Their picked quantities are deleted; their history stays. You cannot undo this.`,
  },
  halt: {
    title: 'Needs attention',
    timedOut: (names: string) => `${names} timed out.`,
    unassigned: (names: string) => `No device for ${names}.`,
    unreachable: (names: string) => `No gateway reaches ${names === '' ? 'one of its devices' : names}.`,
    guessed: (names: string) => `The place of ${names === '' ? 'a line' : names} is a guess.`,
    noStock: (names: string) => `No place has any stock of ${names === '' ? 'an article' : names}.`,
    stalled: (minutes: number) => `No button was pressed for ${minutesOf(minutes)}.`,
    endedElsewhere: (ends: EndReason) => `A file says that the order or a part of it is ${ends}.`,
    continueOrder: 'Continue it',
    continuing: 'Continuing…',
    paused: (names: string, minutes: number) => `Paused by ${names} at least ${minutesOf(minutes)} ago.`,
    todo: {
      timed_out: 'Check the place, then launch again.',
      unassigned:
        'Lines without a device do not light; the rest of the order continues. Name the place on the Places page, then launch again. Or correct the quantity manually.',
      unreachable: 'It lights when the device is online again.',
      guessed:
        'Only part of the name was given, or several devices have the label. Check the shelf before you pick. To correct it, name the place on the Places page, then launch again.',
      no_stock: 'Its first place is lit anyway. Count the stock, or close the line as short.',
      stalled: 'Ask who is picking it, or abort it.',
      paused: 'Let somebody else join it, or abort it.',
      ended_elsewhere: 'Pickers are not offered this order. Abort it and return what was picked, or continue it.',
    } satisfies Record<Attention, string>,
  },
  ...orderDialogs,
  one: {
    back: 'Orders',
    none: (number: string) => `There is no order ${number}`,
    noneBody: 'It may have been deleted, or the address contains a typo.',
    all: 'Show all orders',
    items: (number: string) => `Lines of order ${number}`,
    views: 'Views of this order',
    show: { items: 'Lines', timeline: 'Timeline' },
    timeline: (number: string) => `Timeline of order ${number}`,
    happened: 'Events',
    cut: 'Older events are not shown.',
    allHistory: 'Show full history',
    created: 'Created',
    launched: 'Launched',
    fulfilled: 'Fulfilled',
    light: 'Light',
    seconds: timeOf,
    shipment: (number: string) => `Shipment ${number}`,
    shipmentDone: (done: number, all: number) => `${countText(done)} of ${itemsOf(all)}`,
    timedOut: 'Timed out',
    pickers: 'Pickers',
    linesOf: (done: number, all: number) => `${countText(done)} of ${countText(all)}`,
    edit: 'Edit',
    customer: 'Customer',
    ordered: 'Ordered',
    paid: 'Payment',
    isPaid: 'Paid',
    notPaid: 'Not paid',
    note: 'Note',
    due: 'Due',
    priority: 'Priority',
    verified: 'Verified by a scan',
    awaitsScan: 'Waits for a scan',
    menuVerify: 'Cannot be scanned',
    verifyFailed: 'The line is still waiting for a scan.',
    menuShort: 'Short…',
    menuReopen: 'Reopen…',
    menuLight: 'Light again',
    lightFailed: 'The line was not lit.',
    locations: 'Go to Places',
    noItems: 'This order has no lines',
    noItemsHint: 'It cannot be launched. Delete it, then create it again with lines.',
    columns: { item: 'Article', place: 'Place', state: 'State', quantity: 'Quantity' },
    correct: (name: string, fulfilled: number, ordered: number) =>
      `Correct the quantity of ${name}: ${countText(fulfilled)} of ${countText(ordered)}`,
    menuCorrect: 'Correct the quantity…',
    atPlace: (place: string) => `at ${place}`,
    notYet: 'Found at launch',
    places: (names: readonly string[]) => names.join(' or '),
    expected: 'Expected',
  },
  correction: {
    title: (name: string) => `Correct ${name}`,
    quantity: 'Picked so far',
    of: (ordered: number) => `of ${countText(ordered)}`,
    reason: 'Reason',
    reasonHint: 'Appears in the history only',
    reasons: ['Miscounted', 'Damaged', 'Not on the shelf', 'Returned'],
    save: 'Correct',
    saving: 'Correcting…',
    wrong: 'Enter a whole number, 0 or more.',
    changed: (now: number) => `${plural(now, 'piece is', 'pieces are')} picked now. Check the number, then save again.`,
    clears: 'Complete: its light turns off.',
    done: (name: string, quantity: number) => `${name}: ${countText(quantity)} picked.`,
  },
  form: {
    title: 'New order',
    number: 'Order number',
    customer: 'Customer',
    address: 'Address',
    addressHint: 'One part per line, as on a letter',
    note: 'Note',
    more: 'More fields',
    noNumber: 'Enter an order number.',
    color: 'Color',
    asInSettings: 'Default',
    seconds: 'Seconds lit',
    due: 'Due',
    priority: 'Priority',
    badPriority: 'Enter a whole number from -1,000 to 1,000.',
    item: (n: number) => `Line ${n}`,
    article: 'Article',
    quantity: 'Quantity',
    place: 'Place or DeviceID',
    shipment: 'Shipment',
    addItem: 'Add a line',
    removeItem: (n: number) => `Remove line ${n}`,
    noArticle: 'Enter the article.',
    notFound: 'No article is found. Choose one, or create the order again with this name.',
    /** Names what a line will not do. */
    notice: {
      neither: (typed: string) => `No article is “${typed}”: nothing lights, and no stock changes.`,
      onlyLit: (typed: string) => `No article is “${typed}”: no stock changes.`,
      several: (many: number, typed: string) =>
        `${countText(many)} articles are called “${typed}”: choose one by its SKU.`,
      nothing: (typed: string) => `No place is called “${typed}”: nothing lights. Enter the place.`,
      noLight: (place: string) => `No light hangs at ${place}: nothing lights there.`,
      notKept: (sku: string, place: string) => `${sku} is not kept at ${place}: no stock changes there.`,
      noPlace: (sku: string) => `${sku} has no place: nothing lights, and no stock changes.`,
      noStock: (sku: string) => `${sku} has no place: no stock changes.`,
      unlit: (places: readonly string[]) =>
        `No light hangs at ${places.slice(0, 3).join(', ')}${places.length > 3 ? ', …' : ''}: nothing lights.`,
    },
    noQuantity: 'Enter a whole number, 1 or more.',
    badSeconds: 'Enter a whole number, 0 or more.',
    someShipment: 'Enter a shipment, or clear all shipments.',
    save: 'Create order',
    saving: 'Creating…',
    added: (number: string) => `Order ${number} created. Launch it when somebody is ready to pick.`,
  },
} as const;
