import { useStore } from 'zustand';
import { texts } from '../../../ui/texts.ts';
import { useCarry } from './CarryContext.ts';
import styles from './TrayDrop.module.css';

/** Shows that the tray takes what is carried, and says what it is for while it is empty. */
export function TrayDrop({ isEmpty }: { isEmpty: boolean }) {
  const isTarget = useStore(useCarry(), ({ carried }) => carried?.target === 'tray');
  return (
    <>
      {isTarget && <div className={styles.target} />}
      {isEmpty && (
        <div role="gridcell" className={styles.empty}>
          {texts.map.trayEmpty}
        </div>
      )}
    </>
  );
}
