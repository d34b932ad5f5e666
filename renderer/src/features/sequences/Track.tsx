import { CircleHelp } from 'lucide-react';
import { memo, useMemo } from 'react';
import type { Sequence, Step } from '#shared/api/sequence.ts';
import { contentWords, ledOf } from '../../device/commandWords.ts';
import { LedDot } from '../../device/Led.tsx';
import { useDevice } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { Button } from '../../ui/Button.tsx';
import { untilWords } from '../../ui/moments.ts';
import parts from '../../ui/parts.module.css';
import { StateTag } from '../../ui/StateTag.tsx';
import { texts } from '../../ui/texts.ts';
import { LitLink, litWords } from '../work/LitLink.tsx';
import type { Why } from '../work/WorkLinks.tsx';
import { type StepGroup, GROUP_TONES, groupsOf, STEP_TONES } from './groups.ts';
import styles from './Track.module.css';
import { dotted } from '../../ui/dotted.ts';

const words = texts.sequences;

type Props = { sequence: Sequence; why(why: Why): void };

/** The groups of a sequence from the first to the last: steps that light together are side by side. */
export function Track({ sequence, why }: Props) {
  const groups = useMemo(() => groupsOf(sequence), [sequence]);
  return (
    <ol className={styles.track} aria-label={words.one.track(sequence.sequenceid)}>
      {groups.map((group, place) => (
        <li key={group.order} className={styles.group} data-state={group.state}>
          <GroupHead group={group} place={place + 1} />
          <ul className={styles.steps}>
            {group.steps.map(({ index, step }) => (
              <li key={index}>
                <StepCard step={step} number={index + 1} why={why} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

function GroupHead({ group: { state, steps }, place }: { group: StepGroup; place: number }) {
  return (
    <div className={styles.head}>
      <span className={styles.knot} aria-hidden="true">
        {place}
      </span>
      <h2 className={styles.title}>{words.one.group(place)}</h2>
      <StateTag tone={GROUP_TONES[state]} words={words.one.groupStates[state]} />
      {steps.length > 1 && <span className={styles.quiet}>{words.one.together(steps.length)}</span>}
    </div>
  );
}

const StepCard = memo(function StepCard({ step, number, why }: { step: Step; number: number; why: Props['why'] }) {
  const { state, deviceid, device: asked, location, command_id: commandId, qty, finished_time: finished } = step;
  const known = deviceid ?? asked ?? null;
  const device = useDevice(known ?? '');
  const lit = useTimed((now) => litWords(device, commandId, now));
  const at = useTimed((now) => (finished === null ? '' : words.one.finished(untilWords(Date.parse(finished), now))));
  const lines = [step.line1, step.line2, step.line3, step.line4, step.line5].flatMap((line) =>
    line === undefined || line === '' ? [] : [line],
  );
  const content = contentWords({ lines, quantity: typeof step.quantity === 'number' ? step.quantity : null });
  const details = dotted(
    location !== undefined && known !== null && device?.locationoverride !== location
      ? words.one.atPlace(location)
      : '',
    qty === null || qty === 0 ? '' : words.one.counted(qty),
    at,
    step.stepnonce === undefined || step.stepnonce === '' ? '' : words.one.nonceOf(step.stepnonce),
  );
  const isShown = state === 'active' && device?.displayed?.command_id === commandId;
  const mode = step.command === 'pick' || step.command === 'display' ? 'pick' : 'flash';
  return (
    <div className={styles.card} data-state={state}>
      <div className={`${parts.middle2} ${styles.where}`}>
        {known === null ? (
          <span className={parts.medium}>{location}</span>
        ) : (
          <LitLink deviceid={known} commandId={state === 'active' ? commandId : null} />
        )}
        {state === 'active' && known !== null && commandId !== null && (
          <Button
            icon={CircleHelp}
            look="icon"
            aria-label={texts.work.whyOf(words.one.step(number))}
            onPress={() => why({ name: words.one.step(number), deviceid: known, commandId })}
          />
        )}
      </div>
      <p className={`${parts.middle2} ${styles.what}`}>
        {!isShown && step.color !== undefined && step.color !== '' && <LedDot led={ledOf(mode, step.color)} />}
        <span>{content}</span>
      </p>
      <p className={styles.foot}>
        <StateTag tone={STEP_TONES[state]} words={state === 'active' && lit !== '' ? lit : words.stepStates[state]} />
        <span className={styles.quiet}>{details}</span>
      </p>
    </div>
  );
});
