import { Check } from 'lucide-react';
import { useState } from 'react';
import type { CommandEntry, Device } from '#shared/api/device.ts';
import { texts } from '../../ui/texts.ts';
import styles from './SentCommand.module.css';

type Props = {
  device: Device;
  commandId: string;
  /** What the station answered: it may come before the news that the command is in the queue. */
  answered: CommandEntry['state'];
  warnings: readonly string[];
};

/** Follows a command that was just sent, in words, until it is done. */
export function SentCommand({ device, commandId, answered, warnings }: Props) {
  const command = device.commands.find((each) => each.command_id === commandId);
  const [seen, setSeen] = useState(false);
  if (command !== undefined && !seen) setSeen(true);
  const state = command?.state ?? (seen ? undefined : answered);
  return (
    <div className={styles.sent}>
      <p className={styles.state}>
        <Check size={16} aria-hidden="true" />
        {stateWords(device, state)}
      </p>
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
    </div>
  );
}

function stateWords(device: Device, state: CommandEntry['state'] | undefined): string {
  if (state === undefined) return texts.sent.done;
  if (state === 'queued' && !device.online) return texts.sent.waitsForDevice;
  return texts.sent[state];
}
