import { Copy, History, ListOrdered, Map as MapIcon, Pencil, Play, RotateCcw, Trash2 } from 'lucide-react';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import type { MenuGroup, MenuRow } from '../../ui/Menu.tsx';
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

const ICON = 16;
const words = texts.sequences.menu;

/** What can be done with one sequence. `isHere`: its page is open, which has what is done most. */
export function sequenceMenu(sequence: SequenceFacts, actions: SequenceActions, isHere = false): MenuGroup[] {
  const { sequenceid: id, state } = sequence;
  const { launch, restart, duplicate, edit, remove } = actions;
  const row = (key: keyof typeof words, icon: MenuRow['icon'], run: () => void): MenuRow => ({
    id: key,
    words: words[key],
    icon,
    run,
  });
  const look: MenuRow[] = [];
  if (!isHere) look.push(row('open', <ListOrdered size={ICON} />, () => actions.open(id)));
  if (sequence.active_count > 0) {
    look.push({ id: 'map', words: texts.work.onMap, icon: <MapIcon size={ICON} />, run: () => actions.onMap(id) });
  }
  if (!isHere) {
    const said = texts.work.history;
    look.push({ id: 'history', words: said, icon: <History size={ICON} />, run: () => actions.history(id) });
  }
  const go: MenuRow[] = [];
  if (launch !== undefined && !isHere && state !== 'in-progress') {
    go.push(row(state === 'stalled' ? 'relaunch' : 'launch', <Play size={ICON} />, () => void launch(id)));
  }
  if (restart !== undefined && (state === 'in-progress' || state === 'stalled')) {
    go.push(row('restart', <RotateCcw size={ICON} />, () => restart(sequence)));
  }
  const edits = (given: MenuRow): MenuRow => ({ ...given, needs: 'edit_sequences' });
  const change = [
    edits(row('edit', <Pencil size={ICON} />, () => edit?.(id))),
    edits(row('duplicate', <Copy size={ICON} />, () => duplicate?.(id))),
  ];
  const away = [edits(row('remove', <Trash2 size={ICON} />, () => remove?.(sequence)))];
  return [look, go, change, away].filter((rows) => rows.length > 0).map((rows) => ({ rows }));
}
