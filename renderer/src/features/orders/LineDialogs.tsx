import { useState } from 'react';
import type { Item, Order } from '#shared/api/order.ts';
import type { ChangedItem } from '#shared/api/orderItem.ts';
import { DEVICE_ID } from '#shared/lib/devices/deviceLimits.ts';
import { findArticles } from '../../station/findArticles.ts';
import { useFoundArticles, useHasArticles } from '../../station/foundArticles.ts';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { useForm } from '../../kit/field/fields.tsx';
import { NumberLine } from '../../kit/field/NumberLine.tsx';
import { readWhole } from '../../kit/field/readWhole.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { itemName } from '../../shop/order/itemName.ts';
import { draftedLine } from '../../shop/order/orderDraft.ts';
import { PlaceField } from '../../shop/place/PlaceField.tsx';
import { ArticleCard, ArticleField } from '../../shop/stock/ArticleField.tsx';
import { useServices } from '../../shop/toasts.ts';

const words = texts.orders.line;
const form = texts.orders.form;

/** Adds a line to an order, which may be under way. */
export function AddLineDialog({ order, close }: { order: Order; close(): void }) {
  const { api, toasts } = useServices();
  const { order_number: number, shipments, state } = order;
  const [only, ...others] = shipments.map(({ shipment_number }) => shipment_number);
  const { draft, set, field } = useForm({ article: '', quantity: '1', place: '', shipment: only ?? '' });
  const found = useFoundArticles(draft.article);
  const hasArticles = useHasArticles();
  /** The text of which the dialog has said that no article is found. */
  const [unknown, setUnknown] = useState('');
  const typed = draft.article.trim();

  return (
    <FormDialog
      title={words.addTitle(number)}
      submit={unknown !== '' && unknown === typed ? words.addAnyway : words.add}
      working={words.adding}
      draft={draft}
      check={(): Record<string, string> => ({
        ...(typed === '' ? { article: form.noArticle } : {}),
        ...((readWhole(draft.quantity) ?? 0) < 1 ? { quantity: form.noQuantity } : {}),
      })}
      save={async () => {
        const { meant } = hasArticles === false ? { meant: undefined } : await findArticles(api, typed);
        if (meant === undefined && hasArticles !== false && unknown !== typed) return setUnknown(typed);
        const line = draftedLine({ id: 1, ...draft }, meant);
        const shipment = others.length === 0 ? {} : { shipment_number: draft.shipment };
        const added = await api.addItem({ path: { order_number: number }, body: { ...line, ...shipment } });
        toasts.show(words.added(itemName(added), added.state === 'active'), { topic: `item ${added.id}` });
        close();
      }}
      onClose={close}
    >
      <ArticleField
        {...field('article')}
        label={form.article}
        found={found}
        autoFocus
        onChoose={({ sku }, pieces) =>
          set({ article: sku, ...(pieces > 1 && draft.quantity === '1' ? { quantity: String(pieces) } : {}) })
        }
      />
      <div role="status">
        {found.meant !== undefined && <ArticleCard article={found.meant} />}
        {unknown !== '' && unknown === typed && <p className={parts.care}>{words.notFound(typed)}</p>}
      </div>
      <NumberLine {...field('quantity')} label={form.quantity} />
      <PlaceField chooses="place" {...field('place')} label={form.place} />
      {others.length > 0 && (
        <ChoiceField
          {...field('shipment')}
          label={form.shipment}
          choices={shipments.map(({ shipment_number }) => ({ id: shipment_number, text: shipment_number }))}
        />
      )}
      {state === 'in_progress' && <p className={parts.quiet}>{words.litAtOnce}</p>}
    </FormDialog>
  );
}

/** Changes how many pieces a line needs, and its place. */
export function ChangeLineDialog({ orderNumber, item, close }: { orderNumber: string; item: Item; close(): void }) {
  const { api, toasts } = useServices();
  const { quantity_fulfilled: picked, ordered_quantity: ordered, warehouse_location: at = '', state } = item;
  const { draft, field } = useForm({ ordered_quantity: String(ordered), place: at });
  const name = itemName(item);
  const whole = readWhole(draft.ordered_quantity);
  const least = Math.max(1, picked);
  const isFew = whole === undefined || whole < least;
  const isOver = state === 'done' || state === 'short';

  return (
    <FormDialog
      title={words.changeTitle(name)}
      submit={words.change}
      working={words.changing}
      draft={draft}
      check={(): Record<string, string> => (isFew ? { ordered_quantity: words.tooFew(least) } : {})}
      save={async () => {
        const path = { order_number: orderNumber, id: item.id };
        const where = draft.place.trim();
        const quantity = whole === undefined || whole === ordered ? {} : { ordered_quantity: whole };
        const body: ChangedItem = { ...quantity, ...(where === at ? {} : placeOf(where)) };
        if (Object.keys(body).length === 0) return close();
        await api.correctItem({ path, body });
        toasts.show(words.changed(name), { topic: `item ${item.id}` });
        close();
      }}
      onClose={close}
    >
      <NumberLine
        {...field('ordered_quantity')}
        label={words.ordered}
        autoFocus
        {...(picked > 0 ? { hint: words.picked(picked) } : {})}
      />
      {!isOver && <PlaceField chooses="place" {...field('place')} label={form.place} />}
      {state === 'active' && whole === picked && picked > 0 && <p className={parts.careStrong}>{words.clears}</p>}
      {isOver && whole !== undefined && whole > ordered && <p className={parts.careStrong}>{words.opens}</p>}
    </FormDialog>
  );
}

/** Returns the fields of a line for a typed place or DeviceID. An empty text removes the place. */
function placeOf(where: string): Pick<ChangedItem, 'warehouse_location' | 'deviceid'> {
  const isDevice = DEVICE_ID.test(where);
  return {
    warehouse_location: where === '' || isDevice ? null : where,
    deviceid: isDevice ? where.toUpperCase() : null,
  };
}
