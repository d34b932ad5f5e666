import type { Device } from '#shared/api/device.ts';
import { DeviceFace } from '../../device/DeviceFace.tsx';
import { HereButtons } from '../../device/HereButtons.tsx';
import type { useOperatorActions } from '../../device/useOperatorActions.ts';
import { usePresses } from '../../device/usePresses.ts';
import { texts } from '../../ui/texts.ts';
import styles from './LargeDevice.module.css';

type Props = { device: Device; mayWork: boolean; here: ReturnType<typeof useOperatorActions> };

/** The device, large, with buttons to press, or what stands in for them; below it, what became of that. */
export function LargeDevice({ device, mayWork, here }: Props) {
  const presses = usePresses(device.deviceid);
  const isHere = !device.can_press && mayWork;
  const note = here.note ?? presses.note;
  const hint = device.can_press ? '' : isHere && device.commands.length > 0 ? texts.here.hint : texts.here.idle;
  return (
    <div className={styles.device}>
      <DeviceFace
        device={device}
        press={presses.press}
        here={isHere ? <HereButtons device={device} acknowledge={here.acknowledge} adjust={here.adjust} /> : undefined}
      />
      <p role={note?.kind === 'failed' ? 'alert' : 'status'} className={styles.note} data-kind={note?.kind}>
        {note?.words ?? hint}
      </p>
    </div>
  );
}
