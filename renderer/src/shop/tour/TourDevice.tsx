import { Check } from 'lucide-react';
import type { Item } from '#shared/api/order.ts';
import { ledWords } from '../device/deviceWords.ts';
import { Led, ledStyle } from '../device/Led.tsx';
import { PressButton } from '../device/PressButton.tsx';
import { usePresses } from '../device/usePresses.ts';
import { ScreenCanvas } from '../screen/ScreenCanvas.tsx';
import { useDevice } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { seenLight } from '../../station/seenLight.ts';
import * as texts from '../../words/texts.ts';
import { tour as words } from '../../words/tour.ts';
import styles from './Tour.module.css';

/** The device of an item as it looks on the shelf, with its screen and with the light that is its button. */
export function TourDevice({ item, isNext }: { item: Item; isNext: boolean }) {
  const { deviceid, state } = item;
  const device = useDevice(deviceid ?? '');
  const { note, press } = usePresses(deviceid ?? '');
  if (device === undefined) return null;
  const led = seenLight(device);
  const name = nameOf(device);
  const { displayed, voltage } = device;
  const over = state === 'done' ? words.picked : state === 'short' ? words.short : '';
  return (
    <li
      className={styles.device}
      style={ledStyle(led)}
      data-next={isNext || undefined}
      aria-current={isNext ? 'step' : undefined}
      ref={isNext ? showWhole : undefined}
    >
      <p className={styles.name}>
        <strong>{name}</strong>
        {over !== '' && (
          <span className={styles.over}>
            <Check size={14} aria-hidden="true" />
            {over}
          </span>
        )}
        <span role="status" className={styles.note} data-failed={note?.kind === 'failed' || undefined}>
          {note?.words}
        </span>
      </p>
      <div className={styles.paper}>
        <ScreenCanvas
          screen={displayed?.screen ?? null}
          firmware={device.firmware}
          batteryMv={voltage === null ? null : Math.round(voltage * 1_000)}
          scale="fill"
          blankWords={texts.device.blank}
        />
      </div>
      {device.can_press && (
        <PressButton
          shape="round"
          label={`${texts.device.front(name)}, ${ledWords(led)}`}
          press={(hold) => press('front', hold)}
        >
          <Led led={led} size="tile" />
        </PressButton>
      )}
    </li>
  );
}

/** Scrolls the next device into view if the shelf is wider than its container. */
function showWhole(device: HTMLElement | null): void {
  device?.scrollIntoView({ block: 'nearest', inline: 'center' });
}
