import { ListChecks } from 'lucide-react';
import { lazy, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useStore } from 'zustand';
import { useScans } from '../../scan/useScans.ts';
import type { Scan } from '../../scan/windowScans.ts';
import { useAnswerSounds } from '../../sound/answerSounds.ts';
import { SoundButton } from '../../sound/SoundControls.tsx';
import { useDenied } from '../../kit/denied.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { Button } from '../../kit/button/Button.tsx';
import layout from '../../kit/page/Page.module.css';
import { Denied, PageHeader } from '../../kit/page/PageHeader.tsx';
import parts from '../../kit/parts.module.css';
import { useSlotsServed } from '../../shop/device/slotsServed.ts';
import { browserStorage } from '../../storage.ts';
import { setupDevices as words } from '../../words/setupDevices.ts';
import { useAwake } from '../../kit/useAwake.ts';
import { useLatest } from '../../kit/useLatest.ts';
import { BottomLine } from '../pick/BottomLine.tsx';
import { ChooseDevice } from './ChooseDevice.tsx';
import { CurrentDevice } from './CurrentDevice.tsx';
import { Idle } from './Idle.tsx';
import { keepSteps, readSteps } from './keptSteps.ts';
import { meaningOf } from './meaningOf.ts';
import { PatternPanel } from './PatternPanel.tsx';
import { PlaceForm } from './PlaceForm.tsx';
import { Question } from './Question.tsx';
import { createSetup, type DeviceSetup } from './setup.ts';
import type { SetupMessage } from './setupContext.ts';
import styles from './SetupDevices.module.css';
import type { Picked } from './steps.ts';
import { Summary } from './Summary.tsx';
import { usePlaces } from './usePlaces.ts';

const LABELS = ['place', 'both'] as const;

const LabelsView = lazy(async () => {
  const { LabelsView: component } = await import('../../shop/labels/LabelsView.tsx');
  return { default: component };
});

const PRINT = '/places/set-up/print';

/** The page that assigns places to devices, one after another: the person presses a device and accepts its place. */
export function SetupDevicesPage() {
  const denied = useDenied('edit_labels');
  return denied === undefined ? <Allowed /> : <Denied title={words.title} denied={denied} />;
}

function Allowed() {
  const { store, api } = useStationContext();
  const [path, navigate] = useLocation();
  const [setup] = useState(() => {
    const storage = browserStorage('sessionStorage');
    return createSetup({
      store,
      api,
      now: Date.now,
      kept: readSteps(storage),
      keep: (steps) => keepSteps(storage, steps),
    });
  });
  const [isStopped, setStopped] = useState(path === PRINT);
  const done = useStore(setup.state, (state) => state.done);
  const keys = useMemo(() => done.map(({ before }) => before.deviceid), [done]);
  if (path === PRINT)
    return <LabelsView keys={keys} templates={LABELS} back={{ words: words.summary.back, to: '/places/set-up' }} />;
  if (!isStopped) return <Working setup={setup} stop={() => setStopped(true)} />;

  function finish(): void {
    setup.clear();
    navigate('/places/devices');
  }

  return <Summary done={done} print={() => navigate(PRINT)} resume={() => setStopped(false)} finish={finish} />;
}

function Working({ setup, stop }: { setup: DeviceSetup; stop(): void }) {
  const { store } = useStationContext();
  const { current, queue, done, message, question, isBusy } = useStore(setup.state);
  const isAway = useStationState(({ connection }) => connection.kind === 'lost');
  const [isChoosing, setChoosing] = useState(false);
  const places = usePlaces(done);
  const named = useStationState((state) => state.places);
  const slots = useSlotsServed();
  const left = useMemo(
    () => named.filter(({ deviceid, name }) => name === deviceid && !slots.has(deviceid)).length,
    [named, slots],
  );
  useEffect(() => setup.start(), [setup]);
  useSaid(message);
  useAwake();

  function scanned(scan: Scan): void {
    setChoosing(false);
    const { station } = store.getState();
    if (station === null) return;
    const meaning = meaningOf(scan, { station, pattern: places.pattern, hasCurrent: current !== undefined });
    if (meaning.kind === 'device') setup.choose(meaning.deviceid);
    else if (meaning.kind === 'problem') setup.showMessage({ kind: 'wrong', text: meaning.says });
    // A second scan of the same code moves the place from another device. It does not say whether a place gets another name.
    else {
      const isConfirmed = question?.kind === 'taken' && question.place === meaning.place;
      void setup.take(meaning.place, isConfirmed ? 'move' : '');
    }
  }

  useScans(scanned);
  const doubles = places.doubles;
  return (
    <div className={`${layout.page} ${styles.page}`}>
      <PageHeader title={words.title} note={words.note(done.length, left)}>
        <SoundButton />
        <Button icon={ListChecks} words={words.stop} onPress={stop} />
      </PageHeader>
      <main className={styles.content}>
        <div className={styles.columns}>
          <section className={styles.work} aria-label={words.device.region}>
            {isAway && (
              <p className={styles.away} role="alert">
                {words.away}
              </p>
            )}
            {current === undefined ? (
              <Idle
                done={done}
                left={left}
                back={() => void setup.back()}
                choose={() => setChoosing(true)}
                isBusy={isBusy}
              />
            ) : (
              <CurrentDevice deviceid={current.deviceid} />
            )}
            {doubles.map(({ place, deviceids }) => (
              <p key={place} className={styles.away} role="alert">
                {words.double(place, deviceids)}
              </p>
            ))}
          </section>
          <div className={parts.column4}>
            {current !== undefined && (
              <section key={current.deviceid} className={styles.work} aria-label={words.place.form}>
                {question === undefined ? (
                  <PlaceForm setup={setup} picked={current} last={done.at(-1)} isBusy={isBusy} places={places} />
                ) : (
                  <Question setup={setup} question={question} isBusy={isBusy} />
                )}
                <Queue queue={queue} />
              </section>
            )}
            <PatternPanel places={places} say={setup.showMessage} />
          </div>
        </div>
      </main>
      <BottomLine message={message} dismiss={() => setup.showMessage(undefined)} />
      {isChoosing && (
        <ChooseDevice
          choose={(deviceid) => {
            setChoosing(false);
            setup.choose(deviceid);
          }}
          close={() => setChoosing(false)}
        />
      )}
    </div>
  );
}

/** Plays a sound for each right or wrong action, because the person at the shelf may not see the page. */
function useSaid(message: SetupMessage | undefined): void {
  const sounds = useLatest(useAnswerSounds());
  useEffect(() => {
    if (message?.kind === 'right') sounds.current.right();
    else if (message?.kind === 'wrong') sounds.current.wrong();
  }, [message, sounds]);
}

const NAMED = 3;

/** Lists devices that wait for a place. */
function Queue({ queue }: { queue: readonly Picked[] }) {
  const names = queue.slice(0, NAMED).map(({ deviceid }) => deviceid);
  return (
    <p role="status" className={styles.queue}>
      {queue.length > 0 && words.queue(names, queue.length - names.length)}
    </p>
  );
}
