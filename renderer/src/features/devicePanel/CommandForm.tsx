import { useState, type FormEvent } from 'react';
import { Form } from 'react-aria-components';
import { parseColor } from '#shared/led/color.ts';
import type { CommandEntry, Device } from '#shared/api/device.ts';
import { ScreenCanvas } from '../../screen/ScreenCanvas.tsx';
import { devicePath } from '../../station/api.ts';
import { ApiError, sentenceOf } from '../../station/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import { draftRequest, draftScreen, EMPTY_DRAFT, curlLine, type CommandDraft } from './commandDraft.ts';
import { CommandFields } from './CommandFields.tsx';
import styles from './CommandForm.module.css';
import { CurlLine } from './CurlLine.tsx';
import { SentCommand } from './SentCommand.tsx';

type Props = { device: Device };
type Sent = { deviceid: string; commandId: string; answered: CommandEntry['state']; warnings: readonly string[] };

/** Sends a command and says what becomes of it. What was typed stays, for the next device or the next try. */
export function CommandForm({ device }: Props) {
  const { api } = useStationContext();
  const defaults = useStationState(({ station }) => station?.defaults);
  const [draft, setDraft] = useState<CommandDraft>(EMPTY_DRAFT);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState({ deviceid: '', words: '' });
  const [sent, setSent] = useState<Sent>();
  const [busy, setBusy] = useState(false);
  const request = draftRequest(draft);
  const led = parseColor(draft.color.trim() === '' ? (defaults?.color ?? '') : draft.color);

  function change(next: Partial<CommandDraft>): void {
    setDraft({ ...draft, ...next });
  }

  async function send(): Promise<void> {
    setBusy(true);
    setFailure({ deviceid: '', words: '' });
    setProblems({});
    setSent(undefined);
    try {
      const result = await api.send(device.deviceid, request);
      if ('command_id' in result) {
        const { deviceid, command_id: commandId, state: answered, warnings } = result;
        setSent({ deviceid, commandId, answered, warnings });
      }
    } catch (error) {
      const found = problemsByField(error);
      setProblems(found.byField);
      if (found.rest !== '') setFailure({ deviceid: device.deviceid, words: `${texts.form.failed} ${found.rest}` });
    } finally {
      setBusy(false);
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!busy) void send();
  }

  return (
    <section className={styles.section}>
      <h3 className={styles.title}>{texts.form.title}</h3>
      <Form className={styles.form ?? ''} onSubmit={submit} validationErrors={problems} validationBehavior="aria">
        <CommandFields draft={draft} change={change} defaults={defaults} led={led} problems={problems} />
        <figure className={styles.preview}>
          <figcaption>{texts.form.preview}</figcaption>
          <div className={styles.paper}>
            <ScreenCanvas
              screen={draftScreen(draft, device.locationoverride)}
              firmware={device.firmware}
              batteryMv={device.voltage === null ? null : Math.round(device.voltage * 1_000)}
              scale="whole"
              blankWords=""
            />
          </div>
        </figure>
        <Button look="primary" type="submit" busy={busy}>
          {busy ? texts.form.busy : texts.form.submit(nameOf(device))}
        </Button>
        <p role="alert" className={styles.failure}>
          {failure.deviceid === device.deviceid ? failure.words : ''}
        </p>
        <div role="status" className={styles.outcome}>
          {sent?.deviceid === device.deviceid && <SentCommand key={sent.commandId} device={device} {...sent} />}
        </div>
      </Form>
      <CurlLine line={curlLine(window.location.origin, devicePath(device.deviceid), request, texts.curl.key)} />
    </section>
  );
}

/** Fields of the form by the names of the request; what belongs to none is said at the button. */
const FIELDS: ReadonlySet<string> = new Set([
  'line1',
  'line2',
  'line3',
  'line4',
  'line5',
  'quantity',
  'arrow',
  'color',
  'seconds',
  'nonce',
]);

function problemsByField(error: unknown): { byField: Record<string, string>; rest: string } {
  const byField: Record<string, string> = {};
  const rest: string[] = [];
  for (const { path, message } of error instanceof ApiError ? error.fields : []) {
    const field = path.split('/')[1] ?? '';
    if (FIELDS.has(field)) byField[field] = message;
    else rest.push(message);
  }
  if (Object.keys(byField).length === 0 && rest.length === 0) rest.push(sentenceOf(error, texts.failure.other));
  return { byField, rest: rest.join(' ') };
}
