import type { AlertKind, StationAlertKind } from '#shared/api/alert.ts';
import { plural } from './plural.ts';

export const alerts = {
  title: 'Alerts',
  also: 'warnings battery signal offline bell',
  unseen: (count: number) => `${plural(count, 'alert', 'alerts')} that nobody has seen`,
  note: (open: number, unseen: number) =>
    open === 0 ? '' : unseen === 0 ? `${open} open, all seen` : `${open} open, ${unseen} not seen`,
  tabsLabel: 'Alerts that are open, or over',
  tabs: { open: 'Open', ended: 'Over' },
  list: 'Open alerts',
  endedList: 'Alerts that are over',
  kinds: {
    device_offline: 'Device offline',
    signal_weak: 'Weak signal',
    battery_low: 'Battery low',
    turbo_offline: 'Turbo offline',
    turbo_trouble: 'Turbo in trouble',
    data_lost: 'Data lost',
  } satisfies Record<AlertKind, string>,
  todo: {
    device_offline: 'Look whether it has power, and bring it nearer to a turbo.',
    signal_weak: 'Bring a turbo nearer, or take metal out of the way.',
    battery_low: 'Change its batteries soon.',
    turbo_offline:
      'Check its power, and its cable or network. Until it is back, nothing is said of the devices that it heard.',
    turbo_trouble: 'The Turbos page says how the link stands.',
    data_lost: 'Restore a backup that holds the missing data, or dismiss this alert.',
  } satisfies Record<AlertKind, string>,
  /** Where to look at what an alert about the station is about. */
  places: { data_lost: 'Backups' } satisfies Record<StationAlertKind, string>,
  percent: (value: number) => `${value} %`,
  dbm: (value: number) => `${String(value).replace('-', '−')} dBm`,
  since: (ago: string) => `Since ${ago}`,
  lastHeard: (ago: string) => `Last heard ${ago}`,
  over: (ago: string) => `Over ${ago}`,
  lasted: (time: string) => `Lasted ${time}`,
  seen: 'Seen',
  allSeen: 'All seen',
  seenOf: (alert: string, name: string) => `Seen: ${alert}, ${name}`,
  seenBy: (name: string) => `Seen by ${name}`,
  seenFailed: 'It was not noted that you have seen it.',
  dismiss: 'Dismiss',
  dismissOf: (alert: string) => `Dismiss: ${alert}`,
  dismissFailed: 'The alert was not dismissed.',
  gone: 'Will not come back…',
  goneOf: (name: string) => `${name} will not come back`,
  ask: {
    title: (name: string) => `Stop waiting for ${name}?`,
    body: 'Its alert ends, and the devices that it heard are missed by themselves where no other turbo hears them. Should it connect again, it is one of yours as before.',
    confirm: 'Stop waiting',
  },
  more: (count: number) => `Show ${plural(count, 'more', 'more')}`,
  none: {
    title: 'Nothing to look after',
    body: 'A device that falls silent, a low battery, a weak signal and a turbo without a link are listed here for as long as they last; what happened to the station, until you dismiss it.',
    settings: 'Choose from when on',
  },
  noneEnded: {
    title: 'No alert is over yet',
    body: 'An alert ends by itself, as when a battery was changed, and is then kept here.',
  },
  loading: 'Asking the station…',
  failed: 'They could not be read.',
  again: 'Try again',
  older: 'Show older',
} as const;
