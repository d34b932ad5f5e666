import type { Displayed } from '#shared/api/device.ts';
import styles from './MiniLed.module.css';

/** A LED where only it is seen of a device: its colour with its letter. Its colours come from the tile. */
export function MiniLed({ led }: { led: Displayed['led'] | undefined }) {
  const mode = led?.mode ?? 'off';
  return (
    <span className={styles.led} data-mode={mode} aria-hidden="true">
      {mode === 'off' ? '' : led?.letter}
    </span>
  );
}
