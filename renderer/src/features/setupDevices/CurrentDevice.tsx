import { Led, ledStyle } from '../../device/Led.tsx';
import { Paper } from '../../screen/Paper.tsx';
import { useDevice, useStationState } from '../../station/context.ts';
import { cellWords } from '../../station/placeNames.ts';
import { seenLight } from '../../station/seenLight.ts';
import parts from '../../ui/parts.module.css';
import { texts } from '../../ui/texts.ts';
import { setupDevices as words } from '../../ui/texts/setupDevices.ts';
import { PlaceForm } from './PlaceForm.tsx';
import { Question } from './Question.tsx';
import { hasWork, type DeviceSetup, type SetupState } from './setup.ts';
import styles from './SetupDevices.module.css';
import type { Done, Picked } from './steps.ts';
import type { Places } from './usePlaces.ts';

type Props = {
  setup: DeviceSetup;
  picked: Picked;
  last: Done | undefined;
  question: SetupState['question'];
  isBusy: boolean;
  places: Places;
  queue: readonly Picked[];
};

const NAMED = 3;
const NEW = { firmware: 70, voltage: null };

/** The device that gets its place now, large, and what to do with it. */
export function CurrentDevice({ setup, picked, last, question, isBusy, places, queue }: Props) {
  const { deviceid } = picked;
  const device = useDevice(deviceid);
  const cell = useStationState(({ station }) => {
    const place = station?.map.places.find((each) => each.deviceid === deviceid);
    return station === null || place === undefined ? '' : cellWords(station.map, place);
  });
  const label = device?.locationoverride ?? '';
  const led = device === undefined ? undefined : seenLight(device);
  const shown = device?.displayed ?? null;
  return (
    <div className={styles.current}>
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
        {device !== undefined && hasWork(device) && <p className={parts.care}>{words.device.lit}</p>}
      </div>
      {question === undefined ? (
        <PlaceForm setup={setup} picked={picked} label={label} last={last} isBusy={isBusy} places={places} />
      ) : (
        <Question setup={setup} deviceid={deviceid} question={question} isBusy={isBusy} />
      )}
      {queue.length > 0 && (
        <p role="status" className={styles.queue}>
          {words.queue(
            queue.slice(0, NAMED).map((each) => each.deviceid),
            Math.max(0, queue.length - NAMED),
          )}
        </p>
      )}
    </div>
  );
}
