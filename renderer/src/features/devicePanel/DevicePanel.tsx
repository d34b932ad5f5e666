import { X } from 'lucide-react';
import { useDeferredValue } from 'react';
import type { Device } from '#shared/api/device.ts';
import { DeviceFace } from '../../device/DeviceFace.tsx';
import { careWords } from '../../device/deviceWords.ts';
import { usePresses } from '../../device/usePresses.ts';
import { useDevice, useStationState } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { formatAgo, useTimed } from '../../station/time.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import { CommandForm } from './CommandForm.tsx';
import styles from './DevicePanel.module.css';
import { DeviceQueue } from './DeviceQueue.tsx';

type Props = { deviceid: string; close(): void };

/** What is this device doing, and make it do something. */
export function DevicePanel({ deviceid, close }: Props) {
  const device = useDevice(deviceid);
  const name = device === undefined ? deviceid : nameOf(device);
  return (
    <aside
      className={styles.panel}
      aria-label={texts.panel.label(name)}
      onKeyDown={(event) => {
        // In a field, Escape belongs to what is being typed.
        const typing = event.target instanceof HTMLInputElement;
        if (event.key === 'Escape' && !typing && !event.defaultPrevented) close();
      }}
    >
      <header className={styles.head}>
        <h2 key={deviceid} ref={focusHere} tabIndex={-1} className={styles.title}>
          {name}
        </h2>
        <Button look="icon" aria-label={texts.panel.close} onPress={close}>
          <X size={20} aria-hidden="true" />
        </Button>
      </header>
      {device === undefined ? <p>{texts.panel.gone(deviceid)}</p> : <Content device={device} />}
    </aside>
  );
}

/** Who opened the panel by keyboard goes on inside it. */
function focusHere(title: HTMLElement | null): void {
  title?.focus({ preventScroll: true });
}

function Content({ device }: { device: Device }) {
  // The device is there at once, the form a moment later: it is most of the work of opening.
  const withForm = useDeferredValue(true, false);
  const mayControl = useStationState(({ station }) => station !== null && station.user.scope !== 'read');
  return (
    <>
      <Facts device={device} />
      <LargeDevice key={device.deviceid} device={device} />
      <DeviceQueue key={`queue ${device.deviceid}`} device={device} mayControl={mayControl} />
      {mayControl ? withForm && <CommandForm device={device} /> : <p className={styles.quiet}>{texts.form.readOnly}</p>}
    </>
  );
}

function LargeDevice({ device }: { device: Device }) {
  const { note, press } = usePresses(device.deviceid);
  return (
    <div className={styles.device}>
      <DeviceFace device={device} size="panel" press={press} />
      <p role={note?.kind === 'failed' ? 'alert' : 'status'} className={styles.note} data-kind={note?.kind}>
        {note?.words ?? (device.can_press ? '' : texts.panel.cannotPress)}
      </p>
    </div>
  );
}

/** Everything about the device that a person asks for when something is odd, in one line. */
function Facts({ device }: { device: Device }) {
  const care = useTimed((now) => careWords(device, now));
  const heard = useTimed((now) => {
    if (device.last_seen === null) return texts.panel.neverHeard;
    return texts.panel.heard(formatAgo(now - Date.parse(device.last_seen)));
  });
  const facts = [
    device.locationoverride === '' ? undefined : device.deviceid,
    texts.panel.buttons(device.buttons),
    texts.panel.firmware(device.firmware),
    device.voltage === null ? undefined : texts.panel.volts(device.voltage),
    device.rssi === null ? undefined : texts.panel.dbm(device.rssi),
    device.turbo === null ? undefined : texts.panel.turbo(device.turbo),
    heard,
  ];
  return (
    <div className={styles.facts}>
      <p>{facts.filter((fact) => fact !== undefined).join(' · ')}</p>
      {care !== '' && <p className={styles.care}>{care}</p>}
    </div>
  );
}
