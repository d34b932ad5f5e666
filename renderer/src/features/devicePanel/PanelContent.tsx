import { TriangleAlert } from 'lucide-react';
import { useRef } from 'react';
import type { Device } from '#shared/api/device.ts';
import { useRight } from '../../station/context.ts';
import { useOperatorActions } from '../../device/useOperatorActions.ts';
import { nameOf } from '../../station/places.ts';
import { Button } from '../../ui/Button.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { texts } from '../../ui/texts.ts';
import { CommandForm } from '../composer/CommandForm.tsx';
import { DeviceFacts } from './DeviceFacts.tsx';
import { HistoryTab } from './HistoryTab.tsx';
import { LargeDevice } from './LargeDevice.tsx';
import { NowTab } from './NowTab.tsx';
import { useObstacle } from '../composer/obstacle.ts';
import { PanelActions } from './PanelActions.tsx';
import styles from './PanelContent.module.css';
import { SettingsTab } from './SettingsTab.tsx';
import { StaticsTab } from './StaticsTab.tsx';

type Props = { device: Device; isKnown: boolean; tab: string; setTab(tab: string): void; close(): void };

/** The device, large, and everything to see of it and to do with it. */
export function PanelContent({ device, isKnown, tab, setTab, close }: Props) {
  const mayWork = useRight('work') && isKnown;
  const obstacle = useObstacle(isKnown);
  const here = useOperatorActions(device);
  // One each: while one tab goes and the other comes, both are there.
  const send = useRef<HTMLDivElement>(null);
  const statics = useRef<HTMLDivElement>(null);

  function openTab(chosen: string): void {
    setTab(chosen);
    // A form needs the height. The tab is drawn first.
    const form = chosen === 'send' ? send : chosen === 'statics' ? statics : undefined;
    requestAnimationFrame(() => form?.current?.scrollIntoView({ block: 'start' }));
  }

  function openForm(): void {
    openTab('send');
    requestAnimationFrame(() => {
      send.current?.querySelector<HTMLElement>('input[name="line1"]')?.focus({ preventScroll: true });
    });
  }

  const tabs = [
    { id: 'now', word: texts.panel.now, content: <NowTab device={device} /> },
    {
      id: 'send',
      word: texts.panel.send,
      content: (
        <div ref={send} className={styles.form}>
          <CommandForm deviceids={[device.deviceid]} lastKnown={device} />
        </div>
      ),
    },
    {
      id: 'statics',
      word: texts.panel.statics,
      content: (
        <div ref={statics} className={styles.form}>
          <StaticsTab device={device} obstacle={obstacle} />
        </div>
      ),
    },
    { id: 'history', word: texts.panel.history, content: <HistoryTab device={device} /> },
    { id: 'settings', word: texts.panel.settings, content: <SettingsTab device={device} obstacle={obstacle} /> },
  ];

  return (
    <>
      {!isKnown && (
        <div role="alert" className={styles.removed}>
          <TriangleAlert size={20} aria-hidden="true" />
          <p>
            <strong>{texts.panel.removed(nameOf(device))}</strong> {texts.panel.removedHint}
          </p>
          <Button onPress={close}>{texts.panel.close}</Button>
        </div>
      )}
      <DeviceFacts device={device} />
      {isKnown && <LargeDevice device={device} mayWork={mayWork} here={here} />}
      {isKnown && (
        <PanelActions
          device={device}
          mayWork={mayWork}
          openForm={openForm}
          acknowledge={here.acknowledge}
          close={close}
        />
      )}
      <Tabs label={texts.panel.tabs} tabs={tabs} selected={tab} onSelect={openTab} />
    </>
  );
}
