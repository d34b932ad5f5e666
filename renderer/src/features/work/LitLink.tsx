import { Link } from 'wouter';
import { LedDot } from '../../device/Led.tsx';
import { deviceAddress } from '../../station/addresses.ts';
import { useDevice } from '../../station/context.ts';
import { wantPanelFocus } from '../../station/panelFocus.ts';
import { nameOf } from '../../station/places.ts';
import { seenLight } from '../../station/seenLight.ts';
import styles from './LitLink.module.css';

type Props = {
  deviceid: string;
  /** The command whose light is of interest now. A device that shows another shows no light of it. */
  commandId: string | null;
  tab?: 0 | -1;
};

/** A device by its name, with its light, that leads to its panel. */
export function LitLink({ deviceid, commandId, tab = 0 }: Props) {
  const device = useDevice(deviceid);
  const isShown = device?.displayed?.command_id === commandId && commandId !== null;
  const led = device === undefined || !isShown ? undefined : seenLight(device);
  return (
    <Link
      href={deviceAddress(deviceid)}
      className={styles.link ?? ''}
      tabIndex={tab}
      data-control="device"
      onClick={() => wantPanelFocus(deviceid)}
    >
      {led !== undefined && led.mode !== 'off' && <LedDot led={led} />}
      <span className={styles.name}>{device === undefined ? deviceid : nameOf(device)}</span>
    </Link>
  );
}
