import { useCallback, useEffect, useRef, useState } from 'react';
import type { ImportEntry } from '#shared/api/imports.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { useOrders } from '../../station/useWork.ts';
import * as texts from '../../words/texts.ts';
import { ImportBar, useHiddenImport, useImportUndo } from '../../import/ImportBar.tsx';

const words = texts.orderImport;

/** A bar about the last import of orders, with a button to undo it. */
export function LastImportBar() {
  const { value: rows } = useOrders();
  const { last, isHidden, reload, hide } = useLastOrderImport(rows?.length);
  const { undo, dialogs } = useImportUndo(words, reload);
  return (
    <>
      {last !== null && !isHidden && (
        <ImportBar
          at={last.at}
          done={(when) =>
            `${words.done(last.counts.orders, when, last.by)} ${words.doneChanged(last.counts.changed)}`.trim()
          }
          more={words.notDone(last.counts.known + last.counts.held + last.counts.refused)}
          needs="import_orders"
          undo={last.undoable > 0 ? () => undo(last.id) : undefined}
          hide={hide}
        />
      )}
      {dialogs}
    </>
  );
}

/** Delay of the reload after the last of many changes, in milliseconds. */
const CALM_MS = 300;

/**
 * Returns this person's last import and whether its bar was hidden in this browser. `orders` is the number of orders; whenever it changes,
 * the import is loaded again.
 */
function useLastOrderImport(orders = 0) {
  const { api } = useStationContext();
  const me = useStationState(({ station }) => station?.user.name ?? '');
  const [last, setLast] = useState<ImportEntry | null>(null);
  const { isHidden, hide } = useHiddenImport('orders.hiddenImport', last);

  // Ignore failures: the page works without the bar.
  const reload = useCallback(() => api.loadLastOrderImport(me).then(setLast, () => setLast(null)), [api, me]);
  useEffect(() => {
    void reload();
    const again = () => void reload();
    // Reload, because the import's orders may have been launched since.
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
