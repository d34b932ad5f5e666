import { nameKey } from '#shared/lib/text/nameKey.ts';
import { wallPick } from '../../../words/wallPick.ts';
import { cartPick as words } from '../../../words/cartPick.ts';
import * as texts from '../../../words/texts.ts';
import { Frame } from '../Frame.tsx';
import { areLettersOn } from '../session/letters.ts';
import { SAME_ARTICLE_MS, sameCodeMs } from '../session/sessionEntries.ts';
import { Messages } from '../Messages.tsx';
import styles from '../Pick.module.css';
import { useEntry } from '../useEntry.ts';
import { peopleWords } from './batchPeople.ts';
import { BatchQuestions } from './BatchQuestions.tsx';
import { ChooseSlot } from './ChooseSlot.tsx';
import { EndStage, LoadStage, OthersStage, PausedStage, PutStage } from './BatchStages.tsx';
import { BatchWalk } from './BatchWalk.tsx';
import { ScanStage } from './ScanStage.tsx';
import { LitStage, SortStage } from './WallStages.tsx';
import type { NamedCarrier } from './batchTypes.ts';
import { type OpenBatch, useBatch } from './useBatch.ts';
import { useBatchNames } from './useBatchNames.ts';

type Props = { carrier: NamedCarrier; leave(): void; pack(): void; openCarrier(carrier: NamedCarrier): void };

/**
 * Picks several orders on one walk: the person loads the cart, picks at each place once, and puts the pieces into
 * slots. At a wall, the person sorts articles into slots.
 */
export function BatchMode({ carrier, leave, pack, openCarrier }: Props) {
  const mode = useBatch(carrier, { leave, pack, openCarrier });
  const { dispatch, state, touch, view } = mode;
  const names = useBatchNames(mode);
  const typed = useEntry(
    {
      scan: (scan) => dispatch({ kind: 'scan', scan }),
      count: (count, since, at) => dispatch({ kind: 'counted', count, since, madeAt: at }),
      letter: (letter, at) =>
        dispatch(
          areLettersOn()
            ? { kind: 'letter', letter, madeAt: at }
            : { kind: 'scan', scan: { code: letter, source: 'keyboard', at } },
        ),
      sign: (by, at) => dispatch({ kind: 'sign', by, madeAt: at }),
      typing: (count) => dispatch({ kind: 'typed', count }),
      cleared: (text) => dispatch({ kind: 'cleared', text }),
      repeated: ({ code }) => dispatch({ kind: 'repeated', code }),
      inert: () => dispatch({ kind: 'inertEnter' }),
      enter: (at, press) => dispatch({ kind: 'enter', madeAt: at, press }),
      unreadable: (at) => dispatch({ kind: 'unreadable', madeAt: at }),
    },
    { names, sameMs: (code) => sameMsOf(mode, code) },
  );
  const note = [
    state.carrier?.name ?? '',
    view === undefined || view.batch.state === 'sorting' ? '' : peopleWords(mode.me, view.batch),
  ];
  return (
    <Frame
      title={texts.pick.title}
      note={note}
      answerPress={({ key }, how) => touch({ touch: 'answerPress', press: key, how })}
      moved={() => dispatch({ kind: 'moved' })}
      bottom={
        <Messages
          last={state.last}
          scanned={state.scanned}
          typed={typed}
          hint={names.haveNumbers ? texts.pick.markCounts : ''}
          dismiss={() => touch({ touch: 'dismiss' })}
          {...(hasUndo(mode) ? {} : { undo: () => touch({ touch: 'undo' }) })}
        />
      }
    >
      <Body mode={mode} carrier={carrier} />
      <BatchQuestions mode={mode} />
    </Frame>
  );
}

/** Whether the stage has an Undo button, so that the message does not need one. */
function hasUndo({ part: { kind }, state: { question, kind: carrier } }: OpenBatch): boolean {
  if (question?.kind === 'slots' || question?.kind === 'move' || question?.kind === 'scan') return false;
  if (kind === 'put') return carrier === 'cart';
  return kind === 'others' || kind === 'end' || kind === 'sort' || kind === 'verify';
}

/**
 * Returns the milliseconds within which a repeated code counts once. During sorting, any code that does not belong to the wall may be an
 * article.
 */
function sameMsOf({ state: { carrier, kind }, view }: OpenBatch, code: string): number {
  const codes = [carrier?.code, ...(carrier?.slots ?? []).map((slot) => slot.code)];
  const totes = view?.batch.slots.map(({ tote }) => tote) ?? [];
  const isOfWall = [...codes, ...totes].some((each) => typeof each === 'string' && nameKey(each) === nameKey(code));
  const isSorting = kind === 'wall' && view?.batch.state === 'sorting';
  return isSorting && !isOfWall ? SAME_ARTICLE_MS : sameCodeMs(code, view?.lines ?? []);
}

function Body({ mode, carrier }: { mode: OpenBatch; carrier: NamedCarrier }) {
  const { part, state } = mode;
  const { question } = state;
  if (mode.isMissing)
    return <p className={styles.waiting}>{carrier.kind === 'wall' ? wallPick.noWall : words.noCart}</p>;
  if (question?.kind === 'slots' || question?.kind === 'move') return <ChooseSlot mode={mode} question={question} />;
  if (question?.kind === 'scan') return <ScanStage mode={mode} />;
  switch (part.kind) {
    case 'loading':
      return <p className={styles.waiting}>{mode.failure ?? texts.frame.loading}</p>;
    case 'load':
      return <LoadStage mode={mode} />;
    case 'walk':
      return <BatchWalk mode={mode} line={part.line} />;
    case 'put':
      return carrier.kind === 'wall' ? (
        <LitStage mode={mode} pieces={part.pieces} />
      ) : (
        <PutStage mode={mode} pieces={part.pieces} />
      );
    case 'verify':
      // Any other question is open above this stage.
      return <ScanStage mode={mode} />;
    case 'sort':
      return <SortStage mode={mode} />;
    case 'paused':
      return <PausedStage mode={mode} />;
    case 'sending':
      return <p className={styles.waiting}>{texts.pick.sending}</p>;
    case 'others':
      return <OthersStage mode={mode} isIn={part.isIn} />;
    case 'end':
      return <EndStage mode={mode} />;
  }
}
