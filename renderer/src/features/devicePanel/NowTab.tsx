import { useState } from 'react';
import type { Device } from '#shared/api/device.ts';
import { useRight } from '../../station/context.ts';
import { texts } from '../../ui/texts.ts';
import { AsCode } from '../composer/AsCode.tsx';
import { entryRequest } from '../composer/commandDraft.ts';
import { DeviceQueue } from './DeviceQueue.tsx';
import { LastEvent } from './LastEvent.tsx';
import styles from './NowTab.module.css';
import parts from './panelSection.module.css';
import { WhyLit } from '../timeline/WhyLit.tsx';

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
