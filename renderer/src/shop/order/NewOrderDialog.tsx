import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { NewOrder } from '#shared/api/order.ts';
import { MAX_PRIORITY } from '#shared/lib/orders/orderLimits.ts';
import { parseColor } from '#shared/led/color.ts';
import { DEVICE_ID } from '#shared/lib/devices/deviceLimits.ts';
import { ColorField } from '../device/ColorField.tsx';
import { orderAddress } from '../../station/addresses.ts';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import { Button } from '../../kit/button/Button.tsx';
import { type Choice, ChoiceField } from '../../kit/field/choiceFields.tsx';
import { rowsOf } from '../../kit/field/drafts.ts';
import { LineField, SwitchField, fieldsOf, useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldMessages, FieldProblems } from '../../kit/field/fieldProblems.ts';
import { MomentField } from '../../kit/field/MomentField.tsx';
import { NumberLine, readWhole } from '../../kit/field/NumberLine.tsx';
import * as texts from '../../words/texts.ts';
import { useServices } from '../toasts.ts';
import parts from '../../kit/parts.module.css';
import rows from '../work/DraftRows.module.css';
import { PlaceInput } from '../work/PlaceInput.tsx';

const words = texts.orders.form;
const fleet = texts.fleet.form;

type Props = {
  close(): void;
  /** Stations of the fleet to which the order can be sent, or undefined if the order is created at this station. */
  stations?: readonly Choice[];
};

/** A dialog that creates an order by hand. */
export function NewOrderDialog({ close, stations }: Props) {
  const { api, toasts } = useServices();
  const [, navigate] = useLocation();
  const { draft, set, field } = useForm<OrderDraft>({
    number: '',
    color: '',
    seconds: '',
    due: null,
    priority: '',
    station: '',
    isLaunched: true,
    items: [{ id: 1, ...NO_ITEM }],
  });
  /** Id of the item that was added last. Its first field takes the focus. */
  const [lastId, setLastId] = useState(1);
  const itemRows = rowsOf(draft.items, (items) => set({ items }));

  return (
    <FormDialog
      {...(stations === undefined
        ? { title: words.title, submit: words.save, working: words.saving }
        : { title: fleet.title, submit: fleet.save, working: fleet.saving })}
      size="large"
      draft={draft}
      check={() => ({
        ...orderProblems(draft),
        ...(stations === undefined || draft.station !== '' ? {} : { station: fleet.noStation }),
      })}
      save={async () => {
        if (stations !== undefined) {
          const { station, isLaunched } = draft;
          const sent = await api.sendFleetOrder({
            path: { station },
            query: { launch: isLaunched ? '1' : '0' },
            body: draftedOrder(draft),
          });
          toasts.show((isLaunched ? fleet.launched : fleet.sent)(sent.order_number, station));
          return close();
        }
        const { order_number: number } = await api.addOrder({ body: draftedOrder(draft) });
        toasts.show(words.added(number));
        close();
        navigate(orderAddress(number));
      }}
      problemsOf={stations === undefined ? problemsOf : problemsThere}
      onClose={close}
    >
      {stations !== undefined && (
        <div className={parts.stack4}>
          <ChoiceField
            {...field('station')}
            label={fleet.station}
            choices={stations}
            placeholder={fleet.chooseStation}
          />
          <SwitchField {...field('isLaunched')} label={fleet.launch} />
        </div>
      )}
      <div className={`${parts.stack4} ${rows.about}`}>
        <LineField {...field('number')} name="order_number" label={words.number} autoComplete="off" autoFocus />
        <ColorField
          {...field('color')}
          label={words.color}
          placeholder={words.asInSettings}
          led={draft.color.trim() === '' ? null : parseColor(draft.color)}
        />
        <NumberLine {...field('seconds')} label={words.seconds} placeholder={words.asInSettings} step={30} />
        <MomentField name="due_time" label={words.due} value={draft.due} onChange={(due) => set({ due })} />
        <LineField {...field('priority')} label={words.priority} autoComplete="off" placeholder="0" />
      </div>
      <ol className={rows.list}>
        {draft.items.map((item, index) => (
          <ItemFields
            key={item.id}
            item={item}
            number={index + 1}
            isNew={index > 0 && item.id === lastId}
            isElsewhere={stations !== undefined}
            change={(change) => itemRows.change(item.id, change)}
            remove={draft.items.length === 1 ? undefined : () => itemRows.remove(item.id)}
          />
        ))}
      </ol>
      <div>
        <Button
          icon={Plus}
          words={words.addItem}
          onPress={() => setLastId(itemRows.add({ ...NO_ITEM, shipment: draft.items.at(-1)?.shipment ?? '' }))}
        />
      </div>
    </FormDialog>
  );
}

type ItemProps = {
  item: ItemDraft;
  number: number;
  isNew: boolean;
  /** Whether the item's place is at another station. */
  isElsewhere: boolean;
  change(change: Partial<ItemDraft>): void;
  /** Removes the item. Undefined if it is the only item. */
  remove: (() => void) | undefined;
};

function ItemFields({ item, number, isNew, isElsewhere, change, remove }: ItemProps) {
  const field = fieldsOf(item, change, item.id);
  return (
    <li className={`${parts.panel} ${rows.row}`} aria-label={words.item(number)} data-columns="item">
      <LineField {...field('name')} label={words.name} autoComplete="off" autoFocus={isNew} />
      <NumberLine {...field('quantity')} label={words.quantity} />
      {isElsewhere ? (
        <LineField {...field('place')} label={fleet.place} autoComplete="off" />
      ) : (
        <PlaceInput {...field('place')} label={words.place} />
      )}
      <LineField {...field('shipment')} label={words.shipment} autoComplete="off" />
      <div className={rows.end}>
        <Button
          icon={X}
          look="icon"
          aria-label={words.removeItem(number)}
          isDisabled={remove === undefined}
          onPress={() => remove?.()}
        />
      </div>
    </li>
  );
}

/** Assigns the station's errors to order fields. Errors about items are listed with the item's position. */
function problemsOf(error: unknown): FieldProblems {
  if (!(error instanceof ApiError)) return { byField: {}, rest: sentenceOf(error) };
  if (error.code === 'conflict') return { byField: { order_number: error.message }, rest: '' };
  const known = error.fields.filter(({ path }) =>
    ['/order_number', '/color', '/seconds', '/due_time', '/priority'].includes(path),
  );
  const others = error.fields.filter((field) => !known.includes(field));
  return {
    byField: Object.fromEntries(known.map(({ path, message }) => [path.slice(1), message])),
    rest:
      error.fields.length === 0 ? error.message : others.map(({ path, message }) => `${path}: ${message}`).join(' '),
  };
}

/** Like `problemsOf`, but for an order at another station, where a conflict may have any cause. */
function problemsThere(error: unknown): FieldProblems {
  const { byField, rest } = problemsOf(error);
  const isConflict = error instanceof ApiError && error.code === 'conflict';
  return isConflict ? { byField: {}, rest: error.message } : { byField, rest };
}

type ItemDraft = { id: number; name: string; quantity: string; place: string; shipment: string };
type OrderDraft = {
  number: string;
  color: string;
  seconds: string;
  /** ISO 8601, or null if there is no due time. */
  due: string | null;
  priority: string;
  /** Station of the fleet; empty for this station, or if none has been chosen yet. */
  station: string;
  /** Whether the other station should launch the order immediately. */
  isLaunched: boolean;
  items: readonly ItemDraft[];
};

const NO_ITEM = { name: '', quantity: '1', place: '', shipment: '' } as const;

/** Returns validation errors by field. */
function orderProblems({ number, seconds, priority, items }: OrderDraft): FieldMessages {
  const problems: Record<string, string> = {};
  if (number.trim() === '') problems['order_number'] = words.noNumber;
  if (seconds.trim() !== '' && readWhole(seconds) === undefined) problems['seconds'] = words.badSeconds;
  if (priority.trim() !== '' && readPriority(priority) === undefined) problems['priority'] = words.badPriority;
  const withShipments = items.some(({ shipment }) => shipment.trim() !== '');
  for (const { id, name, quantity, shipment } of items) {
    if (name.trim() === '') problems[`name ${id}`] = words.noName;
    if ((readWhole(quantity) ?? 0) < 1) problems[`quantity ${id}`] = words.noQuantity;
    if (withShipments && shipment.trim() === '') problems[`shipment ${id}`] = words.someShipment;
  }
  return problems;
}

/** Returns the typed order. Must only be called if `orderProblems` returns no errors. */
function draftedOrder({ number, color, seconds, due, priority, items }: OrderDraft): NewOrder {
  const rank = readPriority(priority) ?? 0;
  const wholeSeconds = readWhole(seconds);
  const order = {
    order_number: number.trim(),
    ...(color.trim() === '' ? {} : { color: color.trim() }),
    ...(wholeSeconds === undefined ? {} : { seconds: wholeSeconds }),
    ...(due === null ? {} : { due_time: due }),
    ...(rank === 0 ? {} : { priority: rank }),
  };
  if (items.every(({ shipment }) => shipment.trim() === '')) return { ...order, items: items.map(draftedItem) };
  const numbers = [...new Set(items.map(({ shipment }) => shipment.trim()))];
  const shipments = numbers.map((shipment_number) => ({
    shipment_number,
    items: items.filter(({ shipment }) => shipment.trim() === shipment_number).map(draftedItem),
  }));
  return { ...order, shipments };
}

/** Parses a whole number, which can be negative. Returns undefined if the text is invalid or the number too large. */
export function readPriority(typed: string): number | undefined {
  const number = /^\s*-?\d{1,4}\s*$/.test(typed) ? Number(typed) : Number.NaN;
  return Math.abs(number) <= MAX_PRIORITY ? number : undefined;
}

function draftedItem({ name, quantity, place }: ItemDraft): NonNullable<NewOrder['items']>[number] {
  const where = place.trim();
  return {
    name: name.trim(),
    ordered_quantity: readWhole(quantity) ?? 1,
    ...(where === '' ? {} : DEVICE_ID.test(where) ? { deviceid: where.toUpperCase() } : { warehouse_location: where }),
  };
}
