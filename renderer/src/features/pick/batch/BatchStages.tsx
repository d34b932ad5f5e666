import type { ReactNode } from 'react';
import { cartPick as words } from '../../../words/cartPick.ts';
import { BigButton } from '../BigButton.tsx';
import { placeOf } from '../lines.ts';
import pick from '../Pick.module.css';
import styles from './Batch.module.css';
import { SlotGrid } from './SlotGrid.tsx';
import { useGrid } from './useGrid.ts';
import type { BatchPieces, BatchTouch } from './batchTypes.ts';
import { freeSlots } from './batchTouches.ts';
import { askedOf, bySlot, openLines, otherHands, sumOf } from './batchView.ts';
import { Hands, Stopped } from './BatchNotes.tsx';
import type { OpenBatch } from './useBatch.ts';

type InMode = { mode: OpenBatch };

/** A title, the cart and the buttons. */
function Stage({
  title,
  lead,
  children,
  buttons,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  buttons: ReactNode;
}) {
  return (
    <div className={styles.stage}>
      <div className={styles.says}>
        <h2 className={styles.title}>{title}</h2>
        {lead}
      </div>
      {children}
      <div className={`${pick.choices} ${styles.buttons}`}>{buttons}</div>
    </div>
  );
}

type ChoiceProps = InMode & { touch: BatchTouch; isMain?: boolean; hint?: string; children: string };

function Choice({ mode, touch, isMain = false, hint, children }: ChoiceProps) {
  return (
    <BigButton
      look={isMain ? 'main' : 'plain'}
      autoFocus={isMain}
      preventFocusOnPress
      hint={hint}
      {...(mode.isDeaf ? { 'data-deaf': true } : {})}
      {...(mode.isRefused ? { 'data-refused': true } : {})}
      onPress={() => mode.touch(touch)}
    >
      {children}
    </BigButton>
  );
}

/** Loads orders by scan, or fills free slots with the next orders. */
export function LoadStage({ mode }: InMode) {
  const grid = useGrid(mode);
  const { state, touch, view } = mode;
  const { loaded } = state;
  const orders = new Set(view?.batch.slots.flatMap(({ order_number: number }) => number ?? [])).size;
  const free = freeSlots(state);
  return (
    <Stage
      title={words.loading.title}
      lead={<p className={styles.lead}>{words.loading.lead}</p>}
      buttons={
        <>
          {orders > 0 && (
            <Choice mode={mode} isMain touch={{ touch: 'go' }} hint={words.loading.goHint(orders)}>
              {words.loading.go}
            </Choice>
          )}
          {free > 0 && (
            <Choice mode={mode} isMain={orders === 0} touch={{ touch: 'fill' }}>
              {words.loading.fill(free)}
            </Choice>
          )}
          <Choice mode={mode} touch={{ touch: 'leave' }}>
            {words.loading.leave}
          </Choice>
        </>
      }
    >
      <SlotGrid
        {...grid}
        marked={loaded?.slot}
        touch={view === undefined ? undefined : (slot) => touch({ touch: 'slot', slot })}
      />
    </Stage>
  );
}

/** Shows the pieces in hand and the slots they go into. */
export function PutStage({ mode, pieces }: InMode & { pieces: readonly BatchPieces[] }) {
  const grid = useGrid(mode);
  const { state, touch, view } = mode;
  const slots = bySlot(pieces);
  const names = [...new Set(pieces.map(({ item_id: item }) => state.names.get(item) ?? ''))].filter(
    (name) => name !== '',
  );
  const [after] = view === undefined ? [] : openLines(state, view);
  const isEach = view?.batch.put_confirmation === 'each';
  return (
    <Stage
      title={words.put.title(sumOf(pieces))}
      lead={
        <>
          <p className={styles.name}>{names.join(' · ')}</p>
          {after !== undefined && <p className={styles.then}>{words.walk.nextOne(placeOf(after), askedOf(after))}</p>}
          <Stopped mode={mode} />
          <Hands mode={mode} />
        </>
      }
      buttons={
        <>
          <Choice mode={mode} isMain touch={{ touch: 'putAll' }} hint={isEach ? words.put.eachHint : words.put.allHint}>
            {words.put.all}
          </Choice>
          {state.undos.length > 0 && (
            <Choice mode={mode} touch={{ touch: 'undo' }}>
              {words.put.undo}
            </Choice>
          )}
          <Choice mode={mode} touch={{ touch: 'others' }}>
            {words.walk.more}
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

export function PausedStage({ mode }: InMode) {
  const grid = useGrid(mode);
  const { state, touch } = mode;
  return (
    <Stage
      title={words.paused.title(state.carrier?.name ?? '')}
      lead={
        <>
          <p className={styles.lead}>{words.paused.lead}</p>
          <Hands mode={mode} />
        </>
      }
      buttons={
        <>
          <Choice mode={mode} isMain touch={{ touch: 'go' }}>
            {words.paused.goOn}
          </Choice>
          <Choice mode={mode} touch={{ touch: 'leave' }}>
            {words.paused.leave}
          </Choice>
        </>
      }
    >
      <SlotGrid {...grid} touch={(slot) => touch({ touch: 'slot', slot })} />
    </Stage>
  );
}

/** Shown when everything is picked: what is missing, and what to do with the cart. */
export function EndStage({ mode }: InMode) {
  const grid = useGrid(mode);
  const { state, touch, view } = mode;
  const slots = view?.batch.slots ?? [];
  const isStopped = slots.some((slot) => slot.state === 'stopped');
  const isHeld = view !== undefined && otherHands(state, view).length > 0;
  const isOpen = slots.some((slot) => slot.state === 'open');
  const missing = slots.flatMap(({ slot, order_number: order, shares }) => {
    const short = shares.reduce((sum, share) => sum + (share.state === 'short' ? share.quantity - share.picked : 0), 0);
    return short > 0 && order !== null ? [words.end.missing(order, slot, short)] : [];
  });
  const title =
    isHeld || isOpen ? words.end.others : isStopped ? words.end.stopped : words.end.title(state.carrier?.name ?? '');
  return (
    <Stage
      title={title}
      lead={
        <>
          {missing.map((text) => (
            <p key={text} className={styles.lead}>
              {text}
            </p>
          ))}
          <Stopped mode={mode} />
          <Hands mode={mode} />
        </>
      }
      buttons={
        <>
          {slots.some((slot) => slot.state === 'complete') && (
            <Choice mode={mode} isMain touch={{ touch: 'freeAll' }} hint={words.end.emptiedHint}>
              {words.end.emptied}
            </Choice>
          )}
          {isOpen && !isHeld && (
            <Choice mode={mode} touch={{ touch: 'go' }}>
              {words.end.light}
            </Choice>
          )}
          {state.undos.length > 0 && (
            <Choice mode={mode} touch={{ touch: 'undo' }}>
              {words.put.undo}
            </Choice>
          )}
          <Choice mode={mode} touch={{ touch: 'leave' }}>
            {words.end.leave}
          </Choice>
        </>
      }
    >
      <SlotGrid {...grid} touch={(slot) => touch({ touch: 'slot', slot })} />
    </Stage>
  );
}
