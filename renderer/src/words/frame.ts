import { countText } from '#shared/lib/text/locale.ts';
import { plural } from './plural.ts';

export const product = 'Pickstation';

export const pageTitle = (page: string, shop = '') => `${page} · ${shop === '' ? 'Pickstation' : shop}`;

export const rail = {
  label: 'Pages',
  destinations: {
    today: 'Today',
    orders: 'Orders',
    pick: 'Pick',
    pack: 'Pack',
    articles: 'Articles',
    places: 'Places',
    history: 'History',
    connections: 'Connections',
    settings: 'Settings',
  },
  waiting: (count: number) => plural(count, 'thing needs attention', 'things need attention'),
  partsOf: (destination: string) => `${destination} pages`,
  advanced: 'Advanced',
  search: 'Search',
  searchKeys: 'Ctrl K',
  more: 'More',
  morePages: 'More pages',
  moreWith: (open: string | undefined, waiting: number) =>
    ['More', ...(open === undefined ? [] : [`${open} is open`]), ...(waiting === 0 ? [] : [`${waiting} waiting`])].join(
      ', ',
    ),
  user: (name: string) => `Account: ${name}`,
  signedIn: (name: string, scope: string) => `${name}: ${scope}`,
  scopes: { picker: 'picker', read: 'read only', control: 'control', admin: 'admin' },
  theme: 'Theme',
  themes: { system: 'Same as system', light: 'Light', dark: 'Dark' },
  signOut: 'Sign out',
  signOutFailed: 'You may still be signed in.',
} as const;

export const frame = {
  toSettings: 'Go to Settings',
  close: 'Close',
  csv: 'CSV',
  cancel: 'Cancel',
  working: 'Working…',
  progress: (value: number, max: number) => `${value} of ${max}`,
  messages: 'Messages',
  denied: 'Not allowed',
  needs: (role: string) => `Requires the ${role} role`,
  undo: 'Undo',
  undoFailed: 'The change could not be undone.',
  dismiss: 'Dismiss',
  unsaved: {
    title: 'Leave without saving?',
    body: 'Your changes on this page are not saved.',
    leave: 'Leave',
    stay: 'Stay',
  },
  broken: {
    title: 'This page crashed',
    body: 'The station and the other pages still work. Try again. If this keeps happening, reload the window.',
    again: 'Try again',
    reload: 'Reload the window',
    away: {
      title: 'This page could not be loaded',
      body: 'There is no connection to the station. The page appears once the station is back. Pages that were open before still work.',
    },
  },
  brokenPart: {
    rail: 'The menu crashed. The page still works.',
    search: 'The search crashed. The page still works.',
    notices: 'The notices crashed. The page still works.',
    bars: 'The bar at the top crashed. The page still works.',
  },
  welcome: 'Welcome',
  unknown: {
    title: 'Unknown page',
    nothing: 'Page not found',
    body: (path: string) => `There is no page at ${path}. The address may contain a typo or belong to another version.`,
    home: 'Go to Today',
  },
  loading: 'Loading…',
  older: 'Show older',
  tableKeys: 'Arrow keys move between rows and controls.',
} as const;

export const failure = {
  unreachable: 'The station does not answer. Check that it is running, then try again.',
  unreadable: 'This page cannot read the station’s answer. Reload the page.',
  refused: 'The station refused this. Try again. If this keeps happening, check the station’s log.',
  otherSession: 'Somebody signed in on another tab. This page now shows their session. Check it, then try again.',
  changed: 'Somebody has changed this since you opened it. Close it, check the new values, and repeat your change.',
  other: 'This page failed. Reload it and try again.',
} as const;

export const connection = {
  connecting: 'Connecting to the station…',
  lost: 'Connection to the station lost.',
  stale: 'This page may be out of date. It reconnects automatically.',
  asOf: (time: string) => `Since ${time}`,
  never: 'The station does not answer yet. This page retries automatically.',
  updated: 'The station was updated.',
  outdated: 'This page is from another version. Finish what you are typing, then reload it.',
  reload: 'Reload',
} as const;

export const palette = {
  title: 'Search everything',
  placeholder: 'Device, place, article, order, page, setting or action',
  results: 'Results',
  escape: 'Esc',
  none: 'Nothing matches. Try part of a label, an article, an order number, a setting or an action.',
  litAt: (place: string) => `Lit at ${place}`,
  page: 'Page',
  device: 'Device',
  order: 'Order',
  article: 'Article',
  sequence: 'Sequence',
  batch: 'Batch',
  cart: 'Cart',
  wall: 'Wall',
  aliasAt: (deviceid: string) => `Place at ${deviceid}`,
  theme: (word: string) => `Theme: ${word}`,
} as const;

const of = (count: number, one: string) => plural(count, one, `${one}s`);

/** Words for points in time. */
export const moments = {
  now: 'just now',
  minutes: (count: number) => `${of(count, 'minute')} ago`,
  hours: (count: number) => `${of(count, 'hour')} ago`,
  days: (count: number) => `${of(count, 'day')} ago`,
  on: (day: string) => `on ${day}`,
  today: 'Today',
  yesterday: 'Yesterday',
  inZone: (zone: string) => `time in ${zone.replaceAll('_', ' ')}`,
} as const;

export const sound = {
  title: 'Sounds',
  lead: 'Applies to this browser only.',
  label: 'Play the sounds of devices here',
  help: 'Plays when a device shows a command with a sound. At most three sounds play at once.',
  blocked: 'This browser blocks sounds until you click or press a key on this page.',
  missing: 'This browser cannot play sounds.',
  click: 'Click to hear',
  clickLabel: 'Click to hear: play the sounds of devices here',
  volume: 'Volume',
  try: 'Try it',
  stop: 'Stop',
  on: 'Play the sounds of devices here',
  off: 'Stop playing the sounds of devices here',
} as const;

/** Texts for the bulk action bar and the results of bulk changes. */
export const bulk = {
  hidden: (many: number) => `${countText(many)} of them hidden`,
  clear: 'Clear selection',
  result: {
    title: 'Some changes failed',
    summary: (done: number, failed: number, left: number) =>
      [
        `${countText(done)} done, ${countText(failed)} failed.`,
        ...(left === 0 ? [] : [`${countText(left)} ${left === 1 ? 'was' : 'were'} not tried.`]),
      ].join(' '),
    cancelled: 'Canceled',
    list: 'Failed changes',
    kept: 'They are still selected, so you can try again.',
    csv: 'CSV of all results',
    seen: 'Done',
    more: (many: number) => `and ${countText(many)} more in the CSV`,
    states: { done: 'done', failed: 'failed', left: 'not tried' },
  },
} as const;
