import { CircleHelp, ListX, Play, RotateCcw } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { Sequence, Step } from '#shared/api/sequence.ts';
import { mapAddress, sequenceAddress, sequenceHistoryAddress } from '../../station/addresses.ts';
import { useDevice, useStationState } from '../../station/context.ts';
import type { NamedDevice } from '../../station/places.ts';
import { useSequence } from '../../station/useWork.ts';
import { Button } from '../../kit/button/Button.tsx';
import { MoreMenu } from '../../kit/menu/Menu.tsx';
import { Moment } from '../../shop/Moment.tsx';
import { BackButton, PageHeader } from '../../kit/page/PageHeader.tsx';
import { StateTag } from '../../kit/feedback/StateTag.tsx';
import page from '../../kit/page/TablePage.module.css';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import { contentWords, ledOf } from '../../shop/device/commandWords.ts';
import { LedDot } from '../../shop/device/Led.tsx';
import { useTimed } from '../../station/time.ts';
import { untilWords } from '../../words/moments.ts';
import { dotted } from '../../words/dotted.ts';
import { NoSuchWork, Notice } from '../../shop/work/Notice.tsx';
import { type Why, WhyDialog, WorkLinks, Fact, Meter, WorkSummary } from '../../shop/work/WorkSummary.tsx';
import { someNames, useRunning } from '../../shop/work/workRows.ts';
import { LitLink, litWords } from '../../shop/work/LitLink.tsx';
import { GROUP_TONES, groupsOf, haltOf, sequenceCounts, STEP_TONES, type StepGroup } from './groups.ts';
import { EditSequenceDialog } from './SequenceDialog.tsx';
import { sequenceMenu, SequenceQuestionDialog, useSequenceActions } from './sequenceMenu.tsx';
import { SEQUENCE_TONES } from './sequenceRows.ts';
import styles from './Track.module.css';

const words = texts.sequences;

/** Shows one sequence: its groups of steps, its progress, and why it has stalled. */
export function SequenceView({ id }: { id: string }) {
  const opened = useSequence(id);
  if (opened.value !== undefined) return <OneSequence sequence={opened.value} />;
  return (
    <NoSuchWork
      id={id}
      words={words.one}
      title={texts.work.sequence(id)}
      list="/connections/sequences"
      picture={<ListX size={40} strokeWidth={1.6} />}
      opened={opened}
    />
  );
}

/** Label of the launch button, by the state of the sequence. */
const LAUNCH_WORDS = {
  unstarted: words.launch,
  'in-progress': undefined,
  stalled: words.relaunch,
  completed: words.again,
} as const;

function OneSequence({ sequence }: { sequence: Sequence }) {
  const { sequenceid: id, state, sequencenonce: nonce, completed_time: completed } = sequence;
  const stale = useStationState(({ connection }) => connection.kind === 'lost');
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const [why, setWhy] = useState<Why>();
  const { actions, asking } = useSequenceActions(() => navigate('/connections/sequences'));
  const { running, run } = useRunning();
  const counts = useMemo(() => sequenceCounts(sequence), [sequence]);
  const facts = { ...sequence, ...counts };
  const { launch, edit, restart } = actions;
  const launchWords = LAUNCH_WORDS[state];
  const menu = sequenceMenu(facts, actions, true);

  return (
    <div className={page.page} data-stale={stale || undefined}>
      <PageHeader
        title={texts.work.sequence(id)}
        note={
          <span role="status" data-whole>
            <StateTag tone={SEQUENCE_TONES[state]} words={words.states[state]} />
          </span>
        }
      >
        <BackButton words={words.one.back} to="/connections/sequences" />
        {launch !== undefined && launchWords !== undefined && (
          <Button
            icon={Play}
            words={running === 'launch' ? words.launching : launchWords}
            look="primary"
            busy={running === 'launch'}
            onPress={() => run('launch', () => launch(id))}
          />
        )}
        {restart !== undefined && launchWords === undefined && (
          <Button icon={RotateCcw} words={words.restart} onPress={() => restart(facts)} />
        )}
        {menu.length > 0 && <MoreMenu label={texts.work.more(id)} groups={menu} />}
      </PageHeader>
      <main className={`${parts.column4} ${styles.content}`}>
        <WorkSummary
          meter={<Meter done={counts.acknowledged_count} all={counts.step_count} />}
          said={words.progressOf(counts.acknowledged_count, counts.step_count)}
          notes={words.counts(counts.active_count, counts.halted_count)}
          end={
            <WorkLinks
              map={counts.active_count > 0 ? mapAddress(id) : undefined}
              history={sequenceHistoryAddress(id)}
            />
          }
        >
          <Fact name={words.one.created}>
            <Moment at={sequence.created_time} />
          </Fact>
          <Fact name={words.one.started}>
            {sequence.start_time === null ? texts.work.never : <Moment at={sequence.start_time} />}
          </Fact>
          {completed !== null && (
            <Fact name={words.one.completed}>
              <Moment at={completed} />
            </Fact>
          )}
          <Fact name={words.one.nonce}>
            <span className={styles.nonce}>{nonce === '' ? words.one.noNonce : nonce}</span>
          </Fact>
        </WorkSummary>
        <Halt sequence={sequence} />
        <Track sequence={sequence} why={setWhy} />
      </main>
      {why !== undefined && <WhyDialog why={why} close={() => setWhy(undefined)} />}
      {params.get('view') === 'edit' && edit !== undefined && (
        <EditSequenceDialog sequence={sequence} close={() => navigate(sequenceAddress(id))} />
      )}
      <SequenceQuestionDialog asking={asking} />
    </div>
  );
}

const haltWords = texts.sequences.halt;

/** A notice about the steps that stall a sequence: the reason, and what to do. */
function Halt({ sequence }: { sequence: Sequence }) {
  const places = useStationState((state) => state.places);
  const halt = haltOf(sequence);
  if (halt === undefined) return null;
  const { timedOut, takenAway, stillLit } = halt;
  const names = (steps: readonly Step[]) => someNames(steps.map((step) => stepPlace(step, places)));
  const said = [
    timedOut.length === 0 ? '' : haltWords.timedOut(names(timedOut)),
    takenAway.length === 0 ? '' : haltWords.takenAway(names(takenAway)),
    stillLit.length === 0 ? '' : haltWords.stillLit(names(stillLit)),
  ].filter((sentence) => sentence !== '');
  return <Notice label={haltWords.title} title={said.join(' ')} body={haltWords.todo} />;
}

function stepPlace({ deviceid, device, location }: Step, places: readonly NamedDevice[]): string {
  const id = deviceid ?? device;
  return location ?? places.find((place) => place.deviceid === id)?.name ?? id ?? '';
}

type Props = { sequence: Sequence; why(why: Why): void };

/** Shows the groups of a sequence in order. Steps that light together are side by side. */
function Track({ sequence, why }: Props) {
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
