import { BatteryLow, WifiOff, X } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import type { Device } from '#shared/api/device.ts';
import { DeviceFace } from '../../device/DeviceFace.tsx';
import { careWords, progressWords } from '../../device/deviceWords.ts';
import { ledStyle } from '../../device/Led.tsx';
import { usePresses, type PressNote } from '../../device/usePresses.ts';
import { isLitNow } from '../../station/conditions.ts';
import { useDevice } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { useTimed } from '../../station/time.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './DeviceTile.module.css';
import { tileLinkId } from './tileLinkId.ts';
import { deviceAddress } from './useSelection.ts';

type Props = { deviceid: string; selected: boolean; open(deviceid: string): void };

/** One device of the map. It draws again only when its own device changes. */
export const DeviceTile = memo(function DeviceTile({ deviceid, selected, open }: Props) {
  const device = useDevice(deviceid);
  if (device === undefined) return null;
  return <Tile device={device} selected={selected} open={open} />;
});

function Tile({ device, selected, open }: { device: Device; selected: boolean; open(deviceid: string): void }) {
  const { note, press, dismiss } = usePresses(device.deviceid);

  function follow(event: MouseEvent): void {
    // Another tab is the browser's to open.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    open(device.deviceid);
  }

  return (
    <li
      className={styles.tile}
      style={ledStyle(device.displayed?.led)}
      data-lit={isLitNow(device) || undefined}
      data-offline={!device.online || undefined}
      data-selected={selected || undefined}
      data-deviceid={device.deviceid}
    >
      <div className={styles.head}>
        <a
          id={tileLinkId(device.deviceid)}
          className={styles.name}
          href={deviceAddress(device.deviceid)}
          aria-current={selected || undefined}
          data-unlabelled={device.locationoverride === '' || undefined}
          onClick={follow}
        >
          <bdi>{nameOf(device)}</bdi>
        </a>
        <Notes device={device} note={note} />
      </div>
      <div className={styles.device}>
        <DeviceFace device={device} size="tile" press={press} />
      </div>
      {note?.kind === 'failed' && (
        <div role="alert" className={styles.failure}>
          <p>{note.words}</p>
          <Button look="icon" aria-label={texts.device.dismiss} onPress={dismiss}>
            <X size={16} aria-hidden="true" />
          </Button>
        </div>
      )}
    </li>
  );
}

/** What is said beside the name: the press just made, else what is wrong and how long it goes on. */
function Notes({ device, note }: { device: Device; note: PressNote | undefined }) {
  const progress = useTimed((now) => progressWords(device, now));
  const care = useTimed((now) => careWords(device, now));
  return (
    <span className={styles.notes}>
      <span role="status" className={styles.press}>
        {note !== undefined && note.kind !== 'failed' ? note.words : ''}
      </span>
      {(note === undefined || note.kind === 'failed') && (
        <>
          {care !== '' && (
            <span className={styles.care}>
              {device.online ? <BatteryLow size={14} aria-hidden="true" /> : <WifiOff size={14} aria-hidden="true" />}
              {care}
            </span>
          )}
          {progress !== '' && <span>{progress}</span>}
        </>
      )}
    </span>
  );
}
