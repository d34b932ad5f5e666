import { Check, Undo2, X } from 'lucide-react';
import { useAct } from '../station/useAct.ts';
import { useState } from 'react';
import type { Right } from '#shared/api/rights.ts';
import { Button } from '../kit/button/Button.tsx';
import parts from '../kit/parts.module.css';
import { browserStorage } from '../storage.ts';
import * as texts from '../words/texts.ts';
import styles from './ImportBar.module.css';

const words = texts.importing;

type Props = {
  /** What was imported, when, and by whom. */
  done: string;
  /** Other effects of the import, and what it left out. */
  more: string;
  needs: Right;
  /** Undefined: the import cannot be undone. */
  undo: (() => Promise<void>) | undefined;
  hide(): void;
};

/** Describes the last import, and offers to undo it. */
export function ImportBar({ done, more, needs, undo, hide }: Props) {
  const { busy, run } = useAct(async () => undo?.());
  return (
    <section className={`${parts.panel} ${styles.bar}`} aria-label={words.last}>
      <Check size={18} aria-hidden="true" />
      <p role="status">
        <span className={parts.medium}>{done}</span> <span className={parts.quiet}>{more}</span>
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

/** Remembers in this browser that somebody hid the bar of an import. `key`: the storage key. */
export function useHiddenImport(key: string, last: { id: number; at: string } | null) {
  const [hidden, setHidden] = useState(() => browserStorage().get(key));
  // Include the time: with another data folder, the station at this address starts at id 1 again.
  const mark = last === null ? '' : `${last.id} ${last.at}`;
  return {
    isHidden: last === null || hidden === mark,
    hide() {
      browserStorage().set(key, mark);
      setHidden(mark);
    },
  };
}
