import type { ReactNode } from 'react';
import type { Device } from '#shared/api/device.ts';
import { type ScreenContent, USUAL_SIZE } from '#shared/screen/content.ts';
import styles from './Paper.module.css';
import { isUsual } from './isUsual.ts';
import { LateScreen } from './LateScreen.tsx';

type Props = {
  /** The content of the screen, or null if it is not known yet. */
  screen: ScreenContent | null;
  device: Pick<Device, 'firmware' | 'voltage'> & Partial<Pick<Device, 'screen_size'>>;
  blankWords: string;
  /** Content over the screen. */
  children?: ReactNode;
};

/** The e-paper of a device, as large as possible in whole pixels. The container must have an inline size. */
export function Paper({ screen, device, blankWords, children }: Props) {
  const { firmware, voltage, screen_size: size = USUAL_SIZE } = device;
  return (
    <div className={styles.paper} data-other-size={isUsual(size) ? undefined : ''}>
      <LateScreen
        screen={screen}
        firmware={firmware}
        batteryMv={voltage === null ? null : Math.round(voltage * 1_000)}
        size={size}
        scale="whole"
        blankWords={blankWords}
      />
      {children}
    </div>
  );
}
