import { cartPick as words } from '../../../words/cartPick.ts';
import * as texts from '../../../words/texts.ts';
import { Frame } from '../Frame.tsx';
import { areLettersOn } from '../letters.ts';
import { Messages } from '../Messages.tsx';
import styles from '../Pick.module.css';
import { useEntry } from '../useEntry.ts';
import { BatchQuestions } from './BatchQuestions.tsx';
import { ChooseSlot } from './ChooseSlot.tsx';
import { EndStage, LoadStage, PausedStage, PutStage } from './BatchStages.tsx';
import { BatchWalk } from './BatchWalk.tsx';
import { type OpenBatch, useBatch } from './useBatch.ts';
import { useBatchNames } from './useBatchNames.ts';

/** Ignores a repeated scan of a place, slot or device within this time. For articles, the time is shorter. */
const SAME_PLACE_MS = 1_000;
const SAME_ARTICLE_MS = 400;

type Props = { cartId: number; leave(): void; openCart(cart: number): void };

/** Picks several orders on one walk: load the cart, pick each place once, and put the pieces into slots. */
export function BatchMode({ cartId, leave, openCart }: Props) {
  const mode = useBatch(cartId, { leave, openCart });
  const { hear, state, touch, view } = mode;
  const names = useBatchNames(mode);
  const typed = useEntry(
    {
      scan: (scan) => hear({ kind: 'scan', scan }),
      count: (count) => hear({ kind: 'counted', count }),
      letter: (letter) =>
        hear(
          areLettersOn() ? { kind: 'letter', letter } : { kind: 'scan', scan: { code: letter, source: 'keyboard' } },
        ),
      sign: (by) => hear({ kind: 'sign', by }),
      cleared: (text) => hear({ kind: 'cleared', text }),
      repeated: ({ code }) => hear({ kind: 'repeated', code }),
      deaf: () => hear({ kind: 'deafEnter' }),
    },
    { names, sameMs: (code) => (isArticle(mode, code) ? SAME_ARTICLE_MS : SAME_PLACE_MS) },
  );
  const note = [
    state.carrier?.name ?? '',
    view === undefined || view.batch.picker === null || view.batch.picker === mode.me
      ? ''
      : words.by(view.batch.picker),
  ];
  return (
    <Frame
      title={texts.pick.title}
      note={note.filter((part) => part !== '').join(' · ')}
      bottom={
        <Messages
          last={state.last}
          scanned={state.scanned}
          typed={typed}
          hint={names.haveNumbers ? texts.pick.markCounts : ''}
          dismiss={() => touch({ touch: 'dismiss' })}
          undo={() => touch({ touch: 'undo' })}
        />
      }
    >
      <Body mode={mode} />
      <BatchQuestions mode={mode} />
    </Frame>
  );
}

function isArticle({ view }: OpenBatch, code: string): boolean {
  return view?.lines.some(({ SKU, UPC }) => SKU === code || UPC === code) ?? false;
}

function Body({ mode }: { mode: OpenBatch }) {
  const { part, state } = mode;
  const { question } = state;
  if (mode.isMissing) return <p className={styles.waiting}>{words.noCart}</p>;
  if (question?.kind === 'slots' || question?.kind === 'move') return <ChooseSlot mode={mode} question={question} />;
  switch (part.kind) {
    case 'loading':
      return <p className={styles.waiting}>{mode.failure === '' ? texts.frame.loading : mode.failure}</p>;
    case 'load':
      return <LoadStage mode={mode} />;
    case 'walk':
      return <BatchWalk mode={mode} line={part.line} />;
    case 'put':
      return <PutStage mode={mode} pieces={part.pieces} />;
    case 'paused':
      return <PausedStage mode={mode} />;
    case 'sending':
      return <p className={styles.waiting}>{texts.pick.sending}</p>;
    case 'end':
      return <EndStage mode={mode} />;
  }
}
