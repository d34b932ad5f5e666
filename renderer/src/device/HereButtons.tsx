import { Minus, Plus } from 'lucide-react';
import type { Device } from '#shared/api/device.ts';
import { nameOf } from '../station/places.ts';
import { seenLight } from '../station/seenLight.ts';
import { texts } from '../ui/texts.ts';
import { ledWords } from './deviceWords.ts';
import styles from './HereButtons.module.css';
import { Led } from './Led.tsx';

type Props = {
  device: Device;
  acknowledge(): void;
  /** By how much the quantity of what is to be done goes up or down. */
  adjust(by: 1 | -1): void;
};

/**
 * In the place of buttons that cannot be pressed from here: what a person at the station may record as done instead. The
 * first command of the queue is meant.
 */
export function HereButtons({ device, acknowledge, adjust }: Props) {
  const led = seenLight(device);
  const name = nameOf(device);
  const [first] = device.commands;
  const quantity = first?.quantity ?? null;
  if (first === undefined) {
    return (
      <div className={styles.buttons}>
        <Led led={led} size="panel" />
        <span className="visuallyHidden">{ledWords(led)}</span>
      </div>
    );
  }
  return (
    <div className={styles.buttons}>
      {quantity !== null && (
        <button type="button" className={styles.key} aria-label={texts.here.less(name)} onClick={() => adjust(-1)}>
          <Minus size={18} aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        className={styles.acknowledge}
        aria-label={texts.here.label(name, ledWords(led))}
        onClick={acknowledge}
      >
        <Led led={led} size="panel" />
        <span>{texts.here.acknowledge}</span>
      </button>
      {quantity !== null && (
        <button type="button" className={styles.key} aria-label={texts.here.more(name)} onClick={() => adjust(1)}>
          <Plus size={18} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
