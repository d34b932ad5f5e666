import { Check, CircleSlash, Pointer } from 'lucide-react';
import { useState } from 'react';
import type { WaitingDevice } from '#shared/api/device.ts';
import { sentenceOf } from '../../words/apiError.ts';
import { useWaiting } from '../../station/useWaiting.ts';
import { runAll } from '../../kit/list/bulkRun.ts';
import { failureWords } from '../../shop/sendInParts.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import parts from '../../kit/parts.module.css';
import { Progress } from '../../kit/feedback/Progress.tsx';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { withChosen } from '../../kit/list/DataTable.tsx';
import { usePressed } from '../../shop/replace/usePressed.ts';
import styles from './WaitingPanel.module.css';

/** Maximum number of devices to list. "Accept all" also accepts the rest. */
const MAX_DRAWN = 100;
const NOBODY: ReadonlySet<string> = new Set();
const words = texts.places.waiting;

/** Lets the person accept or refuse new devices: one, several or all. Hidden if no device waits or was refused. */
export function WaitingPanel() {
  const { api, toasts } = useServices();
  const { waiting, refused } = useWaiting();
  const pressed = usePressed();
  const [chosen, setChosen] = useState(NOBODY);
  const [seesRefused, setSeesRefused] = useState(false);
  const [progress, setProgress] = useState<{ done: number; all: number }>();
  const [failure, setFailure] = useState('');
  const several = waiting.filter(({ deviceid }) => chosen.has(deviceid)).map(({ deviceid }) => deviceid);
  // List the pressed device first: a person at a shelf looks for the device in their hand.
  const ordered = waiting.toSorted(
    (a, b) => Number(b.deviceid === pressed?.deviceid) - Number(a.deviceid === pressed?.deviceid),
  );

  async function accept(deviceids: readonly string[]): Promise<void> {
    setFailure('');
    setProgress({ done: 0, all: deviceids.length });
    const failed = await runAll(
      deviceids,
      (deviceid) => api.registerDevice({ body: { deviceid, buttons: 1 } }),
      (done) => setProgress({ done, all: deviceids.length }),
      () => false,
    );
    setProgress(undefined);
    const accepted = deviceids.length - failed.length;
    if (accepted > 0) toasts.show(words.accepted(accepted, deviceids[0] ?? ''));
    const said = failed.map(({ item, error }) => ({ name: item, words: sentenceOf(error) }));
    if (said.length > 0) setFailure(failureWords(said, deviceids.length));
  }

  async function attempt(run: () => Promise<void>): Promise<void> {
    setFailure('');
    try {
      await run();
    } catch (error) {
      setFailure(sentenceOf(error));
    }
  }

  const refuse = (deviceid: string) =>
    attempt(async () => {
      await api.refuseDevice({ body: { deviceid } });
      toasts.show(words.refused(deviceid), { undo: () => api.readmitDevice({ path: { DeviceID: deviceid } }) });
    });

  const choose = (deviceid: string, isChosen: boolean) => setChosen(withChosen(chosen, [deviceid], isChosen));

  if (waiting.length === 0 && refused.length === 0) return null;
  return (
    <section className={styles.panel} aria-label={words.title}>
      <header className={`${parts.rowMiddle} ${styles.head}`}>
        <div className={styles.words}>
          <h2 className={styles.title}>{words.count(waiting.length)}</h2>
          {waiting.length > 0 && <p className={styles.quiet}>{words.hint}</p>}
          <Failure>{failure}</Failure>
        </div>
        {refused.length > 0 && (
          <Button look="quiet" aria-expanded={seesRefused} onPress={() => setSeesRefused(!seesRefused)}>
            {words.refusedCount(refused.length)}
          </Button>
        )}
        {progress !== undefined && progress.all > 1 ? (
          <div className={styles.progress}>
            <Progress label={words.accepting(progress.all)} value={progress.done} max={progress.all} />
          </div>
        ) : (
          <>
            {several.length > 0 && (
              <Button icon={Check} words={words.acceptSome(several.length)} onPress={() => void accept(several)} />
            )}
            {waiting.length > 1 && (
              <Button look="primary" onPress={() => void accept(waiting.map(({ deviceid }) => deviceid))}>
                {words.acceptAll(waiting.length)}
              </Button>
            )}
          </>
        )}
      </header>
      {waiting.length > 0 && (
        <ul className={styles.list} aria-label={words.list}>
          {ordered.slice(0, MAX_DRAWN).map((device) => (
            <Line
              key={device.deviceid}
              device={device}
              isPressed={device.deviceid === pressed?.deviceid}
              isChosen={chosen.has(device.deviceid)}
              choose={choose}
              accept={() => void accept([device.deviceid])}
              refuse={() => void refuse(device.deviceid)}
            />
          ))}
          {waiting.length > MAX_DRAWN && <li className={styles.more}>{words.more(waiting.length - MAX_DRAWN)}</li>}
        </ul>
      )}
      {seesRefused && refused.length > 0 && (
        <ul className={styles.list} aria-label={words.refusedList}>
          {refused.map(({ deviceid }) => (
            <li key={deviceid} className={styles.line}>
              <CircleSlash size={16} aria-hidden="true" className={styles.icon} />
              <span className={styles.name}>{deviceid}</span>
              <span className={styles.notes}>{words.isRefused}</span>
              <Button
                words={words.readmit}
                aria-label={words.readmitOne(deviceid)}
                onPress={() => void attempt(() => api.readmitDevice({ path: { DeviceID: deviceid } }))}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type LineProps = {
  device: WaitingDevice;
  isPressed: boolean;
  isChosen: boolean;
  choose(deviceid: string, isChosen: boolean): void;
  accept(): void;
  refuse(): void;
};

function Line({ device, isPressed, isChosen, choose, accept, refuse }: LineProps) {
  const { deviceid, buttons, firmware, voltage, rssi } = device;
  const facts = [
    texts.panel.buttons(buttons),
    texts.panel.firmware(firmware),
    texts.panel.volts(voltage),
    texts.panel.dbm(rssi),
  ];
  return (
    <li className={styles.line} data-pressed={isPressed || undefined}>
      <label className={styles.box}>
        <input
          type="checkbox"
          aria-label={texts.places.select(deviceid)}
          checked={isChosen}
          onChange={({ target }) => choose(deviceid, target.checked)}
        />
      </label>
      <span className={styles.name}>{deviceid}</span>
      <span className={styles.notes}>{facts.join(' · ')}</span>
      <span role="status" className={styles.pressed}>
        {isPressed && (
          <>
            <Pointer size={16} aria-hidden="true" />
            {words.pressed}
          </>
        )}
      </span>
      <Button words={words.refuse} look="quiet" aria-label={words.refuseOne(deviceid)} onPress={refuse} />
      <Button words={words.accept} aria-label={words.acceptOne(deviceid)} onPress={accept} />
    </li>
  );
}
