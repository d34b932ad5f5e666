import { useState } from 'react';
import type { SerialPortEntry } from '#shared/api/turbo.ts';
import { BAUD_RATES } from '#shared/lib/devices/baudRates.ts';
import { sentenceOf } from '../../words/apiError.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { ChoiceList } from '../../kit/field/ChoiceList.tsx';
import { LineField, SwitchField, useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useServices } from '../toasts.ts';
import styles from './Connect.module.css';

const words = texts.turbos.serial;
/** Polling interval in milliseconds. It is short, so that a newly plugged-in turbo appears quickly. */
const LOOK_EVERY_MS = 2_000;
const OTHER = 'other';
/** Choice that lets the station choose the baud rate for the port. */
const USUAL_BAUD = 'usual';
const BAUD_CHOICES = [
  { id: USUAL_BAUD, text: words.baudUsual },
  ...BAUD_RATES.map((baud) => ({ id: String(baud), text: words.baudWords(baud) })),
];

/** A dialog that connects a turbo at a serial port, chosen from the list of the station's machine or entered as a path. */
export function ConnectSerial({ onClose }: { onClose(): void }) {
  const { api, toasts } = useServices();
  const [chosen, setChosen] = useState<string>();
  const { draft, field } = useForm({ path: '', baud_rate: USUAL_BAUD, flow_control: false });
  const read = useStationQuery(['serialPorts'], () => api.listSerialPorts(), { everyMs: LOOK_EVERY_MS });
  const ports = read.value;
  const free = (ports ?? []).filter(({ link }) => link === null);
  // Preselect the first USB port, and drop a chosen port that was unplugged.
  const choice = [chosen, free.find(({ is_usb }) => is_usb)?.path].find((one) => isThere(one, free)) ?? OTHER;
  const isOther = choice === OTHER;
  const connected = (ports ?? []).length - free.length;

  return (
    <FormDialog
      title={words.title}
      submit={words.submit}
      draft={[chosen, draft]}
      check={(): FieldMessages => (isOther && draft.path.trim() === '' ? { path: words.noPath } : {})}
      save={async () => {
        const wanted = isOther ? draft.path.trim() : choice;
        const { baud_rate, flow_control } = draft;
        const speed = baud_rate === USUAL_BAUD ? {} : { baud_rate: Number(baud_rate) };
        await api.addTurboLink({ body: { path: wanted, flow_control, ...speed } });
        toasts.show(words.done(wanted));
        onClose();
      }}
      {...(isOther ? {} : { problemsOf: (error: unknown) => ({ byField: {}, rest: sentenceOf(error) }) })}
      onClose={onClose}
    >
      <p>{words.lead}</p>
      {read.status === 'waiting' ? (
        <p className={parts.quiet}>{words.loading}</p>
      ) : (
        <ChoiceList
          label={words.ports}
          choices={[...free.map(choiceOf), { id: OTHER, word: words.other, help: words.otherHelp }]}
          value={choice}
          onChange={setChosen}
        />
      )}
      {read.status === 'failed' ? (
        <p className={parts.care}>
          {words.failed} {read.failure}
        </p>
      ) : (
        <p className={`${parts.quiet} ${styles.note}`}>{noteOn(ports, connected)}</p>
      )}
      {isOther && <LineField {...field('path')} label={words.path} help={words.pathHelp} />}
      <details className={styles.more}>
        <summary>{words.more}</summary>
        <div>
          <ChoiceField {...field('baud_rate')} label={words.baud} help={words.baudHelp} choices={BAUD_CHOICES} />
          <SwitchField {...field('flow_control')} label={words.flow} />
        </div>
      </details>
    </FormDialog>
  );
}

function isThere(path: string | undefined, free: readonly SerialPortEntry[]): boolean {
  return path === OTHER || free.some((port) => port.path === path);
}

function choiceOf({ path, name, serial_number, is_usb }: SerialPortEntry): { id: string; word: string; help: string } {
  const serial = serial_number === '' ? [] : [words.serialNumber(serial_number)];
  const word = name === '' && !is_usb ? words.plain : name;
  return { id: path, word: word === '' ? path : word, help: words.where([path, ...serial]) };
}

function noteOn(ports: readonly SerialPortEntry[] | undefined, connected: number): string {
  if (ports === undefined) return '';
  if (ports.length === 0) return words.noPorts;
  return connected === 0 ? '' : words.connected(connected);
}
