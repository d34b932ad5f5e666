import { Check, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { CommandEntry, Device, DeviceRequest } from '#shared/api/device.ts';
import { findDevice } from '#shared/api/reducer.ts';
import type { Api } from '../../station/calls/api.ts';
import { ApiError } from '../../words/apiError.ts';
import { useStationState } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { inLabels } from '../../kit/field/fieldProblems.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import styles from './SentCommand.module.css';

type Props = {
  device: Device;
  commandId: string;
  /** Delivery state in the station's answer, which may arrive before the command appears on the event stream. */
  answered: CommandEntry['delivery'];
  warnings: readonly string[];
};

/** Describes the progress of a command that was just sent, until it ends. */
export function SentCommand({ device, commandId, answered, warnings }: Props) {
  const [seen, setSeen] = useState<CommandEntry>();
  const command =
    device.commands.find((each) => each.command_id === commandId) ??
    // If the command's quantity was changed, a new command with the same creation time has replaced it.
    device.commands.find((each) => each.created_at === seen?.created_at && each.nonce === seen.nonce);
  if (command !== undefined && command !== seen) setSeen(command);
  const delivery = command?.delivery ?? (seen === undefined ? answered : undefined);
  return (
    <div className={parts.stack1}>
      <p className={`${parts.middle2} ${styles.state}`}>
        <Check size={16} aria-hidden="true" />
        {deliveryWords(device, delivery)}
      </p>
      <Warnings warnings={warnings} />
    </div>
  );
}

/** The result of a command for many devices: the number of devices that received it, and each refusal. */
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
    <div className={parts.stack1}>
      <p className={`${parts.middle2} ${styles.state}`}>
        <Check size={16} aria-hidden="true" />
        {texts.form.sentMany(sent)}
      </p>
      <Warnings warnings={warnings} />
      {refused.length > 0 && (
        <>
          <p className={`${parts.middle2} ${styles.state}`}>
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
    <p key={warning} className={parts.care}>
      {inLabels(warning)}
    </p>
  ));
}

function deliveryWords(device: Device, delivery: CommandEntry['delivery'] | undefined): string {
  if (delivery === undefined) return texts.sent.done;
  if (delivery === 'unreachable' || (delivery === 'queued' && !device.online)) return texts.sent.waitsForDevice;
  return texts.sent[delivery];
}

export type Outcome =
  | { kind: 'one'; commandId: string; answered: CommandEntry['delivery']; warnings: readonly string[] }
  | { kind: 'many'; sent: number; warnings: readonly string[]; refused: readonly Refusal[] };
type Refusal = { deviceid: string; detail: string };

/** Sends a command to one device, or to many devices in one call. Rejects if no device accepted the command. */
export async function sendCommand(
  api: Pick<Api, 'sendToDevice' | 'sendMany'>,
  deviceids: readonly string[],
  request: DeviceRequest,
): Promise<Outcome | undefined> {
  const [only] = deviceids;
  if (deviceids.length === 1 && only !== undefined) {
    const result = await api.sendToDevice({ path: { DeviceID: only }, body: request });
    if (!('command_id' in result)) return undefined;
    return { kind: 'one', commandId: result.command_id, answered: result.delivery, warnings: result.warnings };
  }
  const results = await api.sendMany(deviceids.map((deviceid) => ({ ...request, deviceid })));
  const failed = results.filter(({ status }) => status !== 200);
  const [first] = failed;
  if (first !== undefined && failed.length === results.length) {
    throw new ApiError('invalid', first.detail ?? '', first.errors ?? []);
  }
  return {
    kind: 'many',
    sent: results.length - failed.length,
    // List each warning only once, because the warnings are the same for all devices.
    warnings: [...new Set(results.flatMap(({ warnings }) => warnings ?? []))],
    refused: failed.map(({ deviceid, detail = '' }) => ({ deviceid, detail })),
  };
}
