import { useState } from 'react';
import type { Device } from '#shared/api/device.ts';
import { staticScreen } from '#shared/lib/staticScreen.ts';
import { Paper } from '../../screen/Paper.tsx';
import { useDevice, useStationContext } from '../../station/context.ts';
import { LineField } from '../../ui/fields.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { problemsOf } from '../../ui/fieldProblems.ts';
import styles from '../../ui/dialogs.module.css';

const FIELDS = new Set(['locationoverride']);

/** The name of the place where a device hangs. */
export function LabelDialog({ deviceid, close }: { deviceid: string; close(): void }) {
  const device = useDevice(deviceid);
  return device === undefined ? null : <Open device={device} close={close} />;
}

function Open({ device, close }: { device: Device; close(): void }) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const { deviceid } = device;
  const [before] = useState(device.locationoverride);
  const [label, setLabel] = useState(before);

  async function save(): Promise<void> {
    const { warnings } = await api.send(deviceid, { locationoverride: label.trim() });
    const undo = async () => void (await api.send(deviceid, { locationoverride: before }));
    toasts.say([texts.locations.label.changed(label.trim()), ...warnings].join(' '), { undo });
    close();
  }

  return (
    <FormDialog
      title={texts.locations.label.title(deviceid)}
      submit={texts.locations.label.save}
      working={texts.locations.label.saving}
      typed={label}
      save={save}
      problemsOf={(error) => problemsOf(error, FIELDS, texts.locations.label.failed)}
      onClose={close}
    >
      <LineField
        name="locationoverride"
        label={texts.locations.label.name}
        hint={texts.locations.label.nameHint}
        value={label}
        onChange={setLabel}
        autoFocus
      />
      <div className={styles.preview}>
        <p className={styles.caption}>{texts.locations.label.preview}</p>
        <Paper screen={staticScreen(device, label.trim())} device={device} blankWords={texts.device.blank} />
      </div>
    </FormDialog>
  );
}
