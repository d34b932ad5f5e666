import { Check, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext } from '../../station/context.ts';
import { Button } from '../../ui/Button.tsx';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';
import styles from './ImportBar.module.css';
import type { Imported } from './ImportView.tsx';

const NAMES_SAID = 5;

/** What was imported, as long as it may be taken back. */
export function ImportBar({ imported, forget }: { imported: Imported; forget(): void }) {
  const { api } = useStationContext();
  const toasts = useToasts();
  const [busy, setBusy] = useState(false);
  const words = texts.locations.importing;
  const { counts, rows } = imported;

  async function undo(): Promise<void> {
    setBusy(true);
    try {
      const { undone, kept } = await api.undoImport(rows);
      const names = kept.slice(0, NAMES_SAID).map(({ name }) => name);
      toasts.say(words.undone(undone));
      if (kept.length > 0) toasts.fail(words.undoKept(names, kept.length - names.length));
      forget();
    } catch (error) {
      toasts.fail(`${words.undoFailed} ${sentenceOf(error, texts.failure.other)}`);
      setBusy(false);
    }
  }

  return (
    <section className={styles.bar} aria-label={words.title}>
      <Check size={18} aria-hidden="true" />
      <p role="status">{words.done(counts.new, counts.changed, counts.refused)}</p>
      {rows.length > 0 && (
        <Button busy={busy} onPress={() => void undo()}>
          <Undo2 size={16} aria-hidden="true" />
          {busy ? words.undoing : words.undo}
        </Button>
      )}
      <Button look="icon" aria-label={words.forget} onPress={forget}>
        <X size={18} aria-hidden="true" />
      </Button>
    </section>
  );
}
