import { z } from 'zod';
import { ALERT_KINDS } from '../lib/alerts/alertSubjects.ts';
import { afterId, intOrNull, named, oneOf, textOrNull, timestamp, timestampOrNull } from './fields.ts';

export type { AlertKind, StationAlertKind } from '../lib/alerts/alertSubjects.ts';

export const alertKindSchema = oneOf(ALERT_KINDS).describe(
  'device_offline: the device has been offline for too long. signal_weak, battery_low: a device needs care. turbo_offline: the link to a turbo has been down for too long. turbo_trouble: a turbo has a `problem`. order_attention: an order waits for somebody; its `attention` says why. batch_attention: nobody does anything in a batch of a cart or wall; its `attention` says why. task_overdue: a task about the stock is open for longer than `task_overdue_hours`. receiver_failing: your system or a further receiver takes no callbacks, after three failed attempts in a row or five minutes. folder_failing: the inbox or outbox folder cannot be used. file_refused: a file of orders lies in the subfolder failed of the inbox. sheet_failing: the published sheet could not be read for ten minutes. secret_unreadable: a password, key or signing secret cannot be read, since the data key of the folder is missing; what needs it waits. setting_invalid: a stored setting, callback receiver or link is not valid, for example after the restore of a modified backup. It is not used, and functions that depend on it wait or are off. data_lost: the station started without some of its stored data. restore_failed: a backup was not restored; the previous data are in use. many_new_devices: turbos with one key reached the limit of new devices in an hour; further ones wait to be accepted. mqtt_overwritten: another client at the MQTT broker wrote to retained topics of this station, which restored them. origin_refused, host_refused: requests from a page of this origin, or to this address, are refused.',
);

/** A lasting condition that needs attention. It ends by itself or, if it concerns the station, when somebody dismisses it. */
export const alertSchema = named('Alert', {
  id: z.string(),
  kind: alertKindSchema,
  deviceid: textOrNull.describe('Null unless the alert is about a device.'),
  turbo: textOrNull.describe('Serial number; null unless the alert is about a turbo.'),
  order_number: textOrNull.describe('Null unless the alert is about an order.'),
  about: textOrNull.describe(
    'For an alert about the station: its subject, such as a folder, an origin or the topics of this station at the broker; for receiver_failing the host of the receiver at `callback_url` or of the broker, or the name of a further receiver, for folders the path, for sheet_failing the host of the sheet, for secret_unreadable the setting, the address of the display or the name of the callback receiver, for setting_invalid the setting, the name of the callback receiver or the address or port of the link, for task_overdue the id of the task, for batch_attention that of the batch. Null for devices, turbos and orders.',
  ),
  since: timestamp.describe('Start of the condition; for an offline device, when it was last heard.'),
  value: intOrNull.describe(
    'Value when the alert was raised: seconds offline, dBm or percent. Null for turbo_trouble and for alerts about the station.',
  ),
  threshold: intOrNull.describe('The setting when the alert was raised, in the same unit.'),
  problem: textOrNull.describe(
    'The fault of the station, the receiver, the turbo or the order, as text for people; otherwise null.',
  ),
  acknowledged: timestampOrNull.describe('When somebody acknowledged the alert.'),
  acknowledged_by: textOrNull,
  ended: timestampOrNull.describe('Null while it is open.'),
});
export type Alert = z.infer<typeof alertSchema>;

export const seenResultSchema = named('SeenResult', {
  acknowledged: z.int().describe('Number of alerts that were not acknowledged before.'),
});

export const alertQuerySchema = z.object({
  state: oneOf(['open', 'ended']).default('open').describe('Only alerts in this state.'),
  limit: z.coerce.number().int().min(1).max(1_000).default(100).describe('Maximum number of alerts.'),
  after: afterId('an alert'),
});
export type AlertQuery = z.infer<typeof alertQuerySchema>;
