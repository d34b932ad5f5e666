import type { ReactNode } from 'react';
import { cartPick as words } from '../../../words/cartPick.ts';
import { BigButton } from '../BigButton.tsx';
import { placeOf } from '../lines.ts';
import pick from '../Pick.module.css';
import styles from './Cart.module.css';
import { CartGrid } from './CartGrid.tsx';
import { useGrid } from './cartGridOf.ts';
import type { CartPieces, CartTouch } from './cartTypes.ts';
import { freeSlots } from './cartTouches.ts';
import { askedOf, bySlot, openLines, otherHands, sumOf } from './cartView.ts';
import { Hands, Stopped } from './CartNotes.tsx';
import type { CartState } from './useCart.ts';

type Cart = { cart: CartState };

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

type ChoiceProps = Cart & { touch: CartTouch; isMain?: boolean; hint?: string; children: string };

function Choice({ cart, touch, isMain = false, hint, children }: ChoiceProps) {
  return (
    <BigButton
      look={isMain ? 'main' : 'plain'}
      autoFocus={isMain}
      preventFocusOnPress
      hint={hint}
      {...(cart.isDeaf ? { 'data-deaf': true } : {})}
      {...(cart.isRefused ? { 'data-refused': true } : {})}
      onPress={() => cart.touch(touch)}
    >
      {children}
    </BigButton>
  );
}

/** Loads orders by scan, or fills free slots with the next orders. */
export function CartLoad({ cart }: Cart) {
  const grid = useGrid(cart);
  const { state, touch, view } = cart;
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
            <Choice cart={cart} isMain touch={{ touch: 'go' }} hint={words.loading.goHint(orders)}>
              {words.loading.go}
            </Choice>
          )}
          {free > 0 && (
            <Choice cart={cart} isMain={orders === 0} touch={{ touch: 'fill' }}>
              {words.loading.fill(free)}
            </Choice>
          )}
          <Choice cart={cart} touch={{ touch: 'leave' }}>
            {words.loading.leave}
          </Choice>
        </>
      }
    >
      <CartGrid
        {...grid}
        marked={loaded?.slot}
        touch={view === undefined ? undefined : (slot) => touch({ touch: 'slot', slot })}
      />
    </Stage>
  );
}

/** Shows the pieces in hand and the slots they go into. */
export function CartPut({ cart, pieces }: Cart & { pieces: readonly CartPieces[] }) {
  const grid = useGrid(cart);
  const { state, touch, view } = cart;
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
          <Stopped cart={cart} />
          <Hands cart={cart} />
        </>
      }
      buttons={
        <>
          <Choice cart={cart} isMain touch={{ touch: 'putAll' }} hint={isEach ? words.put.eachHint : words.put.allHint}>
            {words.put.all}
          </Choice>
          {state.undos.length > 0 && (
            <Choice cart={cart} touch={{ touch: 'undo' }}>
              {words.put.undo}
            </Choice>
          )}
          <Choice cart={cart} touch={{ touch: 'others' }}>
            {words.walk.more}
          </Choice>
        </>
      }
    >
      <CartGrid
        {...grid}
        lit={new Map(slots.map(({ slot, quantity }) => [slot, quantity]))}
        isRefused={cart.isRefused}
        touch={(slot) => touch({ touch: 'slot', slot })}
      />
    </Stage>
  );
}

export function CartPaused({ cart }: Cart) {
  const grid = useGrid(cart);
  const { state, touch } = cart;
  return (
    <Stage
      title={words.paused.title(state.carrier?.name ?? '')}
      lead={
        <>
          <p className={styles.lead}>{words.paused.lead}</p>
          <Hands cart={cart} />
        </>
      }
      buttons={
        <>
          <Choice cart={cart} isMain touch={{ touch: 'go' }}>
            {words.paused.goOn}
          </Choice>
          <Choice cart={cart} touch={{ touch: 'leave' }}>
            {words.paused.leave}
          </Choice>
        </>
      }
    >
      <CartGrid {...grid} touch={(slot) => touch({ touch: 'slot', slot })} />
    </Stage>
  );
}

/** Shown when everything is picked: what is missing, and what to do with the cart. */
export function CartEnd({ cart }: Cart) {
  const grid = useGrid(cart);
  const { state, touch, view } = cart;
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
          <Stopped cart={cart} />
          <Hands cart={cart} />
        </>
      }
      buttons={
        <>
          {slots.some((slot) => slot.state === 'complete') && (
            <Choice cart={cart} isMain touch={{ touch: 'freeAll' }} hint={words.end.emptiedHint}>
              {words.end.emptied}
            </Choice>
          )}
          {isOpen && !isHeld && (
            <Choice cart={cart} touch={{ touch: 'go' }}>
              {words.end.light}
            </Choice>
          )}
          {state.undos.length > 0 && (
            <Choice cart={cart} touch={{ touch: 'undo' }}>
              {words.put.undo}
            </Choice>
          )}
          <Choice cart={cart} touch={{ touch: 'leave' }}>
            {words.end.leave}
          </Choice>
        </>
      }
    >
      <CartGrid {...grid} touch={(slot) => touch({ touch: 'slot', slot })} />
    </Stage>
  );
}
