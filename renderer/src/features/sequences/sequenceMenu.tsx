import { Copy, History, ListOrdered, Map as MapIcon, Pencil, Play, RotateCcw, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { SequenceProgress } from '#shared/api/sequence.ts';
import { ConfirmDialog } from '../../kit/dialog/Dialog.tsx';
import { type MenuGroup, menuOf } from '../../kit/menu/Menu.tsx';
import * as texts from '../../words/texts.ts';
import { mapAddress, sequenceAddress, sequenceHistoryAddress } from '../../station/addresses.ts';
import { useRight } from '../../station/context.ts';
import { useServices } from '../../shop/toasts.ts';
import { newSequenceOf } from './sequenceDraft.ts';

/** Asks for confirmation before a restart or a deletion. */
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

/**
 * Returns the menu with the actions on one sequence. `isHere` tells whether the sequence's page is open, which has its
 * own button for the main action.
 */
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

const sequenceWords = texts.sequences;

/** The fields of a sequence that actions need. */
type SequenceFacts = Pick<SequenceProgress, 'sequenceid' | 'state' | 'start_time' | 'active_count'>;

/** Actions on sequences. An action is undefined if this person lacks the right. */
export type SequenceActions = {
  open(id: string): void;
  onMap(id: string): void;
  history(id: string): void;
  launch: ((id: string, restart?: boolean) => Promise<void>) | undefined;
  /** Restarts the sequence. Asks first if steps are lit. */
  restart: ((sequence: SequenceFacts) => void) | undefined;
  duplicate: ((id: string) => void) | undefined;
  edit: ((id: string) => void) | undefined;
  /** Deletes the sequence immediately if this can be undone; otherwise asks first. */
  remove: ((sequence: SequenceFacts) => void) | undefined;
};

type SequenceQuestion = { kind: 'remove' | 'restart'; sequence: SequenceFacts };

/** Returns the actions on sequences and the open question. Calls `removed` after a sequence was deleted. */
export function useSequenceActions(removed: () => void = () => undefined) {
  const { api, toasts } = useServices();
  const [, navigate] = useLocation();
  const mayWork = useRight('work');
  const mayEdit = useRight('edit_sequences');
  const [question, setQuestion] = useState<SequenceQuestion>();

  const actions = useMemo<SequenceActions>(() => {
    async function launch(id: string, restart = false): Promise<void> {
      await toasts.attempt(sequenceWords.launchFailed(id), async () => {
        const { steps, warnings } = await api.launchSequence({
          path: { seqID: id },
          query: restart ? { restart: '1' } : {},
        });
        const lit = steps.filter(({ state }) => state === 'active').length;
        toasts.show([sequenceWords.launched(id, lit), ...warnings].join(' '), { topic: `sequence ${id}` });
      });
    }

    async function removeWithUndo(id: string): Promise<void> {
      await toasts.attempt(sequenceWords.removeFailed(id), async () => {
        const sequence = await api.getSequence({ path: { seqID: id } });
        if (!isUntouched(sequence)) return setQuestion({ kind: 'remove', sequence: { ...sequence, active_count: 0 } });
        await api.removeSequence({ path: { seqID: id } });
        toasts.show(sequenceWords.removed(id), {
          topic: `sequence ${id}`,
          undo: async () => void (await api.addSequence({ body: newSequenceOf(sequence) })),
        });
        removed();
      });
    }

    const work = <T,>(action: T): T | undefined => (mayWork ? action : undefined);
    const edits = <T,>(action: T): T | undefined => (mayEdit ? action : undefined);
    return {
      open: (id) => navigate(sequenceAddress(id)),
      onMap: (id) => navigate(mapAddress(id)),
      history: (id) => navigate(sequenceHistoryAddress(id)),
      launch: work(launch),
      restart: work((sequence: SequenceFacts) => {
        if (sequence.active_count > 0) setQuestion({ kind: 'restart', sequence });
        else void launch(sequence.sequenceid, true);
      }),
      duplicate: edits((id: string) => navigate(`/connections/sequences?view=new&from=${encodeURIComponent(id)}`)),
      edit: edits((id: string) => navigate(`${sequenceAddress(id)}?view=edit`)),
      remove: edits((sequence: SequenceFacts) => {
        if (isUntouched(sequence)) void removeWithUndo(sequence.sequenceid);
        else setQuestion({ kind: 'remove', sequence });
      }),
    };
  }, [api, toasts, navigate, mayWork, mayEdit, removed]);

  return {
    actions,
    asking: {
      question,
      close: () => setQuestion(undefined),
      async confirm() {
        if (question === undefined) return;
        const { sequenceid: id } = question.sequence;
        if (question.kind === 'restart') {
          const { steps } = await api.launchSequence({ path: { seqID: id }, query: { restart: '1' } });
          toasts.show(sequenceWords.launched(id, steps.filter(({ state }) => state === 'active').length));
          return;
        }
        await api.removeSequence({ path: { seqID: id } });
        toasts.show(sequenceWords.removed(id));
        removed();
      },
    },
  };
}

/** Whether the sequence can be recreated exactly, because it was never started. */
function isUntouched({ state, start_time }: Pick<SequenceFacts, 'state' | 'start_time'>): boolean {
  return state === 'unstarted' && start_time === null;
}
