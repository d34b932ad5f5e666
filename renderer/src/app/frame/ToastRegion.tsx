import { Check, TriangleAlert, X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { useAct } from '../../useAct.ts';
import { Button } from '../../kit/button/Button.tsx';
import * as texts from '../../words/texts.ts';
import parts from '../../kit/parts.module.css';
import styles from './ToastRegion.module.css';
import { type Toast, useToasts } from '../../shop/toasts.ts';

const SAID_MS = 6_000;
/** Display time of a toast with an action in milliseconds, long enough to read it and decide. */
const CHOICE_MS = 12_000;
/**
 * Time in milliseconds during which opening a different page does not hide a new message, because many actions show a message and then open
 * a page.
 */
const ARRIVING_MS = 1_000;

/** Shows toasts. Screen readers announce each new one. */
export function ToastRegion() {
  const toasts = useToasts();
  const list = useSyncExternalStore(toasts.subscribe, toasts.list);
  const [held, setHeld] = useState(false);
  return (
    <section
      className={`${parts.centered} ${styles.region}`}
      aria-label={texts.frame.messages}
      // Keep all messages while the pointer or the focus is in this region.
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onKeyDown={(event) => {
        const newest = list.at(-1);
        if (event.key === 'Escape' && newest !== undefined) toasts.dismiss(newest.id);
      }}
    >
      <ol className={`${parts.stack2} ${styles.list}`} aria-live="polite" aria-relevant="additions">
        {list.map((toast) => (
          <Line key={toast.id} toast={toast} held={held} />
        ))}
      </ol>
    </section>
  );
}

function Line({ toast, held }: { toast: Toast; held: boolean }) {
  const toasts = useToasts();
  const { id, kind, text, undo, action } = toast;
  const { busy, run } = useAct(async (chosen: Pick<NonNullable<Toast['action']>, 'run' | 'failed'>) => {
    await toasts.attempt(chosen.failed, chosen.run);
    toasts.dismiss(id);
  });
  const isChoice = undo !== undefined || action !== undefined;
  const staysMs = kind === 'failed' ? undefined : isChoice ? CHOICE_MS : SAID_MS;

  useEffect(() => {
    if (staysMs === undefined || held || busy) return undefined;
    const timer = setTimeout(() => toasts.dismiss(id), staysMs);
    return () => clearTimeout(timer);
  }, [staysMs, held, busy, id, toasts]);

  const isElsewhere = useIsElsewhere();
  const leaves = isElsewhere && kind === 'said' && !isChoice;
  useEffect(() => {
    if (leaves) toasts.dismiss(id);
  }, [leaves, id, toasts]);

  return (
    <li className={`${parts.middle2} ${styles.toast}`} data-kind={kind}>
      <span className={styles.icon} aria-hidden="true">
        {kind === 'failed' ? <TriangleAlert size={18} /> : <Check size={18} />}
      </span>
      <p className={styles.text}>{text}</p>
      {action !== undefined && <Button words={action.words} busy={busy} onPress={() => run(action)} />}
      {undo !== undefined && (
        <Button
          words={texts.frame.undo}
          busy={busy}
          onPress={() => run({ run: undo, failed: texts.frame.undoFailed })}
        />
      )}
      <Button icon={X} look="icon" aria-label={texts.frame.dismiss} onPress={() => toasts.dismiss(id)} />
    </li>
  );
}

/** Whether the user has left the page on which the message appeared. */
function useIsElsewhere(): boolean {
  const [path] = useLocation();
  const [home, setHome] = useState<string>();
  useEffect(() => {
    if (home !== undefined) return undefined;
    const timer = setTimeout(() => setHome(path), ARRIVING_MS);
    return () => clearTimeout(timer);
  }, [home, path]);
  return home !== undefined && home !== path;
}
