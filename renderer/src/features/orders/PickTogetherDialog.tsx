import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Carrier } from '#shared/api/carrier.ts';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { type FieldMessages, problemsOf } from '../../kit/field/fieldProblems.ts';
import parts from '../../kit/parts.module.css';
import { useServices } from '../../shop/toasts.ts';
import { batchAddress } from '../../station/addresses.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { carts } from '../../words/carts.ts';

const words = carts.together;
const FIELDS: ReadonlySet<string> = new Set(['cart', 'wall']);
const NONE: readonly never[] = [];
/** Id of the choices "no cart" and "no wall". */
const NEITHER = 'none';

/** Loads orders, in list order, onto a cart, into a wall, or onto a cart and from there into a wall. Then opens the batch. */
export function PickTogetherDialog({ numbers, close }: { numbers: readonly string[]; close(): void }) {
  const { api, toasts } = useServices();
  const [, navigate] = useLocation();
  const carriers = useStationQuery(['carriers', 'cart'], () => api.loadCarriers('cart'));
  const allWalls = useStationQuery(['carriers', 'wall'], () => api.loadCarriers('wall'));
  const walls = allWalls.value ?? NONE;
  const batches = useStationQuery(['batches'], () => api.listBatches());
  const [chosen, setChosen] = useState<{ cart?: string; wall?: string }>({});
  const live = (batches.value ?? NONE).filter(({ state }) => state !== 'done');
  const busyOf = {
    cart: new Map(live.map(({ cart, id }) => [cart, id])),
    wall: new Map(live.map(({ wall, id }) => [wall, id])),
  };
  const known = carriers.value ?? NONE;
  const isLoaded = carriers.value !== undefined && batches.value !== undefined && allWalls.status !== 'waiting';
  // Keep the first selection: it must not change under the pointer if somebody else takes the cart. The station then refuses it.
  const [first, setFirst] = useState<{ cart?: string | undefined; wall?: string | undefined }>();
  if (first === undefined && isLoaded)
    setFirst({
      cart: firstFree(known, busyOf.cart, numbers.length),
      wall: firstFree(walls, busyOf.wall, numbers.length),
    });
  // Preselect a cart, unless the shop has only walls.
  const wall = chosen.wall ?? (carriers.value?.length === 0 ? (first?.wall ?? NEITHER) : NEITHER);
  const isWall = wall !== NEITHER;
  const cart = chosen.cart ?? (isWall ? NEITHER : (first?.cart ?? NEITHER));

  async function save(): Promise<void> {
    const batch = await api.addBatch({
      body: {
        mode: isWall ? 'wall' : 'cart',
        ...(cart === NEITHER ? {} : { cart: Number(cart) }),
        ...(isWall ? { wall: Number(wall) } : {}),
        slots: numbers.map((order_number) => ({ order_number })),
      },
    });
    close();
    toasts.show(isWall ? words.loadedWall(batch.wall_name) : words.loaded(batch.cart_name));
    navigate(batchAddress(batch.id));
  }

  return (
    <FormDialog
      title={words.title(numbers.length)}
      submit={isWall ? words.loadWall : words.load}
      draft={`${cart} ${wall}`}
      check={(): FieldMessages => (cart === NEITHER && !isWall ? { cart: words.noCart } : {})}
      save={save}
      problemsOf={(error) => problemsOf(error, FIELDS, words.failed)}
      onClose={close}
    >
      <p>{isWall ? (cart === NEITHER ? words.leadWall : words.leadBulk) : words.lead}</p>
      {isLoaded && known.length === 0 && walls.length === 0 && <p className={parts.care}>{words.none}</p>}
      {known.length > 0 && (
        <ChoiceField
          name="cart"
          label={words.cart}
          placeholder={words.choose}
          choices={[...(isWall ? [{ id: NEITHER, text: words.withoutCart }] : []), ...choicesOf(known, busyOf.cart)]}
          value={cart === NEITHER && !isWall ? '' : cart}
          onChange={(id) => setChosen({ ...chosen, cart: id })}
        />
      )}
      {walls.length > 0 && (
        <ChoiceField
          name="wall"
          label={words.wall}
          placeholder={words.chooseWall}
          choices={[
            ...(known.length > 0 ? [{ id: NEITHER, text: words.withoutWall }] : []),
            ...choicesOf(walls, busyOf.wall),
          ]}
          value={wall}
          onChange={(id) => setChosen({ ...(id === NEITHER ? {} : chosen), wall: id })}
        />
      )}
      <div role="alert">{carriers.status === 'failed' && <p className={parts.failure}>{carriers.failure}</p>}</div>
    </FormDialog>
  );
}

type Carriers = readonly Pick<Carrier, 'id' | 'name' | 'slots'>[];
type Busy = ReadonlyMap<number | null, number>;

/**
 * Returns the id of the first free cart or wall that has enough slots for all orders. If none has, returns the first
 * free one.
 */
function firstFree(carriers: Carriers, busy: Busy, count: number): string | undefined {
  const free = carriers.filter(({ id }) => !busy.has(id));
  const found = free.find(({ slots }) => slots.length >= count) ?? free[0];
  return found === undefined ? undefined : String(found.id);
}

function choicesOf(carriers: Carriers, busy: Busy): { id: string; text: string }[] {
  return carriers.map(({ id, name, slots }) => {
    const batch = busy.get(id);
    const text = batch === undefined ? words.option(name, slots.length) : words.busyOption(name, batch);
    return { id: String(id), text };
  });
}
