import type { AlertKind } from '#shared/api/alert.ts';

export const alerts = {
  title: 'Alerts',
  kinds: {
    device_offline: 'Device offline',
    signal_weak: 'Weak signal',
    battery_low: 'Battery low',
    turbo_offline: 'Turbo offline',
    turbo_trouble: 'Turbo in trouble',
  } satisfies Record<AlertKind, string>,
  percent: (value: number) => `${value} %`,
  dbm: (value: number) => `${value} dBm`,
} as const;
