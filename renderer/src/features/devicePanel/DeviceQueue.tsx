import { useState } from 'react';
import type { CommandEntry, Device } from '#shared/api/device.ts';
import { parseColor } from '#shared/led/color.ts';
import { ledStyle } from '../../device/Led.tsx';
import { ledWords } from '../../device/deviceWords.ts';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import { formatTimeLeft, useTimed } from '../../station/time.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import styles from './DeviceQueue.module.css';

type Props = { device: Device; mayControl: boolean };

/** The commands of a device, the shown one first, and the way to take them all away. */
export function DeviceQueue({ device, mayControl }: Props) {
  return (
    <section className={styles.section}>
      <h3 className={styles.title}>{texts.queue.title}</h3>
      {device.commands.length === 0 ? (
        <p className={styles.quiet}>{texts.queue.empty}</p>
      ) : (
        <>
          <ol className={styles.list}>
            {device.commands.map((command, place) => (
              <Entry key={command.command_id} command={command} place={place} />
            ))}
          </ol>
          {mayControl && <ClearQueue device={device} />}
        </>
      )}
    </section>
  );
}

function Entry({ command, place }: { command: CommandEntry; place: number }) {
  const when = useTimed((now) => whenWords(command, place, now));
  const color = parseColor(command.color);
  const led = {
    mode: command.command === 'flash' ? 'blink' : 'steady',
    hex: color?.hex ?? '#808080',
    letter: color?.letter ?? '',
  } as const;
  const details = [
    command.location,
    command.nonce === '' ? '' : texts.queue.nonce(command.nonce),
    command.sender === '' ? '' : texts.queue.from(command.sender),
  ].filter((word) => word !== '');
  return (
    <li className={styles.entry}>
      <span className={styles.dot} style={ledStyle(led)} title={ledWords(led)}>
        {led.letter}
      </span>
      <span className={styles.what}>
        <span className={styles.content}>{contentWords(command)}</span>
        <span className={styles.details}>{[command.command, ...details].join(' · ')}</span>
      </span>
      <span className={styles.when}>{when}</span>
    </li>
  );
}

function contentWords(command: CommandEntry): string {
  const lines = [command.line1, command.line2, command.line3, command.line4, command.line5].filter(
    (line) => line !== '',
  );
  const text = lines.slice(0, 2).join(', ');
  if (command.quantity !== null) return text === '' ? `${command.quantity} ×` : `${command.quantity} × ${text}`;
  return text === '' ? texts.queue.noContent : text;
}

function whenWords(command: CommandEntry, place: number, stationNow: number): string {
  if (command.state === 'sent') return texts.queue.sent;
  if (command.state === 'queued') return place <= 1 ? texts.queue.next : texts.queue.waiting;
  if (command.expires_at === null) return texts.queue.noLimit;
  return formatTimeLeft(Date.parse(command.expires_at) - stationNow);
}

/** Taking work away cannot be undone: it asks once. */
function ClearQueue({ device }: { device: Device }) {
  const { api } = useStationContext();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');

  async function clear(): Promise<void> {
    setBusy(true);
    setFailure('');
    try {
      await api.send(device.deviceid, { command: 'kill' });
      setAsking(false);
    } catch (error) {
      setFailure(`${texts.queue.failed} ${sentenceOf(error, texts.failure.other)}`);
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className={styles.clear}>
      {asking ? (
        <>
          <p>{texts.queue.sure(device.commands.length)}</p>
          <Button look="primary" autoFocus busy={busy} onPress={() => void clear()}>
            {texts.queue.confirm}
          </Button>
          <Button onPress={() => setAsking(false)}>{texts.queue.keep}</Button>
        </>
      ) : (
        <Button look="quiet" onPress={() => setAsking(true)}>
          {texts.queue.clear}
        </Button>
      )}
      <p role="alert" className={styles.failure}>
        {failure}
      </p>
    </div>
  );
}
