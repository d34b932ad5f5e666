import {
  BatteryLow,
  DatabaseZap,
  Globe,
  Link2Off,
  ListPlus,
  RadioTower,
  WifiLow,
  TriangleAlert,
  WifiOff,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Alert, AlertKind } from '#shared/api/alert.ts';
import { alertWords } from '../../device/alertWords.ts';
import styles from './alerts.module.css';
import { subjectHref, useSubjectName } from './subjects.ts';

const ICONS: Readonly<Record<AlertKind, LucideIcon>> = {
  device_offline: WifiOff,
  signal_weak: WifiLow,
  battery_low: BatteryLow,
  turbo_offline: RadioTower,
  turbo_trouble: TriangleAlert,
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
      <div className={styles.do}>{actions}</div>
    </li>
  );
}
