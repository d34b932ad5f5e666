import { Check } from 'lucide-react';
import type { Device } from '#shared/api/device.ts';
import { texts } from '../../ui/texts.ts';
import styles from './SentCommand.module.css';

type Props = { device: Device; commandId: string; warnings: readonly string[] };

/** Follows a command that was just sent, in words, until it is done. */
export function SentCommand({ device, commandId, warnings }: Props) {
  const command = device.commands.find((each) => each.command_id === commandId);
  return (
    <div className={styles.sent}>
      <p className={styles.state}>
        <Check size={16} aria-hidden="true" />
        {stateWords(device, command?.state)}
      </p>
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
    </div>
  );
}

function stateWords(device: Device, state: 'queued' | 'sent' | 'shown' | undefined): string {
  if (state === undefined) return texts.sent.done;
  if (state === 'queued' && !device.online) return texts.sent.waitsForDevice;
  return texts.sent[state];
}
