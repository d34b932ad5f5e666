import type { LastImport } from '#shared/api/locationImport.ts';
import { useStationState } from '../../station/context.ts';
import * as texts from '../../words/texts.ts';
import { ImportBar, useHiddenImport, useImportUndo } from '../../import/ImportBar.tsx';

type Props = { imported: LastImport; undo: (() => Promise<void>) | undefined; hide(): void };

/** A bar about the last import of locations, by any person, with a button to undo it. */
export function LastImportBar({ imported: { at, by, counts }, undo, hide }: Props) {
  const words = texts.locations.importing;
  return (
    <ImportBar
      at={at}
      done={(when) => words.done(counts.new + counts.changed, when, by)}
      more={words.doneParts(counts.new, counts.changed, counts.refused)}
      needs="import_locations"
      undo={undo}
      hide={hide}
    />
  );
}

/** Returns the last import by any person that can be undone, and whether its bar was hidden in this browser. */
export function useLastImport() {
  const last = useStationState(({ station }) => station?.last_import ?? null);
  return {
    last,
    ...useHiddenImport('locations.hiddenImport', last),
    ...useImportUndo(texts.locations.importing),
  };
}
