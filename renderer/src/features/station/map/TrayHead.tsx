import { texts } from '../../../ui/texts.ts';
import type { Mode } from './actions.ts';
import styles from './TrayHead.module.css';

/** Over the devices that have no place. */
export function TrayHead({ count, rowIndex, mode }: { count: number; rowIndex: number; mode: Mode }) {
  return (
    <div role="row" aria-rowindex={rowIndex} className={styles.head} data-target="tray">
      <div role="gridcell" className={styles.words}>
        <h2 className={styles.name}>{texts.map.tray}</h2>
        <p className={styles.note}>
          {texts.map.rackDevices(count)}
          {mode === 'edit' ? '' : ` · ${texts.map.trayHint}`}
        </p>
      </div>
    </div>
  );
}
