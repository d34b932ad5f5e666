import {
  ClipboardList,
  BatteryLow,
  DatabaseZap,
  FileX2,
  FolderX,
  Globe,
  KeyRound,
  LightbulbOff,
  Link2Off,
  ListPlus,
  PackageOpen,
  type LucideIcon,
  RadioTower,
  Settings2,
  TriangleAlert,
  Webhook,
  WifiLow,
  WifiOff,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { Alert, AlertKind } from '#shared/api/alert.ts';
import { alertWords } from '../../shop/device/deviceWords.ts';
import { useStationState } from '../../station/context.ts';
import parts from '../../kit/parts.module.css';
import { subjectHref, subjectName } from '../../shop/alertSubject.ts';
import styles from './alerts.module.css';

const ICONS: Readonly<Record<AlertKind, LucideIcon>> = {
  device_offline: WifiOff,
  signal_weak: WifiLow,
  battery_low: BatteryLow,
  turbo_offline: RadioTower,
  turbo_trouble: TriangleAlert,
  order_attention: PackageOpen,
  batch_attention: PackageOpen,
  task_overdue: ClipboardList,
  place_dark: LightbulbOff,
  receiver_failing: Webhook,
  folder_failing: FolderX,
  file_refused: FileX2,
  sheet_failing: FileX2,
  secret_unreadable: KeyRound,
  setting_invalid: Settings2,
  data_lost: DatabaseZap,
  data_exposed: DatabaseZap,
  restore_failed: DatabaseZap,
  backup_failed: DatabaseZap,
  many_new_devices: ListPlus,
  mqtt_overwritten: RadioTower,
  origin_refused: Globe,
  host_refused: Link2Off,
};

type Props = {
  alert: Alert;
  /** Whether the alert is highlighted. */
  care: boolean;
  detail: string;
  when: ReactNode;
  actions: ReactNode;
  /** Whether the page's address names this alert, which is then scrolled into view. */
  isMeant?: boolean;
};

/** One alert: the problem, its subject, the time, and actions. */
export function AlertLine({ alert, care, detail, when, actions, isMeant = false }: Props) {
  const Icon = ICONS[alert.kind];
  const name = useSubjectName(alert);
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isMeant) line.current?.scrollIntoView({ block: 'center' });
  }, [isMeant]);
  return (
    <li ref={line} className={styles.row} data-meant={isMeant || undefined} data-care={care || undefined}>
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

/** Returns the display name of the alert's subject. */
export function useSubjectName(alert: Parameters<typeof subjectName>[1]): string {
  return useStationState(({ station }) => subjectName(station, alert));
}
