import { wallPick as words } from '../../../words/wallPick.ts';
import { cartPick } from '../../../words/cartPick.ts';
import styles from './Batch.module.css';
import type { InMode } from './BatchDialog.tsx';
import { Freed, Stopped } from './BatchNotes.tsx';
import { Choice, Stage, UndoChoice } from './BatchStage.tsx';
import type { BatchPieces } from './batchTypes.ts';
import { bySlot } from './batchPart.ts';
import { sumOf } from './batchView.ts';
import { SlotGrid } from './SlotGrid.tsx';
import { useGrid } from './useGrid.ts';

/** Maximum number of slots to name in the title. More would not be readable from two meters away. */
const NAMED = 3;

/**
 * Asks for the scan of an article. Shows how full each slot is, and the result of the last scan if no slot took the
 * article.
 */
export function SortStage({ mode }: InMode) {
  const grid = useGrid(mode);
  const { state, touch, view } = mode;
  if (view === undefined) return null;
  const { batch, lines } = view;
  const { answer, stack } = state;
  const isOver = lines.length === 0 && batch.scanned.length === 0 && batch.waiting.length === 0;
  const isComplete = isOver && batch.slots.some((slot) => slot.state === 'complete');
  const idle = isComplete ? words.idle.complete : isOver ? words.idle.nothing : words.idle.title;
  const orders = new Set(lines.flatMap(({ shares }) => shares?.map((share) => share.order_number) ?? [])).size;
  const waiting = new Set(batch.waiting.map((share) => share.order_number)).size;
  const pieces = lines.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
  return (
    <Stage
      title={answer?.text ?? (stack === undefined ? idle : words.idle.stack(stack))}
      tone={answer?.kind}
      lead={
        <>
          {pieces > 0 && <p className={styles.lead}>{words.idle.left(pieces, orders)}</p>}
          {waiting > 0 && <p className={styles.lead}>{words.loading.waiting(waiting, batch.singles)}</p>}
          {isComplete && <p className={styles.lead}>{words.idle.completeLead}</p>}
          <Stopped mode={mode} />
          <Freed mode={mode} />
        </>
      }
      buttons={
        <>
          {isComplete && (
            <Choice mode={mode} isMain touch={{ touch: 'freeAll' }} hint={words.idle.emptiedHint}>
              {words.idle.emptied}
            </Choice>
          )}
          {lines.length > 0 && (
            <Choice mode={mode} touch={{ touch: 'articles' }}>
              {words.idle.noBarcode}
            </Choice>
          )}
          {lines.length > 0 && (
            <Choice mode={mode} touch={{ touch: batch.cart === null ? 'askNoMore' : 'askNotOnCart' }}>
              {batch.cart === null ? words.idle.noMore : words.idle.notOnCart}
            </Choice>
          )}
          <UndoChoice mode={mode} />
          <Choice mode={mode} touch={{ touch: 'others' }}>
            {cartPick.walk.more}
          </Choice>
        </>
      }
    >
      <SlotGrid {...grid} isRefused={mode.isRefused} touch={(slot) => touch({ touch: 'slot', slot })} />
    </Stage>
  );
}

/** Shows the slots that are lit for the articles that this person scanned. */
export function LitStage({ mode, pieces }: InMode & { pieces: readonly BatchPieces[] }) {
  const grid = useGrid(mode);
  const { state, touch, view } = mode;
  const slots = bySlot(pieces);
  const names = [...new Set(pieces.map(({ item_id: item }) => state.names.get(item) ?? ''))].filter(
    (name) => name !== '',
  );
  const { eachHint, allHint, pressHint } = words.put;
  return (
    <Stage
      title={slots.length > NAMED ? words.put.stack(sumOf(pieces)) : words.put.takes(slots)}
      lead={
        <>
          <p className={styles.name}>{names.join(' · ')}</p>
          {state.answer !== undefined && (
            <p className={styles.left} data-tone={state.answer.kind}>
              {state.answer.text}
            </p>
          )}
          <Stopped mode={mode} />
          <Freed mode={mode} />
        </>
      }
      buttons={
        <>
          <Choice
            mode={mode}
            isMain
            touch={{ touch: 'putAll' }}
            hint={
              view?.batch.put_confirmation === 'each' ? eachHint : mode.isEnterOff ? pressHint(slots) : allHint(slots)
            }
          >
            {words.put.put}
          </Choice>
          <Choice mode={mode} touch={{ touch: 'setAside' }} hint={words.put.setAsideHint}>
            {words.put.setAside}
          </Choice>
          <Choice mode={mode} touch={{ touch: 'others' }}>
            {cartPick.walk.more}
          </Choice>
        </>
      }
    >
      <SlotGrid
        {...grid}
        lit={new Map(slots.map(({ slot, quantity }) => [slot, quantity]))}
        isRefused={mode.isRefused}
        touch={(slot) => touch({ touch: 'slot', slot })}
      />
    </Stage>
  );
}
