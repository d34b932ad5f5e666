import { useState } from 'react';
import type { Elsewhere } from '#shared/api/device.ts';
import type { Item } from '#shared/api/order.ts';
import type { ShortReason } from '#shared/lib/orders/shortReasons.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { SuggestionField } from '../../kit/field/SuggestionField.tsx';
import { useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { NumberLine } from '../../kit/field/NumberLine.tsx';
import { readWhole } from '../../kit/field/readWhole.ts';
import parts from '../../kit/parts.module.css';
import { Segments } from '../../kit/field/Segments.tsx';
import { ApiError } from '../../words/apiError.ts';
import * as texts from '../../words/texts.ts';
import { reasonWords } from '../../shop/reasonWords.ts';
import { useServices } from '../../shop/toasts.ts';
import { itemName } from '../../shop/order/itemName.ts';

type Props = { orderNumber: string; item: Item; close(): void };

/**
 * Returns a function that changes an item with the picked quantity that the person has `seen`. If pieces were picked in the meantime, the
 * station refuses: the dialog then shows the new quantity, which the next attempt sends.
 */
function useChangeOfSeen(orderNumber: string, { id, quantity_fulfilled: shown }: Item) {
  const { api } = useServices();
  const [seen, setSeen] = useState(shown);

  return async (change: (seen: number) => Promise<unknown>): Promise<number> => {
    try {
      await change(seen);
      return seen;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'outdated') throw error;
      const { shipments } = await api.getOrder({ path: { order_number: orderNumber } });
      const now = shipments.flatMap(({ items }) => items).find((each) => each.id === id)?.quantity_fulfilled;
      if (now === undefined) throw error;
      setSeen(now);
      throw new ApiError('outdated', correction.changed(now));
    }
  };
}

const correction = texts.orders.correction;
const REASONS = correction.reasons.map((text) => ({ id: text, text }));

/** Corrects the picked quantity of an item, with a reason. */
export function CorrectDialog({ orderNumber, item, close }: Props) {
  const { api, toasts } = useServices();
  const { draft, field } = useForm({ quantity_fulfilled: String(item.quantity_fulfilled), reason: '' });
  const path = { order_number: orderNumber, id: item.id };
  const change = useChangeOfSeen(orderNumber, item);
  const name = itemName(item);
  const whole = readWhole(draft.quantity_fulfilled);

  return (
    <FormDialog
      title={correction.title(name)}
      submit={correction.save}
      working={correction.saving}
      draft={draft}
      check={(): Record<string, string> => (whole === undefined ? { quantity_fulfilled: correction.wrong } : {})}
      save={async () => {
        const given = draft.reason.trim();
        const quantity = whole ?? 0;
        const reason = given === '' ? {} : { reason: given };
        const before = await change((seen) =>
          api.correctItem({ path, body: { quantity_fulfilled: quantity, ...reason, seen } }),
        );
        toasts.show(correction.done(name, quantity), {
          topic: `item ${item.id}`,
          undo: () => api.correctItem({ path, body: { quantity_fulfilled: before, seen: quantity } }),
        });
        close();
      }}
      onClose={close}
    >
      <NumberLine
        {...field('quantity_fulfilled')}
        label={correction.quantity}
        hint={correction.of(item.ordered_quantity)}
      />
      <SuggestionField {...field('reason')} label={correction.reason} hint={correction.reasonHint} choices={REASONS} />
      {item.state === 'active' && whole !== undefined && whole >= item.ordered_quantity && (
        <p className={parts.careStrong}>{correction.clears}</p>
      )}
    </FormDialog>
  );
}

const short = texts.orders.short;
const NO_REASONS: readonly ShortReason[] = [];
const NOWHERE: readonly Elsewhere[] = [];
/** Id of the choice that closes the item instead of continuing at another place. */
const HERE = '';

/**
 * Closes an item short. The person states the found quantity, the reason, and whether the rest is taken from another
 * place.
 */
export function ShortDialog({ orderNumber, item, close }: Props) {
  const { api, toasts } = useServices();
  const { value: reasons = NO_REASONS } = useStationQuery(['shortReasons'], () => api.listShortReasons());
  const path = { order_number: orderNumber, id: item.id };
  const { value: known } = useStationQuery(['item', orderNumber, String(item.id)], () => api.getItem({ path }));
  const places = known?.elsewhere ?? NOWHERE;
  const { draft, set, field } = useForm({ quantity_fulfilled: String(item.quantity_fulfilled), elsewhere: HERE });
  const [chosen, setReason] = useState('');
  const reason = chosen === '' ? (reasons[0]?.key ?? '') : chosen;
  const name = itemName(item);
  const whole = readWhole(draft.quantity_fulfilled);
  const other = places.find(({ deviceid }) => deviceid === draft.elsewhere);
  const change = useChangeOfSeen(orderNumber, item);

  return (
    <FormDialog
      title={short.title(name)}
      submit={other === undefined ? short.save : short.elsewhere(other.location)}
      working={short.saving}
      draft={{ ...draft, reason: chosen }}
      check={(): Record<string, string> => (whole === undefined ? { quantity_fulfilled: short.wrong } : {})}
      save={async () => {
        const quantity_fulfilled = whole ?? 0;
        const rest = other === undefined ? {} : { elsewhere: other.deviceid };
        const before = await change((seen) =>
          api.closeItemShort({
            path,
            body: { quantity_fulfilled, reason, ...rest, seen },
          }),
        );
        toasts.show(other === undefined ? short.done(name, quantity_fulfilled) : short.moved(name, other.location), {
          topic: `item ${item.id}`,
          ...(other === undefined
            ? {
                undo: async () =>
                  void (await api.reopenItem({
                    path,
                    body: { quantity_fulfilled: before, seen: quantity_fulfilled },
                  })),
              }
            : {}),
        });
        close();
      }}
      onClose={close}
    >
      <NumberLine {...field('quantity_fulfilled')} label={short.quantity} hint={short.of(item.ordered_quantity)} />
      <Choice label={short.reason}>
        <Segments
          label={short.reason}
          choices={reasons.map((each) => ({ id: each.key, words: reasonWords(each) }))}
          value={reason}
          onChange={setReason}
          isGrid
        />
      </Choice>
      {places.length > 0 && (whole ?? 0) < item.ordered_quantity && (
        <Choice label={short.rest}>
          <Segments
            label={short.rest}
            choices={[
              { id: HERE, words: short.closeHere },
              ...places.map(({ deviceid, location }) => ({ id: deviceid, words: short.from(location) })),
            ]}
            value={draft.elsewhere}
            onChange={(elsewhere) => set({ elsewhere })}
            isGrid
          />
        </Choice>
      )}
    </FormDialog>
  );
}

function Choice({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={parts.stack1}>
      <span className={parts.medium} aria-hidden="true">
        {label}
      </span>
      {children}
    </div>
  );
}

const reopening = texts.orders.reopening;

/** Reopens a done or short item. The person states how many pieces remain picked. */
export function ReopenDialog({ orderNumber, item, close }: Props) {
  const { api, toasts } = useServices();
  const { quantity_fulfilled: picked, ordered_quantity: ordered } = item;
  const { draft, field } = useForm({ quantity_fulfilled: String(picked < ordered ? picked : 0) });
  const name = itemName(item);
  const whole = readWhole(draft.quantity_fulfilled);
  const isFull = whole === undefined || whole >= ordered;
  const change = useChangeOfSeen(orderNumber, item);

  return (
    <FormDialog
      title={reopening.title(name)}
      submit={reopening.save}
      working={reopening.saving}
      draft={draft}
      check={(): Record<string, string> => (isFull ? { quantity_fulfilled: reopening.wrong(ordered) } : {})}
      save={async () => {
        await change((seen) =>
          api.reopenItem({
            path: { order_number: orderNumber, id: item.id },
            body: { quantity_fulfilled: whole ?? 0, seen },
          }),
        );
        toasts.show(reopening.done(name), { topic: `item ${item.id}` });
        close();
      }}
      onClose={close}
    >
      <NumberLine {...field('quantity_fulfilled')} label={reopening.quantity} hint={short.of(ordered)} />
    </FormDialog>
  );
}
