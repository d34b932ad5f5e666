import { cartPick as words } from '../../../words/cartPick.ts';
import { BigButton } from '../BigButton.tsx';
import pick from '../Pick.module.css';
import styles from './Cart.module.css';
import { CartGrid } from './CartGrid.tsx';
import { useGrid } from './cartGridOf.ts';
import type { CartQuestion } from './cartTypes.ts';
import type { CartState } from './useCart.ts';

type Props = { cart: CartState; question: Extract<CartQuestion, { kind: 'slots' | 'move' }> };

/** Asks for a slot: a touch of the drawn cart chooses it. */
export function CartSlots({ cart, question }: Props) {
  const grid = useGrid(cart);
  const { touch } = cart;
  const title = question.kind === 'move' ? words.slotDialog.moveTitle(question.slot) : words.slotDialog.title;
  return (
    <div className={styles.stage}>
      <h2 className={styles.title}>{title}</h2>
      <CartGrid {...grid} isRefused={cart.isRefused} touch={(slot) => touch({ touch: 'slot', slot })} />
      <div className={`${pick.choices} ${styles.buttons}`}>
        <BigButton onPress={() => touch({ touch: 'close' })}>{words.slotDialog.back}</BigButton>
      </div>
    </div>
  );
}
