import { useState } from 'react';
import type { Device } from '#shared/api/device.ts';
import { useRight, useStationContext } from '../../station/context.ts';
import { useLoaded } from '../../station/useLoaded.ts';
import { texts } from '../../ui/texts.ts';
import { AsCode } from '../composer/AsCode.tsx';
import { entryRequest } from '../composer/commandDraft.ts';
import { WhyLit } from '../timeline/CommandTimeline.tsx';
import { DeviceQueue } from './DeviceQueue.tsx';
import { HistoryRow } from './HistoryRow.tsx';
import styles from './NowTab.module.css';
import parts from './panelSection.module.css';

/** What is the device doing, and why? */
export function NowTab({ device }: { device: Device }) {
  const maySend = useRight('send');
  const [chosen, setChosen] = useState<string>();
  const followed = device.commands.find(({ command_id }) => command_id === chosen) ?? device.commands[0];
  return (
    <div className={styles.tab}>
      <DeviceQueue device={device} maySend={maySend} followed={followed?.command_id} follow={setChosen} />
      {followed !== undefined && (
        <section className={parts.section}>
          <WhyLit
            key={followed.command_id}
            commandId={followed.command_id}
            device={device}
            title={followed.state === 'shown' ? texts.why.lit : texts.why.waits}
          />
        </section>
      )}
      <LastEvent device={device} isIdle={followed === undefined} />
      {followed !== undefined && <AsCode deviceids={[device.deviceid]} request={entryRequest(followed)} />}
    </div>
  );
}

/** The last thing that happened at a device; where it is idle, with its timeline. Nothing where that is not known. */
function LastEvent({ device, isIdle }: { device: Device; isIdle: boolean }) {
  const { api } = useStationContext();
  const open = device.commands.map(({ command_id }) => command_id).join(' ');
  const { value } = useLoaded(device.deviceid, `${open} ${device.last_seen}`, () =>
    api.loadHistory({ deviceid: device.deviceid, limit: 1 }),
  );
  const last = value?.[0];
  if (value === undefined || (last === undefined && !isIdle)) return null;
  return (
    <section className={styles.section}>
      <h3 className={styles.title}>{texts.why.last}</h3>
      {last === undefined ? (
        <p className={styles.quiet}>{texts.why.nothing}</p>
      ) : (
        <ul className={styles.list}>
          <HistoryRow key={`${last.id} ${isIdle}`} entry={last} device={device} opensAtOnce={isIdle} />
        </ul>
      )}
    </section>
  );
}
