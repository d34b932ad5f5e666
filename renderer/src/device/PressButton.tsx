import type { ReactNode } from 'react';
import type { Hold } from '../station/api.ts';
import { texts } from '../ui/texts.ts';
import styles from './PressButton.module.css';
import { useHold } from './useHold.ts';

type Props = {
  /** `round`: the front button, which is the LED; `key`: plus and minus. */
  shape: 'round' | 'key';
  label: string;
  press(hold: Hold): void;
  children: ReactNode;
};

/** A button of a device under the worker's finger: short and long presses, the progress of holding visible. */
export function PressButton({ shape, label, press, children }: Props) {
  const { holding, props } = useHold(press);
  return (
    <button
      type="button"
      className={styles.button}
      data-shape={shape}
      data-holding={holding || undefined}
      aria-label={label}
      aria-keyshortcuts="Enter Shift+Enter Space"
      title={texts.device.pressHint}
      {...props}
    >
      {shape === 'key' ? <span className={styles.key}>{children}</span> : children}
    </button>
  );
}
