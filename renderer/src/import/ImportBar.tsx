import { Check, Undo2, X } from 'lucide-react';
import { useAct } from '../useAct.ts';
import { useState } from 'react';
import type { Right } from '#shared/api/rights.ts';
import { Button } from '../kit/button/Button.tsx';
import { Dialog } from '../kit/dialog/Dialog.tsx';
import list from '../kit/list/BulkResult.module.css';
import parts from '../kit/parts.module.css';
import { useServices } from '../shop/toasts.ts';
import { useTimed } from '../station/time.ts';
import { browserStorage } from '../storage.ts';
import { untilWords } from '../words/moments.ts';
import * as texts from '../words/texts.ts';
import styles from './ImportBar.module.css';

const words = texts.importing;

type Props = {
  /** When the file was imported. */
  at: string;
  /** Returns a sentence about what was imported. `when` is a time or a date. */
  done(when: string): string;
  /** Other effects of the import and the rows that it left out. */
  more: string;
  needs: Right;
  /** Undoes the import. Undefined if the import cannot be undone. */
  undo: (() => Promise<void>) | undefined;
  hide(): void;
};

/** Describes the last import and offers to undo it. */
export function ImportBar({ at, done, more, needs, undo, hide }: Props) {
  const { busy, run } = useAct(async () => undo?.());
  const when = useTimed((now) => untilWords(Date.parse(at), now));
  return (
    <section className={`${parts.panel} ${styles.bar}`} aria-label={words.last}>
      <Check size={18} aria-hidden="true" />
      <p role="status">
        <span className={parts.medium}>{done(when)}</span> <span className={parts.quiet}>{more}</span>
      </p>
      {undo !== undefined && (
        <Button
          icon={Undo2}
          words={busy ? words.undoing : words.undo}
          needs={needs}
          busy={busy}
          onPress={() => run()}
        />
      )}
      <Button icon={X} look="icon" aria-label={words.hide} onPress={hide} />
    </section>
  );
}

const MAX_DRAWN = 200;

type UndoWords = { undone(many: number, kept: number): string; keptTitle: string };

/** Undoes imports and calls `ended` afterwards. The returned `kept` is a dialog that lists what an undo did not change, and why. */
export function useImportUndo(said: UndoWords, ended: () => unknown = () => undefined) {
  const { api, toasts } = useServices();
  const [kept, setKept] = useState<readonly { name: string; message: string }[]>([]);
  return {
    async undo(id: number): Promise<void> {
      await toasts.attempt(words.undoFailed, async () => {
        const result = await api.undoImport(id);
        toasts.show(said.undone(result.undone, result.kept.length));
        setKept(result.kept);
      });
      await ended();
    },
    kept: (
      <Dialog title={said.keptTitle} isOpen={kept.length > 0} onClose={() => setKept([])}>
        <ul className={`${parts.panel} ${list.list}`}>
          {kept.slice(0, MAX_DRAWN).map(({ name, message }) => (
            <li key={name}>
              <strong>{name}</strong> {message}
            </li>
          ))}
        </ul>
      </Dialog>
    ),
  };
}

/** Remembers in this browser that somebody hid the bar of an import. `key` is the storage key. */
export function useHiddenImport(key: string, last: { id: number; at: string } | null) {
  const [hidden, setHidden] = useState(() => browserStorage().get(key));
  // Include the time, because ids start at 1 again if the station at this address uses a new data folder.
  const mark = last === null ? '' : `${last.id} ${last.at}`;
  return {
    isHidden: last === null || hidden === mark,
    hide() {
      browserStorage().set(key, mark);
      setHidden(mark);
    },
  };
}
