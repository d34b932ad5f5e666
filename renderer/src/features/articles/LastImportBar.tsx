import type { ImportEntry } from '#shared/api/imports.ts';
import { useStationContext } from '../../station/context.ts';
import { useTimed } from '../../station/time.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import { untilWords } from '../../words/moments.ts';
import * as texts from '../../words/texts.ts';
import { useServices } from '../../shop/toasts.ts';
import { ImportBar, useHiddenImport } from '../../import/ImportBar.tsx';

const words = texts.articles.importing;
const NAMES_SAID = 5;

/** The last import of articles by anybody, while it can be undone. */
export function LastImportBar() {
  const { api } = useStationContext();
  const { value, reload } = useStationQuery(['articles', 'last import'], () => api.loadLastArticleImport());
  const last = value ?? null;
  const { isHidden, hide } = useHiddenImport('articles.hiddenImport', last);
  if (last === null || isHidden) return null;
  return <Bar imported={last} reload={reload} hide={hide} />;
}

function Bar({ imported, reload, hide }: { imported: ImportEntry; reload(): unknown; hide(): void }) {
  const { api, toasts } = useServices();
  const { id, at, by, counts, undoable } = imported;
  const when = useTimed((now) => untilWords(Date.parse(at), now));

  async function undo(): Promise<void> {
    await toasts.attempt(texts.importing.undoFailed, async () => {
      const { undone, kept } = await api.undoImport(id);
      toasts.show(words.undone(undone));
      const said = kept.slice(0, NAMES_SAID).map(({ name, message }) => `${name}: ${message}`);
      if (kept.length > 0) toasts.fail(words.undoKept(said, kept.length - said.length));
    });
    await reload();
  }

  return (
    <ImportBar
      done={words.done(counts.orders, when, by)}
      more={words.doneParts(counts.changed, counts.refused + counts.held)}
      needs="edit_stock"
      undo={undoable > 0 ? undo : undefined}
      hide={hide}
    />
  );
}
