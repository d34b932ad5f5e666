import type { AlertKind } from './alertSubjects.ts';

/** Titles of alerts on the page and in e-mails. */
export const ALERT_TITLES = {
  device_offline: 'Device offline',
  signal_weak: 'Weak signal',
  battery_low: 'Battery low',
  turbo_offline: 'Gateway offline',
  turbo_trouble: 'Gateway has problems',
  order_attention: 'Order needs attention',
  batch_attention: 'Cart or wall needs attention',
  task_overdue: 'Task waits for too long',
  place_dark: 'Place has goods, but no light',
  receiver_failing: 'Callbacks not delivered',
  folder_failing: 'Folder not available',
  file_refused: 'File of orders refused',
  sheet_failing: 'Published sheet not read',
  secret_unreadable: 'Secret cannot be read',
  setting_invalid: 'Setting not valid',
  data_lost: 'Data lost',
  restore_failed: 'Restore failed',
  backup_failed: 'Backup failed',
  many_new_devices: 'Many new devices',
  mqtt_overwritten: 'MQTT topics overwritten',
  origin_refused: 'Page or extension refused',
  host_refused: 'Address refused',
} as const satisfies Record<AlertKind, string>;

/** What to do about each kind of alert. */
export const ALERT_STEPS = {
  device_offline: 'Check its battery, then move it closer to a gateway.',
  signal_weak: 'Move a gateway closer or remove metal between them.',
  battery_low: 'Change its battery soon.',
  turbo_offline:
    'Check its power and its cable or network. The station raises no alerts about its devices until it is online again.',
  turbo_trouble: 'Check the link on the Gateways page.',
  place_dark: 'Hang a device there or, if the place only has a new name, rename it under Places.',
  task_overdue: 'Do it and mark it as done, or dismiss it, under Articles.',
  batch_attention: 'Open the batch: it shows who picks it, and what is in hand.',
  order_attention: 'Open the order: it shows what is the matter, and where.',
  receiver_failing: 'Check your system or broker and its address under Connections, then send what waits.',
  folder_failing: 'Check the folder and its drive or share. The station tries again by itself.',
  file_refused: 'Look at the result file beside it, correct the file, and move it out of the subfolder failed.',
  sheet_failing: 'Check the address of the sheet and that it is still published.',
  secret_unreadable: 'Enter it again, or start the station with its data key.',
  setting_invalid: 'Enter it again. Find out who changed the data: a restored backup may not be yours.',
  data_lost: 'Bring back the folder or restore a backup that holds the missing data, or dismiss this alert.',
  restore_failed: 'Restore another backup, or dismiss this alert.',
  backup_failed: 'Remove the cause, then create a backup. The alert ends when one succeeds.',
  many_new_devices: 'Accept the waiting devices or revoke the key.',
  mqtt_overwritten: 'Find the client in the log of the broker, then give each client its own user and rights.',
  origin_refused: 'Allow it, or choose Never to stop these alerts.',
  host_refused: 'Allow it, or choose Never to stop these alerts.',
} as const satisfies Record<AlertKind, string>;
