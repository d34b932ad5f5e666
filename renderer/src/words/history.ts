import { pages } from './pages.ts';
import { plural } from './plural.ts';

const count = (value: number) => value.toLocaleString('en');
const linesOf = (lines: number) => (lines === 1 ? '1 line' : `${count(lines)} lines`);
const picksOf = (picks: number) => (picks === 1 ? '1 pick' : `${count(picks)} picks`);

/** The page History. */
export const history = {
  title: pages.history.title,
  range: {
    label: 'Period',
    choices: { hour: 'Last hour', today: 'Today', week: '7 days', month: '30 days', all: 'All', between: 'Between…' },
    from: 'From',
    to: 'To',
    turned: 'The end is before the start.',
  },
  filters: 'Filters',
  filtersOn: (on: number) => (on === 0 ? 'Filters' : `Filters (${on})`),
  result: {
    label: 'Result',
    choices: {
      any: 'Any',
      acknowledged: 'Acknowledged',
      timedOut: 'Timed out',
      away: 'Removed or replaced',
      late: 'Late or early presses',
      calls: 'Calls',
      work: 'Orders and sequences',
      alerts: 'Alerts',
      devices: 'Devices replaced',
    },
  },
  device: 'Device',
  devicePlaceholder: 'Any',
  order: 'Order',
  sequence: 'Sequence',
  anyPlaceholder: 'Any',
  clear: 'Clear filters',
  csv: 'History as CSV',
  xlsx: 'History as an Excel file',
  excel: 'Excel',

  figures: 'Figures',
  counting: 'Counting…',
  countFailed: 'The figures could not be loaded',
  picks: {
    title: 'Picks per hour',
    of: picksOf,
    busiest: (rate: string, when: string) => `busiest: ${rate} per hour, ${when}`,
    unit: 'per hour of work',
    at: (rate: string, picks: number) => `${rate} per hour · ${picksOf(picks)}`,
  },
  times: {
    title: 'Time to acknowledge',
    median: 'half of them within',
    p95: (time: string) => `19 of 20 within ${time}`,
    none: 'No command was acknowledged on a device.',
    of: picksOf,
    at: (median: string, p95: string) => `half within ${median} · 19 of 20 within ${p95}`,
    atNone: 'nothing acknowledged',
  },
  timeouts: {
    title: 'Timed out',
    of: (timedOut: number, ended: number) => `${count(timedOut)} of ${count(ended)}`,
    none: 'No command has ended.',
    at: (timedOut: number) => `${count(timedOut)} timed out`,
  },
  chart: (title: string, from: string, to: string) =>
    `${title}, from ${from} to ${to}. The table below has the same figures.`,
  tooFew: 'too few picks to say',
  report: {
    label: 'Report',
    failed: 'The report could not be loaded.',
    lines: (lines: number, days: number) =>
      days === 1
        ? `${linesOf(lines)} ${lines === 1 ? 'was' : 'were'} picked.`
        : `${linesOf(lines)} were picked on ${count(days)} days.`,
    shortOf: (shorts: number) =>
      shorts === 0 ? 'None was short.' : shorts === 1 ? 'One was short.' : `${count(shorts)} were short.`,
    half: (time: string) => `Half of the lines took less than ${time} from light to press.`,
    tooFew: 'Too few lines were confirmed by a press to say how long one takes.',
    few: 'too few',
    file: { csv: 'CSV', xlsx: 'Excel' },
    fileOf: { csv: (title: string) => `${title} as CSV`, xlsx: (title: string) => `${title} as an Excel file` },
    people: {
      title: 'Lines per person and day',
      label: 'People',
      daysLabel: 'Lines per day',
      picker: 'Person',
      lines: 'Lines',
      units: 'Pieces',
      shorts: 'Short',
      median: 'Half took less than',
      day: 'Day',
      others: 'Others',
      all: 'All',
      nobody: 'Nobody in particular',
      more: (days: number) => `${plural(days, 'earlier day is', 'earlier days are')} in the file.`,
    },
    shorts: {
      title: 'Short lines by article',
      label: 'Articles that were short',
      article: 'Article',
      reasons: 'Reasons',
      lines: 'Lines',
      reason: (reason: string, lines: number) => `${reason === '' ? 'no reason' : reason} (${lines})`,
      none: 'No line was short.',
      more: (articles: number) => `${plural(articles, 'more article is', 'more articles are')} in the file.`,
    },
    places: {
      title: 'Slow places',
      label: 'Places, slowest first',
      place: 'Place',
      picks: 'Picks',
      median: 'Half took less than',
      none: 'No line was confirmed by a press.',
      few: (places: number) => `${plural(places, 'place has', 'places have')} too few picks for a figure.`,
      more: (places: number) => `${plural(places, 'faster place is', 'faster places are')} in the file.`,
    },
  },
  table: {
    show: 'Show table',
    hide: 'Hide table',
    label: 'Figures by time',
    time: 'Time',
    picks: 'Picks',
    rate: 'Per hour',
    median: 'Median',
    p95: '95th percentile',
    timedOut: 'Timed out',
    only: (time: string) => `Only ${time}`,
  },

  list: 'Events, newest first',
  columns: {
    when: 'When',
    place: 'Place',
    what: 'What',
    result: 'Result',
    took: 'Took',
    qty: 'Counted',
    origin: 'Order or sequence',
  },
  ofAsked: (qty: number, asked: number) => `${qty} of ${asked}`,
  corrected: (name: string, before: number, now: number) =>
    before === now ? `${name}: ${now}` : `${name}: ${now} instead of ${before}`,
  orderIs: (order: string) => `order ${order}`,
  sequenceIs: (sequence: string) => `sequence ${sequence}`,
  notLoaded: 'The history could not be loaded',
  olderFailed: 'Older entries could not be loaded.',
  end: 'No more entries.',
  none: {
    title: 'No history yet',
    body: 'Every ended command is listed here with its result and duration.',
    go: 'Go to Today',
  },
  noneThen: { title: 'Nothing in this period', body: 'Choose a longer period.' },
  noMatch: { title: 'No entry matches', body: 'Change the filters or choose a longer period.' },

  open: {
    label: 'Details of this command',
    close: 'Close',
    back: 'Back to the list',
    gone: 'Command not found',
    openDevice: 'Open the device',
  },

  span: (from: string, to: string) => `${from} to ${to}`,
  seconds: (seconds: string) => `${seconds} s`,
  minutes: (minutes: number, seconds: string) => `${minutes}:${seconds} min`,
  hours: (hours: number, minutes: string) => `${hours}:${minutes} h`,
  percent: (percent: string) => `${percent} %`,
} as const;
