import { Check, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { CommandEntry, Device } from '#shared/api/device.ts';
import { findDevice } from '#shared/api/reducer.ts';
import { useStationState } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { texts } from '../../ui/texts.ts';
import { inLabels } from '../../ui/fieldLabels.ts';
import type { Refusal } from './sendCommand.ts';
import styles from './SentCommand.module.css';

type Props = {
  device: Device;
  commandId: string;
  /** What the station answered: it may come before the news that the command is in the queue. */
  answered: CommandEntry['delivery'];
  warnings: readonly string[];
};

/** Follows a command that was just sent, in words, until it is done. */
export function SentCommand({ device, commandId, answered, warnings }: Props) {
  const [seen, setSeen] = useState<CommandEntry>();
  const command =
    device.commands.find((each) => each.command_id === commandId) ??
    // Its quantity was set: it is another one in its place, of the same time.
    device.commands.find((each) => each.created_at === seen?.created_at && each.nonce === seen.nonce);
  if (command !== undefined && command !== seen) setSeen(command);
  const delivery = command?.delivery ?? (seen === undefined ? answered : undefined);
  return (
    <div className={styles.sent}>
      <p className={styles.state}>
        <Check size={16} aria-hidden="true" />
        {deliveryWords(device, delivery)}
      </p>
      <Warnings warnings={warnings} />
    </div>
  );
}

/** What became of a command for many: how many have it, and each that was refused. */
export function SentToMany({
  sent,
  warnings,
  refused,
}: {
  sent: number;
  warnings: readonly string[];
  refused: readonly Refusal[];
}) {
  const devices = useStationState(({ station }) => station?.devices ?? NO_DEVICES);
  const name = (deviceid: string) => {
    const device = findDevice(devices, deviceid);
    return device === undefined ? deviceid : nameOf(device);
  };
  return (
    <div className={styles.sent}>
      <p className={styles.state}>
        <Check size={16} aria-hidden="true" />
        {texts.form.sentMany(sent)}
      </p>
      <Warnings warnings={warnings} />
      {refused.length > 0 && (
        <>
          <p className={styles.state}>
            <TriangleAlert size={16} aria-hidden="true" />
            {texts.form.notSent(refused.length)}
          </p>
          <ul className={styles.refused}>
            {refused.map(({ deviceid, detail }) => (
              <li key={deviceid}>
                {name(deviceid)}: {inLabels(detail)}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

const NO_DEVICES: Device[] = [];

function Warnings({ warnings }: { warnings: readonly string[] }) {
  return warnings.map((warning) => (
    <p key={warning} className={styles.warning}>
      {inLabels(warning)}
    </p>
  ));
}

function deliveryWords(device: Device, delivery: CommandEntry['delivery'] | undefined): string {
  if (delivery === undefined) return texts.sent.done;
  if (delivery === 'unreachable' || (delivery === 'queued' && !device.online)) return texts.sent.waitsForDevice;
  return texts.sent[delivery];
}
