import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import type { SequenceProgress } from '#shared/api/sequence.ts';
import { mapAddress, sequenceAddress, sequenceHistoryAddress } from '../../station/addresses.ts';
import { useRight } from '../../station/context.ts';
import { texts } from '../../ui/texts.ts';
import { useServices } from '../../ui/toasts.ts';
import { newSequenceOf } from './sequenceDraft.ts';

const words = texts.sequences;

/** What the actions have to know of a sequence. */
export type SequenceFacts = Pick<SequenceProgress, 'sequenceid' | 'state' | 'start_time' | 'active_count'>;

/** What can be done with a sequence. Undefined: not by this person. */
export type SequenceActions = {
  open(id: string): void;
  onMap(id: string): void;
  history(id: string): void;
  launch: ((id: string, restart?: boolean) => Promise<void>) | undefined;
  /** Asks first if steps are lit. */
  restart: ((sequence: SequenceFacts) => void) | undefined;
  duplicate: ((id: string) => void) | undefined;
  edit: ((id: string) => void) | undefined;
  /** Deletes at once where Undo is possible, else asks. */
  remove: ((sequence: SequenceFacts) => void) | undefined;
};

export type SequenceQuestion = { kind: 'remove' | 'restart'; sequence: SequenceFacts };

/** Calls `removed` when a sequence was deleted. */
export function useSequenceActions(removed: () => void = () => undefined) {
  const { api, toasts } = useServices();
  const [, navigate] = useLocation();
  const mayWork = useRight('work');
  const mayEdit = useRight('edit_sequences');
  const [question, setQuestion] = useState<SequenceQuestion>();

  const actions = useMemo<SequenceActions>(() => {
    async function launch(id: string, restart = false): Promise<void> {
      await toasts.attempt(words.launchFailed(id), async () => {
        const { steps, warnings } = await api.launchSequence(id, { restart });
        const lit = steps.filter(({ state }) => state === 'active').length;
        toasts.say([words.launched(id, lit), ...warnings].join(' '), { topic: `sequence ${id}` });
      });
    }

    async function removeWithUndo(id: string): Promise<void> {
      await toasts.attempt(words.removeFailed(id), async () => {
        const sequence = await api.loadSequence(id);
        if (!isUntouched(sequence)) {
          return setQuestion({ kind: 'remove', sequence: { ...sequence, active_count: 0 } });
        }
        await api.removeSequence(id);
        toasts.say(words.removed(id), {
          topic: `sequence ${id}`,
          undo: async () => void (await api.addSequence(newSequenceOf(sequence))),
        });
        removed();
      });
    }

    const work = <T>(action: T): T | undefined => (mayWork ? action : undefined);
    const edits = <T>(action: T): T | undefined => (mayEdit ? action : undefined);
    return {
      open: (id) => navigate(sequenceAddress(id)),
      onMap: (id) => navigate(mapAddress(id)),
      history: (id) => navigate(sequenceHistoryAddress(id)),
      launch: work(launch),
      restart: work((sequence: SequenceFacts) => {
        if (sequence.active_count > 0) setQuestion({ kind: 'restart', sequence });
        else void launch(sequence.sequenceid, true);
      }),
      duplicate: edits((id: string) => navigate(`/sequences?view=new&from=${encodeURIComponent(id)}`)),
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
          const { steps } = await api.launchSequence(id, { restart: true });
          toasts.say(words.launched(id, steps.filter(({ state }) => state === 'active').length));
          return;
        }
        await api.removeSequence(id);
        toasts.say(words.removed(id));
        removed();
      },
    },
  };
}

/** Whether recreating it restores everything. */
function isUntouched({ state, start_time }: Pick<SequenceFacts, 'state' | 'start_time'>): boolean {
  return state === 'unstarted' && start_time === null;
}
