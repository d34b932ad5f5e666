import { Button } from 'react-aria-components';
import { cartPick as words } from '../../../words/cartPick.ts';
import { useTimed } from '../../../station/time.ts';
import { freedBy } from '../../../words/pack.ts';
import * as texts from '../../../words/texts.ts';
import styles from './Batch.module.css';
import { othersIn } from './batchPeople.ts';
import { isOffered, lastFreed } from './freedSlots.ts';
import { bySlot, linesOfOthers, otherHands } from './batchPart.ts';
import { sumOf } from './batchView.ts';
import type { OpenBatch } from './useBatch.ts';

/** Names the other pickers of the cart, with the number of their open places. */
export function othersWords({ state, view }: OpenBatch): string {
  if (view === undefined) return '';
  const { length } = linesOfOthers(state, view);
  return words.people.picks(othersIn(state.me, view.batch), state.carrier?.name ?? '', length);
}

/** Lists pieces that other people hold, with a button to state what happened to them. */
export function Hands({ mode: { state, touch, view } }: { mode: OpenBatch }) {
  if (view === undefined) return null;
  return otherHands(state, view).map(({ by, shares }) => (
    <p key={by} className={styles.notice}>
      <span>{words.walk.holds(by, sumOf(shares), words.listed(bySlot(shares)))}</span>
      <Button className={styles.noticeButton ?? ''} preventFocusOnPress onPress={() => touch({ touch: 'askHand', by })}>
        {words.walk.settle}
      </Button>
    </p>
  ));
}

/** Says who freed a slot last, with Undo, because it may have been a mistake. */
export function Freed({ mode: { state, touch, view } }: { mode: OpenBatch }) {
  const freed = lastFreed(state, view);
  const isOld = useTimed((now) => (isOffered(view, now) ? '' : 'old')) !== '';
  // If this person has just freed it, the last action already offers Undo.
  const isOwn = state.undos.at(-1)?.does === 'free';
  if (freed === undefined || isOld || isOwn) return null;
  return (
    <p className={styles.notice}>
      <span>{words.walk.freed(freed.slots.join(', '), freed.slots.length, freedBy(freed.by))}</span>
      <Button
        className={styles.noticeButton ?? ''}
        preventFocusOnPress
        onPress={() => touch({ touch: 'undoFree', freed })}
      >
        {texts.pick.undo}
      </Button>
    </p>
  );
}

/** Lists stopped slots, whose orders have left the batch and which somebody has to empty. */
export function Stopped({ mode: { touch, view } }: { mode: OpenBatch }) {
  const stopped = view?.batch.slots.filter(({ state }) => state === 'stopped') ?? [];
  return stopped.map(({ slot, order_number: order }) => (
    <p key={slot} className={styles.notice} data-stopped>
      <span>{words.walk.stopped(slot, order ?? '')}</span>
      <Button
        className={styles.noticeButton ?? ''}
        preventFocusOnPress
        onPress={() => touch({ touch: 'askStopped', slot })}
      >
        {words.walk.empty}
      </Button>
    </p>
  ));
}
