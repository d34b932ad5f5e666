import { useCallback, useState } from 'react';
import type { LastImport } from '#shared/api/locationImport.ts';
import { sentenceOf } from '../../station/apiError.ts';
import { useStationContext, useStationState } from '../../station/context.ts';
import { browserStorage } from '../../ui/storage.ts';
import { texts } from '../../ui/texts.ts';
import { useToasts } from '../../ui/toasts.ts';

const NAMES_SAID = 5;
const HIDDEN_KEY = 'locations.hiddenImport';

/** The import that can be taken back, in every window, and whether somebody here has put away the line that says so. */
export function useLastImport(): {
  last: LastImport | null;
  isHidden: boolean;
  hide(): void;
  undo(imported: LastImport): Promise<void>;
} {
  const { api } = useStationContext();
  const toasts = useToasts();
  const last = useStationState(({ station }) => station?.last_import ?? null);
  const [hidden, setHidden] = useState(() => browserStorage().get(HIDDEN_KEY));
  // With the time: another data folder at this address counts from one again.
  const mark = last === null ? '' : `${last.id} ${last.at}`;

  const undo = useCallback(
    async ({ id }: LastImport): Promise<void> => {
      const words = texts.locations.importing;
      try {
        const { undone, kept } = await api.undoImport(id);
        const names = kept.slice(0, NAMES_SAID).map(({ name }) => name);
        toasts.say(words.undone(undone));
        if (kept.length > 0) toasts.fail(words.undoKept(names, kept.length - names.length));
      } catch (error) {
        toasts.fail(`${words.undoFailed} ${sentenceOf(error, texts.failure.other)}`);
      }
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
