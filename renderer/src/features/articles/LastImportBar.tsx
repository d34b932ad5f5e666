import { useStationContext } from '../../station/context.ts';
import { useStationQuery } from '../../station/useStationQuery.ts';
import * as texts from '../../words/texts.ts';
import { ImportBar, useHiddenImport, useImportUndo } from '../../import/ImportBar.tsx';

const words = texts.articles.importing;

/** A bar about the last import of articles, by any person, with a button to undo it. */
export function LastImportBar() {
  const { api } = useStationContext();
  const { value, reload } = useStationQuery(['articles', 'last import'], () => api.loadLastArticleImport());
  const last = value ?? null;
  const { isHidden, hide } = useHiddenImport('articles.hiddenImport', last);
  const { undo, dialogs } = useImportUndo(words, reload);
  return (
    <>
      {last !== null && !isHidden && (
        <ImportBar
          at={last.at}
          done={(when) => words.done(last.counts.orders, when, last.by)}
          more={words.doneParts(last.counts.changed, last.counts.refused + last.counts.held)}
          needs="edit_stock"
          undo={last.undoable > 0 ? () => undo(last.id) : undefined}
          hide={hide}
        />
      )}
      {dialogs}
    </>
  );
}
