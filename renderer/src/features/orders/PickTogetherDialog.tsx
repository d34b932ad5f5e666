import { useState } from 'react';
import { useLocation } from 'wouter';
import { type FieldMessages, FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { problemsOf } from '../../kit/field/fieldProblems.ts';
import parts from '../../kit/parts.module.css';
import { useServices } from '../../shop/toasts.ts';
import { batchAddress } from '../../station/addresses.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { carts } from '../../words/carts.ts';

const words = carts.together;
const FIELDS: ReadonlySet<string> = new Set(['cart']);
const NONE: readonly never[] = [];

/** Loads orders onto a cart in the order of the list, and opens their batch. */
export function PickTogetherDialog({ numbers, close }: { numbers: readonly string[]; close(): void }) {
  const { api, toasts } = useServices();
  const [, navigate] = useLocation();
  const loaded = useStationQuery(['carriers', 'cart'], () => api.loadCarriers('cart'));
  const batches = useStationQuery(['batches'], () => api.loadBatches());
  const [chosen, setChosen] = useState('');
  const live = new Map((batches.value ?? []).flatMap(({ state, cart, id }) => (state === 'done' ? [] : [[cart, id]])));
  const known = loaded.value ?? NONE;
  const free = batches.value === undefined ? NONE : known.filter(({ id }) => !live.has(id));
  // Preselect the first cart with enough slots.
  const first = free.find(({ slots }) => slots.length >= numbers.length) ?? free[0];
  const cart = chosen === '' ? String(first?.id ?? '') : chosen;

  async function save(): Promise<void> {
    const batch = await api.addBatch({
      mode: 'cart',
      cart: Number(cart),
      slots: numbers.map((order_number) => ({ order_number })),
    });
    close();
    toasts.say(words.loaded(batch.cart_name));
    navigate(batchAddress(batch.id));
  }

  return (
    <FormDialog
      title={words.title(numbers.length)}
      submit={words.load}
      draft={chosen}
      check={(): FieldMessages => (cart === '' ? { cart: words.noCart } : {})}
      save={save}
      problemsOf={(error) => problemsOf(error, FIELDS, words.failed)}
      onClose={close}
    >
      <p>{words.lead}</p>
      {loaded.value?.length === 0 ? (
        <p className={parts.care}>{words.none}</p>
      ) : (
        <ChoiceField
          name="cart"
          label={words.cart}
          placeholder={words.choose}
          choices={known.map(({ id, name, slots }) => {
            const batch = live.get(id);
            const text = batch === undefined ? words.option(name, slots.length) : words.busyOption(name, batch);
            return { id: String(id), text };
          })}
          value={cart}
          onChange={setChosen}
        />
      )}
      <div role="alert">{loaded.failure !== '' && <p className={parts.failure}>{loaded.failure}</p>}</div>
    </FormDialog>
  );
}
