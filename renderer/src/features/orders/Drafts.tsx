import { FilePen } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { Draft, DraftEntry } from '#shared/api/importDrafts.ts';
import { ApiError } from '../../words/apiError.ts';
import { useRight, useStationContext } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { useOrders } from '../../station/useWork.ts';
import { Button } from '../../kit/button/Button.tsx';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { Failure } from '../../kit/feedback/EmptyState.tsx';
import { untilWords } from '../../words/moments.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { ImportRows } from '../../import/ImportRows.tsx';
import { ORDER_FILES } from '../../import/orderImport.tsx';
import styles from './Drafts.module.css';

const words = texts.drafts;
const MAX_DRAWN = 200;

/** A bar about order drafts from imported files, with a dialog that lists them. Hidden if there are none. */
export function Drafts() {
  const { api } = useStationContext();
  const { value: orders } = useOrders();
  // Reload when the number of orders changes, after an import or when somebody else creates one.
  const { value: drafts = [], reload } = useStationQuery(
    ['drafts'],
    () => api.listImportDrafts({ query: { limit: 1_000 } }),
    { version: orders?.length },
  );
  const [isOpen, setOpen] = useState(false);
  const [opened, setOpened] = useState<number>();
  const draft = drafts.find(({ id }) => id === opened);
  const close = () => setOpened(undefined);
  if (drafts.length === 0) return null;
  return (
    <>
      <section className={`${parts.panel} ${styles.bar}`} aria-label={words.title}>
        <FilePen size={18} aria-hidden="true" />
        <p>
          <span className={parts.medium}>{words.count(drafts.length)}</span>{' '}
          <span className={parts.quiet}>{words.lead}</span>
        </p>
        <Button words={words.open} onPress={() => setOpen(true)} />
      </section>
      <Dialog
        title={draft === undefined ? words.title : words.draft(draft.order_number)}
        isOpen={isOpen}
        size={draft === undefined ? 'large' : 'wide'}
        onClose={() => {
          setOpen(false);
          close();
        }}
      >
        {draft === undefined ? (
          <ul className={styles.list}>
            {drafts.slice(0, MAX_DRAWN).map((each) => (
              <Line key={each.id} draft={each} open={() => setOpened(each.id)} />
            ))}
          </ul>
        ) : (
          <DraftView key={draft.id} draft={draft} reload={reload} close={close} />
        )}
        {draft === undefined && drafts.length > MAX_DRAWN && <p>{words.more(drafts.length - MAX_DRAWN)}</p>}
      </Dialog>
    </>
  );
}

/** Explains why a draft cannot become an order, or that it can. */
const reasonOf = ({ exists, message }: DraftEntry): string =>
  exists ? words.exists : message === '' ? words.ready : message;

function Line({ draft, open }: { draft: DraftEntry; open(): void }) {
  const { order_number: number, name, by, at } = draft;
  const when = useTimed((now) => untilWords(Date.parse(at), now));
  return (
    <li className={`${parts.panel} ${styles.line}`}>
      <div>
        <strong>{number}</strong>
        <p className={draft.message === '' && !draft.exists ? undefined : parts.care}>{reasonOf(draft)}</p>
        <p className={parts.quiet}>{words.from({ name, by, when })}</p>
      </div>
      <Button words={words.openOne} aria-label={words.openNumber(number)} onPress={open} />
    </li>
  );
}

type ViewProps = { draft: DraftEntry; reload(): void; close(): void };

/**
 * The rows of a draft, with editable cells. If somebody else has changed the draft, an action is not executed, and the
 * current rows are shown.
 */
function DraftView({ draft, reload, close }: ViewProps) {
  const { id, order_number: number } = draft;
  const { api, toasts } = useServices();
  const mayImport = useRight('import_orders');
  const read = useStationQuery(['draft', String(id)], () => api.getImportDraft({ path: { id } }));
  const { value } = read;
  const [corrected, setCorrected] = useState<Draft>();
  const shown = corrected ?? value;
  /** The draft that the next action changes. It may be newer than the rendered one. */
  const latest = useRef<Draft>(undefined);
  const acts = useRef(Promise.resolve());
  const [busy, setBusy] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const fields = useMemo(() => new Set(mayImport ? value?.fields : []), [value, mayImport]);

  /** Runs an action after all earlier ones have finished. */
  function act(failed: string, run: (seen: Draft) => Promise<unknown>): Promise<void> {
    acts.current = acts.current.then(async () => {
      const seen = latest.current ?? value;
      if (seen === undefined) return;
      setBusy(true);
      setChanged(false);
      await toasts.attempt(failed, () => run(seen).catch(showOthersChange));
      setBusy(false);
      reload();
    });
    return acts.current;
  }

  function showOthersChange(error: unknown): void {
    if (!(error instanceof ApiError) || error.code !== 'changed') throw error;
    latest.current = undefined;
    setCorrected(undefined);
    setChanged(true);
    read.reload();
  }

  return (
    <div className={styles.view}>
      <p className={reasonOf(draft) === words.ready ? undefined : parts.careStrong}>{reasonOf(draft)}</p>
      <Failure>{isChanged ? words.changed : read.status === 'failed' && read.failure}</Failure>
      {shown !== undefined && (
        <div className={styles.rows}>
          <ImportRows
            kind={ORDER_FILES}
            rows={shown.rows}
            fields={fields}
            correct={(line, cells) =>
              act(words.notCorrected, async (seen) => {
                latest.current = await api.correctImportDraft(seen, { line, cells });
                setCorrected(latest.current);
              })
            }
          />
        </div>
      )}
      <div className={`${parts.rowMiddle} ${styles.actions}`}>
        <Button words={words.back} onPress={close} />
        <Button
          words={words.discard}
          needs="import_orders"
          busy={busy}
          isDisabled={shown === undefined}
          onPress={() =>
            void act(words.notDiscarded, async (seen) => {
              await api.discardImportDraft(seen);
              toasts.show(words.discarded(number));
              close();
            })
          }
        />
        <Button
          words={words.create}
          look="primary"
          needs="import_orders"
          busy={busy}
          isDisabled={shown === undefined || draft.exists || draft.message !== ''}
          onPress={() =>
            void act(words.notCreated, async (seen) => {
              toasts.show(words.created(await api.createOrderFromDraft(seen)));
              close();
            })
          }
        />
      </div>
    </div>
  );
}
