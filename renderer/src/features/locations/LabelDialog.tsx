import { useState } from 'react';
import type { Device } from '#shared/api/device.ts';
import { EMPTY_SCREEN } from '#shared/screen/content.ts';
import { Paper } from '../../screen/Paper.tsx';
import { useDevice, useStationContext } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { LineField } from '../../ui/fields.tsx';
import { ProblemForm } from '../../ui/ProblemForm.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { NO_PROBLEMS, problemsOf } from '../devicePanel/fieldProblems.ts';
import styles from './dialogs.module.css';

const FIELDS = new Set(['locationoverride']);
const FORM = 'label-form';

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
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const [busy, setBusy] = useState(false);

  async function save(): Promise<void> {
    setBusy(true);
    try {
      const { warnings } = await api.send(deviceid, { locationoverride: label.trim() });
      const undo = async () => void (await api.send(deviceid, { locationoverride: before }));
      toasts.say([texts.locations.label.changed(label.trim()), ...warnings].join(' '), { undo });
      close();
    } catch (error) {
      setProblems(problemsOf(error, FIELDS));
      setBusy(false);
    }
  }

  const title = texts.locations.label.title(deviceid);
  const { statica, staticb, staticc, staticd, statice, arrow, barcode, qrcode, icon, quantity } = device;
  const lines = [statica, staticb, staticc, staticd, statice];
  return (
    <Dialog
      title={title}
      isOpen
      onClose={close}
      actions={
        <>
          <Button onPress={close}>{texts.frame.cancel}</Button>
          <Button look="primary" type="submit" form={FORM} busy={busy}>
            {busy ? texts.locations.label.saving : texts.locations.label.save}
          </Button>
        </>
      }
    >
      <ProblemForm
        className={styles.narrow ?? ''}
        aria-label={title}
        problems={problems.byField}
        onSubmit={() => {
          if (!busy) void save();
        }}
        id={FORM}
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
          <Paper
            screen={{ ...EMPTY_SCREEN, label: label.trim(), lines, arrow, barcode, qrcode, icon, quantity }}
            device={device}
            blankWords={texts.device.blank}
          />
        </div>
        <p role="alert" className={styles.failure}>
          {problems.rest !== '' && `${texts.locations.label.failed} ${problems.rest}`}
        </p>
      </ProblemForm>
    </Dialog>
  );
}
