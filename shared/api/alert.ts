import { z } from 'zod';
import { ALERT_KINDS } from '../lib/alerts/alertSubjects.ts';
import { afterId, intOrNull, named, oneOf, textOrNull, timestamp, timestampOrNull } from './fields.ts';

export type { AlertKind, StationAlertKind } from '../lib/alerts/alertSubjects.ts';

export const alertKindSchema = oneOf(ALERT_KINDS).describe(
  'device_offline: the device has been offline for too long. signal_weak, battery_low: the signal or battery of a device is at or below its threshold. turbo_offline: the link to a turbo has been down for too long. turbo_trouble: a turbo has a `problem`. order_attention: an order needs attention; its `attention` says why. batch_attention: a batch of a cart or wall is stalled; its `attention` says why. task_overdue: a stock task has been open for longer than `task_overdue_hours`. place_dark: places with goods have lost their last light; `problem` names them. receiver_failing: callbacks to your receiver or a further one fail, after three failed attempts in a row or five minutes. folder_failing: the inbox or outbox folder cannot be used. file_refused: a file of orders is in the subfolder failed of the inbox. sheet_failing: the published sheet could not be read for ten minutes. secret_unreadable: a password, key or signing secret cannot be read because the data key of the folder is missing; functions that need it wait. setting_invalid: a stored setting, callback receiver or link is not valid, for example after the restore of a modified backup. It is ignored, and functions that depend on it wait or are off. data_lost: the station started without some of its stored data, or its data folder was moved, removed or replaced while it ran. data_exposed: other users of the machine can write to the data folder or its backups; the alert ends when they cannot. restore_failed: a backup was not restored; the previous data is in use. backup_failed: a backup, also an automatic one, could not be made; the alert ends when the next one succeeds. many_new_devices: turbos with one key reached the limit of new devices in an hour; further ones wait to be accepted. mqtt_overwritten: another client at the MQTT broker wrote to retained topics of this station, which restored them. origin_refused, host_refused: requests from a page of this origin, or to this address, are refused.',
);

/** A lasting condition that needs attention. It ends by itself or, if it concerns the station, when somebody dismisses it. */
export const alertSchema = named('Alert', {
  id: z.string(),
  kind: alertKindSchema,
  deviceid: textOrNull.describe('Null unless the alert is about a device.'),
  turbo: textOrNull.describe('Serial number of the turbo; null unless the alert is about a turbo.'),
  order_number: textOrNull.describe('Null unless the alert is about an order.'),
  about: textOrNull.describe(
    'Subject of an alert about the station, such as an origin or the topics of this station at the broker. For folders, the path. receiver_failing: the host of the receiver at `callback_url` or of the broker, or the name of a further receiver. sheet_failing: the host of the sheet. secret_unreadable: the setting, the address of the display or the name of the callback receiver. setting_invalid: the setting, the name of the callback receiver, or the address or port of the link. task_overdue: the id of the task. batch_attention: the id of the batch. place_dark: always `places`. Null for devices, turbos and orders.',
  ),
  since: timestamp.describe('Start of the condition; for an offline device, the time of its last contact.'),
  value: intOrNull.describe(
    'Value when the alert was raised: seconds offline, dBm or percent. Null for turbo_trouble and for alerts about the station.',
  ),
  threshold: intOrNull.describe('Value of the setting when the alert was raised, in the same unit.'),
  problem: textOrNull.describe('Human-readable problem of the station, receiver, turbo or order; otherwise null.'),
  acknowledged: timestampOrNull.describe('When the alert was acknowledged; null if it was not.'),
  acknowledged_by: textOrNull,
  ended: timestampOrNull.describe('Null while the alert is open.'),
});
export type Alert = z.infer<typeof alertSchema>;

export const seenResultSchema = named('SeenResult', {
  acknowledged: z.int().describe('Number of newly acknowledged alerts.'),
});

export const alertQuerySchema = z.object({
  state: oneOf(['open', 'ended']).default('open').describe('Only alerts in this state.'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('Maximum number of alerts.'),
  after: afterId('an alert'),
});
export type AlertQuery = z.infer<typeof alertQuerySchema>;
