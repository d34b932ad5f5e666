import type { Device } from '#shared/api/device.ts';
import type { ScreenContent } from '#shared/screen/content.ts';
import { Paper } from '../../screen/Paper.tsx';
import styles from './ScreenPreview.module.css';

type Props = {
  caption: string;
  screen: ScreenContent;
  device: Pick<Device, 'firmware' | 'voltage'>;
  /** What becomes of it other than it was typed. */
  hints?: readonly string[];
};

/** The very pixels that a device will show, by the code and the firmware that make them. */
export function ScreenPreview({ caption, screen, device, hints = [] }: Props) {
  return (
    <figure className={styles.preview}>
      <figcaption className={styles.caption}>{caption}</figcaption>
      <Paper screen={screen} device={device} blankWords="" />
      <div role="status" className={styles.hints}>
        {hints.map((hint) => (
          <p key={hint}>{hint}</p>
        ))}
      </div>
    </figure>
  );
}
