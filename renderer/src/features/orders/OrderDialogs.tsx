import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { OrderChange } from '#shared/api/order.ts';
import { parseColor } from '#shared/led/color.ts';
import { ColorField } from '../../shop/device/ColorField.tsx';
import { ledOf } from '../../shop/device/commandWords.ts';
import { LedDot } from '../../shop/device/Led.tsx';
import { orderAddress } from '../../station/addresses.ts';
import type { SeenOrder } from '../../station/calls/workApi.ts';
import { ApiError } from '../../words/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { ChoiceField } from '../../kit/field/choiceFields.tsx';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { changesIn } from '../../kit/field/drafts.ts';
import { isSame } from '../../kit/isSame.ts';
import { LineField, LinesField, useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import { MomentField } from '../../kit/field/MomentField.tsx';
import { exactWords } from '../../words/moments.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { readPriority } from '../../shop/order/orderDraft.ts';
import { addressText, readAddress } from '../../shop/order/readAddress.ts';
import { duplicateOf } from './orderCopies.ts';
import type { OrderFacts, useOrderActions } from './orderMenu.tsx';

type Asking = ReturnType<typeof useOrderActions>['asking'];

/** Shows the dialog that an action on an order has opened, if any. */
export function OrderDialog({
  asking: { question, close, abort, remove },
  saved,
}: {
  asking: Asking;
  /** Called after an order has been edited. */
  saved?: () => void;
}) {
  if (question === undefined) return null;
  const { kind, order } = question;
  if (kind === 'edit') return <EditDialog order={order} close={close} saved={saved} />;
  if (kind === 'duplicate') return <DuplicateDialog order={order} close={close} />;
  if (kind === 'launchFor') return <LaunchForDialog order={order} close={close} />;
  if (kind === 'handOver') return <HandOverDialog order={order} close={close} />;
  const words = texts.orders.ask[kind];
  const run = { abort, remove }[kind];
  return (
    <ConfirmDialog
      title={words.title(order.order_number)}
      body={words.body(order.active_count)}
      confirm={words.confirm}
      danger
      isOpen
      onConfirm={() => run(order.order_number)}
      onClose={close}
    />
  );
}

type Props = { order: OrderFacts; close(): void };

const edit = texts.orders.editing;
const form = texts.orders.form;

/** The fields of an order as typed. `due_time` is in ISO 8601 format. */
type OrderDraft = Record<'customer' | 'address' | 'note' | 'priority' | 'color', string> & { due_time: string | null };

/**
 * Edits the fields of an order. If somebody else has changed one of these fields, shows the new value. Saving again
 * overwrites that value.
 */
function EditDialog({ order, close, saved }: Props & { saved: (() => void) | undefined }) {
  const { order_number: number } = order;
  const { api, toasts } = useServices();
  const fields = useForm(() => draftOf(order));
  const { draft, set, field } = fields;
  /** The values of the order that the person last saw. */
  const [seen, setSeen] = useState<SeenOrder>(order);
  const color = draft.color.trim();
  const led = color === '' ? null : parseColor(color);

  /** Returns an error that lists the values that somebody else has set for the fields in `change`. */
  async function othersChanges(change: OrderChange): Promise<ApiError> {
    const now = await api.getOrder({ path: { order_number: number } });
    const changed = (Object.keys(change) as (keyof SeenOrder)[]).filter((key) => !isSame(now[key], seen[key]));
    setSeen(now);
    const fields = changed.map((key) => ({ path: `/${key}`, message: edit.changedTo(valueWords(now, key)) }));
    return new ApiError('changed', edit.changed, fields);
  }

  async function save(): Promise<void> {
    const change = changesIn(orderOf(draft, order.address?.name), fields);
    try {
      if (Object.keys(change).length > 0) await api.changeOrder({ order_number: number, change, seen });
    } catch (error) {
      throw error instanceof ApiError && error.code === 'changed' ? await othersChanges(change) : error;
    }
    toasts.show(edit.done(number), { topic: `order ${number}` });
    saved?.();
    close();
  }

  return (
    <FormDialog
      title={edit.title(number)}
      submit={edit.save}
      working={edit.saving}
      draft={draft}
      check={(): Record<string, string> => ({
        ...(draft.priority.trim() !== '' && readPriority(draft.priority) === undefined
          ? { priority: form.badPriority }
          : {}),
        ...(led === undefined ? { color: launch.noColor } : {}),
      })}
      save={save}
      onClose={close}
    >
      <LineField {...field('customer')} label={edit.customer} autoComplete="off" autoFocus />
      <LinesField {...field('address')} label={form.address} placeholder={form.addressHint} rows={4} />
      <LinesField {...field('note')} label={edit.note} help={edit.help} rows={3} />
      <MomentField name="due_time" label={form.due} value={draft.due_time} onChange={(due_time) => set({ due_time })} />
      <LineField {...field('priority')} label={form.priority} autoComplete="off" placeholder="0" />
      <ColorField {...field('color')} label={form.color} placeholder={form.asInSettings} led={led} />
    </FormDialog>
  );
}

function draftOf({ customer = '', address, note = '', priority, due_time, color = '' }: SeenOrder): OrderDraft {
  return {
    customer,
    address: addressText(address),
    note,
    priority: priority === 0 ? '' : String(priority),
    due_time,
    color,
  };
}

/** `name` is the name in the address, which stays. */
function orderOf({ customer, address, note, priority, due_time, color }: OrderDraft, name?: string): OrderChange {
  return {
    customer: customer.trim() || null,
    address: address.trim() === '' ? null : { ...(name === undefined ? {} : { name }), ...readAddress(address) },
    note: note.trim() || null,
    priority: readPriority(priority) ?? 0,
    due_time,
    color: color.trim() || null,
  };
}

/** Formats the value of a field. Returns an empty text if there is no value. */
function valueWords(order: SeenOrder, key: keyof SeenOrder): string {
  if (key === 'address') return addressText(order.address).replaceAll('\n', ', ');
  const value = order[key] ?? '';
  return key === 'due_time' && value !== '' ? exactWords(Date.parse(String(value))) : String(value);
}

const copy = texts.orders.duplicate;

/** Creates an order with a different number and the same items. */
function DuplicateDialog({ order: { order_number: number, due_time: due }, close }: Props) {
  const { api, toasts } = useServices();
  const [, navigate] = useLocation();
  const { draft, set, field } = useForm<{ order_number: string; due_time: string | null }>(() => ({
    order_number: `${number}-2`,
    // Drop a due time in the past, which would make the copy overdue immediately.
    due_time: due !== null && Date.parse(due) > Date.now() ? due : null,
  }));
  const wanted = draft.order_number.trim();
  return (
    <FormDialog
      title={copy.title(number)}
      submit={copy.save}
      working={copy.saving}
      draft={draft}
      check={(): Record<string, string> => (wanted === '' ? { order_number: texts.orders.form.noNumber } : {})}
      save={async () => {
        const order = await api.getOrder({ path: { order_number: number } });
        await api.addOrder({ body: duplicateOf(order, { number: wanted, due_time: draft.due_time }) });
        toasts.show(texts.orders.form.added(wanted));
        close();
        navigate(orderAddress(wanted));
      }}
      onClose={close}
    >
      <p className={parts.quiet}>{copy.hint}</p>
      <LineField {...field('order_number')} label={texts.orders.form.number} autoComplete="off" autoFocus />
      <MomentField
        name="due_time"
        label={texts.orders.form.due}
        value={draft.due_time}
        onChange={(due_time) => set({ due_time })}
      />
    </FormDialog>
  );
}

/** Id of the choice that launches the order without a picker. */
const NOBODY = '';

/** Returns the people who can pick, with their colors. */
function usePickerChoices() {
  const { api } = useStationContext();
  const { value: pickers = [] } = useStationQuery(['pickers'], () => api.listPickers());
  return useMemo(
    () =>
      pickers.map(({ name, color }) => ({
        id: name,
        text: name,
        picture: color !== null && <LedDot led={ledOf('pick', color)} />,
      })),
    [pickers],
  );
}

const launch = texts.orders.launchFor;

/** Launches an order in a color or for a person. If others already pick the order, the person joins them. */
function LaunchForDialog({ order: { order_number: number, pickers }, close }: Props) {
  const { api, toasts } = useServices();
  const people = usePickerChoices();
  const { draft, field } = useForm({ picker: NOBODY, color: '' });
  const others = pickers.map(({ name }) => name);
  const joins = draft.picker !== NOBODY && others.length > 0 && !others.includes(draft.picker);
  const color = draft.color.trim();
  return (
    <FormDialog
      title={launch.title(number)}
      submit={joins ? launch.join : launch.save}
      working={texts.orders.launching}
      draft={draft}
      check={(): Record<string, string> =>
        color !== '' && parseColor(color) === undefined ? { color: launch.noColor } : {}
      }
      save={async () => {
        const how = {
          ...(color === '' ? {} : { color }),
          ...(draft.picker === NOBODY ? {} : { picker: draft.picker }),
        };
        await (joins
          ? api.joinOrder({ path: { order_number: number }, body: { picker: draft.picker, color: how.color } })
          : api.launchOrder({ path: { order_number: number }, body: how }));
        toasts.show(draft.picker === NOBODY ? launch.done(number) : launch.doneFor(number, draft.picker), {
          topic: `order ${number}`,
        });
        close();
      }}
      onClose={close}
    >
      <ChoiceField
        {...field('picker')}
        label={launch.picker}
        choices={[{ id: NOBODY, text: launch.nobody }, ...people]}
      />
      <ColorField
        {...field('color')}
        label={texts.orders.form.color}
        placeholder={draft.picker === NOBODY ? texts.orders.form.asInSettings : launch.ownColor}
        led={color === '' ? null : parseColor(color)}
      />
      {joins && <p className={parts.quiet}>{launch.joinHint(draft.picker, others.join(', '))}</p>}
    </FormDialog>
  );
}

const hand = texts.orders.handOver;

/**
 * Hands over this person's unfinished lines to another person or, if this person has none, the lines of all pickers.
 */
function HandOverDialog({ order: { order_number: number, pickers }, close }: Props) {
  const { api, toasts } = useServices();
  const me = useStationState(({ station }) => station?.user.name);
  const isMine = pickers.some(({ name }) => name === me);
  const only = pickers.length === 1 ? pickers[0]?.name : undefined;
  const people = usePickerChoices().filter(({ id }) => id !== (isMine ? me : only));
  const [chosen, setChosen] = useState('');
  // Keep the first selection, because the list may change while the dialog is open.
  const [first, setFirst] = useState(people[0]?.id);
  if (first === undefined && people[0] !== undefined) setFirst(people[0].id);
  const picker = chosen === '' ? (first ?? '') : chosen;
  return (
    <FormDialog
      title={hand.title(number)}
      submit={hand.save}
      working={hand.saving}
      draft={chosen}
      check={(): Record<string, string> => (picker === '' ? { picker: hand.nobodyElse } : {})}
      save={async () => {
        await api.handOverOrder({ path: { order_number: number }, body: { picker } });
        toasts.show(hand.done(number, picker), { topic: `order ${number}` });
        close();
      }}
      onClose={close}
    >
      <p className={parts.quiet}>{isMine ? hand.mine : hand.all(pickers.map(({ name }) => name).join(', '))}</p>
      <ChoiceField name="picker" label={hand.to} choices={people} value={picker} onChange={setChosen} />
    </FormDialog>
  );
}
