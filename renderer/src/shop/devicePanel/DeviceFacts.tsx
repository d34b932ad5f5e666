import type { Device } from '#shared/api/device.ts';
import { careWords, heardWords } from '../device/deviceWords.ts';
import { useSlotsServed } from '../device/slotsServed.ts';
import { Link } from 'wouter';
import { pageAddress } from '#shared/lib/station/pageRoutes.ts';
import { useLowBattery } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import styles from './DevicePanel.module.css';

/** Technical facts about a device in one line, for troubleshooting. */
export function DeviceFacts({ device }: { device: Device }) {
  const isLow = useLowBattery(device.deviceid);
  const care = useTimed((now) => careWords(device, now, isLow));
  const heard = useTimed((now) => {
    if (device.last_seen === null) return texts.panel.neverHeard;
    return heardWords(now - Date.parse(device.last_seen));
  });
  const power = [
    device.voltage === null ? '' : texts.panel.volts(device.voltage),
    device.battery === null ? '' : texts.panel.battery(device.battery),
  ].filter((word) => word !== '');
  const facts = [
    device.locationoverride === '' ? '' : device.deviceid,
    texts.panel.buttons(device.buttons),
    device.capabilities.latency === 'slow' ? texts.panel.slow : '',
    device.firmware === 0 ? '' : texts.panel.firmware(device.firmware),
    power.join('\u00a0/\u00a0'),
    device.rssi === null ? '' : texts.panel.dbm(device.rssi),
    device.turbo === null ? '' : texts.panel.turbo(device.turbo),
    heard,
  ];
  return (
    <div className={styles.facts}>
      <p>{facts.filter((fact) => fact !== '').join('\u00a0· ')}</p>
      <SlotServed deviceid={device.deviceid} />
      {care !== '' && <p className={parts.careStrong}>{care}</p>}
    </div>
  );
}

/** The cart or wall whose slot this device serves. Renders nothing for other devices. */
function SlotServed({ deviceid }: { deviceid: string }) {
  const served = useSlotsServed().get(deviceid);
  if (served === undefined) return null;
  return (
    <p>
      <Link href={pageAddress('carts')}>{served.words}</Link>
    </p>
  );
}
