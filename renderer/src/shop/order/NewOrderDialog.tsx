import { Plus, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Article } from '#shared/api/article.ts';
import type { FieldError } from '#shared/api/problem.ts';
import { parseColor } from '#shared/led/color.ts';
import { ColorField } from '../device/ColorField.tsx';
import { orderAddress } from '../../station/addresses.ts';
import { findArticles } from '../../station/findArticles.ts';
import { useHasArticles } from '../../station/foundArticles.ts';
import { ApiError, sentenceOf } from '../../words/apiError.ts';
import { Button } from '../../kit/button/Button.tsx';
import { ChoiceField, type Choice } from '../../kit/field/choiceFields.tsx';
import { rowsOf } from '../../kit/field/drafts.ts';
import { LineField, LinesField, SwitchField, useForm } from '../../kit/field/fields.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldProblems } from '../../kit/field/fieldProblems.ts';
import { MomentField } from '../../kit/field/MomentField.tsx';
import { NumberLine } from '../../kit/field/NumberLine.tsx';
import * as texts from '../../words/texts.ts';
import { useServices } from '../toasts.ts';
import parts from '../../kit/parts.module.css';
import rows from '../work/DraftRows.module.css';
import { draftedOrder, NEW_ORDER, NO_LINE, type OrderDraft, orderProblems } from './orderDraft.ts';
import { LineElsewhere, type LineProps, OrderLine } from './OrderLine.tsx';

const words = texts.orders.form;
const fleet = texts.fleet.form;

type Props = {
  close(): void;
  /** Stations of the fleet to which the order can be sent, or undefined if the order is created at this station. */
  stations?: readonly Choice[];
  /** Suggested order number. */
  number?: string;
};

/** A dialog that creates an order by hand. */
export function NewOrderDialog({ close, stations, number = '' }: Props) {
  const { api, toasts } = useServices();
  const [, navigate] = useLocation();
  const { draft, set, field } = useForm<OrderDraft>({ ...NEW_ORDER, number });
  /** Whether the fields that few orders need are shown. */
  const [isMore, setMore] = useState(false);
  /** Id of the item that was added last. Its first field takes the focus. */
  const [lastId, setLastId] = useState(1);
  const itemRows = rowsOf(draft.items, (items) => set({ items }));
  const hasArticles = useHasArticles();
  /** The articles that the form has shown, by typed text. Undefined for a text of which it has said that it means no article. */
  const [shown] = useState(() => new Map<string, Article | undefined>());

  /** Finds the articles of texts that the form has not shown yet. Throws if a text means none, because the person does not know this yet. */
  async function findShownArticles(): Promise<void> {
    if (hasArticles === false) return;
    const missing: FieldError[] = [];
    for (const { id, article } of draft.items) {
      const typed = article.trim();
      if (shown.has(typed)) continue;
      const { meant } = await findArticles(api, typed);
      if (meant === undefined) missing.push({ path: `/article ${id}`, message: words.notFound });
      else shown.set(typed, meant);
    }
    if (missing.length > 0) throw new ApiError('invalid', words.notFound, missing);
  }

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
            body: draftedOrder(draft, () => 'unresolved'),
          });
          toasts.show((isLaunched ? fleet.launched : fleet.sent)(sent.order_number, station));
          return close();
        }
        await findShownArticles();
        const { order_number: number } = await api.addOrder({ body: draftedOrder(draft, (typed) => shown.get(typed)) });
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
        <LineField {...field('customer')} label={words.customer} autoComplete="off" />
        <div className={rows.tall}>
          <LinesField {...field('address')} label={words.address} placeholder={words.addressHint} rows={5} />
        </div>
        <div className={rows.across}>
          <LinesField {...field('note')} label={words.note} rows={1} />
        </div>
        {isMore && (
          <>
            <ColorField
              {...field('color')}
              label={words.color}
              placeholder={words.asInSettings}
              led={draft.color.trim() === '' ? null : parseColor(draft.color)}
            />
            <NumberLine {...field('seconds')} label={words.seconds} placeholder={words.asInSettings} step={30} />
            <MomentField name="due_time" label={words.due} value={draft.due} onChange={(due) => set({ due })} />
            <LineField {...field('priority')} label={words.priority} autoComplete="off" placeholder="0" />
          </>
        )}
      </div>
      <ol className={rows.list}>
        {draft.items.map((item, index) => {
          const line: LineProps = {
            line: item,
            number: index + 1,
            isMore,
            isNew: index > 0 && item.id === lastId,
            change: (change) => itemRows.change(item.id, change),
            remove: draft.items.length === 1 ? undefined : () => itemRows.remove(item.id),
          };
          return stations === undefined ? (
            <OrderLine key={item.id} {...line} show={(typed, article) => void shown.set(typed, article)} />
          ) : (
            <LineElsewhere key={item.id} {...line} />
          );
        })}
      </ol>
      <div className={rows.below}>
        <Button
          icon={Plus}
          words={words.addItem}
          onPress={() => setLastId(itemRows.add({ ...NO_LINE, shipment: draft.items.at(-1)?.shipment ?? '' }))}
        />
        {!isMore && <Button icon={SlidersHorizontal} look="quiet" words={words.more} onPress={() => setMore(true)} />}
      </div>
    </FormDialog>
  );
}

const KNOWN = ['/order_number', '/customer', '/note', '/color', '/seconds', '/due_time', '/priority'];

/** Assigns the station's errors to order fields. Errors about items are listed with the item's position. */
function problemsOf(error: unknown): FieldProblems {
  if (!(error instanceof ApiError)) return { byField: {}, rest: sentenceOf(error) };
  if (error.code === 'conflict') return { byField: { order_number: error.message }, rest: '' };
  const known = error.fields.filter(({ path }) => KNOWN.includes(path) || path.startsWith('/article '));
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
