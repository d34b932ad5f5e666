import { cartPick as words } from '../../../words/cartPick.ts';
import * as texts from '../../../words/texts.ts';
import { Frame } from '../Frame.tsx';
import { areLettersOn } from '../letters.ts';
import { Messages } from '../Messages.tsx';
import styles from '../Pick.module.css';
import { useEntry } from '../useEntry.ts';
import { CartQuestions } from './CartQuestions.tsx';
import { CartSlots } from './CartSlots.tsx';
import { CartEnd, CartLoad, CartPaused, CartPut } from './CartStages.tsx';
import { CartWalk } from './CartWalk.tsx';
import { type CartState, useCart } from './useCart.ts';
import { useCartNames } from './useCartNames.ts';

/** Ignores a repeated scan of a place, slot or device within this time. For articles, the time is shorter. */
const SAME_PLACE_MS = 1_000;
const SAME_ARTICLE_MS = 400;

type Props = { cartId: number; leave(): void; openCart(cart: number): void };

/** Picks several orders on one walk: load the cart, pick each place once, and put the pieces into slots. */
export function CartMode({ cartId, leave, openCart }: Props) {
  const cart = useCart(cartId, { leave, openCart });
  const { hear, state, touch, view } = cart;
  const names = useCartNames(cart);
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
    { names, sameMs: (code) => (isArticle(cart, code) ? SAME_ARTICLE_MS : SAME_PLACE_MS) },
  );
  const note = [
    state.carrier?.name ?? '',
    view === undefined || view.batch.picker === null || view.batch.picker === cart.me
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
      <CartBody cart={cart} />
      <CartQuestions cart={cart} />
    </Frame>
  );
}

function isArticle({ view }: CartState, code: string): boolean {
  return view?.lines.some(({ SKU, UPC }) => SKU === code || UPC === code) ?? false;
}

function CartBody({ cart }: { cart: CartState }) {
  const { part, state } = cart;
  const { question } = state;
  if (cart.isMissing) return <p className={styles.waiting}>{words.noCart}</p>;
  if (question?.kind === 'slots' || question?.kind === 'move') return <CartSlots cart={cart} question={question} />;
  switch (part.kind) {
    case 'loading':
      return <p className={styles.waiting}>{cart.failure === '' ? texts.frame.loading : cart.failure}</p>;
    case 'load':
      return <CartLoad cart={cart} />;
    case 'walk':
      return <CartWalk cart={cart} line={part.line} />;
    case 'put':
      return <CartPut cart={cart} pieces={part.pieces} />;
    case 'paused':
      return <CartPaused cart={cart} />;
    case 'sending':
      return <p className={styles.waiting}>{texts.pick.sending}</p>;
    case 'end':
      return <CartEnd cart={cart} />;
  }
}
