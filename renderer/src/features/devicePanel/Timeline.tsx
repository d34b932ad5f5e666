import { useState } from 'react';
import type { CommandEntry, Device } from '#shared/api/device.ts';
import type { Timeline as TimelineOf, TimelineStep } from '#shared/api/history.ts';
import { ledStyle } from '../../device/Led.tsx';
import { useTimed } from '../../station/time.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import { ledOf } from './commandWords.ts';
import { countWaitingBefore, nowWords, pendingWords } from './nowWords.ts';
import { dayWords, stepTimes, type TimeMode } from './stepTimes.ts';
import styles from './Timeline.module.css';

/** `device`: undefined where it is gone. */
type Props = { timeline: TimelineOf; device: Device | undefined; title?: string };

/** What happened to a command, from its request to the delivery, and what it waits for now. Only what is known. */
export function Timeline({ timeline, device, title }: Props) {
  const [mode, setMode] = useState<TimeMode>('clock');
  const entry = device?.commands.find(({ command_id }) => command_id === timeline.command_id);
  const day = useTimed((now) => dayWords(Date.parse(timeline.steps[0]?.at ?? ''), now));
  const times = stepTimes(
    timeline.steps.map(({ at }) => Date.parse(at)),
    mode,
  );
  return (
    <div className={styles.timeline}>
      <div className={styles.head}>
        {title !== undefined && <h3 className={styles.title}>{title}</h3>}
        {day !== '' && timeline.steps.length > 0 && <span className={styles.quiet}>{texts.why.on(day)}</span>}
        <Button look="quiet" onPress={() => setMode(mode === 'clock' ? 'since' : 'clock')}>
          <span className="visuallyHidden">{texts.why.times} </span>
          {mode === 'clock' ? texts.why.since : texts.why.clock}
        </Button>
      </div>
      <ol className={styles.steps}>
        {timeline.steps.map((step, place) => (
          // They are told anew as a whole: which of them came between is of no matter.
          <li key={`${step.kind} ${place}`} className={styles.step} data-kind={step.kind}>
            <time className={styles.time} dateTime={step.at}>
              {times[place]}
            </time>
            <span className={styles.dot} aria-hidden="true" />
            <StepWords step={step} />
          </li>
        ))}
        {device !== undefined && entry !== undefined && <Now entry={entry} device={device} />}
        {timeline.callbacks
          .filter(({ state }) => state === 'pending')
          .map((callback) => (
            <li key={callback.id} className={styles.step} data-kind="now">
              <span className={styles.time}>{texts.why.now}</span>
              <span className={styles.dot} aria-hidden="true" />
              <span className={styles.words}>{pendingWords(callback)}</span>
            </li>
          ))}
      </ol>
      {entry === undefined && timeline.nonce === '' && timeline.callbacks.length === 0 && (
        <p className={styles.quiet}>{texts.why.noCallback}</p>
      )}
      {owesNone(timeline) && <p className={styles.quiet}>{texts.why.noneOwed}</p>}
    </div>
  );
}

/** Whether it ended in a way that is told, and nothing was to be told. */
function owesNone({ nonce, callbacks, callbacks_kept: areKept, state }: TimelineOf): boolean {
  return areKept && nonce !== '' && callbacks.length === 0 && (state === 'acknowledged' || state === 'timedOut');
}

/** Steps that say themselves that the device did them. */
const BY_DEVICE: ReadonlySet<string> = new Set(['shown', 'pressed', 'acknowledged']);

function StepWords({ step }: { step: TimelineStep }) {
  const { kind, by = '', detail = '' } = step;
  return (
    <span className={styles.words}>
      {texts.why.steps[kind]}
      {by !== '' && !(by === 'device' && BY_DEVICE.has(kind)) && (
        <>
          {` ${texts.why.by} `}
          <strong>{by === 'device' ? texts.why.device : by}</strong>
        </>
      )}
      {detail !== '' && <span className={styles.detail}> · {detail}</span>}
    </span>
  );
}

/** What an open command waits for at this moment. */
function Now({ entry, device }: { entry: CommandEntry; device: Device }) {
  const before = countWaitingBefore(device, entry.command_id);
  const words = useTimed((now) => nowWords(entry, { before, isOnline: device.online }, now));
  return (
    <li className={styles.step} data-kind="now" style={ledStyle(ledOf(entry.command, entry.color))}>
      <span className={styles.time}>{texts.why.now}</span>
      <span className={styles.dot} aria-hidden="true" />
      <span className={styles.words}>{words}</span>
    </li>
  );
}
