import { plural } from './plural.ts';

/** The wall board. */
export const board = {
  documentTitle: 'Wall board',
  connecting: 'Connecting to the station…',
  noLink: {
    title: 'This address needs the link of a screen',
    body: 'An admin creates it under Settings, People, Screens. Open that link here.',
  },
  refused: {
    title: 'This screen was removed, or its link is incomplete',
    body: 'Ask an admin for a new link: Settings, People, Screens.',
  },
  away: {
    never: 'The station does not answer. Trying again…',
    stale: (since: string) => `The station has not answered since ${since}. These figures are from then.`,
  },

  waiting: (orders: number) => (orders === 0 ? 'Nothing to pick' : plural(orders, 'order to pick', 'orders to pick')),
  late: (orders: number) => `${orders} late`,
  noneLate: 'None late',
  orders: 'Orders by due time',
  columns: { number: 'Order', due: 'Due', progress: 'Lines', picker: 'Picked by' },
  noOrders: 'New orders appear here by themselves.',
  progress: (done: number, lines: number) => `${done} of ${lines}`,
  progressOf: (order: string, done: number, lines: number) => `${done} of ${lines} lines of order ${order} are picked`,
  short: (lines: number) => `${lines} short`,
  lateBy: (time: string) => `${time} late`,
  minutes: (minutes: number) => `${minutes} min`,
  hours: (hours: number) => `${hours} h`,
  days: (days: number) => plural(days, 'day', 'days'),
  noDue: '–',
  nobody: '–',
  paused: (name: string) => `${name} (paused)`,
  more: (orders: number) => `and ${plural(orders, 'more order', 'more orders')}`,
  attention: {
    timed_out: 'timed out',
    unassigned: 'no light',
    unreachable: 'light offline',
    guessed: 'place guessed',
    no_stock: 'no stock',
    stalled: 'no press',
    paused: 'paused long',
  },

  care: 'Attention',
  noCare: 'All is well.',
  cares: {
    turbo_offline: (count: number) => plural(count, 'gateway offline', 'gateways offline'),
    device_offline: (count: number) => plural(count, 'device offline', 'devices offline'),
    battery_low: (count: number) => plural(count, 'battery low', 'batteries low'),
    receiver_failing: (count: number) => plural(count, 'receiver fails', 'receivers fail'),
    short: (count: number) => plural(count, 'line short today', 'lines short today'),
  },

  lines: 'Lines',
  today: 'lines today',
  lastHour: 'in the last hour',
  perHour: 'Lines per hour today',
  hour: (time: string, lines: number) => `${time}: ${plural(lines, 'line', 'lines')}`,
  people: 'Lines per person today',
  noLines: 'No lines picked yet today.',
  unnamed: 'Nobody in particular',
  morePeople: (people: number) => plural(people, 'more person', 'more people'),

  /** In the list of screens. */
  tab: {
    list: 'Screens',
    lead: 'A screen on a wall shows orders, what needs attention and the lines of today, without a sign-in. It shows no customers and no notes.',
    add: 'Add a screen',
    addSubmit: 'Create link',
    name: 'Name',
    nameHelp: 'For example its place. Shown in this list and in the activity.',
    noName: 'Enter a name.',
    created: (ago: string) => `Created ${ago}`,
    sessions: (count: number) => (count === 0 ? 'Not open' : count === 1 ? 'Open' : `Open in ${count} browsers`),
    remove: 'Remove…',
    removeOf: (name: string) => `Remove ${name}`,
    removeTitle: (name: string) => `Remove ${name}?`,
    removeBody: 'Its link stops working, and the screen shows nothing more.',
    removeConfirm: 'Remove',
    removed: (name: string) => `${name} was removed.`,
    linkTitle: (name: string) => `Link of ${name}`,
    linkLead:
      'Open this link in the browser of the screen, and let it start with that page. Everybody who has the link can read the board. It is shown only now: if you lose it, remove the screen and create another one.',
    link: 'Link',
    onlyHere:
      'Other machines cannot reach this station yet, so the link works only here. Open the station to the network in Settings first.',
    done: 'I have copied it',
    none: { title: 'No screens', body: 'Add one for each TV, and open its link there.' },
  },
} as const;
