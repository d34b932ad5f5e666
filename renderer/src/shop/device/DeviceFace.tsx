import { Minus, Plus, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Device } from '#shared/api/device.ts';
import { Paper } from '../screen/Paper.tsx';
import type { SimulatedButton, SimulatedHold } from '../../station/calls/api.ts';
import { nameOf } from '../../station/places.ts';
import { seenLight } from '../../station/seenLight.ts';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import styles from './DeviceFace.module.css';
import { darkWords, ledWords } from './deviceWords.ts';
import { Led } from './Led.tsx';
import { PressButton } from './PressButton.tsx';

type Props = {
  device: Device;
  press(button: SimulatedButton, hold: SimulatedHold): void;
  /** Content that replaces the buttons of a device that cannot be pressed from the page. */
  here?: ReactNode;
};

/** A device as it looks on the shelf: the screen, and below the screen the lit front button between minus and plus. */
export function DeviceFace({ device, press, here }: Props) {
  const { displayed } = device;
  const why = darkWords(seenLight(device));
  return (
    <div className={`${parts.column4} ${styles.face}`}>
      {device.capabilities.screen ? (
        <Paper screen={displayed?.screen ?? null} device={device} blankWords={texts.device.blank}>
          {displayed === null && <p className={styles.notHeard}>{texts.device.notHeard}</p>}
        </Paper>
      ) : (
        <Led led={seenLight(device)} size="bar" />
      )}
      {device.can_press || here === undefined ? <Buttons device={device} press={press} /> : here}
      {why !== '' && (
        <p className={styles.dark} aria-hidden="true">
          {why}
        </p>
      )}
    </div>
  );
}

function Buttons({ device, press }: Omit<Props, 'here'>) {
  const led = seenLight(device);
  const name = nameOf(device);
  const words = ledWords(led);
  if (!device.can_press) {
    return (
      <div className={styles.buttons}>
        {device.buttons === 3 && <DeadKey Icon={Minus} />}
        <Led led={led} size="panel" />
        {device.buttons === 3 && <DeadKey Icon={Plus} />}
        <span className="visuallyHidden">{words}</span>
      </div>
    );
  }
  return (
    <div className={styles.buttons}>
      {device.buttons === 3 && (
        <PressButton shape="key" label={texts.device.minus(name)} press={(hold) => press('minus', hold)}>
          <Minus size={18} aria-hidden="true" />
        </PressButton>
      )}
      <PressButton shape="round" label={`${texts.device.front(name)}, ${words}`} press={(hold) => press('front', hold)}>
        <Led led={led} size="panel" />
      </PressButton>
      {device.buttons === 3 && (
        <PressButton shape="key" label={texts.device.plus(name)} press={(hold) => press('plus', hold)}>
          <Plus size={18} aria-hidden="true" />
        </PressButton>
      )}
    </div>
  );
}

/** A button of a drawn device that cannot be pressed on this page. */
function DeadKey({ Icon }: { Icon: LucideIcon }) {
  return (
    <span className={styles.deadKey} aria-hidden="true">
      <Icon size={18} />
    </span>
  );
}
