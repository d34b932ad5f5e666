import {
  BatteryLow,
  DatabaseZap,
  Globe,
  Link2Off,
  ListPlus,
  PackageOpen,
  type LucideIcon,
  RadioTower,
  TriangleAlert,
  Webhook,
  WifiLow,
  WifiOff,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Alert, AlertKind, StationAlertKind } from '#shared/api/alert.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { isStationAlert } from '#shared/lib/alertSubjects.ts';
import { alertWords } from '../../device/deviceWords.ts';
import { useStationState } from '../../station/context.ts';
import { orderAddress } from '../../station/addresses.ts';
import { nameOf } from '../../station/places.ts';
import { texts } from '../../ui/texts.ts';
import parts from '../../ui/parts.module.css';
import styles from './alerts.module.css';

const ICONS: Readonly<Record<AlertKind, LucideIcon>> = {
  device_offline: WifiOff,
  signal_weak: WifiLow,
  battery_low: BatteryLow,
  turbo_offline: RadioTower,
  turbo_trouble: TriangleAlert,
  order_attention: PackageOpen,
  receiver_failing: Webhook,
  data_lost: DatabaseZap,
  restore_failed: DatabaseZap,
  many_new_devices: ListPlus,
  origin_refused: Globe,
  host_refused: Link2Off,
};

type Props = {
  alert: Alert;
  /** It wants to be looked at. */
  care: boolean;
  detail: string;
  when: ReactNode;
  actions: ReactNode;
};

/** One alert: what is wrong, with whom, since when, and what can be done. */
export function AlertLine({ alert, care, detail, when, actions }: Props) {
  const Icon = ICONS[alert.kind];
  const name = useSubjectName(alert);
  return (
    <li className={styles.row} data-care={care || undefined}>
      <span className={styles.sign} aria-hidden="true">
        <Icon size={18} strokeWidth={1.8} />
      </span>
      <div className={styles.what}>
        <p className={styles.name}>
          {alertWords(alert)}
          <span aria-hidden="true"> · </span>
          <Link href={subjectHref(alert)} className={styles.subject ?? ''}>
            {name}
          </Link>
        </p>
        <p className={styles.quiet}>{detail}</p>
      </div>
      <p className={styles.when}>{when}</p>
      <div className={`${parts.middle2} ${styles.do}`}>{actions}</div>
    </li>
  );
}

/** Where to see what an alert about the station is about. */
const PLACES: Readonly<Record<StationAlertKind, string>> = {
  data_lost: '/settings',
  restore_failed: '/settings',
  many_new_devices: '/devices',
  origin_refused: '/settings',
  host_refused: '/settings',
};

/** What people call the device, turbo or part of the station that it is about. */
export function useSubjectName({
  kind,
  deviceid,
  turbo,
  order_number: order,
  about,
}: Pick<Alert, 'kind' | 'deviceid' | 'turbo' | 'order_number' | 'about'>): string {
  return useStationState(({ station }) => {
    if (isStationAlert(kind)) return texts.alerts.places[kind];
    if (order !== null) return order;
    if (about !== null) return about;
    if (deviceid !== null)
      return nameOf(findDevice(station?.devices ?? [], deviceid) ?? { deviceid, locationoverride: '' });
    const name = station?.turbos.find(({ serial_number }) => serial_number === turbo)?.name ?? '';
    return name === '' ? (turbo ?? '') : name;
  });
}

/** Where to look at it. */
function subjectHref({
  kind,
  deviceid,
  order_number: order,
}: Pick<Alert, 'kind' | 'deviceid' | 'order_number'>): string {
  if (isStationAlert(kind)) return PLACES[kind];
  if (kind === 'receiver_failing') return '/callbacks';
  if (order !== null) return orderAddress(order);
  return deviceid === null ? '/turbos' : `/devices/${deviceid}`;
}
