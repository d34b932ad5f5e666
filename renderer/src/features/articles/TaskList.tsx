import { useEffect, useState } from 'react';
import { countText } from '#shared/lib/text/locale.ts';
import { nameKey } from '#shared/lib/text/nameKey.ts';
import { Link } from 'wouter';
import type { Task } from '#shared/api/task.ts';
import { articleAddress } from '../../station/addresses.ts';
import { useRight, useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { Button } from '../../kit/button/Button.tsx';
import { FormDialog } from '../../kit/dialog/FormDialog.tsx';
import type { FieldMessages } from '../../kit/field/fieldProblems.ts';
import { NotLoaded } from '../../kit/feedback/EmptyState.tsx';
import { StateTag } from '../../kit/feedback/StateTag.tsx';
import { useForm } from '../../kit/field/fields.tsx';
import { WholeNumberField } from '../../kit/field/NumberLine.tsx';
import parts from '../../kit/parts.module.css';
import { useLatest } from '../../kit/useLatest.ts';
import { useSurprise } from '../../kit/useSurprise.ts';
import { Moment } from '../../shop/Moment.tsx';
import { PlaceField } from '../../shop/place/PlaceField.tsx';
import styles from '../../shop/stock/StockTable.module.css';
import { useServices } from '../../shop/toasts.ts';
import { ApiError } from '../../words/apiError.ts';
import * as texts from '../../words/texts.ts';
import look from './TaskList.module.css';

const words = texts.articles.tasks;

/** Lists the open stock tasks. Pickers complete tasks; others can dismiss them. */
export function TaskList() {
  const { api } = useStationContext();
  const tasks = useStationQuery(['tasks', 'open'], () => api.listTasks({ query: { state: 'open' } }));
  const { value } = tasks;
  const [asked, setAsked] = useState<Task>();
  const isSurprised = useSurprise(value?.map(({ id }) => id).join() ?? '');
  if (value === undefined) return <NotLoaded of={tasks} title={words.notLoaded} />;
  if (value.length === 0) return <p className={parts.quiet}>{texts.articles.noneOf.tasks}</p>;
  return (
    <div className={`${parts.card} ${styles.scroll} ${look.tasks}`}>
      <table className={styles.table} aria-label={words.table}>
        <thead>
          <tr>
            {(['what', 'article', 'location', 'quantity', 'since'] as const).map((column) => (
              <th key={column} scope="col" className={column === 'since' ? look.since : undefined}>
                {words.columns[column]}
              </th>
            ))}
            <th scope="col">
              <span className="visuallyHidden">{words.columns.end}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {value.map((task) => (
            <TaskRow key={task.id} task={task} isSurprised={isSurprised} finish={() => setAsked(task)} />
          ))}
        </tbody>
      </table>
      {asked !== undefined && <DoneDialog key={asked.id} task={asked} close={() => setAsked(undefined)} />}
    </div>
  );
}

function TaskRow({ task, isSurprised, finish }: { task: Task; isSurprised(): boolean; finish(): void }) {
  const { id, kind, SKU: sku, location, quantity, created, order, overdue } = task;
  const { api, toasts } = useServices();
  const mayDismiss = useRight('edit_stock');
  const what = words.kinds[kind];

  async function dismiss(): Promise<void> {
    if (isSurprised()) return;
    await toasts.attempt(words.dismissFailed, () => api.dismissTask({ path: { id } }));
  }

  return (
    <tr>
      <th scope="row">
        <span className={parts.middle2}>
          {what}
          {overdue && <StateTag tone="halted" words={words.overdue} />}
        </span>
      </th>
      <td>
        <Link href={articleAddress(sku)}>{sku}</Link>{' '}
        {order !== null && <span className={parts.small}>{words.order(order)}</span>}
      </td>
      <td>{location}</td>
      <td>
        {quantity === null ? <span className={parts.quiet}>{texts.articles.one.unknown}</span> : countText(quantity)}
      </td>
      <td className={look.since}>
        <Moment at={created} />
      </td>
      <td>
        <span className={look.actions}>
          <Button words={words.done} needs="work" aria-label={words.doneFor(what, sku, location)} onPress={finish} />
          {mayDismiss && (
            <Button
              words={words.dismiss}
              look="plain"
              aria-label={words.dismissFor(what, sku, location)}
              onPress={() => void dismiss()}
            />
          )}
        </span>
      </td>
    </tr>
  );
}

/**
 * Reads the stock at the place of a count, so that the station can refuse the count if pieces were picked in the meantime. `was` is
 * undefined for other tasks, and until the stock was read.
 */
function useExpected({ kind, SKU: sku, location }: Task) {
  const { api } = useStationContext();
  const [was, setWas] = useState<number | null>();

  async function read(): Promise<number | null | undefined> {
    const { places } = await api.getArticle({ path: { sku } });
    const place = places.find((each) => nameKey(each.location) === nameKey(location));
    setWas(place?.on_hand);
    return place?.on_hand;
  }
  const latest = useLatest(read);
  useEffect(() => {
    if (kind === 'count') latest.current().catch(() => undefined);
  }, [kind, latest]);
  return { was, read };
}

/** Asks how many pieces were brought or counted and books the number. */
function DoneDialog({ task, close }: { task: Task; close(): void }) {
  const { id, kind, SKU: sku, location } = task;
  const { api, toasts } = useServices();
  const { draft, field } = useForm<{ quantity: number | null; from: string }>({ quantity: task.quantity, from: '' });
  const { was, read } = useExpected(task);

  async function save(): Promise<void> {
    const { quantity, from } = draft;
    if (quantity === null) return;
    const named = from.trim() === '' ? {} : { from: from.trim() };
    try {
      await api.finishTask({ path: { id }, body: { quantity, ...named, ...(was === undefined ? {} : { was }) } });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'outdated') throw error;
      const now = await read();
      throw now === undefined ? error : new ApiError('outdated', texts.articles.counting.changed(now));
    }
    toasts.show(words.booked(sku));
    close();
  }

  return (
    <FormDialog
      title={words.doneFor(words.kinds[kind], sku, location)}
      submit={words.done}
      draft={draft}
      check={(): FieldMessages => (draft.quantity === null ? { quantity: words.noNumber } : {})}
      save={save}
      onClose={close}
    >
      <WholeNumberField
        {...field('quantity')}
        label={words.finish[kind]}
        {...(was === undefined ? {} : { hint: texts.articles.counting.shown(was) })}
      />
      {kind === 'replenish' && (
        <PlaceField chooses="place" {...field('from')} label={words.from} help={words.fromHelp} />
      )}
    </FormDialog>
  );
}
