import { ShoppingCart } from 'lucide-react';
import { useStationContext, useStationState } from '../../../station/context.ts';
import { useStationQuery } from '../../../station/useStationQuery.ts';
import { cartPick as words } from '../../../words/cartPick.ts';
import { LateButton } from '../BigButton.tsx';
import { loadLiveBatches } from '../liveBatches.ts';
import styles from '../Pick.module.css';

/** Lists carts in use, then empty carts. Draws nothing in a shop without carts. */
export function CarrierChoices({ open }: { open(cart: number): void }) {
  const { api } = useStationContext();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const all = useStationQuery(['carriers', 'cart'], () => api.loadCarriers('cart')).value ?? [];
  const batches = useStationQuery(['liveBatches'], () => loadLiveBatches(api)).value;
  if (all.length === 0 || batches === undefined) return null;
  const batchOf = (id: number) => batches.find(({ cart }) => cart === id);
  // A cart that is picked in bulk belongs to its wall.
  const carts = all.filter(({ id }) => batchOf(id)?.mode !== 'wall');
  const live = carts.filter(({ id }) => batchOf(id) !== undefined);
  const isMine = (id: number): boolean => batchOf(id)?.picker === me;
  const sorted = [...live.filter(({ id }) => isMine(id)), ...live.filter(({ id }) => !isMine(id))];
  return (
    <section className={styles.carts} aria-label={words.carts}>
      {sorted.map(({ id, name }) => {
        const batch = batchOf(id);
        const by = batch === undefined || batch.picker === null || isMine(id) ? '' : ` ${words.by(batch.picker)}`;
        return (
          <LateButton
            key={id}
            icon={ShoppingCart}
            hint={`${batch === undefined ? '' : words.facts[batch.state]}${by}`}
            onPress={() => open(id)}
          >
            {words.goOn(name)}
          </LateButton>
        );
      })}
      {carts
        .filter(({ id }) => batchOf(id) === undefined)
        .map(({ id, name }) => (
          <LateButton key={id} icon={ShoppingCart} onPress={() => open(id)}>
            {words.load(name)}
          </LateButton>
        ))}
    </section>
  );
}
