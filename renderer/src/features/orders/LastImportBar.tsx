import { useCallback, useEffect, useRef, useState } from 'react';
import type { ImportEntry } from '#shared/api/imports.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { useOrders } from '../../station/useWork.ts';
import list from '../../kit/list/BulkResult.module.css';
import { Dialog } from '../../kit/dialog/Dialog.tsx';
import { untilWords } from '../../words/moments.ts';
import parts from '../../kit/parts.module.css';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { ImportBar, useHiddenImport } from '../../import/ImportBar.tsx';

const words = texts.orderImport;
const MAX_DRAWN = 200;

type Kept = readonly { name: string; message: string }[];

/** The last import, with a button to undo it. */
export function LastImportBar() {
  const { value: rows } = useOrders();
  const { last, isHidden, reload, hide } = useLastOrderImport(rows?.length);
  const [kept, setKept] = useState<Kept>([]);
  return (
    <>
      {last !== null && !isHidden && <Bar imported={last} reload={reload} hide={hide} tell={setKept} />}
      <Dialog title={words.keptTitle} isOpen={kept.length > 0} onClose={() => setKept([])}>
        <ul className={`${parts.panel} ${list.list}`}>
          {kept.slice(0, MAX_DRAWN).map(({ name, message }) => (
            <li key={name}>
              <strong>{name}</strong> {message}
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}

type Props = { imported: ImportEntry; reload(): Promise<void>; hide(): void; tell(kept: Kept): void };

function Bar({ imported, reload, hide, tell }: Props) {
  const { api, toasts } = useServices();
  const { id, at, by, counts, undoable } = imported;
  const when = useTimed((now) => untilWords(Date.parse(at), now));

  async function undo(): Promise<void> {
    await toasts.attempt(texts.importing.undoFailed, async () => {
      const { undone, kept } = await api.undoImport(id);
      toasts.show(words.undone(undone, kept.length));
      tell(kept);
    });
    await reload();
  }

  return (
    <ImportBar
      done={`${words.done(counts.orders, when, by)} ${words.doneChanged(counts.changed)}`.trim()}
      more={words.notDone(counts.known + counts.held + counts.refused)}
      needs="import_orders"
      undo={undoable > 0 ? undo : undefined}
      hide={hide}
    />
  );
}

/** Delay of the reload after the last of many changes. */
const CALM_MS = 300;

/**
 * The last import by this person, and whether somebody hid it in this browser. `orders`: number of orders; a change
 * reloads the import.
 */
function useLastOrderImport(orders = 0) {
  const { api } = useStationContext();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const [last, setLast] = useState<ImportEntry | null>(null);
  const { isHidden, hide } = useHiddenImport('orders.hiddenImport', last);

  // Ignore failures: the page works without it.
  const reload = useCallback(() => api.loadLastOrderImport(me).then(setLast, () => setLast(null)), [api, me]);
  useEffect(() => {
    void reload();
    const again = () => void reload();
    // Its orders may have been launched since.
    window.addEventListener('focus', again);
    return () => window.removeEventListener('focus', again);
  }, [reload]);
  const known = useRef(orders);
  useEffect(() => {
    if (known.current === orders) return undefined;
    known.current = orders;
    const timer = setTimeout(() => void reload(), CALM_MS);
    return () => clearTimeout(timer);
  }, [orders, reload]);

  return { last, isHidden, reload, hide };
}
