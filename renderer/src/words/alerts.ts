import type { StationAlertKind } from '#shared/api/alert.ts';
import { ALERT_STEPS, ALERT_TITLES } from '#shared/lib/alerts/alertWords.ts';
import { plural } from './plural.ts';
import { pages } from './pages.ts';

export const alerts = {
  title: pages.alerts.title,
  note: (open: number, unseen: number) =>
    open === 0 ? '' : unseen === 0 ? `${open} open, all seen` : `${open} open, ${unseen} unseen`,
  tabsLabel: 'Open or resolved alerts',
  tabs: { open: 'Open', ended: 'Resolved' },
  list: 'Open alerts',
  endedList: 'Resolved alerts',
  kinds: ALERT_TITLES,
  todo: ALERT_STEPS,
  /** Name of the page that helps with an alert about the station. */
  places: {
    data_lost: 'Backups',
    data_exposed: 'Data folder',
    restore_failed: 'Backups',
    backup_failed: 'Backups',
    many_new_devices: 'Places',
    mqtt_overwritten: 'MQTT',
    origin_refused: 'Network and security',
    host_refused: 'Network and security',
  } satisfies Record<StationAlertKind, string>,
  percent: (value: number) => `${value} %`,
  dbm: (value: number) => `${String(value).replace('-', '−')} dBm`,
  since: (ago: string) => `Since ${ago}`,
  lastHeard: (ago: string) => `Last heard ${ago}`,
  over: (ago: string) => `Resolved ${ago}`,
  lasted: (time: string) => `Lasted ${time}`,
  seen: 'Mark as seen',
  allSeen: 'Mark all as seen',
  seenOf: (alert: string, name: string) => `Mark as seen: ${alert}, ${name}`,
  seenBy: (name: string) => `Seen by ${name}`,
  seenFailed: 'The alert was not marked as seen.',
  dismiss: 'Dismiss',
  dismissOf: (alert: string) => `Dismiss: ${alert}`,
  dismissFailed: 'The alert was not dismissed.',
  allow: 'Allow…',
  allowOf: (about: string) => `Allow ${about}`,
  never: 'Never',
  neverOf: (about: string) => `Never allow ${about}, and never ask again`,
  neverFailed: 'The setting was not saved. The station will ask again.',
  askAllow: {
    title: (about: string) => `Allow ${about}?`,
    origin:
      'Its pages can then send requests to this station with a key or a session. You can undo this in Settings, Network and security.',
    host: 'The station then responds at this address. You can undo this in Settings, Network and security.',
    confirm: 'Allow',
  },
  gone: 'Stop waiting…',
  goneOf: (name: string) => `Stop waiting for ${name}`,
  ask: {
    title: (name: string) => `Stop waiting for ${name}?`,
    body: 'Its alert is resolved. Its devices raise their own alerts unless another gateway is in range. If it connects again, it works as before.',
    confirm: 'Stop waiting',
  },
  more: (count: number) => `Show ${plural(count, 'more', 'more')}`,
  none: {
    title: 'No open alerts',
    body: 'Offline devices and gateways, low batteries and weak signals are listed here until they are fixed. Alerts about the station stay until you dismiss them.',
    settings: 'Choose when to raise an alert',
  },
  noneEnded: {
    title: 'No resolved alerts yet',
    body: 'Alerts move here when they resolve, for example after you change a battery.',
  },
  failed: 'The alerts could not be loaded.',
  notify: {
    turnOn: 'Notify me of alerts',
    turnOff: 'Stop alert notifications',
    on: 'New alerts appear on this screen while Pickstation is open in this browser.',
    denied:
      'This browser blocks notifications for this page. Allow them in its settings for this address. Over plain HTTP, they work only on the station’s machine.',
    missing: 'This browser does not support notifications.',
  },
} as const;
