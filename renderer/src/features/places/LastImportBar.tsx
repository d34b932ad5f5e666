import { useCallback } from 'react';
import type { LastImport } from '#shared/api/locationImport.ts';
import { useStationState } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { untilWords } from '../../words/moments.ts';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { ImportBar, useHiddenImport } from '../../import/ImportBar.tsx';

type Props = { imported: LastImport; undo: (() => Promise<void>) | undefined; hide(): void };

/** The last import of locations by anybody, while it can be undone. */
export function LastImportBar({ imported: { at, by, counts }, undo, hide }: Props) {
  const words = texts.locations.importing;
  const when = useTimed((now) => untilWords(Date.parse(at), now));
  return (
    <ImportBar
      done={words.done(counts.new + counts.changed, when, by)}
      more={words.doneParts(counts.new, counts.changed, counts.refused)}
      needs="import_locations"
      undo={undo}
      hide={hide}
    />
  );
}

const NAMES_SAID = 5;

/** The import that can be undone, in every window, and whether somebody hid its bar in this browser. */
export function useLastImport() {
  const { api, toasts } = useServices();
  const last = useStationState(({ station }) => station?.last_import ?? null);
  const { isHidden, hide } = useHiddenImport('locations.hiddenImport', last);

  const undo = useCallback(
    ({ id }: LastImport): Promise<void> => {
      const words = texts.locations.importing;
      return toasts.attempt(texts.importing.undoFailed, async () => {
        const { undone, kept } = await api.undoImport(id);
        const names = kept.slice(0, NAMES_SAID).map(({ name }) => name);
        toasts.show(words.undone(undone));
        if (kept.length > 0) toasts.fail(words.undoKept(names, kept.length - names.length));
      });
    },
    [api, toasts],
  );

  return { last, isHidden, hide, undo };
}
