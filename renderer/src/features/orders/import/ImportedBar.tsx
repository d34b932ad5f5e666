import { Check, TriangleAlert, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { useStationContext, useStationState } from '../../../station/context.ts';
import { useTimed } from '../../../station/time.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Progress } from '../../../ui/Progress.tsx';
import { texts } from '../../../ui/texts.ts';
import { useToasts } from '../../../ui/toasts.ts';
import list from '../../../ui/BulkResult.module.css';
import styles from '../../importing/ImportBar.module.css';
import { untilWords } from '../../../ui/moments.ts';
import { undoOrders, type Imported } from './importOrders.ts';
import { useLastOrderImport } from './lastImport.ts';

const words = texts.orderImport;
const MOST_NAMED = 5;
const MOST_DRAWN = 200;

/** What was imported last in this browser, and the way back. */
export function ImportedBar() {
  const [imported, setImported] = useLastOrderImport();
  return imported === undefined ? null : <Bar imported={imported} set={setImported} />;
}

function Bar({ imported, set }: { imported: Imported; set(next: Imported | undefined): void }) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const mayControl = useStationState(({ station }) => station?.user.scope !== 'read');
  const [undone, setUndone] = useState<number>();
  const [asksWhy, setAsksWhy] = useState(false);
  const { at, made, failed, left } = imported;
  const when = useTimed((now) => untilWords(Date.parse(at), now));
  const isWhole = failed.length === 0 && left === 0;
  const Sign = isWhole ? Check : TriangleAlert;

  async function undo(): Promise<void> {
    setUndone(0);
    const result = await undoOrders(made, api, setUndone);
    setUndone(undefined);
    const { gone, kept } = result;
    const said = kept.length === 0 ? '' : words.kept(kept.slice(0, MOST_NAMED), Math.max(0, kept.length - MOST_NAMED));
    const [first] = result.failed;
    if (first === undefined) {
      set(undefined);
      toasts.say(`${words.undone(gone.length)} ${said}`.trim());
      return;
    }
    // What could not be asked or deleted can be tried again.
    set({ ...imported, made: result.failed.map((each) => each.made) });
    toasts.fail(`${words.undoFailed} ${words.undone(gone.length)} ${said} ${first.words}`);
  }

  return (
    <section className={styles.bar} aria-label={texts.importing.last}>
      <Sign size={18} aria-hidden="true" />
      {undone === undefined ? (
        <>
          <p role="status">
            <span className={styles.strong}>{words.done(made.length, when)}</span>{' '}
            <span className={styles.quiet}>{words.notDone(failed.length, left)}</span>
          </p>
          {failed.length > 0 && <Button onPress={() => setAsksWhy(true)}>{words.why}</Button>}
          {made.length > 0 && mayControl && (
            <Button onPress={() => void undo()}>
              <Undo2 size={16} aria-hidden="true" />
              {texts.importing.undo}
            </Button>
          )}
          <Button look="icon" aria-label={texts.importing.hide} onPress={() => set(undefined)}>
            <X size={18} aria-hidden="true" />
          </Button>
        </>
      ) : (
        <Progress label={texts.importing.undoing} value={undone} max={made.length} />
      )}
      <Dialog title={words.whyTitle} isOpen={asksWhy} onClose={() => setAsksWhy(false)}>
        <ul className={list.list}>
          {failed.slice(0, MOST_DRAWN).map(({ number, words: reason }) => (
            <li key={number}>
              <strong>{number}</strong> {reason}
            </li>
          ))}
        </ul>
      </Dialog>
    </section>
  );
}
