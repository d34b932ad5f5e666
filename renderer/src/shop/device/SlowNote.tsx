import type { Device } from '#shared/api/device.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';

/** Warns that slow devices are unsuitable for picking. Shown where a device is assigned its place. */
export function SlowNote({ device }: { device: Pick<Device, 'capabilities'> | undefined }) {
  return device?.capabilities.latency === 'slow' ? <p className={parts.care}>{texts.device.slow}</p> : null;
}
