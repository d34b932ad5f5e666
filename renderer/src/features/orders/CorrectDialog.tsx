import { useState } from 'react';
import type { Item } from '#shared/api/order.ts';
import { useStationContext } from '../../station/context.ts';
import { SuggestionField } from '../../ui/choiceFields.tsx';
import form from '../../ui/FormDialog.module.css';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { NumberLine, readWhole } from '../../ui/NumberLine.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import { itemName } from './itemRows.ts';

const words = texts.orders.correction;
const REASONS = words.reasons.map((text) => ({ id: text, text }));

type Props = { orderNumber: string; item: Item; close(): void };

/** How much was really picked, and why that is not what was counted. */
export function CorrectDialog({ orderNumber, item, close }: Props) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const [quantity, setQuantity] = useState(String(item.quantity_fulfilled));
  const [reason, setReason] = useState('');
  const name = itemName(item);
  const whole = readWhole(quantity);

  return (
    <FormDialog
      title={words.title(name)}
      submit={words.save}
      working={words.saving}
      typed={`${quantity}\n${reason}`}
      check={(): Record<string, string> => (whole === undefined ? { quantity_fulfilled: words.wrong } : {})}
      save={async () => {
        const given = reason.trim();
        await api.correctItem(orderNumber, item.id, {
          quantity_fulfilled: whole ?? 0,
          ...(given === '' ? {} : { reason: given }),
        });
        const before = item.quantity_fulfilled;
        toasts.say(words.done(name, whole ?? 0), {
          topic: `item ${item.id}`,
          undo: () => api.correctItem(orderNumber, item.id, { quantity_fulfilled: before }),
        });
        close();
      }}
      onClose={close}
    >
      <NumberLine
        name="quantity_fulfilled"
        label={words.quantity}
        hint={words.of(item.ordered_quantity)}
        value={quantity}
        onChange={setQuantity}
      />
      <SuggestionField
        name="reason"
        label={words.reason}
        hint={words.reasonHint}
        choices={REASONS}
        value={reason}
        onChange={setReason}
      />
      {item.state === 'active' && whole !== undefined && whole >= item.ordered_quantity && (
        <p className={form.care}>{words.clears}</p>
      )}
    </FormDialog>
  );
}
