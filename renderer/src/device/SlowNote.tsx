import type { Device } from '#shared/api/device.ts';
import parts from '../ui/parts.module.css';
import { texts } from '../ui/texts.ts';

/** Where a device gets its place: that it is no good for picking, if it is slow. */
export function SlowNote({ device }: { device: Pick<Device, 'capabilities'> | undefined }) {
  return device?.capabilities.latency === 'slow' ? <p className={parts.care}>{texts.device.slow}</p> : null;
}
