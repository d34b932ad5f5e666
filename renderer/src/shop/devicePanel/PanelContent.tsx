import { Minus, Plus, TriangleAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Device } from '#shared/api/device.ts';
import { DeviceFace } from '../device/DeviceFace.tsx';
import { ledWords } from '../device/deviceWords.ts';
import { Led } from '../device/Led.tsx';
import { useOperatorActions } from '../device/useOperatorActions.ts';
import { usePresses } from '../device/usePresses.ts';
import { useRight, useStationContext } from '../../station/context.ts';
import { nameOf } from '../../station/places.ts';
import { seenLight } from '../../station/seenLight.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Tabs } from '../../kit/menu/Tabs.tsx';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { AsCode } from '../composer/AsCode.tsx';
import { entryRequest } from '../composer/commandDraft.ts';
import { CommandForm } from '../composer/CommandForm.tsx';
import { useObstacle } from '../composer/SubmitRow.tsx';
import { WhyLit } from '../timeline/CommandTimeline.tsx';
import { DeviceFacts } from './DeviceFacts.tsx';
import { DeviceQueue } from './DeviceQueue.tsx';
import { HistoryRow, HistoryTab } from './HistoryTab.tsx';
import nowTab from './NowTab.module.css';
import { PanelActions } from './PanelActions.tsx';
import styles from './PanelContent.module.css';
import { SettingsTab } from './SettingsTab.tsx';
import { StaticsTab } from './StaticsTab.tsx';

type Props = { device: Device; isKnown: boolean; tab: string; setTab(tab: string): void; close(): void };

/** A large view of a device, with its state and all actions. */
export function PanelContent({ device, isKnown, tab, setTab, close }: Props) {
  const mayWork = useRight('work') && isKnown;
  const obstacle = useObstacle(isKnown);
  const here = useOperatorActions(device);
  // Use separate refs, because both tabs exist while the tab changes.
  const send = useRef<HTMLDivElement>(null);
  const statics = useRef<HTMLDivElement>(null);

  function openTab(chosen: string): void {
    setTab(chosen);
    // Scroll to the form after the tab is rendered, because the form has no height before that.
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

type LargeDeviceProps = { device: Device; mayWork: boolean; here: ReturnType<typeof useOperatorActions> };

/**
 * The large device with its buttons or, if it cannot be pressed from the page, with buttons that record a press.
 * Shows the result of a press.
 */
function LargeDevice({ device, mayWork, here }: LargeDeviceProps) {
  const presses = usePresses(device.deviceid);
  const isHere = !device.can_press && mayWork;
  const note = here.note ?? presses.note;
  const hint = device.can_press ? '' : isHere && device.commands.length > 0 ? texts.here.hint : idleHint(device);
  return (
    <div className={styles.device}>
      <DeviceFace
        device={device}
        press={presses.press}
        here={isHere ? <HereButtons device={device} acknowledge={here.acknowledge} adjust={here.adjust} /> : undefined}
      />
      <p role={note?.kind === 'failed' ? 'alert' : 'status'} className={styles.note} data-kind={note?.kind}>
        {note?.words ?? hint}
      </p>
    </div>
  );
}

function idleHint({ buttons }: Device): string {
  return buttons === 0 ? texts.here.noButtons : texts.here.idle;
}

type HereButtonsProps = {
  device: Device;
  acknowledge(): void;
  /** Changes the quantity of the first command. */
  adjust(by: 1 | -1): void;
};

/**
 * Buttons for a device that cannot be pressed from the page. They record that somebody at the station acknowledged or
 * adjusted the first command.
 */
function HereButtons({ device, acknowledge, adjust }: HereButtonsProps) {
  const led = seenLight(device);
  const name = nameOf(device);
  const [first] = device.commands;
  const quantity = first?.quantity ?? null;
  if (first === undefined) {
    return (
      <div className={`${parts.middle3} ${styles.buttons}`}>
        <Led led={led} size="panel" />
        <span className="visuallyHidden">{ledWords(led)}</span>
      </div>
    );
  }
  return (
    <div className={`${parts.middle3} ${styles.buttons}`}>
      {quantity !== null && (
        <button type="button" className={styles.key} aria-label={texts.here.less(name)} onClick={() => adjust(-1)}>
          <Minus size={18} aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        className={`${parts.title} ${styles.acknowledge}`}
        aria-label={texts.here.label(name, ledWords(led))}
        onClick={acknowledge}
      >
        <Led led={led} size="panel" />
        <span>{texts.here.acknowledge}</span>
      </button>
      {quantity !== null && (
        <button type="button" className={styles.key} aria-label={texts.here.more(name)} onClick={() => adjust(1)}>
          <Plus size={18} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}

/** A tab that shows what the device is doing, and why. */
export function NowTab({ device }: { device: Device }) {
  const maySend = useRight('send');
  const [chosen, setChosen] = useState<string>();
  const followed = device.commands.find(({ command_id }) => command_id === chosen) ?? device.commands[0];
  return (
    <div className={nowTab.tab}>
      <DeviceQueue device={device} maySend={maySend} followed={followed?.command_id} follow={setChosen} />
      {followed !== undefined && (
        <section className={parts.column2}>
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

/** The last event of a device. Shows the event's timeline if the device is idle. Renders nothing if there is no event. */
function LastEvent({ device, isIdle }: { device: Device; isIdle: boolean }) {
  const { api } = useStationContext();
  const open = device.commands.map(({ command_id }) => command_id).join(' ');
  const { value } = useStationQuery(
    ['history', device.deviceid, 'last'],
    () => api.listHistory({ query: { deviceid: device.deviceid, limit: 1 } }),
    { version: `${open} ${device.last_seen}` },
  );
  const last = value?.[0];
  if (value === undefined || (last === undefined && !isIdle)) return null;
  return (
    <section>
      <h3>{texts.why.last}</h3>
      {last === undefined ? (
        <p>{texts.why.nothing}</p>
      ) : (
        <ul>
          <HistoryRow key={`${last.id} ${isIdle}`} entry={last} device={device} opensAtOnce={isIdle} />
        </ul>
      )}
    </section>
  );
}
