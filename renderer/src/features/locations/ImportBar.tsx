import { Check, Undo2, X } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { LastImport } from '#shared/api/locationImport.ts';
import { useStationState } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { Button } from '../../ui/Button.tsx';
import { untilWords } from '../../ui/moments.ts';
import parts from '../../ui/parts.module.css';
import { browserStorage } from '../../ui/storage.ts';
import { texts } from '../../ui/texts.ts';
import { useServices } from '../../ui/toasts.ts';
import styles from '../importing/ImportBar.module.css';

type Props = {
  imported: LastImport;
  /** Undefined: this person may not. */
  undo: (() => Promise<void>) | undefined;
  hide(): void;
};

/** The last import by anybody, while it can be undone. */
export function ImportBar({ imported, undo, hide }: Props) {
  const [busy, setBusy] = useState(false);
  const words = texts.locations.importing;
  const { at, by, counts } = imported;
  const when = useTimed((now) => untilWords(Date.parse(at), now));

  return (
    <section className={`${parts.panel} ${styles.bar}`} aria-label={texts.importing.last}>
      <Check size={18} aria-hidden="true" />
      <p role="status">
        <span className={parts.medium}>{words.done(counts.new + counts.changed, when, by)}</span>{' '}
        <span className={parts.quiet}>{words.doneParts(counts.new, counts.changed, counts.refused)}</span>
      </p>
      {undo !== undefined && (
        <Button
          icon={Undo2}
          words={busy ? texts.importing.undoing : texts.importing.undo}
          busy={busy}
          onPress={() => {
            setBusy(true);
            void undo().finally(() => setBusy(false));
          }}
        />
      )}
      <Button icon={X} look="icon" aria-label={texts.importing.hide} onPress={hide} />
    </section>
  );
}

const NAMES_SAID = 5;
const HIDDEN_KEY = 'locations.hiddenImport';

/** The import that can be taken back, in every window, and whether somebody here has put away the line that says so. */
export function useLastImport(): {
  last: LastImport | null;
  isHidden: boolean;
  hide(): void;
  undo(imported: LastImport): Promise<void>;
} {
  const { api, toasts } = useServices();
  const last = useStationState(({ station }) => station?.last_import ?? null);
  const [hidden, setHidden] = useState(() => browserStorage().get(HIDDEN_KEY));
  // With the time: another data folder at this address counts from one again.
  const mark = last === null ? '' : `${last.id} ${last.at}`;

  const undo = useCallback(
    ({ id }: LastImport): Promise<void> => {
      const words = texts.locations.importing;
      return toasts.attempt(words.undoFailed, async () => {
        const { undone, kept } = await api.undoImport(id);
        const names = kept.slice(0, NAMES_SAID).map(({ name }) => name);
        toasts.say(words.undone(undone));
        if (kept.length > 0) toasts.fail(words.undoKept(names, kept.length - names.length));
      });
    },
    [api, toasts],
  );

  return {
    last,
    isHidden: last === null || hidden === mark,
    hide() {
      browserStorage().set(HIDDEN_KEY, mark);
      setHidden(mark);
    },
    undo,
  };
}
