import { Led, ledStyle } from '../../shop/device/Led.tsx';
import { SlowNote } from '../../shop/device/SlowNote.tsx';
import { Paper } from '../../shop/screen/Paper.tsx';
import { useDevice, useStationState } from '../../station/context.ts';
import { cellWords } from '../../station/placeNames.ts';
import { seenLight } from '../../station/seenLight.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { setupDevices as words } from '../../words/setupDevices.ts';
import { hasWork } from './presses.ts';
import styles from './SetupDevices.module.css';

const NEW = { firmware: 70, voltage: null };

/** A large view of the device that is being assigned to a place. */
export function CurrentDevice({ deviceid }: { deviceid: string }) {
  const device = useDevice(deviceid);
  const cell = useStationState(({ station }) => {
    const place = station?.map.places.find((each) => each.deviceid === deviceid);
    return station === null || place === undefined ? '' : cellWords(station.map, place);
  });
  const label = device?.locationoverride ?? '';
  const led = device === undefined ? undefined : seenLight(device);
  const shown = device?.displayed ?? null;
  return (
    <div className={parts.column3}>
      <div className={styles.face} style={ledStyle(led)}>
        <Paper screen={shown?.screen ?? null} device={device ?? NEW} blankWords={texts.device.blank}>
          {shown === null && <p className={styles.notHeard}>{texts.device.notHeard}</p>}
        </Paper>
        <Led led={led} size="panel" />
      </div>
      <div role="status" className={styles.who}>
        <h2 className={styles.ask}>{deviceid}</h2>
        <dl className={styles.facts}>
          <div>
            <dt>{words.device.label}</dt>
            <dd className={label === '' ? parts.quiet : parts.strong}>{label === '' ? words.device.noLabel : label}</dd>
          </div>
          <div>
            <dt>{words.device.place}</dt>
            <dd className={cell === '' ? parts.quiet : parts.strong}>{cell === '' ? words.device.noPlace : cell}</dd>
          </div>
        </dl>
        {device === undefined && <p className={parts.care}>{words.device.isNew}</p>}
        {device?.online === false && <p className={parts.care}>{words.device.offline}</p>}
        <SlowNote device={device} />
        {device !== undefined && hasWork(device) && <p className={parts.care}>{words.device.lit}</p>}
      </div>
    </div>
  );
}
