import { Check, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import type { LastImport } from '#shared/api/locationImport.ts';
import { useTimed } from '../../station/time.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import { untilWords } from '../../ui/moments.ts';
import styles from '../importing/ImportBar.module.css';

type Props = {
  imported: LastImport;
  /** Undefined: this person may not. */
  undo: (() => Promise<void>) | undefined;
  hide(): void;
};

/** What was imported last, whoever did it, as long as it can be taken back. */
export function ImportBar({ imported, undo, hide }: Props) {
  const [busy, setBusy] = useState(false);
  const words = texts.locations.importing;
  const { at, by, counts } = imported;
  const when = useTimed((now) => untilWords(Date.parse(at), now));

  return (
    <section className={styles.bar} aria-label={texts.importing.last}>
      <Check size={18} aria-hidden="true" />
      <p role="status">
        <span className={styles.strong}>{words.done(counts.new + counts.changed, when, by)}</span>{' '}
        <span className={styles.quiet}>{words.doneParts(counts.new, counts.changed, counts.refused)}</span>
      </p>
      {undo !== undefined && (
        <Button
          busy={busy}
          onPress={() => {
            setBusy(true);
            void undo().finally(() => setBusy(false));
          }}
        >
          <Undo2 size={16} aria-hidden="true" />
          {busy ? texts.importing.undoing : texts.importing.undo}
        </Button>
      )}
      <Button look="icon" aria-label={texts.importing.hide} onPress={hide}>
        <X size={18} aria-hidden="true" />
      </Button>
    </section>
  );
}
