import { Grid3x3, ShoppingCart } from 'lucide-react';
import type { ReactNode } from 'react';
import type { BatchProgress } from '#shared/api/batch.ts';
import { CARRIER_KINDS, type CarrierKind } from '#shared/lib/picking/carriers.ts';
import { useStationContext, useStationState } from '../../../station/context.ts';
import { useStationQuery } from '../../../station/useStationQuery.ts';
import { cartPick as words } from '../../../words/cartPick.ts';
import { wallPick } from '../../../words/wallPick.ts';
import { LateButton } from '../BigButton.tsx';
import { loadLiveBatches } from '../../../station/liveBatches.ts';
import styles from '../Pick.module.css';
import { peopleWords, picksIt } from './batchPeople.ts';
import type { NamedCarrier } from './batchTypes.ts';

const ICONS = { cart: ShoppingCart, wall: Grid3x3 } as const satisfies Record<CarrierKind, unknown>;

/**
 * Lists carts and walls: first those that this person picks, then others in use, then free ones. Hidden if the shop has
 * none.
 */
export function CarrierChoices({ open }: { open(carrier: NamedCarrier): void }) {
  const { api } = useStationContext();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const carts = useStationQuery(['carriers', 'cart'], () => api.loadCarriers('cart')).value ?? [];
  const walls = useStationQuery(['carriers', 'wall'], () => api.loadCarriers('wall')).value ?? [];
  const batches = useStationQuery(['liveBatches'], () => loadLiveBatches(api)).value;
  if (carts.length + walls.length === 0 || batches === undefined) return null;
  const lists = { cart: carts, wall: walls };
  const all = CARRIER_KINDS.flatMap((kind) =>
    lists[kind].flatMap(({ id, name }) => {
      const batch = batches.find((each) => each[kind] === id);
      // A cart that is used for bulk picking belongs to its wall.
      return batch !== undefined && batch.mode !== kind ? [] : [{ kind, id, name, batch }];
    }),
  );
  const rank = ({ batch }: (typeof all)[number]): number => (batch === undefined ? 2 : picksIt(me, batch) ? 0 : 1);
  return (
    <section className={styles.carts} aria-label={words.carts}>
      {all
        .toSorted((one, other) => rank(one) - rank(other))
        .map(({ kind, id, name, batch }) => (
          <LateButton
            key={`${kind} ${id}`}
            icon={ICONS[kind]}
            {...(batch === undefined ? {} : { hint: hintOf(batch, me) })}
            onPress={() => open({ kind, id })}
          >
            {batch === undefined
              ? words.load(name)
              : batch.state === 'sorting'
                ? wallPick.goOn(name)
                : words.goOn(name)}
          </LateButton>
        ))}
    </section>
  );
}

function hintOf(batch: BatchProgress, me: string): ReactNode {
  const { state, attention } = batch;
  const people = state === 'sorting' ? '' : peopleWords(me, batch);
  const message = `${words.facts[state]}${people === '' ? '' : ` ${people}`}`;
  if (attention.length === 0) return message;
  return (
    <>
      {message} · <span className={styles.hintCare}>{words.stalled}</span>
    </>
  );
}
