import { Copy, History, ListOrdered, Map as MapIcon, Pencil, Play, RotateCcw, Trash2 } from 'lucide-react';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { type MenuGroup, menuOf } from '../../ui/Menu.tsx';
import { texts } from '../../ui/texts.ts';
import type { SequenceActions, SequenceFacts, useSequenceActions } from './useSequenceActions.ts';

/** Asks once before what cannot be taken back. */
export function SequenceQuestionDialog({ asking }: Pick<ReturnType<typeof useSequenceActions>, 'asking'>) {
  const { question, close, confirm } = asking;
  const id = question?.sequence.sequenceid ?? '';
  const { ask, askRestart } = texts.sequences;
  const said =
    question?.kind === 'restart'
      ? { title: askRestart.title(id), body: askRestart.body, confirm: askRestart.confirm }
      : { title: ask.title(id), body: ask.body(question?.sequence.active_count ?? 0), confirm: ask.confirm };
  return <ConfirmDialog {...said} danger isOpen={question !== undefined} onConfirm={confirm} onClose={close} />;
}

const words = texts.sequences.menu;

/** What can be done with one sequence. `isHere`: its page is open, which has what is done most. */
export function sequenceMenu(sequence: SequenceFacts, actions: SequenceActions, isHere = false): MenuGroup[] {
  const { sequenceid: id, state } = sequence;
  const { launch, restart, duplicate, edit, remove } = actions;
  const mayLaunch = launch !== undefined && !isHere && state !== 'in-progress';
  const mayRestart = restart !== undefined && (state === 'in-progress' || state === 'stalled');
  const next = state === 'stalled' ? 'relaunch' : 'launch';
  const needs = 'edit_sequences';
  return menuOf(
    [
      !isHere && { id: 'open', words: words.open, icon: ListOrdered, run: () => actions.open(id) },
      sequence.active_count > 0 && { id: 'map', words: texts.work.onMap, icon: MapIcon, run: () => actions.onMap(id) },
      !isHere && { id: 'history', words: texts.work.history, icon: History, run: () => actions.history(id) },
    ],
    [
      mayLaunch && { id: next, words: words[next], icon: Play, run: () => void launch(id) },
      mayRestart && { id: 'restart', words: words.restart, icon: RotateCcw, run: () => restart(sequence) },
    ],
    [
      { id: 'edit', words: words.edit, icon: Pencil, needs, run: () => edit?.(id) },
      { id: 'duplicate', words: words.duplicate, icon: Copy, needs, run: () => duplicate?.(id) },
    ],
    [{ id: 'remove', words: words.remove, icon: Trash2, needs, run: () => remove?.(sequence) }],
  );
}
