import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { texts } from '../../ui/texts.ts';
import type { useSequenceActions } from './useSequenceActions.ts';

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
