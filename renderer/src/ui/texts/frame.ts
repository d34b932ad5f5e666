import { plural } from './plural.ts';

export const product = 'Pickstation';

export const pageTitle = (page: string) => `${page} · Pickstation`;

export const rail = {
  label: 'Pages',
  station: 'Station',
  settings: 'Settings',
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
  scopes: { picker: 'picker', read: 'may look', control: 'may send commands', admin: 'may do everything' },
  theme: 'Theme in this browser',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  signOut: 'Sign out',
  signOutFailed: 'You are still signed in.',
} as const;

export const frame = {
  close: 'Close',
  cancel: 'Cancel',
  progress: (value: number, max: number) => `${value} of ${max}`,
  messages: 'Messages',
  denied: 'Not allowed',
  needs: (role: string) => `Needs the role ${role}`,
  undo: 'Undo',
  undoFailed: 'It could not be taken back.',
  dismiss: 'Dismiss',
  unsaved: {
    title: 'Leave without saving?',
    body: 'What you changed on this page has not been saved.',
    leave: 'Leave',
    stay: 'Stay here',
  },
  broken: {
    title: 'This page has broken',
    body: 'The station and the other pages still work. Try again. If it happens again, reload the window.',
    again: 'Try again',
    reload: 'Reload the window',
  },
  unknown: {
    title: 'Unknown page',
    nothing: 'There is no such page',
    body: (path: string) => `There is no page at ${path}. The address may be mistyped, or from another version.`,
    home: 'Go to the Station page',
  },
  loading: 'Loading…',
  tableKeys: 'Arrow keys go from row to row and from control to control.',
} as const;

export const failure = {
  unreachable: 'The station does not answer. Check that it is running, then try again.',
  unreadable: 'The station answered something that this page does not understand. Reload the page.',
  status: (status: number) => `The station refused (${status}). Try again; if it stays, look at its log.`,
  other: 'Something went wrong in this page. Reload it and try again.',
} as const;

export const connection = {
  connecting: 'Connecting to the station…',
  lost: 'Connection to the station lost.',
  stale: 'What you see may be out of date. This page tries again by itself.',
  asOf: (time: string) => `Since ${time}`,
  never: 'The station does not answer yet. This page tries again by itself.',
  updated: 'The station was updated.',
  outdated: 'This page is of another version. Reload it when nothing is half typed.',
  reload: 'Reload',
} as const;

export const palette = {
  title: 'Search everything',
  placeholder: 'Device, place, order, page or action',
  results: 'Results',
  escape: 'Esc',
  none: 'Nothing matches. Try a part of a label, a DeviceID or what you want to do.',
  page: 'Page',
  device: 'Device',
  theme: (word: string) => `Theme: ${word}`,
} as const;

const of = (count: number, one: string) => plural(count, one, `${one}s`);

/** When something was. */
export const moments = {
  now: 'just now',
  minutes: (count: number) => `${of(count, 'minute')} ago`,
  hours: (count: number) => `${of(count, 'hour')} ago`,
  days: (count: number) => `${of(count, 'day')} ago`,
  on: (day: string) => `on ${day}`,
  today: 'Today',
  yesterday: 'Yesterday',
} as const;

export const sound = {
  title: 'Sounds',
  lead: 'Kept in this browser, for this browser alone.',
  label: 'Play the sounds of devices here',
  help: 'When a device begins to show a command that has a sound. At most three at once.',
  blocked: 'This browser plays nothing before you have clicked or pressed a key in this page.',
  missing: 'This browser plays no sounds.',
  click: 'Click to hear',
  clickLabel: 'Click to hear: play the sounds of devices here',
  volume: 'Volume',
  try: 'Try it',
  stop: 'Stop',
  on: 'Play the sounds of devices here',
  off: 'Stop playing the sounds of devices here',
} as const;

const count = (many: number) => many.toLocaleString('en');

/** What is said of many that are chosen, and of what was done to all of them. */
export const bulk = {
  hidden: (many: number) => `${count(many)} of them not shown`,
  clear: 'Choose none',
  result: {
    title: 'Not all of it worked',
    summary: (done: number, failed: number, left: number) =>
      [
        `${count(done)} done, ${count(failed)} not.`,
        ...(left === 0 ? [] : [`${count(left)} ${left === 1 ? 'was' : 'were'} not tried.`]),
      ].join(' '),
    cancelled: 'Cancelled',
    list: 'What did not work',
    kept: 'They are still chosen, to try again.',
    csv: 'CSV of all results',
    seen: 'Done',
    more: (many: number) => `and ${count(many)} more in the CSV`,
    states: { done: 'done', failed: 'failed', left: 'not tried' },
  },
} as const;
