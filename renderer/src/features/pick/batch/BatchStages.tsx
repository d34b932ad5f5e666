import { useIsLocked, useStationContext } from '../../../station/context.ts';
import { useStationQuery } from '../../../station/useStationQuery.ts';
import { cartPick as words } from '../../../words/cartPick.ts';
import { placeOf } from '../session/lines.ts';
import styles from './Batch.module.css';
import { SlotGrid } from './SlotGrid.tsx';
import { useGrid } from './useGrid.ts';
import type { BatchPieces } from './batchTypes.ts';
import { freeSlots } from './batchTouches.ts';
import { askedOf, bySlot, openLines, otherHands } from './batchPart.ts';
import { sumOf } from './batchView.ts';
import { Freed, Hands, othersWords, Stopped } from './BatchNotes.tsx';
import { placesOfOthers } from './batchPeople.ts';
import { Choice, Stage, UndoChoice } from './BatchStage.tsx';
import type { InMode } from './BatchDialog.tsx';
import { ordersOf } from './batchCalls.ts';
import { Unanswered } from '../whose/PressNotices.tsx';
import { wallPick } from '../../../words/wallPick.ts';

/** The stage in which orders are scanned into slots, or the next orders fill the free slots. */
export function LoadStage({ mode }: InMode) {
  const { api } = useStationContext();
  const grid = useGrid(mode);
  const { state, touch, view } = mode;
  const { loaded } = state;
  const orders = view === undefined ? 0 : ordersOf(view.batch);
  const waiting = new Set(view?.batch.waiting.map(({ order_number: number }) => number)).size;
  const isWall = state.kind === 'wall';
  const carts = useStationQuery(['carriers', 'cart'], () => api.loadCarriers('cart')).value ?? [];
  const firstCart = carts.find(({ id }) => id === (view === undefined ? state.firstCart : view.batch.cart));
  const free = freeSlots(state);
  return (
    <Stage
      title={words.loading.title}
      lead={
        <>
          <p className={styles.lead}>{(isWall ? wallPick : words).loading.lead}</p>
          {isWall && firstCart !== undefined && (
            <p className={styles.lead}>{wallPick.loading.firstCartIs(firstCart.name)}</p>
          )}
          {view !== undefined && waiting > 0 && (
            <p className={styles.lead}>{wallPick.loading.waiting(waiting, view.batch.singles)}</p>
          )}
          <Freed mode={mode} />
        </>
      }
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
          {isWall && view === undefined && carts.length > 0 && (
            <Choice mode={mode} touch={{ touch: 'askFirstCart' }}>
              {wallPick.loading.firstCart}
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

/** Shows how many pieces the person holds and the slots into which they go. */
export function PutStage({ mode, pieces }: InMode & { pieces: readonly BatchPieces[] }) {
  const grid = useGrid(mode);
  const { state, touch, view } = mode;
  const slots = bySlot(pieces);
  const names = [...new Set(pieces.map(({ item_id: item }) => state.names.get(item) ?? ''))].filter(
    (name) => name !== '',
  );
  const [after] = view === undefined ? [] : openLines(state, view);
  const { eachHint, allHint, pressHint } = words.put;
  const isEach = view?.batch.put_confirmation === 'each';
  const hint = isEach ? eachHint : mode.isEnterOff ? pressHint : allHint;
  return (
    <Stage
      title={words.put.title(sumOf(pieces))}
      lead={
        <>
          <p className={styles.name}>{names.join(' · ')}</p>
          {after !== undefined && <p className={styles.then}>{words.walk.nextOne(placeOf(after), askedOf(after))}</p>}
          <Stopped mode={mode} />
          <Freed mode={mode} />
          <Hands mode={mode} />
        </>
      }
      buttons={
        <>
          <Choice mode={mode} isMain touch={{ touch: 'putAll' }} hint={hint}>
            {words.put.all}
          </Choice>
          <UndoChoice mode={mode} />
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
          <p className={styles.lead}>{state.kind === 'wall' ? wallPick.paused.lead : words.paused.lead}</p>
          <Hands mode={mode} />
        </>
      }
      buttons={
        <>
          <Choice mode={mode} isMain touch={{ touch: 'go' }}>
            {words.paused.goOn}
          </Choice>
          <Choice mode={mode} touch={{ touch: 'leave' }}>
            {(state.kind === 'wall' ? wallPick : words).moreDialog.leave}
          </Choice>
        </>
      }
    >
      <SlotGrid {...grid} touch={(slot) => touch({ touch: 'slot', slot })} />
    </Stage>
  );
}

/**
 * The stage while only other people have places to pick. `isIn` tells whether this person also picks the batch and has
 * finished, or is only watching.
 */
export function OthersStage({ mode, isIn }: InMode & { isIn: boolean }) {
  const grid = useGrid(mode);
  const { state, touch, view } = mode;
  const places = view === undefined ? [] : placesOfOthers(state.me, view.lines);
  // Offer sharing only if somebody has several places, because a single place cannot be shared.
  const isShared = places.some(({ count }) => count > 1);
  return (
    <Stage
      title={isIn ? words.people.done : othersWords(mode)}
      lead={
        <>
          {(isIn || places.length > 1) && (
            <p className={styles.lead}>{places.map(({ name, count }) => words.people.has(name, count)).join(' ')}</p>
          )}
          <Stopped mode={mode} />
          <Freed mode={mode} />
          <Hands mode={mode} />
        </>
      }
      buttons={
        <>
          {(!isIn || isShared) && (
            <Choice mode={mode} isMain touch={{ touch: 'join' }}>
              {isIn ? words.people.help : words.people.join}
            </Choice>
          )}
          <UndoChoice mode={mode} />
          <Choice mode={mode} touch={{ touch: 'others' }}>
            {words.walk.more}
          </Choice>
          <Choice mode={mode} touch={{ touch: 'leave' }}>
            {(state.kind === 'wall' ? wallPick : words).moreDialog.leave}
          </Choice>
        </>
      }
    >
      <SlotGrid {...grid} touch={(slot) => touch({ touch: 'slot', slot })} />
    </Stage>
  );
}

/** Shown when no places are left to pick: what is missing, and what to do with the cart. */
export function EndStage({ mode }: InMode) {
  const grid = useGrid(mode);
  const { state, touch, view } = mode;
  const slots = view?.batch.slots ?? [];
  const isStopped = slots.some((slot) => slot.state === 'stopped');
  const isHeld = view !== undefined && otherHands(state, view).length > 0;
  const isOpen = slots.some((slot) => slot.state === 'open');
  const isComplete = slots.some((slot) => slot.state === 'complete');
  const isLocked = useIsLocked();
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
          <Unanswered notices={mode.unanswered} className={styles.lead} />
          <Stopped mode={mode} />
          <Freed mode={mode} />
          <Hands mode={mode} />
        </>
      }
      buttons={
        <>
          {/* A kiosk cannot open the pack page. */}
          {isComplete && !isLocked && (
            <Choice mode={mode} isMain touch={{ touch: 'pack' }} hint={words.end.packHint}>
              {words.end.pack}
            </Choice>
          )}
          {isComplete && (
            <Choice mode={mode} isMain={isLocked} touch={{ touch: 'freeAll' }} hint={words.end.emptiedHint}>
              {words.end.emptied}
            </Choice>
          )}
          {isOpen && !isHeld && (
            <Choice mode={mode} touch={{ touch: 'go' }}>
              {words.end.light}
            </Choice>
          )}
          <UndoChoice mode={mode} />
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
