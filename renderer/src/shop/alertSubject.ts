import type { Alert, StationAlertKind } from '#shared/api/alert.ts';
import { findDevice } from '#shared/api/reducer.ts';
import type { Station } from '#shared/api/station.ts';
import { isFolderAlert, isStationAlert } from '#shared/lib/alerts/alertSubjects.ts';
import { deviceAddress, orderAddress } from '../station/addresses.ts';
import { nameOf } from '../station/places.ts';
import * as texts from '../words/texts.ts';

type Subject = Pick<Alert, 'kind' | 'deviceid' | 'turbo' | 'order_number' | 'about'>;

/** The page for each kind of alert about the station. */
const PLACES: Readonly<Record<StationAlertKind, string>> = {
  data_lost: '/settings',
  data_exposed: '/settings',
  restore_failed: '/settings',
  backup_failed: '/settings',
  many_new_devices: '/places',
  mqtt_overwritten: '/connections/mqtt',
  origin_refused: '/settings',
  host_refused: '/settings',
};

/** Returns the name of the alert's device, turbo or part of the station. */
export function subjectName(
  station: Station | null,
  { kind, deviceid, turbo, order_number: order, about }: Subject,
): string {
  if (isStationAlert(kind)) return texts.alerts.places[kind];
  if (order !== null) return order;
  if (kind === 'place_dark') return texts.pages.places.title;
  if (about !== null) return texts.secret.names[about] ?? about;
  if (deviceid !== null)
    return nameOf(findDevice(station?.devices ?? [], deviceid) ?? { deviceid, locationoverride: '' });
  const name = station?.turbos.find(({ serial_number }) => serial_number === turbo)?.name ?? '';
  return name === '' ? (turbo ?? '') : name;
}

/** Returns the address of the page about the alert's subject. */
export function subjectHref({ kind, deviceid, order_number: order, about }: Subject): string {
  if (isStationAlert(kind)) return PLACES[kind];
  if (kind === 'task_overdue') return '/articles';
  if (kind === 'place_dark') return '/places';
  if (kind === 'batch_attention') return `/places/carts/batches/${about ?? ''}`;
  if (kind === 'receiver_failing') return '/connections/callbacks';
  if (kind === 'secret_unreadable' || kind === 'setting_invalid') return '/settings';
  if (isFolderAlert(kind)) return '/connections/folders';
  if (order !== null) return orderAddress(order);
  return deviceid === null ? '/connections' : deviceAddress(deviceid);
}
