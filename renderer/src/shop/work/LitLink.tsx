import { Link } from 'wouter';
import type { Device } from '#shared/api/device.ts';
import { LedDot } from '../device/Led.tsx';
import { deviceAddress } from '../../station/addresses.ts';
import { useDevice } from '../../station/context.ts';
import { wantPanelFocus } from '../../station/panelFocus.ts';
import { nameOf } from '../../station/places.ts';
import { seenLight } from '../../station/seenLight.ts';
import { formatTimeLeft } from '../../station/time.ts';
import * as texts from '../../words/texts.ts';
import styles from './LitLink.module.css';

type Props = {
  deviceid: string;
  /** Id of the command of interest. The light is shown only while the device shows this command. */
  commandId: string | null;
  tab?: 0 | -1;
};

/** A link to the panel of a device, with its name and light. */
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

const words = texts.work;

/**
 * Describes the state of an open command in a few words, such as `Lit, 0:41` or `Waits in the queue`. Returns an
 * empty text if the device has no such command.
 */
export function litWords(device: Device | undefined, commandId: string | null, stationNow: number): string {
  const entry = device?.commands.find(({ command_id }) => command_id === commandId);
  if (entry === undefined) return '';
  if (entry.state === 'shown') {
    if (entry.expires_at === null) return words.litNoLimit;
    return words.lit(formatTimeLeft(Date.parse(entry.expires_at) - stationNow));
  }
  if (entry.unreachable_since !== null) return words.outOfReach;
  if (entry.expected_at !== null) return words.expected(formatTimeLeft(Date.parse(entry.expected_at) - stationNow));
  return device?.commands[0] === entry ? words.onItsWay : words.waits;
}
