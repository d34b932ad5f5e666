import { useEffect, useMemo } from 'react';
import { useStationContext } from '../../../station/context.ts';
import { useToasts } from '../../../ui/toasts.ts';
import { createMapEditor, type MapEditor } from './mapEditor.ts';

/** The map as this page draws and edits it. */
export function useMapEditor(): MapEditor {
  const { store, api } = useStationContext();
  const toasts = useToasts();
  const editor = useMemo(
    () =>
      createMapEditor({
        store,
        api,
        // Older ones can be taken back by Ctrl+Z.
        say: ({ words, kind }, undo) => toasts.say(words, { undo, topic: `map ${kind}` }),
        fail: toasts.fail,
      }),
    [store, api, toasts],
  );
  useEffect(() => editor.start(), [editor]);
  return editor;
}
