import { Check, Undo2, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { LastOrderImport } from '#shared/api/imports.ts';
import { useStationContext } from '../../../station/context.ts';
import { useTimed } from '../../../station/time.ts';
import { useOrders } from '../../../station/useWork.ts';
import list from '../../../ui/BulkResult.module.css';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { untilWords } from '../../../ui/moments.ts';
import parts from '../../../ui/parts.module.css';
import { browserStorage } from '../../../ui/storage.ts';
import { texts } from '../../../ui/texts.ts';
import { useServices } from '../../../ui/toasts.ts';
import styles from '../../importing/ImportBar.module.css';

const words = texts.orderImport;
const MAX_DRAWN = 200;

type Kept = readonly { order_number: string; message: string }[];

/** The last import, and its undo. */
export function ImportedBar() {
  const { value: rows } = useOrders();
  const { last, isHidden, reload, hide } = useLastOrderImport(rows?.length);
  const [kept, setKept] = useState<Kept>([]);
  return (
    <>
      {last !== null && !isHidden && <Bar imported={last} reload={reload} hide={hide} tell={setKept} />}
      <Dialog title={words.keptTitle} isOpen={kept.length > 0} onClose={() => setKept([])}>
        <ul className={`${parts.panel} ${list.list}`}>
          {kept.slice(0, MAX_DRAWN).map(({ order_number: number, message }) => (
            <li key={number}>
              <strong>{number}</strong> {message}
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}

type Props = { imported: LastOrderImport; reload(): Promise<void>; hide(): void; tell(kept: Kept): void };

function Bar({ imported, reload, hide, tell }: Props) {
  const { api, toasts } = useServices();
  const [busy, setBusy] = useState(false);
  const { id, at, by, counts, undoable } = imported;
  const when = useTimed((now) => untilWords(Date.parse(at), now));

  async function undo(): Promise<void> {
    setBusy(true);
    await toasts.attempt(words.undoFailed, async () => {
      const { undone, kept } = await api.undoOrderImport(id);
      toasts.say(words.undone(undone, kept.length));
      tell(kept);
    });
    setBusy(false);
    await reload();
  }

  return (
    <section className={`${parts.panel} ${styles.bar}`} aria-label={texts.importing.last}>
      <Check size={18} aria-hidden="true" />
      <p role="status">
        <span className={parts.medium}>
          {`${words.done(counts.orders, when, by)} ${words.doneChanged(counts.changed)}`.trim()}
        </span>{' '}
        <span className={parts.quiet}>{words.notDone(counts.known + counts.held + counts.refused)}</span>
      </p>
      {undoable > 0 && (
        <Button
          icon={Undo2}
          words={texts.importing.undo}
          needs="import_orders"
          busy={busy}
          onPress={() => void undo()}
        />
      )}
      <Button icon={X} look="icon" aria-label={texts.importing.hide} onPress={hide} />
    </section>
  );
}

const HIDDEN_KEY = 'orders.hiddenImport';

/** After the last of many changes. */
const CALM_MS = 300;

/**
 * The last import that the station keeps, and whether somebody hid it in this browser. `orders`: how many there are; the
 * import is loaded again when that changes.
 */
export function useLastOrderImport(orders = 0) {
  const { api } = useStationContext();
  const [last, setLast] = useState<LastOrderImport | null>(null);
  const [hidden, setHidden] = useState(() => browserStorage().get(HIDDEN_KEY));
  // With the time: another data folder at this address counts from one again.
  const mark = last === null ? '' : `${last.id} ${last.at}`;

  // The page works without it.
  const reload = useCallback(() => api.loadLastOrderImport().then(setLast, () => setLast(null)), [api]);
  useEffect(() => {
    void reload();
    const again = () => void reload();
    // Somebody may have launched orders of it.
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

  return {
    last,
    isHidden: last === null || hidden === mark,
    reload,
    hide() {
      browserStorage().set(HIDDEN_KEY, mark);
      setHidden(mark);
    },
  };
}
