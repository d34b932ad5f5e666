import { plural } from './plural.ts';
import { pages } from './pages.ts';

/** Texts for the Fleet page, which shows all stations at a broker. */
export const fleet = {
  title: pages.fleet.title,
  summary: (count: number, away: number, care: number) =>
    [
      plural(count, 'station', 'stations'),
      care > 0 ? plural(care, 'needs attention', 'need attention') : '',
      away > 0 ? `${away} away` : '',
    ]
      .filter(Boolean)
      .join(', '),
  some: (shown: number, all: number) => `${shown} of ${all}`,
  hits: (count: number) => `${count} found`,
  search: 'Order, article, place or station',
  clearSearch: 'Clear',
  filters: { title: 'Show', all: 'All', care: 'Needs attention', away: 'Away' },
  noMatch: 'Nothing found at any station',
  noMatchHint: 'Articles are found only where they are lit or on a label or static line.',
  noneOf: { all: 'No stations', care: 'No station needs attention', away: 'No station is away' },
  showAll: 'Show all stations',
  table: 'Stations',
  columns: {
    need: 'State',
    station: 'Station',
    lit: 'Lit',
    orders: 'Orders',
    picks: 'Picks, last hour',
    batteries: 'Batteries',
    callbacks: 'Callbacks',
    heard: 'Last heard',
  },
  needs: {
    problem: 'Check',
    away: 'Away',
    callbacks: 'Callbacks wait',
    attention: 'Orders wait',
    offline: 'Devices offline',
    batteries: 'Batteries low',
    well: 'OK',
  },
  open: (station: string) => `Open ${station}`,
  openEnd: 'Open',
  own: 'this station',
  version: (version: string) => `version ${version}`,
  lit: (lit: number, all: number) => `${lit} of ${all}`,
  offline: (count: number) => `${count} offline`,
  orders: (open: number, inProgress: number) => `${inProgress} in progress, ${open} open`,
  attention: (count: number) => plural(count, 'needs attention', 'need attention'),
  batteries: (count: number) => (count === 0 ? 'OK' : `${count} to change`),
  delivered: 'OK',
  notDelivered: (hosts: readonly string[]) => `Not delivered to ${hosts.join(', ')}`,
  notKnown: 'Not known',
  unknown: '–',
  awaySince: (time: string) => `Away since ${time}`,

  found: 'Found at all stations',
  matches: {
    station: 'Station',
    order_number: 'Order',
    deviceid: 'DeviceID',
    label: 'Label',
    static: 'Static line',
    lit: 'Lit',
  },
  lastState: 'Away. Last known state.',
  findFailed: 'The stations could not be searched.',

  alerts: (count: number) => (count === 0 ? 'Alerts' : `Alerts (${count})`),
  alertsTitle: 'Alerts of all stations',
  alertsNote: (count: number) => plural(count, 'alert', 'alerts'),
  back: 'Stations',
  noAlerts: { title: 'No alerts', body: 'No station has an open alert.' },
  alertList: 'Open alerts of all stations, newest first',
  since: (ago: string) => `since ${ago}`,

  send: 'Send an order',
  form: {
    title: 'Send an order to a station',
    station: 'Station',
    chooseStation: 'Choose a station',
    noStation: 'Choose a station.',
    launch: 'Launch it immediately',
    place: 'Place or DeviceID there',
    save: 'Send order',
    saving: 'Sending…',
    sent: (number: string, station: string) => `Order ${number} created at ${station}.`,
    launched: (number: string, station: string) => `Order ${number} created and launched at ${station}.`,
  },
  noneOnline: 'No other station is online.',

  off: { title: 'All stations on one page', settings: 'Open Settings' },
  offBody:
    'Set the same MQTT broker and prefix here and at every station. Then turn on “Show all stations” here; npm run fleet does not need this. No station depends on another.',
  empty: {
    title: 'No stations yet',
    body: 'A station appears here when it connects to this broker with the same prefix. If one is missing, check this station’s permissions at the broker.',
  },
  connection: {
    off: '',
    connected: '',
    connecting: 'Connecting to the broker. The page shows the last known state.',
    refused: 'The broker refused this station. The page shows the last known state.',
    error: 'No connection to the broker. The page shows the last known state.',
  },
  failed: 'The stations could not be loaded.',
} as const;
