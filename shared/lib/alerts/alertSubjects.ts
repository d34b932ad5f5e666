/** Kinds of alerts. No zod in this file, because the page imports it and forbids code evaluation. */
export const ALERT_KINDS = [
  'device_offline',
  'signal_weak',
  'battery_low',
  'turbo_offline',
  'turbo_trouble',
  'order_attention',
  'batch_attention',
  'task_overdue',
  'place_dark',
  'receiver_failing',
  'folder_failing',
  'file_refused',
  'sheet_failing',
  'secret_unreadable',
  'setting_invalid',
  'data_lost',
  'data_exposed',
  'restore_failed',
  'backup_failed',
  'many_new_devices',
  'mqtt_overwritten',
  'origin_refused',
  'host_refused',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/**
 * The subject of each kind of alert. Alerts about the station stay open until somebody dismisses them. `backup_failed` also ends with the next
 * backup, and `data_exposed` when other users can no longer write to the folder.
 */
export const ALERT_SUBJECTS = {
  device_offline: 'device',
  signal_weak: 'device',
  battery_low: 'device',
  turbo_offline: 'turbo',
  turbo_trouble: 'turbo',
  order_attention: 'order',
  batch_attention: 'batch',
  task_overdue: 'task',
  place_dark: 'place',
  receiver_failing: 'receiver',
  folder_failing: 'folder',
  file_refused: 'folder',
  sheet_failing: 'sheet',
  secret_unreadable: 'secret',
  setting_invalid: 'setting',
  data_lost: 'station',
  data_exposed: 'station',
  restore_failed: 'station',
  backup_failed: 'station',
  many_new_devices: 'station',
  mqtt_overwritten: 'station',
  origin_refused: 'station',
  host_refused: 'station',
} as const satisfies Record<
  AlertKind,
  | 'device'
  | 'turbo'
  | 'order'
  | 'batch'
  | 'task'
  | 'place'
  | 'receiver'
  | 'folder'
  | 'sheet'
  | 'secret'
  | 'setting'
  | 'station'
>;

/** Kinds of alerts about the station itself. */
export type StationAlertKind = {
  [Kind in AlertKind]: (typeof ALERT_SUBJECTS)[Kind] extends 'station' ? Kind : never;
}[AlertKind];

export function isStationAlert(kind: AlertKind): kind is StationAlertKind {
  return ALERT_SUBJECTS[kind] === 'station';
}

/** Whether a kind of alert is about folders of orders or the published sheet. */
export function isFolderAlert(kind: AlertKind): boolean {
  return ALERT_SUBJECTS[kind] === 'folder' || ALERT_SUBJECTS[kind] === 'sheet';
}
