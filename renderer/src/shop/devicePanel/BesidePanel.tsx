import type { ReactNode } from 'react';
import styles from './BesidePanel.module.css';
import { DevicePanel } from './DevicePanel.tsx';

type Props = { selected: string | undefined; close(): void; stale?: boolean; children: ReactNode };

/** A page with the panel of the device named in the address. On narrow screens the panel covers the page. */
export function BesidePanel({ selected, close, stale = false, children }: Props) {
  return (
    <div className={styles.page} data-stale={stale || undefined} data-panel={selected !== undefined || undefined}>
      <div className={styles.main}>{children}</div>
      {selected !== undefined && <DevicePanel deviceid={selected} close={close} />}
    </div>
  );
}
